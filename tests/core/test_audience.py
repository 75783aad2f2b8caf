"""An audience: whose lists an item enters, how few improvements it takes, and what is proven about that."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

import numpy as np
import pytest
from tests import naive
from tests.worlds import SCORED, Scored, World, numbered, plain_scale, random_world, space_of

from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.audience.answer import AudienceAnswer
from counterec.core.explainers.audience.settings import AudienceSettings
from counterec.core.explainers.audience.solver import why_not_for_all
from counterec.core.explainers.constraints import NONE, VALUES, Constraints, Values
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import InvalidValueError, UsageError

pytestmark = pytest.mark.slow

K = 3
SCORER = AlignmentScorer()
CONTINUOUS = Constraints(values="continuous")
PARTS = ("", "fixed", "highest", "lowest", "most", "masked", "costs")


@dataclasses.dataclass(frozen=True)
class Audience:
    """An item and its users, all in plain arithmetic."""

    pairs: list[naive.Pair]
    rules: naive.Rules = naive.FREE

    @cached_property
    def had_it(self) -> list[bool]:
        return [pair.listed(pair.before) for pair in self.pairs]

    @cached_property
    def open(self) -> list[naive.Pair]:
        return [pair for pair, had in zip(self.pairs, self.had_it, strict=True) if not had]

    def won(self, values: np.ndarray, doubt: float = 0) -> int:
        """How many lists it enters, clearing the margin by ``doubt`` times what single precision cannot resolve."""
        return sum(pair.truth(values) > pair.clearance + doubt * pair.slack for pair in self.open)

    @cached_property
    def ends(self) -> np.ndarray:
        """The furthest that each aspect may move for any of the users who can be won."""
        return np.max([pair.bounds[1] for pair in self.open], axis=0)

    @property
    def movable(self) -> list[int]:
        return np.flatnonzero(self.ends).tolist()

    def wins_at_ends(self, aspects: tuple[int, ...] | list[int], wanted: int) -> bool:
        """Whether enough lists are entered, beyond all doubt, with these aspects at their bounds."""
        values = self.pairs[0].before.astype(np.float64)
        values[list(aspects)] += self.ends[list(aspects)]
        return self.won(values, doubt=1) >= wanted

    def impossible(self, values: np.ndarray) -> list[str]:
        """Which values are not such as the change may lead to; with the mask, what anybody cares about may move."""
        cared_for = np.any([pair.attention != 0 for pair in self.open], axis=0)
        barred = frozenset(np.flatnonzero(~cared_for).tolist()) if self.rules.masked else frozenset()
        rules = dataclasses.replace(self.rules, fixed=self.rules.fixed | barred, masked=False)
        return dataclasses.replace(self.pairs[0], rules=rules).impossible(values, absent_allowed=False)

    def fewest(self, wanted: int, below: int | None = None) -> tuple[int, ...] | None:
        most = len(self.movable) if self.rules.most is None else min(self.rules.most, len(self.movable))
        for size in range(1, most + 1 if below is None else below):
            for chosen in naive.sets_of(self.movable, size):
                if self.wins_at_ends(chosen, wanted):
                    return chosen
        return None


def audience_of(world: World, scored: Scored, item: int, users: list[int], constraints: Constraints) -> Audience:
    rules = numbered(constraints, world.space)
    return Audience(
        [
            naive.Pair(
                kind="why_not",
                score=scored.score,
                Y=world.space.item_quality,
                attention=world.space.user_attention[user],
                user=user,
                item=item,
                rivals=world.candidates.of(user),
                k=K,
                noise=scored.noise(user),
                rules=rules,
                scale=plain_scale(world.space),
            )
            for user in users
        ],
        rules,
    )


def untrue(audience: Audience, wanted: int, answer: AudienceAnswer) -> list[str]:
    """What the answer claims that is not so, user by user and by trying every smaller set."""
    pairs, named = audience.pairs, np.flatnonzero(answer.delta).tolist()
    before, values = pairs[0].before, values_after(audience, answer)
    said = {f"a possible value: {value}": False for value in audience.impossible(values)}
    for row, pair in enumerate(pairs):
        doubtful = abs(pair.lead(before)) <= pair.noise
        said[f"user {pair.user} had it"] = doubtful or bool(answer.had_it[row]) == audience.had_it[row]
        lead, room = pair.lead(values), max(1e-4, 10 * pair.noise)
        said[f"target of user {pair.user}"] = abs(pair.target - answer.target[row]) <= room
        said[f"score of user {pair.user}"] = abs(lead + pair.target - answer.score_after[row]) <= room
        if answer.had_it[row]:
            said[f"user {pair.user} keeps it"] = abs(lead) <= pair.noise or answer.has_it[row] == pair.listed(values)
        else:
            beyond = lead - pair.clearance
            said[f"user {pair.user} gets it"] = abs(beyond) <= pair.slack or answer.has_it[row] == (beyond > 0)
    entered = int((answer.has_it & ~answer.had_it).sum())
    said["those who enter"] = answer.entered.sum() == entered
    said["reached"] = (answer.status is Status.EXPLAINED) == (entered >= wanted)
    said["a proof only of an answer"] = (answer.proof is Proof.NONE) == (answer.status is not Status.EXPLAINED)
    said["nothing to change"] = (answer.status is Status.NOTHING_TO_CHANGE) == (not audience.movable)
    if answer.proof is Proof.SMALLEST:
        said["no smaller set is enough"] = audience.fewest(wanted, below=len(named)) is None
    if answer.proof is Proof.IRREDUCIBLE:
        said |= {f"needs {a}": not audience.wins_at_ends([b for b in named if b != a], wanted) for a in named}
    if answer.status is Status.EXPLAINED and audience.rules.values == "reachable":
        said |= {f"aspect {a} goes no step too far": not still_won(audience, values, a, wanted) for a in named}
    if answer.status is Status.NOT_FOUND and audience.rules.most is None:
        said["all at their ends is not enough"] = not audience.wins_at_ends(audience.movable, wanted)
    return [claim for claim, holds in said.items() if not holds]


def still_won(audience: Audience, values: np.ndarray, aspect: int, wanted: int) -> bool:
    """Whether one step less of an aspect is enough, by as much as solvers aim for."""
    stops = [float(audience.pairs[0].before[aspect])]
    for pair in audience.open:
        stops = max(stops, [stops[0], *(pair.ways[aspect].stops() or [])], key=len)
    less = values.astype(np.float64)
    less[aspect] = stops[stops.index(float(values[aspect])) - 1]
    return sum(pair.truth(less) > 1.2 * pair.clearance + pair.slack for pair in audience.open) >= wanted


def values_after(audience: Audience, answer: AudienceAnswer) -> np.ndarray:
    """The item's values after the change: a change to a value that opinions give is stated up to rounding."""
    values = audience.pairs[0].before + answer.delta
    if audience.rules.values == "reachable":
        rungs = np.array([*naive.balances()])
        for aspect in np.flatnonzero(answer.delta):
            nearest = rungs[np.abs(rungs - values[aspect]).argmin()]
            values[aspect] = nearest if abs(nearest - values[aspect]) < 1e-6 else values[aspect]
    return values


