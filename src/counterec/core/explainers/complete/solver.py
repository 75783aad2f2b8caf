"""Few aspects that flip, are necessary and are sufficient (Eq. 14 and 15), verified over the item's own candidates.

The search starts from the fewest aspects that flip and adds, drops and exchanges one aspect at a time while

    V · (necessary + sufficient) + P(necessary) + P(sufficient) − Σ (price · cost − usual · effect)

grows, the sum over its aspects. The first term is what is asked for, and V more than all aspects cost; the likelihoods
are those of the two verdicts among other candidates drawn like these, so that an aspect is added not to scrape through
here but where it makes the answer hold elsewhere; the sum is what the aspects must be worth, less for those that
usually do much for the user (``UsualEffects``), which is what another training of the model finds again. Where this
ends before both verdicts hold, the set is extended by the item's strongest aspects until they do, and the search goes
on. Only scores are asked for: this works for any black box.

Of many candidates some are looked at. What is found is asked of all; where they disagree, those that were overlooked
are looked at, too, and the search goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatVector, IntVector
from counterec.core.candidates import Candidates
from counterec.core.evaluation.necessity import Trial
from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.complete.expected_effects import ExpectedEffects
from counterec.core.explainers.complete.rivals import ENOUGH, Rivals
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.minimal.set_problem import PairProblem
from counterec.core.explainers.minimal.set_search import Flipping, SetSearch, first_of_each
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Direction, Question
from counterec.core.scorers.protocols import Scorer
from counterec.errors import UsageError
from counterec.randomness import generator

ALL = 2
"""Verdicts that hold where an answer is complete; that it flips is a condition of the search."""

FURTHER = 2
"""So many times the neighbours are tried where the search would else end before all hold."""

MANY = 8
"""Of more aspects than these, half so many are tried to be dropped or exchanged in each round."""

IN_BETWEEN = 6
"""So many sets are tried between one that is complete and half of what it was extended by."""

REVISITS = 3
"""How often a search that overlooked rivals goes on with them, where there are too many to look at all."""

OVERLOOKED = 64
"""So many of the rivals that a search overlooked for a set are looked at from then on, the best ones first."""


def complete(
    scorer: Scorer, question: Question, settings: CompleteSettings, reserve: Candidates | None = None
) -> Proposal:
    """Propose for every pair few aspects that flip and, if any do, are necessary and sufficient.

    ``reserve`` holds the items that could as well have been candidates, where the candidates are a draw from them.
    """
    if question.direction is not Direction.LOWER:
        raise UsageError(
            "the goal complete asks what an item's place in the list rests on, and an item that is not there has "
            "none: ask why_not with the goal minimal, relaxed or single"
        )
    search = SetSearch(PairProblem(scorer, question), MinimalSettings(budget=0, shrinking=0))
    completion = _Completion(scorer, question, settings, search, reserve)
    chosen = completion.of(search.pruned(search.sought(search.grown())))
    delta = search.shrunk(chosen)
    search.fill_in_misses(delta)
    return Proposal.of(delta, necessary=completion.necessary, sufficient=completion.sufficient)


def _stuck(best: dict[int, _Reached]) -> dict[int, _Reached]:
    """Where a search ended before all hold."""
    return {pair: reached for pair, reached in best.items() if not reached.complete}


def _between(before: _Reached, after: _Reached) -> IntVector:
    """By how many aspects to extend a set that was extended by twice as many as were too few, or fewer."""
    extra = int(after.sets.sets.sum() - before.sets.sets.sum())
    return np.unique(np.linspace(extra // 2 + 1, max(extra // 2 + 1, extra - 1), IN_BETWEEN).astype(np.int64))


def _with_the_same_rivals(question: Question) -> Iterator[IntVector]:
    """The rows, those together that have the same user and so the same rivals; one by one where each has its own."""
    if question.versus is not None:
        yield from np.arange(len(question))[:, None]
    elif len(question):
        order = np.argsort(question.users, kind="stable")
        yield from np.split(order, np.flatnonzero(np.diff(question.users[order])) + 1)


class _Completion:
    """The search, user by user: the pairs of a user climb side by side, so that scores are asked for in few calls."""

    def __init__(
        self,
        scorer: Scorer,
        question: Question,
        settings: CompleteSettings,
        search: SetSearch,
        reserve: Candidates | None,
    ) -> None:
        self._question, self._settings, self._search, self._further = question, settings, search, reserve
        self._trial = Trial(scorer, question.space, question.k)
        self._rivals = Rivals(self._trial.shared, question.space, question.k, scorer.aspects_only)
        self._usual = ExpectedEffects(self._trial.shared.catalogue, question.space)
        self.necessary, self.sufficient = np.zeros(len(question), dtype=bool), np.zeros(len(question), dtype=bool)
        """What was found of the chosen sets among the pairs' own rivals, all of them."""

    def of(self, found: Flipping) -> Flipping:
        """For each pair with sets that flip, the one that is complete or comes nearest to it."""
        chosen = [found.part(np.empty(0, dtype=np.int64))]
        for rows in _with_the_same_rivals(self._question):
            start = found.part(np.isin(found.owners, rows))
            if len(start.owners):
                self._turn_to(int(rows[0]))
                chosen += [reached.sets for reached in self._judged(int(rows[0]), start).values()]
        return Flipping.joined(chosen)

    def _judged(self, row: int, start: Flipping) -> dict[int, _Reached]:
        """Climb from the start and ask all candidates; with rivals that were overlooked, climb on from there.

        Each pair by itself and with its own: what is found for one must not depend on which others are asked about.
        """
        completed = self._completed(start)
        for pair, overlooked in self._judge(row, completed).items():
            with self._rivals.looking_further():
                completed[pair] = self._revisited(row, start.part(start.owners == pair), completed[pair], overlooked)
        return completed

    def _revisited(self, row: int, start: Flipping, reached: _Reached, overlooked: IntVector) -> _Reached:
        """Go on from where a pair's climb ended and from its start, with the rivals that it overlooked."""
        pair = int(start.owners[0])
        for _ in range(REVISITS):
            self._rivals.look_at(overlooked)
            again = self._completed(Flipping.joined([start, reached.sets]))
            reached = again[pair]
            surprising = self._judge(row, again)
            if not surprising:
                break
            overlooked = surprising[pair]
        return reached

    def _turn_to(self, row: int) -> None:
        user, candidates = int(self._question.users[row]), self._question.rivals(row)
        self._rivals.turn_to(user, candidates, self._reserve(user, candidates))
        self._prices = self._settings.price * self._question.costs - self._settings.usual * self._usual.of(user)
        """What each aspect must be worth to be named: more, the dearer it is; less, the more it usually does."""
        self._verdict = 10 + float(np.abs(self._prices).sum())
        """What a verdict counts: more than the likelihoods and any aspects."""

    def _reserve(self, user: int, candidates: IntVector) -> IntVector:
        if self._further is None or self._question.versus is not None:
            return np.empty(0, dtype=np.int64)
        further = np.setdiff1d(self._further.of(user), candidates, assume_unique=True)
        if len(further) <= self._settings.reserves:
            return further
        random = generator(0, "reserve", self._question.space.users.texts[user])
        return np.sort(random.choice(further, self._settings.reserves, replace=False))

    def _completed(self, start: Flipping) -> dict[int, _Reached]:
        """Climb from the start; where that ends before all hold, look further around, then extend, and climb on."""
        tried: set[tuple[int, bytes]] = set()
        around = self._settings.neighbours
        best = self._climbed(self._best_of(start, tried), tried, around)
        best |= self._climbed(_stuck(best), tried, FURTHER * around)
        best |= self._climbed(self._extended(_stuck(best), tried), tried, around)
        return best

    def _extended(self, stuck: dict[int, _Reached], tried: set[tuple[int, bytes]]) -> dict[int, _Reached]:
        """The best sets that are complete, for the pairs with any, of those that the strongest aspects extend to.

        By one, two, four and so on; then by what lies between the first that is complete and the one before it.
        """
        found: dict[int, _Reached] = {}
        extra = {pair: 2 ** np.arange(1 + len(reached.sets.sets[0]).bit_length()) for pair, reached in stuck.items()}
        for _ in range(2):
            if not extra:
                break
            nested = [self._nested(pair, stuck[pair].sets.sets[0], more) for pair, more in extra.items()]
            owners = np.repeat(list(extra), [len(sets) for sets in nested])
            there = self._best_of(self._search.flipping(owners, np.concatenate(nested)), tried)
            found |= {
                pair: reached
                for pair, reached in there.items()
                if reached.complete and (pair not in found or reached.worth > found[pair].worth)
            }
            extra = {pair: _between(stuck[pair], reached) for pair, reached in found.items()}
        return found

    def _nested(self, pair: int, current: BoolVector, extra: IntVector) -> BoolMatrix:
        """The set with so many more of the pair's aspects, the strongest ones, as far as there are and may be."""
        strongest = np.argsort(self._search.single_gaps[pair, : int(self._search.counts[pair])], kind="stable")
        free = strongest[~current[strongest]]
        room = min(len(free), self._search.most - int(current.sum()))
        sets = np.repeat(current[None], len(extra), axis=0)
        for flags, more in zip(sets, extra.tolist(), strict=True):
            flags[free[: min(more, room)]] = True
        return np.unique(sets, axis=0)

    def _climbed(self, here: dict[int, _Reached], tried: set[tuple[int, bytes]], around: int) -> dict[int, _Reached]:
        """Climb, one aspect at a time, to where no neighbour is better; return the best on the way.

        Until all hold, aspects cost nothing: otherwise the first of two that are needed would never be added.
        """
        best = dict(here)
        for _ in range(self._settings.rounds):
            if not here:
                break
            neighbours = [self._neighbours(pair, reached, around) for pair, reached in here.items()]
            owners = np.repeat(list(here), [len(sets) for sets in neighbours])
            there = self._best_of(self._search.flipping(owners, np.concatenate(neighbours)), tried)
            here = {pair: reached for pair, reached in there.items() if reached.climb > here[pair].climb}
            best |= {pair: reached for pair, reached in here.items() if reached.worth > best[pair].worth}
        return best

    def _best_of(self, sets: Flipping, tried: set[tuple[int, bytes]]) -> dict[int, _Reached]:
        """For each pair the best of these sets that were not tried before."""
        keys = [(owner, flags.tobytes()) for owner, flags in zip(sets.owners.tolist(), sets.sets, strict=True)]
        sets = sets.part(np.array([row for row, key in enumerate(keys) if key not in tried], dtype=np.int64))
        tried.update(keys)
        if not len(sets.owners):
            return {}
        named = self._search.named(sets)
        found = self._rivals.counts(self._question.items[sets.owners], named)
        open_climb = self._verdict * found.holds + found.likely
        worth = open_climb - np.where(named, self._prices, 0).sum(axis=1)
        climb = np.where(found.holds == ALL, worth, open_climb)
        best = {}
        for at in first_of_each(sets.owners, -climb):
            best[int(sets.owners[at])] = _Reached(
                sets=sets.part(np.array([at])),
                worth=float(worth[at]),
                climb=float(climb[at]),
                likely=float(found.likely[at]),
                necessary=bool(found.necessary[at]),
                sufficient=bool(found.sufficient[at]),
                settled=bool(found.settled[at]),
            )
        return best

    def _neighbours(self, pair: int, reached: _Reached, around: int) -> BoolMatrix:
        """The sets with one aspect more, one fewer, or another one instead, as far as they could be better."""
        current, prices = reached.sets.sets[0], self._prices[self._search.aspects[pair]]
        inside, outside = self._inside(pair, current), self._outside(pair, current, prices, around)
        hope = 2 * ENOUGH - reached.likely if reached.complete else np.inf
        moves: list[tuple[list[int], list[int]]] = []
        if current.sum() < self._search.most:
            moves += [([new], []) for new in outside if prices[new] < hope]
        moves += [([new], [old]) for old in inside for new in outside if prices[new] - prices[old] < hope]
        if current.sum() > 1:
            moves += [([], [old]) for old in inside if prices[old] > 0]
        sets = np.repeat(current[None], len(moves), axis=0)
        for flags, (added, dropped) in zip(sets, moves, strict=True):
            flags[added], flags[dropped] = True, False
        return sets

    def _inside(self, pair: int, current: BoolVector) -> list[int]:
        """The aspects that may be dropped or exchanged: of very many those that lower the score least."""
        inside = np.flatnonzero(current)
        if len(inside) > MANY:
            inside = inside[np.argsort(-self._search.single_gaps[pair, inside], kind="stable")[: MANY // 2]]
        return inside.tolist()

    def _outside(self, pair: int, current: BoolVector, prices: FloatVector, around: int) -> list[int]:
        """The aspects worth trying: those that lower the score most, and those that are cheapest."""
        count = int(self._search.counts[pair])
        strongest = np.argsort(self._search.single_gaps[pair, :count], kind="stable")
        cheapest = np.argsort(prices[:count], kind="stable")
        free = [[place for place in order.tolist() if not current[place]] for order in (strongest, cheapest)]
        return list(dict.fromkeys([*free[0][:around], *free[1][: -(-around // 2)]]))

    def _judge(self, row: int, chosen: dict[int, _Reached]) -> dict[int, IntVector]:
        """Note what holds of the chosen sets; where the search leaves a doubt, all candidates are asked exactly.

        Return who is ahead in a world with only a set that the search took for sufficient and that is not.
        """
        for pair, reached in chosen.items():
            self.necessary[pair], self.sufficient[pair] = reached.necessary, reached.sufficient
        doubtful = {pair: reached for pair, reached in chosen.items() if not reached.settled}
        overlooked = {}
        if doubtful:
            self._trial.turn_to(int(self._question.users[row]), self._question.rivals(row), self._rivals.head)
        for pair, reached in doubtful.items():
            item, aspects = int(self._question.items[pair]), np.flatnonzero(self._search.named(reached.sets)[0])
            self.necessary[pair] = not self._trial.without(item, aspects).in_list(self._question.k)[0]
            self.sufficient[pair] = self._trial.with_only(item, aspects).in_list(self._question.k)[0]
            if reached.sufficient and not self.sufficient[pair]:
                overlooked[pair] = self._trial.ahead_with_only(item, aspects)[:OVERLOOKED]
        return overlooked


@dataclass(frozen=True)
class _Reached:
    """Where a climb is: a set, what it is worth, what of that is climbed, and how likely the two verdicts are."""

    sets: Flipping
    worth: float
    climb: float
    likely: float
    necessary: bool
    sufficient: bool
    settled: bool
    """Whether these two are beyond doubt."""

    @property
    def complete(self) -> bool:
        """Whether all that is asked for holds."""
        return self.necessary and self.sufficient
