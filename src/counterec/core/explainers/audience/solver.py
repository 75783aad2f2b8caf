"""An audience: the fewest improvements of one item, the same for all, that bring it into the lists of many users.

The seller's *why not*. Sets of aspects are tried at their bounds: one is grown by the aspect that brings the item into
the most lists (and, among equals, nearest to the others), until it is in enough of them (among such sets, by what seems
cheapest); what can be left out is; smaller sets are tried where the budget allows; then the improvements are shrunk as
far as enough lists hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector, freeze, require, require_shape
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.audience.settings import AudienceSettings
from counterec.core.explainers.constraints import NONE, Constraints
from counterec.core.explainers.probe import Probe, probe_of
from counterec.core.explainers.question import Direction, Question, crossed
from counterec.core.explainers.tolerances import MARGIN, NEAR
from counterec.core.explainers.why import why_not
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace
from counterec.errors import UsageError


@dataclass(frozen=True)
class AudienceAnswer:
    """One change of one item, and what became of it with every user: re-scored, never claimed."""

    item: int
    users: IntVector
    wanted: int
    delta: FloatVector
    target: FloatVector = field(repr=False)
    """Per user the Kth best score of the other candidates."""
    score_before: FloatVector = field(repr=False)
    score_after: FloatVector = field(repr=False)
    had_it: BoolVector
    """Whose list has the item as it is."""
    has_it: BoolVector
    """Whose list has the item after the change."""
    status: Status
    proof: Proof

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            delta=np.float32,
            target=np.float32,
            score_before=np.float32,
            score_after=np.float32,
            had_it=np.bool_,
            has_it=np.bool_,
        )
        for name in ("target", "score_before", "score_after", "had_it", "has_it"):
            require_shape(name, getattr(self, name), self.users.shape)
        enough = self.entered.sum() >= self.wanted
        require(enough or self.status is not Status.EXPLAINED, "an audience is said to be reached, and is not")

    @property
    def entered(self) -> BoolVector:
        """Whose list the item enters."""
        return self.has_it & ~self.had_it


def why_not_for_all(
    scorer: Scorer,
    space: AspectSpace,
    recommendations: Recommendations,
    item: int,
    users: IntVector,
    wanted: int,
    *,
    constraints: Constraints = NONE,
    margin: float = MARGIN,
    settings: AudienceSettings = AudienceSettings(),  # noqa: B008
) -> AudienceAnswer:
    """Find the fewest improvements of the item with which it enters the lists of at least ``wanted`` of these users.

    With the mask, the aspects that any of them cares about may move.
    """
    users = np.unique(np.asarray(users, dtype=np.int64))
    require(wanted >= 1, f"at least {wanted} users: ask for 1 or more")
    question = why_not(space, recommendations, users, np.full(len(users), item), constraints=constraints, margin=margin)
    open_to_it = int((~question.settled).sum())
    if wanted > open_to_it:
        raise UsageError(
            f"at least {wanted} users cannot be won: of these {len(users)}, {open_to_it} do not have "
            f"{space.items.texts[item]} in their list yet"
        )
    search = _Search(scorer, question, wanted, settings)
    delta, proof = search.run()
    return _verified(scorer, question, recommendations, wanted, delta, proof)


def _verified(
    scorer: Scorer, question: Question, lists: Recommendations, wanted: int, delta: FloatVector, proof: Proof
) -> AudienceAnswer:
    """Score everybody once more with exactly this change."""
    item = int(question.items[0])
    before = scorer.score(question.pairs)
    quality = np.broadcast_to(question.pairs.item_quality[0] + delta, question.lowest.shape)
    after = scorer.score(PairBatch(question.users, question.items, question.pairs.user_attention, quality))
    target, last = _thresholds(question, lists)
    enters = crossed(after, target, Direction.RAISE, question.margin)
    keeps = np.isnan(target) | (after > target) | ((after == target) & (item < last))
    has_it = np.where(question.settled, keeps, enters)
    reached = int((has_it & ~question.settled).sum()) >= wanted
    movable = question.movable[~question.settled].any()
    missed = Status.NOT_FOUND if movable else Status.NOTHING_TO_CHANGE
    return AudienceAnswer(
        item=item,
        users=question.users,
        wanted=wanted,
        delta=delta,
        target=target,
        score_before=before,
        score_after=after,
        had_it=question.settled,
        has_it=has_it,
        status=Status.EXPLAINED if reached else missed,
        proof=proof if reached else Proof.NONE,
    )


def _thresholds(question: Question, lists: Recommendations) -> tuple[FloatVector, IntVector]:
    """Per user the Kth best of the other candidates: its score and its number."""
    rows = lists.rows_of(question.users)
    place = np.where(question.settled, lists.k, lists.k - 1)
    return lists.scores[rows, place], lists.items[rows, place]


class _Search:
    """The search over sets of aspects of one item."""

    def __init__(self, scorer: Scorer, question: Question, wanted: int, settings: AudienceSettings) -> None:
        open_to_it = question.rows(~question.settled)
        self._scorer, self._question = scorer, open_to_it
        self._probe: Probe = probe_of(scorer, open_to_it)
        self._users, self._wanted, self._settings = len(open_to_it), wanted, settings
        down, up = open_to_it.lowest.min(axis=0), open_to_it.highest.max(axis=0)
        self._reach = np.where(up > 0, up, down).astype(np.float32)
        """The change is the same for all, so its bounds are the widest that any of them allows."""
        scale, quality = question.space.scale, question.pairs.item_quality[0]
        self._least = (np.clip(quality, scale.low, scale.high) - quality).astype(np.float32)
        """How far a move goes at least: what nobody had reviewed must land on its scale."""
        self._aspects = np.flatnonzero(self._reach)
        self._costs = question.costs
        self._most = len(self._aspects) if question.most is None else min(question.most, len(self._aspects))
        self._gaps_before = self._gaps([np.zeros_like(self._reach)])[0]

    def run(self) -> tuple[FloatVector, Proof]:
        """The change, and what is known of how few aspects it takes."""
        grown, enough = self._grown()
        if not enough:
            return self._at_bounds(grown), Proof.NONE
        chosen, proof = self._pruned(grown), Proof.IRREDUCIBLE
        if len(chosen) <= 2 or self._affordable(len(chosen)):
            chosen, proof = self._smaller(chosen) or chosen, Proof.SMALLEST
        return self._shrunk(chosen), proof

    def _grown(self) -> tuple[list[int], bool]:
        """Add the aspect that wins the most users until enough are won; else the set that won the most."""
        chosen: list[int] = []
        best, best_worth = chosen, self._worth([chosen])[0]
        while len(chosen) < self._most:
            sets = [[*chosen, aspect] for aspect in self._aspects.tolist() if aspect not in chosen]
            worths = self._worth(sets)
            at = max(range(len(sets)), key=worths.__getitem__)
            chosen = sets[at]
            if worths[at][0] >= self._wanted:
                return chosen, True
            if worths[at] > best_worth:
                best, best_worth = chosen, worths[at]
        return best, False

    def _worth(self, sets: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
        """Per set, all of it at its bounds: how many users it wins, up to enough; then, what is better among equals.

        Of sets that win too few, the one with which the other users are nearest; of those that win enough, the one
        that would cost least, were the scores straight lines.
        """
        changes = [self._at_bounds(chosen) for chosen in sets]
        worths = []
        for change, gaps in zip(changes, self._gaps(changes), strict=True):
            won = self._won(change, gaps)
            if won.sum() < self._wanted:
                worths.append((int(won.sum()), -float(np.maximum(gaps, 0).sum())))
            else:
                way = np.where(gaps < 0, self._gaps_before / np.maximum(self._gaps_before - gaps, 1e-9), 1)
                share = np.sort(way[won])[self._wanted - 1]
                worths.append((self._wanted, -float(share * np.linalg.norm(self._costs * change))))
        return worths

    def _won(self, change: FloatVector, gaps: FloatVector) -> BoolVector:
        """Which users a change wins: all that clear the aim and, near the margin, those of whom the scorer says so."""
        won = gaps < 0
        near = np.flatnonzero(~won & (gaps < NEAR * self._question.clearance))
        if len(near):
            asked = self._question.rows(near)
            won[near] = asked.crossed(self._scorer.score(asked.changed(np.tile(change, (len(near), 1)))))
        return won

    def _enough(self, delta: FloatVector) -> bool:
        return int((self._gaps([delta])[0] < 0).sum()) >= self._wanted

    def _gaps(self, changes: Sequence[FloatVector]) -> list[FloatVector]:
        """Per change the gaps of all users."""
        width = max([1, *(int(np.count_nonzero(change)) for change in changes)])
        aspects = np.zeros((len(changes), width), dtype=np.int64)
        moves = np.zeros((len(changes), width), dtype=np.float32)
        for row, change in enumerate(changes):
            moved = np.flatnonzero(change)
            aspects[row, : len(moved)], moves[row, : len(moved)] = moved, change[moved]
        users = np.tile(np.arange(self._users), len(changes))
        gaps = self._probe.gaps(users, aspects.repeat(self._users, axis=0), moves.repeat(self._users, axis=0))
        return list(gaps.reshape(len(changes), self._users))

    def _at_bounds(self, chosen: Sequence[int]) -> FloatVector:
        delta = np.zeros_like(self._reach)
        delta[list(chosen)] = self._reach[list(chosen)]
        return delta

    def _pruned(self, chosen: list[int]) -> list[int]:
        """Leave out aspects while enough users are still won."""
        while len(chosen) > 1:
            fewer = [[a for a in chosen if a != dropped] for dropped in chosen]
            worths = self._worth(fewer)
            at = max(range(len(fewer)), key=worths.__getitem__)
            if worths[at][0] < self._wanted:
                break
            chosen = fewer[at]
        return chosen

    def _affordable(self, size: int) -> bool:
        sets = sum(comb(len(self._aspects), smaller) for smaller in range(2, size))
        return sets * self._users <= self._settings.budget

    def _smaller(self, chosen: list[int]) -> list[int] | None:
        """The first and best of all smaller sets that is enough; single aspects have been tried when growing."""
        for size in range(2, len(chosen)):
            sets = list(combinations(self._aspects.tolist(), size))
            worths = self._worth(sets)
            at = max(range(len(sets)), key=worths.__getitem__)
            if worths[at][0] >= self._wanted:
                return list(sets[at])
        return None

    def _shrunk(self, chosen: list[int]) -> FloatVector:
        """First all aspects by the same share, then each by itself, the dearest first."""
        delta = self._at_bounds(chosen)
        delta = self._shortest(lambda share: self._landed(share * delta))
        dearest = sorted(chosen, key=lambda aspect: -float(abs(self._costs[aspect] * delta[aspect])))
        for aspect in dearest:

            def along(share: float, aspect: int = aspect, before: FloatVector = delta) -> FloatVector:
                after = before.copy()
                after[aspect] *= share
                return self._landed(after)

            delta = self._shortest(along)
        return delta

    def _shortest(self, along: Callable[[float], FloatVector]) -> FloatVector:
        """The shortest part of a way that is found, by halving, to be enough; at share 1 it is."""
        low, high = 0.0, 1.0
        for _ in range(self._settings.halvings):
            middle = (low + high) / 2
            if self._enough(along(middle)):
                high = middle
            else:
                low = middle
        return along(high)

    def _landed(self, delta: FloatVector) -> FloatVector:
        """No move shorter than to the worse end of the scale."""
        short = (delta != 0) & (np.abs(delta) < np.abs(self._least)) & (np.abs(self._least) <= np.abs(self._reach))
        return np.where(short, self._least, delta).astype(np.float32)
