"""Verdicts: whether the aspects that an explanation names are necessary, and whether they are sufficient."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolVector, IntVector, freeze, require_shape

VERDICTS = tuple(f"{verdict}{ties}" for verdict in ("necessary", "sufficient") for ties in ("", "_kind", "_strict"))
"""The columns of verdicts: by the rule of ranking, with ties resolved for the explanation, and against it."""


@dataclass(frozen=True)
class Verdicts:
    """One row per explained pair: are its aspects necessary (Eq. 14), and are they sufficient (Eq. 15)?

    Each is decided by the rule of ranking, with ties resolved for the explanation (kind), and against it (strict).
    Rows that name nothing are not ``asked``.
    """

    users: IntVector
    asked: BoolVector
    necessary: BoolVector
    necessary_kind: BoolVector
    necessary_strict: BoolVector
    sufficient: BoolVector
    sufficient_kind: BoolVector
    sufficient_strict: BoolVector

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, asked=np.bool_, **dict.fromkeys(VERDICTS, np.bool_))
        for name in ("asked", *VERDICTS):
            require_shape(name, getattr(self, name), self.users.shape)

    def with_zeros(self) -> Verdicts:
        """The same, with rows that name nothing counted as neither necessary nor sufficient."""
        return replace(self, asked=np.ones_like(self.asked))

    def joined(self, other: Verdicts) -> Verdicts:
        """These and the verdicts of other rows of the same pairs."""
        columns = {name: getattr(self, name) | getattr(other, name) for name in ("asked", *VERDICTS)}
        return Verdicts(users=self.users, **columns)