def divided_world(seed: int) -> World:
    """Users who care for few aspects each, and want less of some: it takes several aspects to win many."""
    world, random = random_world(seed, users=8, items=16, aspects=6), np.random.default_rng(seed)
    attention = random.uniform(1, 5, (8, 6)) * (random.random((8, 6)) < 0.3) * random.choice([1, 1, 1, -1], (8, 6))
    return dataclasses.replace(world, space=dataclasses.replace(world.space, user_attention=attention))


def cases(
    name: str, seeds: range, part: str = "", values: Values = "continuous"
) -> Iterator[tuple[World, Scored, int, list[int], Constraints]]:
    """Items of random worlds, the users for whose lists they compete, and a constraint of this kind."""
    for seed in seeds:
        world, random = divided_world(seed), np.random.default_rng(seed)
        scored = SCORED[name](world, seed)
        names = world.space.aspects.texts
        constraints = {
            "": NONE,
            "fixed": Constraints(keep=tuple(names[:4])),
            "highest": Constraints(highest={name: float(random.uniform(1, 4)) for name in names}),
            "lowest": Constraints(lowest={name: float(random.uniform(1, 4)) for name in names}),
            "most": Constraints(most=1),
            "masked": Constraints(masked=True),
            "costs": Constraints(costs={name: float(random.choice([0.1, 1, 8])) for name in names}),
        }[part]
        constraints = dataclasses.replace(constraints, values=values)
        lists = rank(scored.scorer, world.space, world.candidates, K)
        for item in random.choice(16, 2, replace=False).tolist():
            users = [user for user in range(8) if world.candidates.contain(user, item)]
            if not (lists.items[users, :K] == item).any(axis=1).all():
                yield world, scored, item, users, constraints


