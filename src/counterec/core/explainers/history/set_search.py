"""The search for the fewest past reviews without which an item leaves the list.

Every single review is scored. If none flips, sets grow, the most promising of each size first, until one flips. Reviews
that it does not need are put back. Then, as far as the budget goes, every smaller set is tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from counterec.core.arrays import FloatVector, IntMatrix, IntVector
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.budget import KEPT_CALLS, Budget
from counterec.core.explainers.history.place import Place
from counterec.core.explainers.history.promise import Promises, sets_of
from counterec.core.explainers.history.settings import HistorySettings
from counterec.core.explainers.history.user_history import Removed, UserHistory


@dataclass(frozen=True)
class Found:
    """What the search hands over to be verified: reviews by their places in the history, and what it claims."""

    removed: Removed
    """The answer, or the nearest miss; the review that does most comes first."""
    status: Status
    proof: Proof
    sets: int
    """How many sets of reviews were scored."""


class _BudgetSpentError(Exception):
    """Nothing more may be scored."""


class SetSearch:
    """The search about one item of one user's list."""

    def __init__(self, history: UserHistory, place: Place, settings: HistorySettings, budget: Budget) -> None:
        self._history, self._place, self._settings, self._budget = history, place, settings, budget
        self._reviews: IntVector = np.flatnonzero(history.removable)
        self._gaps: dict[Removed, float] = {}
        self._best: Removed | None = None  # the smallest set met that flips
        self._listed: dict[int, tuple[IntMatrix, FloatVector]] = {}

    def found(self) -> Found:
        """The smallest set that was found, with what is proven of it; or why there is none."""
        if not len(self._reviews):
            return Found((), Status.NOTHING_TO_CHANGE, Proof.NONE, 0)
        try:
            flipping = self._flipping_set()
            if isinstance(flipping, Status):
                return self._ended(flipping, self._nearest)
            smallest, proof = self._proven(self._pruned(flipping))
        except _BudgetSpentError:
            return self._ended(Status.OUT_OF_BUDGET, self._best or self._nearest)
        return self._ended(Status.EXPLAINED, smallest, proof)

    def _ended(self, status: Status, removed: Removed, proof: Proof = Proof.NONE) -> Found:
        return Found(self._strongest_first(removed), status, proof, len(self._gaps))

    # Scoring, and what it may cost.

    @property
    def _most(self) -> int:
        """How many sets may be scored for this pair."""
        budget = self._budget
        most = self._settings.sets if budget.calls is None else budget.calls - KEPT_CALLS
        if budget.rows is not None:
            most = min(most, budget.rows // len(self._place.candidates) - KEPT_CALLS)
        return most

    def _scored(self, removed: Iterable[int]) -> float:
        """The gap without these reviews, below 0 and by more than the margin if the item leaves the list."""
        key = tuple(sorted(removed))
        if key not in self._gaps:
            if len(self._gaps) >= self._most or self._budget.is_late:
                raise _BudgetSpentError
            self._gaps[key] = self._place.gap(self._history.scores(key))
        return self._gaps[key]

    def _flips(self, removed: Iterable[int]) -> bool:
        key = tuple(sorted(removed))
        gap = self._scored(key)
        flips = self._place.left(self._history.scores(key))
        if flips and (self._best is None or (len(key), gap) < (len(self._best), self._gaps[self._best])):
            self._best = key
        return flips

    def _first_flip(self, sets: Iterable[Removed]) -> Removed | None:
        return next((one for one in sets if self._flips(one)), None)

    @property
    def _nearest(self) -> Removed:
        """The set that comes nearest to taking the item off; of equals the smaller one."""
        return min(self._gaps, key=lambda removed: (self._gaps[removed], len(removed), removed), default=())

    def _strongest_first(self, removed: Removed) -> Removed:
        """The same reviews: that which by itself lets the item fall most comes first."""
        return tuple(sorted(removed, key=lambda review: (self._gaps.get((review,), 0.0), review)))

    # What sets promise.

    @cached_property
    def _promises(self) -> Promises:
        """Made from the single reviews, which have been scored by then."""
        scores, effects = self._history.scores(()), self._history.effects(self._reviews)
        place = self._place
        return Promises.of(scores.astype(np.float64), effects, place.at, place.k, place.margin, exact=self._linear)

    @property
    def _linear(self) -> bool:
        """Whether promises are facts: scores decide, and each review adds its own part to them."""
        return self._history.linear and self._place.ranker is None

    def _by_promise(self, size: int) -> tuple[IntMatrix, FloatVector] | None:
        """All sets of this size, the most promising first, with their promises; None if there are too many."""
        if comb(len(self._reviews), size) > self._settings.listed:
            return None
        if size not in self._listed:
            sets = sets_of(len(self._reviews), size)
            promised = self._promises.gap(sets)
            order = np.argsort(promised, kind="stable")
            self._listed[size] = self._reviews[sets[order]], promised[order]
        return self._listed[size]

    # The search.

    def _flipping_set(self) -> Removed | Status:
        """A set that flips, the smaller the better; or the status of a search that ends without one."""
        singles = [(review,) for review in self._reviews.tolist()]
        if flipping := [one for one in singles if self._flips(one)]:
            return min(flipping, key=lambda one: (self._gaps[one], one))
        if self._linear and self._promises.least is None:
            return Status.CANNOT_FLIP
        grown = self._grown(min(singles, key=lambda one: (self._gaps[one], one)))
        if grown is not None:
            return grown
        sizes = range(self._least, len(self._reviews) + 1)
        for size in sizes:
            flip, ruled_out = self._tried_all(size)
            if flip is not None:
                return flip
            if not ruled_out:
                return Status.NOT_FOUND
        return Status.CANNOT_FLIP

    def _grown(self, best: Removed) -> Removed | None:
        """Grow from the best single review: of each size the sets that promise most are scored."""
        for size in range(2, len(self._reviews) + 1):
            if size < self._least:
                continue
            listed = self._by_promise(size)
            tries = [] if listed is None else [tuple(one) for one in listed[0][: self._settings.tries].tolist()]
            tries.append(self._extended(best, size))
            flips = [one for one in dict.fromkeys(tries) if self._flips(one)]
            best = min(flips or tries, key=lambda one: (self._gaps[one], one))
            if flips:
                return best
        return None

    def _extended(self, removed: Removed, size: int) -> Removed:
        """The set with further reviews, up to this size: each time the one that promises most beside it."""
        place = {review: number for number, review in enumerate(self._reviews.tolist())}
        chosen = [place[review] for review in removed]
        while len(chosen) < size:
            others = np.setdiff1d(np.arange(len(self._reviews)), chosen)
            sets = np.column_stack([np.tile(chosen, (len(others), 1)), others])
            chosen.append(int(others[self._promises.gap(sets).argmin()]))
        return tuple(sorted(self._reviews[chosen].tolist()))

    def _pruned(self, removed: Removed) -> Removed:
        """Put back what is not needed, until every review of the set is."""
        while len(removed) > 1:
            fewer = [tuple(other for other in removed if other != review) for review in removed]
            flips = [one for one in fewer if self._flips(one)]
            if not flips:
                return removed
            removed = min(flips, key=lambda one: (self._gaps[one], one))
        return removed

    @property
    def _least(self) -> int:
        """No set of fewer reviews flips; single ones have been scored."""
        return max(2, self._promises.least or 2) if self._linear else 2

    def _proven(self, removed: Removed) -> tuple[Removed, Proof]:
        """Try all smaller sets, as far as the budget goes."""
        for size in range(self._least, len(removed)):
            flip, ruled_out = self._tried_all(size)
            if flip is not None:
                return flip, Proof.SMALLEST
            if not ruled_out:
                return removed, Proof.IRREDUCIBLE
        return removed, Proof.SMALLEST

    def _tried_all(self, size: int) -> tuple[Removed | None, bool]:
        """A set of this size that flips, or none; and whether every set of this size is then ruled out.

        Nothing is tried where the budget does not suffice for all.
        """
        listed = self._by_promise(size)
        if listed is None:
            return None, False
        sets, promised = listed
        if self._linear:
            sets = sets[self._promises.may_flip(promised, size)]
        tried = [tuple(one) for one in sets.tolist()]
        if sum(one not in self._gaps for one in tried) > self._most - len(self._gaps):
            return None, False
        try:
            return self._first_flip(tried), True
        except _BudgetSpentError:  # the deadline
            return None, False
