"""The texts of one kind, numbered: users, items and aspects are numbers everywhere below the surface."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import IntVector, require
from counterec.errors import UnknownIdError


@dataclass(frozen=True)
class Vocabulary:
    """The texts of one kind (users, items or aspects), numbered in their sorted order."""

    kind: str
    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        for before, after in zip(self.texts, self.texts[1:], strict=False):
            require(before < after, f"{self.kind} {after!r} is repeated or out of order after {before!r}")

    @classmethod
    def of(cls, kind: str, texts: Iterable[str]) -> Vocabulary:
        """Number the distinct texts in their sorted order."""
        return cls(kind, tuple(sorted(set(texts))))

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def _number_of(self) -> Mapping[str, int]:
        return {text: number for number, text in enumerate(self.texts)}

    def __contains__(self, text: str) -> bool:
        return text in self._number_of

    def number(self, text: str) -> int:
        """Return the number of a text; an unknown text is an error that suggests similar ones."""
        if text not in self._number_of:
            raise self._unknown(text)
        return self._number_of[text]

    def numbers(self, texts: Iterable[str]) -> IntVector:
        """Return the numbers of many texts; an unknown text is an error that suggests similar ones."""
        try:
            return np.fromiter(map(self._number_of.__getitem__, texts), dtype=np.int64)
        except KeyError as unknown:
            raise self._unknown(unknown.args[0]) from None

    def checked_numbers(self, given: ArrayLike) -> IntVector:
        """Return numbers as a vector; one that no text has is an error, since -1 would silently be the last."""
        found = np.atleast_1d(np.asarray(given))
        if found.ndim != 1 or (len(found) and found.dtype.kind not in "iu"):
            example = found.flat[0] if found.size else given
            raise UnknownIdError(
                f"{example!r} is not the number of a {self.kind}; pass whole numbers in a row, such as those that "
                "numbers(ids) of the vocabulary returns"
            )
        outside = found[(found < 0) | (found >= len(self))]
        if len(outside):
            raise UnknownIdError(f"no {self.kind} {outside[0]}; there are {len(self)}, numbered 0 to {len(self) - 1}")
        return found.astype(np.int64)

    def _unknown(self, text: str) -> UnknownIdError:
        return UnknownIdError(f"no {self.kind} {text!r} here{self._suggestion(text)}")

    def _suggestion(self, text: str) -> str:
        import difflib

        near = difflib.get_close_matches(text, self.texts[:20_000], n=3)
        if near:
            return f"; did you mean {', '.join(map(repr, near))}?"
        return f"; there are {len(self)}, such as {', '.join(map(repr, self.texts[:3]))}" if len(self) else ""