def asked(
    world: World,
    scored: Scored,
    item: int,
    users: list[int],
    wanted: int,
    constraints: Constraints = CONTINUOUS,
    **options,
) -> AudienceAnswer:
    options["constraints"] = constraints
    lists = rank(scored.scorer, world.space, world.candidates, K)
    return why_not_for_all(scored.scorer, world.space, lists, item, np.array(users), wanted, **options)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ["net", "black box", "embedded", "alignment", "hybrid, offsets as large"])
def test_every_answer_is_true_user_by_user_and_set_by_set(name, part):
    values = VALUES[(PARTS.index(part) + len(name)) % 2]
    seeds = range(1 + (name == "net")) if part else range(3)
    for world, scored, item, users, constraints in cases(name, seeds, part, values):
        audience = audience_of(world, scored, item, users, constraints)
        for wanted in range(1, 1 + len(audience.open)):
            answer = asked(world, scored, item, users, wanted, constraints=constraints)
            assert untrue(audience, wanted, answer) == []


@pytest.mark.parametrize("part", ["fixed", "highest", "lowest", "most", "masked"])
def test_every_constraint_bites(part):
    """Without the constraint it would be broken: that it holds above is no accident."""
    broken = 0
    for world, scored, item, users, constraints in cases("net", range(12), part):
        audience = audience_of(world, scored, item, users, constraints)
        answer = asked(world, scored, item, users, 1)
        broken += bool(audience.impossible(values_after(audience, answer)))
    assert broken > 0


def test_answers_are_of_every_sort():
    """The tests above have enough cases of each kind."""
    seen: Counter[str] = Counter()
    for world, scored, item, users, _ in [*cases("net", range(8)), *cases("alignment", range(8))]:
        audience = audience_of(world, scored, item, users, CONTINUOUS)
        for wanted in range(1, 1 + len(audience.open)):
            answer = asked(world, scored, item, users, wanted)
            size = np.count_nonzero(answer.delta)
            seen[f"{answer.status.label} {answer.proof.label} {min(size, 3)}"] += 1
            seen["of those who had it, somebody lost it"] += bool((answer.had_it & ~answer.has_it).any())
            seen["somebody had it and has it"] += bool((answer.had_it & answer.has_it).any())
            seen["more than asked for"] += int(answer.entered.sum()) > wanted
    for size in (1, 2, 3):
        assert seen[f"explained smallest {size}"] > 3, seen
    assert sum(count for sort, count in seen.items() if sort.startswith("not_found")) > 5
    assert seen["of those who had it, somebody lost it"] > 3
    assert seen["somebody had it and has it"] > 10
    assert seen["more than asked for"] > 0


def test_without_a_budget_nothing_is_claimed_of_smaller_sets():
    """All that is proven then is that no aspect can be left out."""
    several = 0
    for world, scored, item, users, _ in cases("alignment", range(20, 30)):
        audience = audience_of(world, scored, item, users, CONTINUOUS)
        for wanted in range(1, 1 + len(audience.open)):
            short = asked(world, scored, item, users, wanted, settings=AudienceSettings(budget=0))
            if np.count_nonzero(short.delta) > 2 and short.status is Status.EXPLAINED:
                assert short.proof is Proof.IRREDUCIBLE
                assert untrue(audience, wanted, short) == []
                several += 1
    assert several > 3


