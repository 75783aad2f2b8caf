"""A scorer that counts what is asked of it, pair by pair, and stops asking for a pair whose budget is spent.

From then on it hands out the pair's target instead, which no change crosses: the search of that pair runs out by itself
and what it says is not used, while all others go on. The best change that was scored until then is remembered.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.explainers.best_met import BestMet
from counterec.core.explainers.budget import KEPT_CALLS, KEPT_ROWS, Budget, Spent
from counterec.core.explainers.question import Question
from counterec.core.scorers.base import PairBatch, Scorer, scores_of


class MeteredScorer:
    """Any scorer as a black box, within a budget for each pair of a question."""

    def __init__(self, scorer: Scorer, question: Question, budget: Budget) -> None:
        self._scorer, self._budget = scorer, budget
        self.aspects_only = scorer.aspects_only
        self._items = len(question.space.items)
        keys = question.users * self._items + question.items
        self._pairs, self._first, self._pair_of_row, self._asked = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )
        """Distinct pairs: one that is asked about twice has one budget."""
        self._rows_by_pair = np.argsort(self._pair_of_row, kind="stable")
        self._starts = np.cumsum(self._asked) - self._asked
        self._instead = np.nan_to_num(question.target).astype(np.float32)
        self._calls, self._rows = (np.zeros(len(self._pairs), dtype=np.int64) for _ in range(2))
        self._total_calls = self._total_rows = 0
        self._out = np.zeros(len(self._pairs), dtype=bool)
        self._limited = True
        self.best = BestMet(question)

    def score(self, pairs: PairBatch) -> FloatVector:
        """Ask the scorer for all rows whose pair can still pay for them."""
        place = np.searchsorted(self._pairs, pairs.users * self._items + pairs.items)
        paid = np.flatnonzero(self._charged(place))
        scores = self._instead[self._first[place]]
        if len(paid):
            asked = pairs if len(paid) == len(pairs) else pairs.rows(paid)
            scores[paid] = scores_of(self._scorer, asked)
            self._total_calls, self._total_rows = self._total_calls + 1, self._total_rows + len(paid)
            self._remember(place[paid], asked.item_quality, scores[paid])
        return scores

    def without_limit(self) -> MeteredScorer:
        """From now on everything is asked, and still counted: what was kept back is for verifying."""
        self._limited = False
        return self

    def _charged(self, place: IntVector) -> BoolVector:
        """Which rows are paid for; a pair that cannot pay for all of its rows in a call is out from then on."""
        wanted = np.bincount(place, minlength=len(self._pairs))
        involved, budget = wanted > 0, self._budget
        if self._limited and budget.calls is not None:
            self._out |= involved & (self._calls + 1 > budget.calls - KEPT_CALLS)
        if self._limited and budget.is_late:
            self._out |= involved
        if self._limited and budget.rows is not None:
            self._out |= involved & (self._rows + wanted > budget.rows - KEPT_ROWS * self._asked)
        paid = involved & ~(self._out & self._limited)
        self._calls += paid
        self._rows += np.where(paid, wanted, 0)
        return paid[place]

    def _remember(self, place: IntVector, quality: FloatMatrix, scores: FloatVector) -> None:
        """Note the scores for every row of the question that asks about their pair."""
        counts = self._asked[place]
        which = np.repeat(np.arange(len(place)), counts)
        turn = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        self.best.take(self._rows_by_pair[self._starts[place][which] + turn], quality[which], scores[which])

    @property
    def spent_out(self) -> BoolVector:
        """Which pairs of the question wanted more than their budget."""
        return self._out[self._pair_of_row]

    @property
    def spent(self) -> Spent:
        """What was asked."""
        calls, rows = self._calls[self._pair_of_row], self._rows[self._pair_of_row]
        return Spent(calls, rows, self._total_calls, self._total_rows)
