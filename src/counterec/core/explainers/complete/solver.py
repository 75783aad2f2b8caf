"""Few aspects that flip, are necessary and are sufficient (Eq. 14 and 15), verified over the item's own candidates.

The search starts from the fewest aspects that flip and adds, drops and exchanges one aspect at a time (``climb``) while

    V · (necessary + sufficient) + P(necessary) + P(sufficient) − Σ (price · cost − expected · effect)

grows, the sum being over its aspects. V is larger than everything else together. The likelihoods P are those of the two
verdicts among other candidates drawn like these (``rivals``): an aspect is added only if it makes the answer likelier
to hold there, too. The sum is what the aspects must be worth: less for those that are expected to do much for the user
(``expected_effects``), which another training of the model finds again. If the climb ends before both verdicts hold,
the set is extended by the item's strongest aspects until they do, and the climb goes on. Only scores are needed, so
this works for any black box.

If there are many candidates, some are looked at. The result is then checked against all of them (``necessity``); if
that disagrees, the rivals that were overlooked are looked at, too, and the climb goes on. Under a ranker, lists made
anew decide about every set (``ranked_rivals``).

The users of a block are searched side by side (``block_search``), and the blocks one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from counterec.core.arrays import FloatMatrix, IntVector, row_chunks
from counterec.core.candidates import Candidates
from counterec.core.evaluation.ranked_necessity import RankedNecessity
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.complete.block_search import BlockSearch
from counterec.core.explainers.complete.catalogue_facts import CatalogueFacts
from counterec.core.explainers.complete.climb import Climb, Reached
from counterec.core.explainers.complete.ranked_rivals import RankedRivals
from counterec.core.explainers.complete.rival_lists import RivalLists
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.minimal.flipping_sets import Flipping
from counterec.core.explainers.minimal.set_problem import PairProblem
from counterec.core.explainers.minimal.set_search import SetSearch
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Direction, Question
from counterec.core.scorers.base import Scorer
from counterec.errors import UsageError

GROUPS_AT_ONCE = 128
"""Groups of pairs, each with a user and rivals of its own, that are searched side by side, to bound the memory."""


def complete(
    scorer: Scorer,
    question: Question,
    settings: CompleteSettings,
    reserve: Candidates | None = None,
    facts: CatalogueFacts | None = None,
) -> Proposal:
    """Propose for every pair few aspects that flip and, if any set is, are necessary and sufficient.

    ``reserve`` holds the items that could as well have been candidates, if the candidates are a draw from them.
    ``facts`` are those of this scorer, space and K: whoever asks again keeps them.
    """
    if question.direction is not Direction.LOWER:
        raise UsageError(
            "the goal complete asks what an item's place in the list rests on, and an item that is not in the list has "
            "none: ask why_not with the goal minimal, relaxed or single"
        )
    search = SetSearch(PairProblem(scorer, question, whole_sets=True), MinimalSettings(budget=0), shrinking=0)
    start = search.pruned(search.sought(search.grown()))
    asked, necessary, sufficient = (np.zeros(len(question), dtype=bool) for _ in range(3))
    chosen = [start.part(np.empty(0, dtype=np.int64))]
    facts = facts or CatalogueFacts(scorer, question.space, question.k)
    lists = RankedNecessity(scorer, question.space, question.lists) if question.lists is not None else None
    for reached in _Completion(facts, question, settings, search, reserve, lists).of(start):
        pairs = reached.pairs
        asked[pairs], necessary[pairs], sufficient[pairs] = True, reached.necessary, reached.sufficient
        chosen.append(reached.flipping)
    delta = search.shrunk(Flipping.joined(chosen))
    search.fill_in_misses(delta)
    verdicts = Verdicts(users=question.users, asked=asked, necessary=necessary, sufficient=sufficient)
    return Proposal.of(delta, verdicts=verdicts)


class _Completion:
    """The search of all pairs, block by block."""

    def __init__(
        self,
        facts: CatalogueFacts,
        question: Question,
        settings: CompleteSettings,
        search: SetSearch,
        reserve: Candidates | None,
        ranked: RankedNecessity | None,
    ) -> None:
        self._facts, self._question, self._settings = facts, question, settings
        self._search, self._reserve, self._ranked = search, reserve, ranked

    def of(self, found: Flipping) -> Iterator[Reached]:
        """For each pair with sets that flip, the set that is complete or comes nearest to it."""
        groups = _with_the_same_rivals(self._question, np.unique(found.owners))
        for some in row_chunks(len(groups), GROUPS_AT_ONCE):
            block = groups[some]
            start, prices = found.part(np.isin(found.owners, np.concatenate(block))), self._prices(block)
            yield (
                self._among_rivals.completed(block, prices, start)
                if self._ranked is None
                else self._under_ranker(self._ranked, block, prices, start)
            )

    def _prices(self, groups: list[IntVector]) -> FloatMatrix:
        """What each aspect must be worth to be named: more if it is dear, less if it is expected to do much."""
        settings, users = self._settings, self._question.users[[rows[0] for rows in groups]]
        effects = np.stack([self._facts.expected.of(user) for user in users.tolist()])
        return settings.price * self._question.costs - settings.expected * effects

    @cached_property
    def _among_rivals(self) -> BlockSearch:
        """Decides by how many rivals are ahead."""
        lists = RivalLists(self._question, self._reserve, self._settings.reserves)
        return BlockSearch(self._facts, self._question, self._search, self._settings, lists)

    def _under_ranker(
        self, ranked: RankedNecessity, groups: list[IntVector], prices: FloatMatrix, start: Flipping
    ) -> Reached:
        """The best set of each pair of these groups by the lists of a ranker, which decide about every set."""
        place = np.zeros(len(self._question), dtype=np.int64)
        place[np.concatenate(groups)] = np.repeat(np.arange(len(groups)), [len(rows) for rows in groups])
        rivals = RankedRivals(ranked, self._question)
        reached = Climb(self._search, rivals, prices, place, self._settings).from_start(start)
        return replace(reached, sufficient=reached.sufficient & ~rivals.anyway(reached.pairs))


def _with_the_same_rivals(question: Question, pairs: IntVector) -> list[IntVector]:
    """The pairs in groups that share a user and so the rivals; one by one if each pair has its own rivals."""
    if not len(pairs):
        return []
    if question.versus is not None:
        return list(pairs[:, None])
    order = pairs[np.argsort(question.users[pairs], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(question.users[order])) + 1)
