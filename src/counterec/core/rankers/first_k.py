"""The list without any rules: the first K in the order of ranking."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.scorers.base import first_in_order


@dataclass(frozen=True)
class FirstK:
    """The first K candidates: where a chain of rules ends."""

    @property
    def monotone(self) -> bool:
        """A higher score never does harm."""
        return True

    def ranked(self, user: int, candidates: IntVector, scores: FloatVector, k: int) -> IntVector:  # noqa: ARG002
        """The first K by score, then by number."""
        return candidates[first_in_order(scores, candidates, k)]


FIRST_K = FirstK()