class TestByHand:
    """Three users who care for one aspect each, and a fourth for two; lists of one, led by item 0 with 3 everywhere."""

    space = space_of([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]], [[3, 3, 3], [1, 2, 0], [2, 1, 1]])
    everyone = Candidates.without(3, [[]] * 4)

    def ask(
        self, wanted: int, item: int = 1, users=(0, 1, 2, 3), constraints: Constraints = CONTINUOUS
    ) -> AudienceAnswer:
        lists = rank(SCORER, self.space, self.everyone, 1)
        return why_not_for_all(SCORER, self.space, lists, item, np.array(users), wanted, constraints=constraints)

    @pytest.mark.parametrize(("wanted", "aspects"), [(1, 1), (2, 1), (3, 2), (4, 3)])
    def test_the_more_users_the_more_aspects(self, wanted, aspects):
        """One aspect wins the users who care for it: the first and the fourth, or the second and the fourth."""
        answer = self.ask(wanted)
        assert answer.status is Status.EXPLAINED
        assert answer.proof is Proof.SMALLEST
        assert np.count_nonzero(answer.delta) == aspects
        assert answer.entered.sum() >= wanted
        assert answer.wanted == wanted
        assert answer.users.tolist() == [0, 1, 2, 3]

    def test_a_user_whom_no_change_moves_does_not_make_it_larger(self):
        """The first user cares for nothing and is a tie away from the flip; the second is won just beyond 3."""
        space = space_of([[0], [1]], [[3], [1]])
        lists = rank(SCORER, space, Candidates.without(2, [[], []]), 1)
        answer = why_not_for_all(SCORER, space, lists, 1, np.array([0, 1]), 1, constraints=CONTINUOUS)
        assert answer.entered.tolist() == [False, True]
        assert answer.delta.tolist() == pytest.approx([2], abs=0.005)

    @pytest.mark.parametrize(("values", "first"), [("continuous", 1), ("reachable", naive.reviewed(1))])
    def test_what_was_never_reviewed_is_put_on_its_scale(self, values, first):
        """A small improvement would be enough, but the least value of the scale is 1, and of one praise 3.92."""
        space = space_of([[1, 1]], [[1.2, 0], [1.1, 0]])
        lists = rank(SCORER, space, Candidates.without(2, [[]]), 1)
        fixed = Constraints(keep=("aspect 0000",), values=values)
        answer = why_not_for_all(SCORER, space, lists, 1, np.array([0]), 1, constraints=fixed)
        assert answer.delta.tolist() == [0, first]

    def test_those_who_have_it_are_not_counted_as_won(self):
        """Without item 0, item 1 is first for the fourth user: three can be won, not four."""
        everyone = Candidates.exactly(3, [[0, 1, 2], [0, 1, 2], [0, 1, 2], [1, 2]])
        lists = rank(SCORER, self.space, everyone, 1)
        users = np.arange(4)
        had = lists.items[:, 0] == 1
        assert had.tolist() == [False, False, False, True]
        answer = why_not_for_all(SCORER, self.space, lists, 1, users, 1)
        assert answer.had_it.tolist() == had.tolist()
        assert answer.has_it[3]
        assert not answer.entered[3]
        assert answer.entered[:3].sum() == 1
        with pytest.raises(UsageError, match="at least 4 users cannot be won: of these 4, 3 do not have item 0001"):
            why_not_for_all(SCORER, self.space, lists, 1, users, 4)

    @pytest.mark.parametrize(("item", "keeps"), [(0, True), (1, False)])
    def test_a_tie_is_kept_by_the_smaller_number(self, item, keeps):
        """The second aspect lands at 1. This wins the first user, 4 against 3; for the second, the items tie at 0."""
        quality = np.ones((2, 3))
        quality[item] = [1, 0, 0]
        space = space_of([[1, 3, -1], [1, -1, 0]], quality)
        lists = rank(SCORER, space, Candidates.without(2, [[], []]), 1)
        fixed = Constraints(keep=("aspect 0000", "aspect 0002"), values="continuous")
        answer = why_not_for_all(SCORER, space, lists, item, np.array([0, 1]), 1, constraints=fixed)
        assert answer.delta.tolist() == [0, 1, 0]
        assert answer.had_it.tolist() == [False, True]
        assert answer.score_after[1] == answer.target[1] == 0
        assert answer.has_it.tolist() == [True, keeps]

    def test_an_item_that_does_not_compete_is_named(self):
        lists = rank(SCORER, self.space, Candidates.without(3, [[], [1], [], []]), 1)
        with pytest.raises(InvalidValueError, match="item 0001 does not compete for the list of user 0001"):
            why_not_for_all(SCORER, self.space, lists, 1, np.arange(4), 1)

    def test_users_count_once(self):
        answer = self.ask(1, users=(0, 0, 0))
        assert answer.users.tolist() == [0]
        with pytest.raises(UsageError, match="at least 2 users"):
            self.ask(2, users=(0, 0, 0))

    def test_an_answer_cannot_say_that_it_reached_whom_it_did_not(self):
        answer = self.ask(2)
        with pytest.raises(InvalidValueError, match="enters 0 lists and is to enter 2"):
            dataclasses.replace(answer, has_it=np.zeros(4, dtype=bool))
