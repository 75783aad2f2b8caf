"""Every claim of every row, established again by slow NumPy in double precision (``tests/naive.py``)."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests import naive
from tests.worlds import WORLDS, World, plain_world, random_net, random_space, tied_world, whole_world, world_of

from counterec.core.explainers.answer import Explanations, Proof, Proposal, Status, verified
from counterec.core.explainers.asking import why
from counterec.core.explainers.bounds import cannot_cross
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.crossing import OVERSHOOT, crossings
from counterec.core.explainers.objective import RelaxedSettings
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.set_search import MinimalSettings
from counterec.core.scorers.aspect_net import AspectNet, Dense, NetWeights
from counterec.core.scorers.ranking import rank

SEEDS = range(16)
"""Each bit of a seed is one way to ask: masked, down to the worst, raised, with a target far away."""
NOT_ASKED = (Status.NO_TARGET, Status.ALREADY_TRUE, Status.NOTHING_TO_CHANGE)


class BlackBox:
    """A net behind its scores: no gradient, no layers."""

    aspects_only = True

    def __init__(self, net: AspectNet) -> None:
        self.score = net.score


EXPLAINERS = {
    "relaxed": lambda net: CountER(net, goal="relaxed"),
    "letter": lambda net: CountER(net, goal="relaxed", relaxed=RelaxedSettings(exact_paper=True, paper_steps=20)),
    "single": lambda net: CountER(net, goal="single"),
    "minimal": lambda net: CountER(net, goal="minimal"),
    "minimal without budget": lambda net: CountER(net, goal="minimal", minimal=MinimalSettings(budget=0)),
    "single of a black box": lambda net: CountER(BlackBox(net), goal="single"),
    "minimal of a black box": lambda net: CountER(BlackBox(net), goal="minimal"),
    "complete": lambda net: CountER(net, goal="complete"),
    "complete of a black box": lambda net: CountER(BlackBox(net), goal="complete"),
}
DESCENDING = ("relaxed", "letter")
PROVING = ("single", "minimal", "minimal without budget", "minimal of a black box")


class Row:
    """One pair of a question and the answer to it, in double precision."""

    def __init__(self, world: World, question: Question, answers: Explanations, row: int) -> None:
        self.arrays = world.weights.named()
        self.attention = world.space.user_attention[question.users[row]].astype(np.float64)
        self.quality = world.space.item_quality[question.items[row]].astype(np.float64)
        self.cared_for = self.attention != 0
        self.lowest, self.highest = question.lowest[row].astype(np.float64), question.highest[row].astype(np.float64)
        self.costs = question.costs.astype(np.float64)
        self.target, self.direction, self.margin = float(question.target[row]), str(question.direction), question.margin
        self.delta = answers.delta[row].astype(np.float64)
        self.before, self.after = float(answers.score_before[row]), float(answers.score_after[row])
        self.status, self.proof = Status(answers.status[row]), Proof(answers.proof[row])

    @cached_property
    def movable(self) -> list[int]:
        return [a for a in range(len(self.lowest)) if self.lowest[a] < 0 or self.highest[a] > 0]

    @cached_property
    def named(self) -> list[int]:
        return [int(aspect) for aspect in np.flatnonzero(self.delta)]

    @cached_property
    def noise(self) -> float:
        """What single precision may be off by, anywhere in the bounds."""
        largest = np.maximum(np.abs(self.quality + self.lowest), np.abs(self.quality + self.highest))
        return naive.rounding(self.arrays, self.attention, np.maximum(largest, np.abs(self.quality)))

    @cached_property
    def slack(self) -> float:
        """One hundredth of the margin; more only where single precision cannot tell a hundredth of it."""
        return max(0.01 * self.margin * max(1.0, abs(self.target)), self.noise)

    @property
    def landed(self) -> bool:
        """Whether an aspect that nobody had reviewed was given the worst value that a review leads to."""
        return bool(((self.quality == 0) & (self.delta == 1)).any())

    def score(self, delta: np.ndarray) -> float:
        return naive.net_score(self.arrays, self.attention, self.quality + delta)

    def beyond(self, delta: np.ndarray) -> float:
        return self.beyond_score(self.score(delta))

    def beyond_score(self, score: float) -> float:
        return naive.beyond(score, self.target, self.direction, self.margin)

    def flips_at_bounds(self, aspects: tuple[int, ...] | list[int]) -> bool:
        """Whether these aspects at their bounds flip, beyond all doubt."""
        changes = naive.changes_at_bounds(self.lowest, self.highest, aspects)
        return any(self.beyond(change) > self.slack for change in changes)

    def fewest_at_bounds(self) -> float:
        """The size of the smallest set that flips at its bounds, beyond all doubt."""
        for size in range(1, len(self.movable) + 1):
            if any(self.flips_at_bounds(chosen) for chosen in naive.sets_of(self.movable, size)):
                return size
        return np.inf

    def smallest_on_a_grid(self, aspects: list[int], steps: int) -> float:
        """The least ‖c ⊙ Δ‖₂ of the changes of these aspects, in so many steps to their bounds each, that flip."""
        bounds, least = self.lowest + self.highest, np.inf
        for shares in product(np.linspace(0, 1, steps + 1), repeat=len(aspects)):
            change = np.zeros_like(bounds)
            change[aspects] = bounds[aspects] * shares
            norm = float(np.linalg.norm(self.costs * change))
            if norm < least and self.beyond(change) > 0:
                least = norm
        return least

    def cheapest_single(self, slack: float) -> float:
        """The least cost of a change of one aspect that flips by so much."""
        costs = [np.inf]
        for aspect, reach in naive.ways(self.lowest, self.highest):
            way = naive.Way(self.arrays, self.attention, self.quality, aspect, reach)
            share = way.first_crossing(lambda score: self.beyond_score(score) - slack)
            costs.append(share * abs(reach) * self.costs[aspect])
        return min(costs)


def rows_of(world: World, question: Question, answers: Explanations) -> Iterator[Row]:
    assert len(answers) == len(question)
    np.testing.assert_array_equal(answers.users, question.users)
    np.testing.assert_array_equal(answers.items, question.items)
    for row in range(len(question)):
        yield Row(world, question, answers, row)


def establish(row: Row, singly: bool) -> None:
    """What every row claims, whatever explained it; ``singly``: of changes of one aspect alone."""
    assert (row.delta >= row.lowest).all()
    assert (row.delta <= row.highest).all()
    assert set(row.named) <= set(row.movable)
    nothing = np.zeros_like(row.delta)
    assert abs(row.before - row.score(nothing)) < max(1e-4, 10 * row.noise)
    assert abs(row.after - row.score(row.delta)) < max(1e-4, 10 * row.noise)
    if row.status in (Status.EXPLAINED, Status.NOT_FOUND, Status.OUT_OF_BUDGET, Status.CANNOT_FLIP):
        assert not np.isnan(row.target)
        assert row.movable
        assert row.beyond(nothing) < row.slack
        assert (
            (row.beyond(row.delta) > -row.slack)
            if row.status is Status.EXPLAINED
            else (row.beyond(row.delta) < row.slack)
        )
    else:
        assert not row.named
    assert (row.proof is Proof.NONE) == (row.status is not Status.EXPLAINED)
    assert (row.status is Status.NO_TARGET) == np.isnan(row.target)
    if row.status is Status.NOTHING_TO_CHANGE:
        assert not row.movable
    if row.status is Status.ALREADY_TRUE:
        assert row.beyond(nothing) > -row.slack
    if row.status is Status.CANNOT_FLIP:
        establish_cannot_flip(row, singly)
    if row.proof is Proof.EXACT:
        establish_exact(row)
    if row.proof is Proof.SMALLEST:
        establish_smallest(row)
    if row.proof is Proof.IRREDUCIBLE:
        establish_irreducible(row)


def establish_cannot_flip(row: Row, singly: bool) -> None:
    """No single aspect crosses anywhere on its way; nor, unless only those count, does anything within the bounds."""
    assert row.cheapest_single(row.slack) == np.inf
    if not singly:
        random = np.random.default_rng(0)
        corners = [
            np.where(chosen, row.lowest, row.highest) for chosen in product([True, False], repeat=len(row.delta))
        ]
        inside = random.uniform(row.lowest, row.highest, (100, len(row.delta)))
        assert not any(row.beyond(change) > row.slack for change in [*corners, *inside])


def establish_exact(row: Row) -> None:
    """No smaller change of one aspect flips, and this one is no smaller than it can be."""
    (aspect,) = row.named
    cost = abs(row.delta[aspect]) * row.costs[aspect]
    # What flips by the slack more, or less, is what single precision may take for the first flip.
    assert cost <= row.cheapest_single(row.slack) * (1 + 1e-3) + 1e-5
    assert cost >= row.cheapest_single(-row.slack) * (1 - 1e-5) - 1e-6


def establish_smallest(row: Row) -> None:
    """No set of fewer aspects flips with all of them at their bounds."""
    for size in range(1, len(row.named)):
        for chosen in naive.sets_of(row.movable, size):
            assert not row.flips_at_bounds(chosen)


def establish_irreducible(row: Row) -> None:
    """Without any one of its aspects, the others at their bounds do not flip."""
    for left_out in row.named:
        assert not row.flips_at_bounds([aspect for aspect in row.named if aspect != left_out])


def establish_found_what_flips_at_bounds(row: Row) -> None:
    """Of the minimal goal: whatever flips with everything at its bound is explained, by the fewest if so proven."""
    if row.status in NOT_ASKED:
        return
    one_way = not ((row.lowest < 0) & (row.highest > 0)).any()
    if one_way and row.flips_at_bounds(row.movable):
        assert row.status is Status.EXPLAINED
    if row.proof is Proof.SMALLEST:
        assert len(row.named) <= row.fewest_at_bounds()


def establish_found_what_one_aspect_flips(row: Row) -> None:
    """Of the exact single goal: whatever one aspect flips is explained, and what is not is proven impossible."""
    if row.status not in NOT_ASKED:
        assert len(row.named) == 1
        # From one batch to another, the scores of a saturated net may differ by a good part of the margin.
        drowned = row.noise > 0.02 * row.margin * max(1.0, abs(row.target))
        if row.cheapest_single(row.slack) < np.inf:
            assert row.status is Status.EXPLAINED or (drowned and row.status is Status.NOT_FOUND)
        if row.status is Status.EXPLAINED:
            assert row.proof is Proof.EXACT or ((drowned or row.landed) and row.proof is Proof.FOUND)
        if row.cheapest_single(-row.slack) == np.inf:
            assert row.status is Status.CANNOT_FLIP


def established(explainer: str, world: World, question: Question, answers: Explanations | None = None) -> Explanations:
    """Ask the explainer, unless the answers are given, and establish every claim of theirs."""
    if answers is None:
        answers = EXPLAINERS[explainer](AspectNet(world.weights)).explain(question)
    for row in rows_of(world, question, answers):
        establish(row, singly=explainer == "single")
        if explainer.startswith("minimal"):
            establish_found_what_flips_at_bounds(row)
        if explainer == "single":
            establish_found_what_one_aspect_flips(row)
    return answers


@dataclasses.dataclass(frozen=True)
class Ways:
    """How a question is asked, by the bits of a seed; every third time, aspects cost differently."""

    seed: int

    masked = property(lambda self: bool(self.seed & 1))
    to_the_worst = property(lambda self: bool(self.seed & 2))
    raised = property(lambda self: bool(self.seed & 4))
    far = property(lambda self: bool(self.seed & 8))
    with_costs = property(lambda self: self.seed % 3 == 0)


def raises(explainer: str) -> bool:
    """Whether it can be asked what would raise a score: what is not in the list is not there completely."""
    return not explainer.startswith("complete")


def seeds_of(explainer: str) -> list[int]:
    """Those that descend take their time, and prove nothing: they are not asked about far targets."""
    seeds = SEEDS[:8] if explainer in DESCENDING else SEEDS
    return [seed for seed in seeds if raises(explainer) or not Ways(seed).raised]


def asked(world: World, seed: int, k: int = 3) -> Question:
    """A question about a world, asked in the way of the seed."""
    ways, random, net = Ways(seed), np.random.default_rng(seed), AspectNet(world.weights)
    lists = rank(net, world.space, world.candidates, k)
    allowed = Constraints(masked=ways.masked, floor="worst" if ways.to_the_worst else "absent")
    question = why(world.space, lists, constraints=allowed)
    if ways.raised:
        question = raised(question, net, ways.masked)
    if ways.far:
        question = dataclasses.replace(question, target=further(question, net, random))
    if ways.with_costs:
        question = dataclasses.replace(question, costs=random.uniform(0.2, 5, len(question.costs)))
    return question


def raised(question: Question, net: AspectNet, masked: bool) -> Question:
    """What would it take to score a little more: up to the ceiling, whether reviewed on it or not."""
    before, targets = net.score(question.pairs), question.target[question.has_target]
    room = 5 - question.pairs.item_quality
    step = 0.05 + 0.5 * (targets.std() if len(targets) else 0)
    return dataclasses.replace(
        question,
        direction=Direction.RAISE,
        target=np.where(question.has_target, before + step, np.nan),
        lowest=np.zeros_like(room),
        highest=room * (question.pairs.user_attention != 0) if masked else room,
    )


def further(question: Question, net: AspectNet, random: np.random.Generator) -> np.ndarray:
    """Targets further away, nearly as far as the best of thirty sets at their bounds: what takes several aspects."""
    before, bounds = net.score(question.pairs), question.lowest + question.highest
    furthest = np.minimum if question.direction is Direction.LOWER else np.maximum
    best = before
    for _ in range(30):
        best = furthest(best, net.score(question.changed(bounds * (random.random(bounds.shape) < 0.6))))
    far = before + random.uniform(0.7, 1, len(question)) * (best - before)
    return np.where(question.has_target, furthest(question.target, far), np.nan)


def on_the_edge(question: Question, net: AspectNet, random: np.random.Generator) -> Question:
    """Targets that a random set of aspects at its bounds crosses by 0.9 to 1.3 margins."""
    chosen = random.random(question.lowest.shape) < random.uniform(0.2, 1, (len(question), 1))
    ends = net.score(question.changed((question.lowest + question.highest) * chosen))
    margins = 1e-4 * np.maximum(1, np.abs(ends)) * random.choice([0.9, 0.95, 1.05, 1.1, 1.15, 1.3], len(question))
    return dataclasses.replace(question, target=ends + (1 if question.direction is Direction.LOWER else -1) * margins)


def establish_bounds(world: World, answers: Explanations, ways: Ways) -> None:
    """The bounds and the mask, from the way it was asked and not from the question."""
    attention, quality = world.space.user_attention[answers.users], world.space.item_quality[answers.items]
    after = quality + answers.delta
    if ways.masked:
        assert not answers.delta[attention == 0].any()
    if ways.raised:
        assert (answers.delta >= 0).all()
        assert (after <= 5).all()
    else:
        assert (answers.delta <= 0).all()
        assert (after >= 0).all()
        assert not answers.delta[quality == 0].any()
        if ways.to_the_worst:
            assert (after[answers.delta != 0] >= 1).all()


@pytest.mark.parametrize("kind", WORLDS)
@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_every_claim_holds(explainer, kind):
    for seed in seeds_of(explainer):
        world = WORLDS[kind](seed)
        answers = established(explainer, world, asked(world, seed))
        establish_bounds(world, answers, Ways(seed))


@pytest.mark.parametrize("explainer", EXPLAINERS)
@pytest.mark.parametrize("kind", ["plain", "whole", "wide"])
def test_claims_hold_where_targets_lie_on_the_edge_of_what_sets_reach(explainer, kind):
    """Each target is put where some set of aspects, at its bounds, just clears the margin or just does not."""
    for seed in seeds_of(explainer):
        world, random = WORLDS[kind](100 + seed), np.random.default_rng(seed)
        established(explainer, world, on_the_edge(asked(world, seed), AspectNet(world.weights), random))


@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_claims_hold_where_aspects_may_fall_and_rise(explainer):
    for seed in seeds_of(explainer)[:8]:
        world = plain_world(200 + seed)
        question = asked(world, seed)
        net, quality = AspectNet(world.weights), question.pairs.item_quality
        established(explainer, world, dataclasses.replace(question, highest=(5 - quality) * (quality != 0)))
        if raises(explainer):
            established(explainer, world, dataclasses.replace(raised(question, net, masked=False), lowest=-quality))


@pytest.mark.parametrize("explainer", ["minimal", "minimal of a black box"])
def test_no_set_moves_an_aspect_down_and_up_at_once(explainer):
    """The score is 4·|a − 3| + b + c + d. Neither bound of a helps; both together would bring it to its dent."""
    first = np.zeros((5, 8))
    first[[0, 1, 2, 3, 4], [4, 4, 5, 6, 7]] = [1, -1, 1, 1, 1]
    net = NetWeights(
        Dense(first, np.array([-3, 3, 0, 0, 0])),
        Dense(np.array([[4, 4, 1, 1, 1]]), np.zeros(1)),
        Dense(np.ones((1, 1)), np.zeros(1)),
    )
    world = world_of(np.random.default_rng(0), np.ones((1, 4)), np.array([[2, 1, 1, 1]] * 2), net, 2)
    question = asked(world, 0, k=1)
    both_ways = dataclasses.replace(question, highest=[[3, 0, 0, 0]], target=[4.5], costs=np.ones(4))
    answers = established(explainer, world, both_ways)
    assert answers.status.tolist() == [Status.EXPLAINED]
    assert answers.proof.tolist() == [Proof.SMALLEST]
    assert (answers.delta != 0).tolist() == [[False, True, True, True]]


@pytest.mark.parametrize(("kind", "seed"), [("tied", 98), ("tied", 210), ("plain", 387), ("narrow", 307)])
def test_what_only_single_precision_takes_for_a_flip_misleads_nobody(kind, seed):
    """In these worlds the search is told of a flip, by single precision, that is none in double."""
    world = WORLDS[kind](seed)
    established("single", world, asked(world, seed))


@pytest.mark.parametrize("kind", WORLDS)
def test_the_bound_over_the_box_never_excludes_what_flips(kind):
    """Also of a net whose second layer is all awake, where every part of the bound counts."""
    for seed in SEEDS[:8]:
        asleep, random = WORLDS[kind](seed), np.random.default_rng(seed)
        second = asleep.weights.hidden2
        awake = Dense(second.weight, np.abs(second.bias) + random.uniform(0, 6, len(second.bias)))
        for world in (asleep, dataclasses.replace(asleep, weights=dataclasses.replace(asleep.weights, hidden2=awake))):
            question, net = asked(world, seed), AspectNet(world.weights)
            proven = cannot_cross(net, question)
            for goal in ("single", "minimal"):
                assert not (proven & CountER(net, goal=goal).explain(question).explained).any()


@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_claims_hold_for_other_margins(explainer):
    for seed in seeds_of(explainer):
        world = plain_world(300 + seed)
        established(explainer, world, dataclasses.replace(asked(world, seed), margin=[0.3, 0.05, 1e-3][seed % 3]))


@pytest.mark.parametrize("explainer", ["relaxed", "single", "minimal"])
def test_claims_hold_for_many_pairs_at_once_and_for_larger_nets(explainer):
    random = np.random.default_rng(0)
    space = random_space(random, 150, 40, 6)
    net = random_net(random, 6, hidden=(40, 20))
    world = world_of(random, space.user_attention, space.item_quality, net, 12)
    question = asked(world, 0)
    answers = EXPLAINERS[explainer](AspectNet(world.weights)).explain(question)
    some = np.arange(0, len(question), 5)
    part = dataclasses.replace(
        answers,
        **{
            name: getattr(answers, name)[some]
            for name in ("users", "items", "delta", "score_before", "score_after", "target", "status", "proof")
        },
    )
    established(explainer, world, question.rows(some), part)


@pytest.mark.parametrize("explainer", EXPLAINERS)
class TestFewCandidates:
    K = 3

    def test_one_candidate_more_than_the_list_is_the_target(self, explainer):
        for seed in seeds_of(explainer):
            world = plain_world(seed, candidates=self.K + 1)
            question = asked(world, seed & 3)
            for row in range(len(question)):
                user = int(question.users[row])
                own = world.candidates.of(user)
                scores = naive.net_scores(
                    world.weights.named(), world.space.user_attention[user], world.space.item_quality[own]
                )
                assert question.target[row] == pytest.approx(scores.min(), abs=1e-4)
            answers = established(explainer, world, question)
            assert Status.NO_TARGET not in answers.status

    @pytest.mark.parametrize("candidates", [1, K])
    def test_none_below_the_list_is_no_target(self, explainer, candidates):
        for seed in seeds_of(explainer)[:8]:
            world = plain_world(seed, candidates=candidates)
            answers = established(explainer, world, asked(world, seed))
            assert set(answers.status) == {Status.NO_TARGET}
            assert not answers.delta.any()

    def test_some_users_may_have_a_target_and_others_none(self, explainer):
        world = plain_world(3)
        question = asked(world, 0)
        some = np.arange(len(question)) % 3 == 0
        answers = established(
            explainer, world, dataclasses.replace(question, target=np.where(some, np.nan, question.target))
        )
        np.testing.assert_array_equal(answers.status == Status.NO_TARGET, some)


@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_where_nothing_may_move_this_is_said(explainer):
    for seed in range(4):
        world = plain_world(seed)
        question = asked(world, seed)
        still = dataclasses.replace(question, lowest=question.lowest * 0, highest=question.highest * 0)
        assert set(established(explainer, world, still).status) == {Status.NOTHING_TO_CHANGE}


def test_the_worlds_make_every_claim_many_times():
    """Nothing above holds for want of cases."""
    claims: Counter[str] = Counter()
    for explainer, kind, seed in product(PROVING, ("dead", "wide", "full"), SEEDS):
        world = WORLDS[kind](seed)
        answers = EXPLAINERS[explainer](AspectNet(world.weights)).explain(asked(world, seed))
        named = np.count_nonzero(answers.delta, axis=1)
        for status, proof, size in zip(answers.status, answers.proof, named, strict=True):
            claims[f"{explainer}: {Status(status).label} {Proof(proof).label} {min(size, 3)}"] += 1
    assert claims["single: explained exact 1"] > 100
    assert claims["single: cannot_flip none 1"] > 100
    for size in (1, 2, 3):
        assert claims[f"minimal: explained smallest {size}"] > 20
        assert claims[f"minimal of a black box: explained smallest {size}"] > 20
    assert claims["minimal without budget: explained irreducible 3"] > 20
    assert sum(count for claim, count in claims.items() if claim.startswith("minimal: cannot_flip")) > 30
    assert sum(count for claim, count in claims.items() if claim.startswith("minimal: not_found")) > 30


def test_a_change_of_the_minimal_goal_ends_where_it_crosses():
    """Not a claim of its rows, but what shrinking is for: a change goes a hair further than it must."""
    tight = explained = 0
    for seed in range(40):
        world = plain_world(seed)
        question = asked(world, seed & 7)
        answers = CountER(AspectNet(world.weights), goal="minimal").explain(question)
        for row in rows_of(world, question, answers):
            if row.status is Status.EXPLAINED and not row.landed:
                gap = -row.beyond(np.zeros_like(row.delta))
                explained += 1
                tight += row.beyond(row.delta) < 0.21e-4 * max(1.0, abs(row.target)) + 1.01 * OVERSHOOT * gap
    assert explained > 200
    assert tight > 0.98 * explained


def test_a_change_of_two_aspects_is_about_the_smallest_of_these_two():
    """Again no claim of its rows: by a grid over both aspects, that costs differ and all."""
    ratios = []
    for seed in range(12):
        world, random = WORLDS["full"](seed), np.random.default_rng(seed)
        question = dataclasses.replace(asked(world, seed | 8), costs=random.uniform(0.2, 5, 7))
        answers = CountER(AspectNet(world.weights), goal="minimal").explain(question)
        for row in rows_of(world, question, answers):
            if row.status is Status.EXPLAINED and len(row.named) == 2:
                ratios.append(np.linalg.norm(row.costs * row.delta) / row.smallest_on_a_grid(row.named, 25))
    assert len(ratios) > 30
    assert np.mean(ratios) < 1.03
    assert np.mean(np.array(ratios) < 1.02) > 0.85


class TestVerified:
    """Whatever a solver claims, its row says what a fresh score of its change says."""

    def test_a_solver_that_lies_is_found_out(self):
        for seed in SEEDS:
            world, random = plain_world(seed), np.random.default_rng(seed)
            question = asked(world, seed)
            anything = random.random(question.lowest.shape).astype(np.float32)
            delta = np.where(anything < 0.3, 0, question.lowest + question.highest) * anything
            lie = Proposal.of(delta.astype(np.float32), np.full(len(question), Proof.FOUND, dtype=np.int8))
            answers = verified(AspectNet(world.weights), question, lie)
            for row in rows_of(world, question, answers):
                establish(row, singly=False)
                if row.status not in NOT_ASKED:
                    flips = row.beyond(row.delta)
                    assert (row.status is Status.EXPLAINED) == (flips > 0) or abs(flips) < row.slack


WHOLE = st.integers(-2, 2)


@st.composite
def whole_worlds(draw: st.DrawFn) -> tuple[World, int]:
    """Tiny nets of small whole numbers: inputs of exactly 0, kinks that coincide, ties, plains."""
    aspects, first, second = draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(1, 3))

    def dense(inputs: int, outputs: int) -> Dense:
        return Dense(
            draw(arrays(np.int64, (outputs, inputs), elements=WHOLE)), draw(arrays(np.int64, outputs, elements=WHOLE))
        )

    attention = draw(arrays(np.int64, (1, aspects), elements=st.integers(0, 2)))
    quality = draw(arrays(np.int64, (4, aspects), elements=st.integers(0, 5)))
    net = NetWeights(dense(2 * aspects, first), dense(first, second), dense(second, 1))
    world = world_of(np.random.default_rng(0), attention, quality, net, 4)
    return world, draw(st.integers(0, 15))


@pytest.mark.parametrize("explainer", PROVING)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(whole_worlds())
def test_claims_hold_for_any_net_of_whole_numbers(explainer, drawn):
    world, seed = drawn
    established(explainer, world, asked(world, seed, k=2))


class TestCrossings:
    """Each way is a bent line from a gap above 0 to one below 0, straight between its places."""

    @staticmethod
    def crossed(lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        places = np.linspace(0, 1, lines.shape[1])

        def gap_at(ways, shares):
            gaps = [np.interp(share, places, lines[way]) for way, share in zip(ways, shares, strict=True)]
            return np.array(gaps, dtype=np.float32)

        shares = crossings(gap_at, lines[:, 0], lines[:, -1])
        return shares, gap_at(range(len(lines)), shares)

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(
        arrays(np.float32, (4, 6), elements=st.floats(-2, 2, width=32)),
        arrays(np.float32, (4, 2), elements=st.floats(2**-7, 2, width=32)),
    )
    def test_they_always_flip(self, middle, ends):
        shares, gaps = self.crossed(np.concatenate([ends[:, :1], middle, -ends[:, 1:]], axis=1))
        assert ((shares > 0) & (shares <= 1)).all()
        assert (gaps < 0).all()

    @pytest.mark.parametrize(("bends", "share"), [(0, 1.0), (3, 0.97), (8, 0.97)])
    def test_they_lie_just_beyond_where_the_line_crosses(self, bends, share):
        random = np.random.default_rng(0)
        lines = random.uniform(-1, 1, (500, bends + 2)).astype(np.float32)
        lines[:, 0], lines[:, -1] = np.abs(lines[:, 0]) + 0.01, -np.abs(lines[:, -1]) - 0.01
        _, gaps = self.crossed(lines)
        assert (gaps > -1.01 * OVERSHOOT * lines[:, 0] - 1e-5).mean() >= share


class TestTheCheckers:
    """Who checks the checkers: a fine grid, and straight lines between what they call kinks."""

    @staticmethod
    def ways(kind: str, seed: int) -> Iterator[naive.Way]:
        world = WORLDS[kind](seed)
        question = asked(world, seed)
        for row in range(0, len(question), 4):
            attention, quality = question.pairs.user_attention[row], question.pairs.item_quality[row]
            for aspect, reach in naive.ways(question.lowest[row], question.highest[row]):
                yield naive.Way(world.weights.named(), attention, quality, aspect, reach)

    @pytest.mark.parametrize("kind", WORLDS)
    def test_the_score_is_straight_between_kinks(self, kind):
        for way in (way for seed in range(4) for way in self.ways(kind, seed)):
            for low, high in pairwise(way.kinks()):
                for share in (0.25, 0.6):
                    straight = (1 - share) * way.score(low) + share * way.score(high)
                    assert way.score(low + share * (high - low)) == pytest.approx(straight, rel=1e-9, abs=1e-9)

    @pytest.mark.parametrize("kind", ["plain", "whole", "saturated"])
    def test_the_first_crossing_is_the_first_on_a_fine_grid(self, kind):
        grid = np.linspace(0, 1, 401)
        for way in (way for seed in range(4) for way in self.ways(kind, seed)):
            scores = np.array([way.score(share) for share in grid])
            level = 0.5 * (scores.min() + scores.max())
            if np.ptp(scores) < 1e-6:
                continue
            share = way.first_crossing(lambda score, level=level: level - score)
            below = grid[scores < level - 1e-9 * abs(level)]
            assert share <= below.min(initial=np.inf)
            assert not (scores[grid < share - 1e-9] < level - 1e-9 * abs(level)).any()

    def test_ties_zeros_and_kinks_that_coincide_occur(self):
        tied = [asked(tied_world(seed), 0) for seed in SEEDS]
        ties = [
            AspectNet(tied_world(seed).weights).score(q.pairs) == q.target for seed, q in zip(SEEDS, tied, strict=True)
        ]
        assert sum(int(tie.sum()) for tie in ties) > 20
        zeros = coinciding = 0
        for way in (way for seed in SEEDS for way in self.ways("whole", seed)):
            zeros += ((way.start == 0) & (way.slope != 0)).any()
            inside = [
                -start / slope
                for start, slope in zip(way.start, way.slope, strict=True)
                if slope and -1 < start / slope < 0
            ]
            coinciding += len(set(inside)) < len(inside)
        assert zeros > 20
        assert coinciding > 5


def test_worlds_of_whole_numbers_are_scored_without_rounding():
    """Where everything is whole, single and double precision agree to the bit."""
    world = whole_world(0)
    question = asked(world, 0)
    scores = AspectNet(world.weights).score(question.pairs)
    for row, score in enumerate(scores):
        attention, quality = question.pairs.user_attention[row], question.pairs.item_quality[row]
        assert score == naive.net_score(world.weights.named(), attention, quality)
