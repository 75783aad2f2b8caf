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
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.candidates import Candidates
from counterec.core.evaluation.necessity import NO_HEAD, Necessity, UserNecessity
from counterec.core.evaluation.necessity_verdicts import Verdicts
from counterec.core.evaluation.ranked_necessity import RankedNecessity
from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.complete.climb import Reached, climbed
from counterec.core.explainers.complete.expected_effects import ExpectedEffects
from counterec.core.explainers.complete.ranked_rivals import RankedRivals
from counterec.core.explainers.complete.rivals_ahead import Rivals
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.minimal.flipping_sets import Flipping
from counterec.core.explainers.minimal.set_problem import PairProblem
from counterec.core.explainers.minimal.set_search import SetSearch
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Direction, Question
from counterec.core.scorers.protocols import Scorer
from counterec.errors import UsageError
from counterec.randomness import generator

REVISITS = 3
"""How often a search that overlooked rivals goes on with them, if there are too many to look at all."""

OVERLOOKED = 64
"""At most this many of the rivals that a search overlooked for a set are looked at from then on, best first."""


def complete(
    scorer: Scorer, question: Question, settings: CompleteSettings, reserve: Candidates | None = None
) -> Proposal:
    """Propose for every pair few aspects that flip and, if any set is, are necessary and sufficient.

    ``reserve`` holds the items that could as well have been candidates, if the candidates are a draw from them.
    """
    if question.direction is not Direction.LOWER:
        raise UsageError(
            "the goal complete asks what an item's place in the list rests on, and an item that is not in the list has "
            "none: ask why_not with the goal minimal, relaxed or single"
        )
    search = SetSearch(PairProblem(scorer, question, whole_sets=True), MinimalSettings(budget=0, shrinking=0))
    start = search.pruned(search.sought(search.grown()))
    asked, necessary, sufficient = (np.zeros(len(question), dtype=bool) for _ in range(3))
    chosen = [start.part(np.empty(0, dtype=np.int64))]
    for pair, reached in _Completion(scorer, question, settings, search, reserve).of(start):
        asked[pair], necessary[pair], sufficient[pair] = True, reached.necessary, reached.sufficient
        chosen.append(reached.sets)
    delta = search.shrunk(Flipping.joined(chosen))
    search.fill_in_misses(delta)
    verdicts = Verdicts(users=question.users, asked=asked, necessary=necessary, sufficient=sufficient)
    return Proposal.of(delta, verdicts=verdicts)


class _Completion:
    """The search of all pairs, user by user."""

    def __init__(
        self,
        scorer: Scorer,
        question: Question,
        settings: CompleteSettings,
        search: SetSearch,
        reserve: Candidates | None,
    ) -> None:
        self._question, self._settings, self._search, self._reserve = question, settings, search, reserve
        self._necessity = Necessity(scorer, question.space, question.k)
        self._ranked = None if question.lists is None else RankedNecessity(scorer, question.space, question.lists)
        self._expected = ExpectedEffects(self._necessity.catalogue, question.space)

    def of(self, found: Flipping) -> Iterator[tuple[int, Reached]]:
        """For each pair with sets that flip, the set that is complete or comes nearest to it."""
        for rows in _with_the_same_rivals(self._question):
            start = found.part(np.isin(found.owners, rows))
            if len(start.owners):
                yield from self._for_user(rows).completed(start).items()

    def _for_user(self, rows: IntVector) -> _UserCompletion:
        """The search for the user of these rows, which share their rivals."""
        question, settings, necessity = self._question, self._settings, self._necessity
        user, candidates = int(question.users[rows[0]]), question.rivals(int(rows[0]))
        return _UserCompletion(
            search=self._search,
            items=question.items,
            settings=settings,
            necessity=necessity,
            user=user,
            candidates=candidates,
            rivals=self._rivals_of(user, rows, candidates),
            prices=settings.price * question.costs - settings.expected * self._expected.of(user),
        )

    def _rivals_of(self, user: int, rows: IntVector, candidates: IntVector) -> Rivals | RankedRivals:
        question, necessity = self._question, self._necessity
        if self._ranked is not None:
            versus = None if question.versus is None else int(question.versus[rows[0]])
            return RankedRivals(self._ranked, user, question.items[rows], len(question.space.aspects), versus)
        alone = necessity.for_user(user, candidates)
        anyway = [item for item in question.items[rows].tolist() if alone.stays_without_aspects(item)]
        return Rivals.of(
            necessity.catalogue.for_user(user),
            question.space,
            question.k,
            necessity.aspects_only,
            candidates,
            self._reserve_of(user, candidates),
            np.array(anyway, dtype=np.int64),
        )

    def _reserve_of(self, user: int, candidates: IntVector) -> IntVector:
        if self._reserve is None or self._question.versus is not None:
            return np.empty(0, dtype=np.int64)
        further = np.setdiff1d(self._reserve.of(user), candidates, assume_unique=True)
        if len(further) <= self._settings.reserves:
            return further
        random = generator(0, "reserve", self._question.space.users.texts[user])
        return np.sort(random.choice(further, self._settings.reserves, replace=False))


