"""A run's leads and robustness marks in a few numbers: how often history leads, and in how many nets answers hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.evaluation.measure import Measure, mean


def led_by_history(aspects: FloatVector, history: FloatVector, users: IntVector) -> Measure:
    """The share of items whose lead comes more from history than from aspects; NaN, of either part, is no case."""
    return mean(np.where(np.isnan(aspects + history), np.nan, history > aspects), users)


@dataclass(frozen=True)
class MarkSummary:
    """How the robustness marks of explained items are distributed."""

    nets: int
    of_agreeing: Measure
    """The mean share of the nets that agree with the list in which the explanation holds; of items with such a net."""
    in_every_net: Measure
    """The share of explained items whose explanation holds in every net."""
    marks: dict[str, int]
    """How many explained items have the mark *hold of agree*, such as ``"2 of 3"``."""

    def as_dict(self) -> dict[str, object]:
        """The summary as written to disk."""
        measures = {"of_agreeing": self.of_agreeing.as_dict(), "in_every_net": self.in_every_net.as_dict()}
        return {"nets": self.nets, **measures, "marks": self.marks}


def mark_summary(nets: int, agree: IntVector, hold: IntVector, users: IntVector) -> MarkSummary:
    """Summarise the marks of explained items: how many nets agree, and in how many of these the answer holds."""
    shares = np.divide(hold, agree, out=np.full(len(agree), np.nan), where=agree > 0)
    counts = Counter(zip(agree.tolist(), hold.tolist(), strict=True))
    marks = {f"{held} of {agreed}": counts[agreed, held] for agreed, held in sorted(counts)}
    return MarkSummary(nets, mean(shares, users), mean((hold == nets).astype(np.float64), users), marks)
