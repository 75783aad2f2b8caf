"""A dictionary that computes what it lacks and stays small."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

LONGEST_KEY = 100
"""Longer texts are computed each time, so that the memory stays bounded."""

Value = TypeVar("Value")


class Memo(dict[str, Value]):
    """The values of a pure function of a word, at most so many at a time.

    ``memo[word]`` costs half of what a cached function costs, which matters where every word of a text is looked up.
    When it is full, it is emptied: the few thousand words that make up most of any text are soon back.
    """

    __slots__ = ("_compute", "_most")

    def __init__(self, compute: Callable[[str], Value], most: int) -> None:
        super().__init__()
        self._compute = compute
        self._most = most

    def __missing__(self, key: str) -> Value:
        value = self._compute(key)
        if len(key) <= LONGEST_KEY:
            if len(self) >= self._most:
                self.clear()
            self[key] = value
        return value
