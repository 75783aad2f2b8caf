"""Verdicts: whether named aspects are necessary and sufficient, per explanation, with bounds where ties decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolVector, IntVector, freeze, require, require_shape

VERDICTS = tuple(f"{verdict}{ties}" for verdict in ("necessary", "sufficient") for ties in ("", "_kind", "_strict"))
"""The verdicts in the order of their columns on disk."""

TIE_BOUNDS = tuple(name for name in VERDICTS if name.endswith(("_kind", "_strict")))


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """Necessary? Sufficient? One row per pair; a row that names no aspect is not ``asked``.

    ``necessary`` and ``sufficient`` follow the rule of ranking. Their bounds resolve ties for the explanation (kind)
    and against it (strict); all four are None where only the rule was applied. An item that ``stays_without_aspects``,
    for something else than its aspects, has none that are sufficient; None where this was not recorded. Under a ranker,
    ``looked_at`` says how many of the user's candidates were looked at; None: all of them.
    """

    users: IntVector
    asked: BoolVector
    necessary: BoolVector
    necessary_kind: BoolVector | None = None
    necessary_strict: BoolVector | None = None
    sufficient: BoolVector
    sufficient_kind: BoolVector | None = None
    sufficient_strict: BoolVector | None = None
    stays_without_aspects: BoolVector | None = None
    looked_at: IntVector | None = None

    def __post_init__(self) -> None:
        missing = [name for name in TIE_BOUNDS if getattr(self, name) is None]
        require(len(missing) in (0, len(TIE_BOUNDS)), f"verdicts without {', '.join(missing)}; give all bounds or none")
        freeze(self, users=np.int64, asked=np.bool_, **dict.fromkeys(self._flags, np.bool_))
        for name in ("asked", *self._flags):
            require_shape(name, getattr(self, name), self.users.shape)
        if self.looked_at is not None:
            freeze(self, looked_at=np.int64)
            require_shape("looked_at", self.looked_at, self.users.shape)

    def __len__(self) -> int:
        return len(self.users)

    @property
    def known(self) -> tuple[str, ...]:
        """The verdicts that are known: all six, or the two by the rule of ranking."""
        return tuple(name for name in VERDICTS if getattr(self, name) is not None)

    @property
    def _flags(self) -> tuple[str, ...]:
        """Everything that is decided of a row."""
        return self.known if self.stays_without_aspects is None else (*self.known, "stays_without_aspects")

    @property
    def columns(self) -> tuple[str, ...]:
        """Everything that is recorded of a row."""
        looked_at = () if self.looked_at is None else ("looked_at",)
        return ("users", "asked", *self._flags, *looked_at)

    def with_zeros(self) -> Verdicts:
        """The same, with every row asked: rows that name no aspect are neither necessary nor sufficient."""
        return replace(self, asked=np.ones_like(self.asked))

    def only(self, rows: BoolVector) -> Verdicts:
        """The same, with no row asked but these."""
        columns = {name: getattr(self, name) & rows for name in self._flags}
        return replace(self, asked=self.asked & rows, **columns)

    def rows(self, index: IntVector) -> Verdicts:
        """Some of the rows, in this order."""
        return replace(self, **{name: getattr(self, name)[index] for name in self.columns})

    def combined_with(self, other: Verdicts) -> Verdicts:
        """These verdicts and those of other rows of the same pairs."""
        columns = {name: getattr(self, name) | getattr(other, name) for name in ("asked", *self._flags)}
        return replace(self, **columns)

    @classmethod
    def joined(cls, parts: Sequence[Verdicts]) -> Verdicts:
        """Several batches as one."""
        names = parts[0].columns
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})