def _with_the_same_rivals(question: Question) -> Iterator[IntVector]:
    """The rows in groups that share a user and so the rivals; one by one if each row has its own rivals."""
    if question.versus is not None:
        yield from np.arange(len(question))[:, None]
    elif len(question):
        order = np.argsort(question.users, kind="stable")
        yield from np.split(order, np.flatnonzero(np.diff(question.users[order])) + 1)


@dataclass(frozen=True)
class _UserCompletion:
    """The search of one user's pairs: climb, check against all candidates, climb on with what was overlooked."""

    search: SetSearch
    items: IntVector
    """The item of every pair of the question."""
    settings: CompleteSettings
    necessity: Necessity
    user: int
    candidates: IntVector
    rivals: Rivals | RankedRivals
    prices: FloatVector
    """What each aspect must be worth to be named: more if it is dear, less if it is expected to do much."""

    def completed(self, start: Flipping) -> dict[int, Reached]:
        """The best set of each pair, with the verdicts that hold among all candidates.

        Overlooked rivals are looked at for their pair alone: its answer must not depend on which others are asked. Of
        an item that stays with no aspect at all, no aspects are sufficient.
        """
        found = {}
        for pair, reached in self._climbed(self.rivals, start).items():
            judged = self._judged(pair, reached)
            if self.items[pair] in self.rivals.anyway:
                judged = replace(judged, sufficient=False)
            elif reached.sufficient and not judged.sufficient and isinstance(self.rivals, Rivals):
                judged = self._revisited(pair, self.rivals, start.part(start.owners == pair), judged)
            found[pair] = judged
        return found

    def _climbed(self, rivals: Rivals | RankedRivals, start: Flipping) -> dict[int, Reached]:
        return climbed(self.search, self.items, rivals, self.prices, self.settings, start)

    def _revisited(self, pair: int, rivals: Rivals, start: Flipping, judged: Reached) -> Reached:
        """Climb on from where a pair's climb ended, and from its start, with the rivals that it overlooked."""
        for _ in range(REVISITS):
            rivals = rivals.looking_at(self._overlooked(pair, judged))
            again = Flipping.joined([start, judged.sets])
            reached = self._climbed(rivals, again)[pair]
            judged = self._judged(pair, reached)
            if not reached.sufficient or judged.sufficient:
                break
        return judged

    def _judged(self, pair: int, reached: Reached) -> Reached:
        """The same set; if its verdicts are in doubt, all candidates decide them exactly."""
        if reached.settled:
            return reached
        item, aspects = self._named(pair, reached)
        return replace(
            reached,
            necessary=not self._exact.without(item, aspects).in_list(self.necessity.k)[0],
            sufficient=self._exact.with_only(item, aspects).in_list(self.necessity.k)[0],
        )

    def _overlooked(self, pair: int, judged: Reached) -> IntVector:
        """The candidates that are ahead with only the set, which the climb took for sufficient."""
        return self._exact.ahead_with_only(*self._named(pair, judged))[:OVERLOOKED]

    def _named(self, pair: int, reached: Reached) -> tuple[int, IntVector]:
        return int(self.items[pair]), np.flatnonzero(self.search.named(reached.sets)[0])

    @cached_property
    def _exact(self) -> UserNecessity:
        head = self.rivals.head if isinstance(self.rivals, Rivals) else NO_HEAD
        return self.necessity.for_user(self.user, self.candidates, head)
