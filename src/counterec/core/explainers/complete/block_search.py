"""The search of some users' pairs side by side: climb, check against all candidates, climb on with what was overlooked.

No pair's answer depends on which others are searched with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.evaluation.necessity import UserNecessity
from counterec.core.explainers.complete.catalogue_facts import CatalogueFacts
from counterec.core.explainers.complete.climb import Climb, Reached
from counterec.core.explainers.complete.rival_lists import RivalLists
from counterec.core.explainers.complete.rivals import Rivals
from counterec.core.explainers.complete.rivals_ahead import PairsOfUsers, RivalsAhead
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.complete.shared_scores import SharedScores
from counterec.core.explainers.minimal.flipping_sets import Flipping
from counterec.core.explainers.minimal.set_search import SetSearch
from counterec.core.explainers.question import Question
from counterec.core.scorers.catalogue import UserCatalogue

REVISITS = 3
"""How often a search that overlooked rivals goes on with them, if there are too many to look at all."""

OVERLOOKED = 64
"""At most this many of the rivals that a search overlooked for a set are looked at from then on, best first."""


class BlockSearch:
    """What searching blocks of pairs needs once for all of them."""

    def __init__(
        self,
        facts: CatalogueFacts,
        question: Question,
        search: SetSearch,
        settings: CompleteSettings,
        lists: RivalLists,
    ) -> None:
        self.facts, self.necessity, self.question = facts, facts.necessity, question
        self.search, self.settings, self.lists = search, settings, lists

    def completed(self, groups: Sequence[IntVector], prices: FloatMatrix, start: Flipping) -> Reached:
        """The best set of each pair of these groups, each of which shares a user and rivals.

        ``prices`` [groups, aspects] is what each aspect must be worth to be named.
        """
        return _Block(self, groups, prices).completed(start)


@dataclass(frozen=True)
class _Group:
    """The pairs of one user that share their rivals."""

    rows: IntVector
    candidates: IntVector
    view: UserCatalogue
    rivals: Rivals
    exact: UserNecessity

    @classmethod
    def of(cls, shared: BlockSearch, rows: IntVector) -> _Group:
        user, candidates = int(shared.question.users[rows[0]]), shared.question.rivals(int(rows[0]))
        view = shared.necessity.catalogue.for_user(user)
        rivals = shared.lists.of(int(rows[0]), candidates, view)
        return cls(rows, candidates, view, rivals, shared.necessity.for_user(user, candidates, rivals.head, view))


class _Block:
    """The search of some groups."""

    def __init__(self, shared: BlockSearch, groups: Sequence[IntVector], prices: FloatMatrix) -> None:
        question, necessity = shared.question, shared.necessity
        self._shared, self._items, self._prices = shared, question.items, prices
        self._groups = [_Group.of(shared, rows) for rows in groups]
        self._place = np.zeros(len(question), dtype=np.int64)
        self._place[np.concatenate(groups)] = np.repeat(np.arange(len(groups)), [len(rows) for rows in groups])
        users = question.users[[rows[0] for rows in groups]]
        views = necessity.catalogue.for_users(users)
        self._scores = SharedScores(views, shared.facts.marks, users, necessity.aspects_only)
        some = np.array([group.candidates[0] for group in self._groups])
        no_aspects = np.zeros((len(some), len(question.space.aspects)), dtype=bool)
        self._pairs = PairsOfUsers(
            items=question.items,
            offsets=self._offsets(),
            anyway=self._anyway(),
            places=self._place,
            nothing=views.scores_with_only(np.arange(len(some)), some, no_aspects),
        )

    def _offsets(self) -> FloatVector:
        offsets = np.zeros(len(self._items), dtype=np.float32)
        for group in self._groups:
            offsets[group.rows] = group.view.with_offsets(self._items[group.rows], offsets[group.rows])
        return offsets

    def _anyway(self) -> BoolVector:
        anyway = np.zeros(len(self._items), dtype=bool)
        for group in self._groups:
            anyway[group.rows] = group.exact.stay_without_aspects(self._items[group.rows], self._shared.necessity.k)
        return anyway

    def completed(self, start: Flipping) -> Reached:
        """The best set of each pair, with the verdicts that hold among all candidates.

        Of an item that stays with no aspect at all, no aspects are sufficient.
        """
        reached = self._climbed([group.rivals for group in self._groups], self._place, start)
        judged, anyway = self._judged(reached), self._pairs.anyway[reached.pairs]
        missed = reached.pairs[reached.sufficient & ~judged.sufficient & ~anyway]
        judged = replace(judged, sufficient=judged.sufficient & ~anyway)
        return self._revisited(start, judged, missed)

    def _climbed(self, rivals: Sequence[Rivals], whose: IntVector, start: Flipping) -> Reached:
        """Climb from these sets; ``whose[pair]`` is the place of a pair's rivals."""
        shared, necessity = self._shared, self._shared.necessity
        ahead = RivalsAhead(
            shared.facts.present, necessity.k, self._scores, self._pairs, rivals, whose, necessity.aspects_only
        )
        return Climb(shared.search, ahead, self._prices, self._place, shared.settings).from_start(start)

    def _revisited(self, start: Flipping, judged: Reached, missed: IntVector) -> Reached:
        """Climb on from where climbs ended, and from their start, with the rivals that each pair overlooked.

        Overlooked rivals are looked at for their pair alone: its answer must not depend on which others are asked.
        """
        looked_at = {pair: self._groups[self._place[pair]].rivals for pair in missed.tolist()}
        whose = np.zeros(len(self._items), dtype=np.int64)
        for _ in range(REVISITS):
            if not len(missed):
                break
            before = judged.of(missed)
            for row, pair in enumerate(missed.tolist()):
                overlooked = self._exact(pair).ahead_with_only(*self._named(before, row))[:OVERLOOKED]
                looked_at[pair] = looked_at[pair].looking_at(self._groups[self._place[pair]].view, overlooked)
            whose[missed] = np.arange(len(missed))
            again = Flipping.joined([start.part(np.isin(start.owners, missed)), before.flipping])
            reached = self._climbed([looked_at[pair] for pair in missed.tolist()], whose, again)
            found = self._judged(reached)
            judged = judged.updated(found)
            missed = missed[reached.sufficient & ~found.sufficient]
        return judged

    def _judged(self, reached: Reached) -> Reached:
        """The same sets; verdicts that are in doubt are decided exactly, by all candidates."""
        necessary, sufficient, k = reached.necessary.copy(), reached.sufficient.copy(), self._shared.necessity.k
        for row in np.flatnonzero(~reached.necessity_known).tolist():
            exact = self._exact(int(reached.pairs[row]))
            necessary[row] = not exact.without(*self._named(reached, row)).in_list(k)[0]
        for row in np.flatnonzero(~reached.sufficiency_known).tolist():
            exact = self._exact(int(reached.pairs[row]))
            sufficient[row] = exact.with_only(*self._named(reached, row)).in_list(k)[0]
        return replace(reached, necessary=necessary, sufficient=sufficient)

    def _exact(self, pair: int) -> UserNecessity:
        return self._groups[self._place[pair]].exact

    def _named(self, reached: Reached, row: int) -> tuple[int, IntVector]:
        """The item of a pair and the aspects of its set."""
        named = self._shared.search.named(reached.part(np.array([row])).flipping)
        return int(self._items[reached.pairs[row]]), np.flatnonzero(named[0])
