"""Search among many names: what is typed is compared with every one of them, and only the best few are shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from counterec.core.arrays import require

BEGINS, WORD_BEGINS, CONTAINS = range(3)
"""How well a name fits what is typed, the best first."""


@dataclass(frozen=True)
class Found:
    """The best of the names that fit, and how many fit in all."""

    places: Sequence[int]
    total: int


@dataclass(frozen=True)
class TextSearch:
    """Names in their order, prepared once; searching goes through all of them and keeps nothing."""

    names: Sequence[str]
    others: Sequence[str] = ()
    """For each name another text that finds it, such as its id; or nothing at all."""

    def __post_init__(self) -> None:
        fits = not self.others or len(self.others) == len(self.names)
        require(fits, f"{len(self.others)} other texts for {len(self.names)} names")

    def found(self, typed: str, most: int, allowed: Callable[[int], bool] | None = None) -> Found:
        """The places of the names in which every typed word occurs: first those that begin with what is typed.

        ``allowed`` leaves places out. Of names that fit equally well, the first ones are shown.
        """
        words = _plain(typed).split()
        fitting: tuple[list[int], list[int], list[int]] = ([], [], [])
        for place, text in enumerate(self._texts):
            if all(word in text for word in words) and (allowed is None or allowed(place)):
                fitting[_fit(text, words)].append(place)
        ordered = [place for places in fitting for place in places]
        return Found(ordered[:most], len(ordered))

    @cached_property
    def _texts(self) -> list[str]:
        others = self.others or [""] * len(self.names)
        return [f"{_plain(name)} {_plain(other)}".strip() for name, other in zip(self.names, others, strict=True)]


def _fit(text: str, words: list[str]) -> int:
    if text.startswith(" ".join(words)):
        return BEGINS
    return WORD_BEGINS if all(f" {word}" in f" {text}" for word in words) else CONTAINS


def _plain(text: str) -> str:
    """Without capitals and accents, so that “cafe” finds “Café”."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
