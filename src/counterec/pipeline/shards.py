"""A shard: which pieces of a stage one of several jobs makes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from counterec.errors import UsageError


@dataclass(frozen=True)
class Shard:
    """Every ``count``-th piece, beginning with piece number ``index``."""

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < self.count:
            raise UsageError(
                f"--shard {self}: shards are counted from 0, so that of {self.count} the last is "
                f"{self.count - 1}/{self.count}"
                if self.count > 0
                else f"--shard {self}: there must be at least one shard"
            )

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    @classmethod
    def of(cls, text: str) -> Shard:
        """Read ``3/16``."""
        found = re.fullmatch(r"(\d+)/(\d+)", text)
        if found is None:
            raise UsageError(f"--shard {text!r}: write it as 3/16, the fourth of sixteen; the first is 0/16")
        return cls(int(found[1]), int(found[2]))

    def has(self, number: int) -> bool:
        """Whether the piece of this number is one of its own."""
        return number % self.count == self.index
