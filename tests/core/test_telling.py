"""Telling aspects first: of all sets of the smallest size that flip, that is named which is worth most as a reason."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from tests import naive
from tests.claims import Row
from tests.worlds import (
    SCORED,
    World,
    asked,
    attributes_world,
    counted_world,
    full_world,
    plain_scale,
    plain_world,
    scored_rows,
    space_of,
    wide_world,
)

from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Alternatives, Explanations
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.explainers.telling import Telling
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace

pytestmark = pytest.mark.slow

CONTINUOUS = Constraints(values="continuous")
VALUES = (CONTINUOUS, Constraints(), Constraints(unreviewed_beyond=1))
WORLDS = {
    "counted": counted_world,
    "full": full_world,
    "plain": plain_world,
    "wide": wide_world,
    "attributes": attributes_world,
}
INVISIBLE = 0.05
"""As a share of the span of an aspect."""


def opinions_on(space: AspectSpace, item: int) -> np.ndarray:
    """How many there are on each aspect of the item; where nobody counts, how many items have the aspect."""
    if space.opinions is not None:
        return space.opinions.item_praises[item] + space.opinions.item_complaints[item]
    return (space.item_quality != space.scale.absent).sum(axis=0)


def worth(world: World, row: Row, aspects: tuple[int, ...] | list[int]) -> float:
    pair = row.pair
    return naive.worth(
        *(pair.attention, pair.before, opinions_on(world.space, pair.item), tuple(aspects), plain_scale(world.space)),
        rises=pair.rises,
    )


def answered(
    world: World, seed: int, kind: str, goal: str, constraints: Constraints, name: str = "net"
) -> Iterator[tuple[Row, Alternatives, int]]:
    """Every explained pair, what the answer says of alternatives, and its row."""
    scored = SCORED[name](world, seed)
    question = asked(kind, world, scored.scorer, seed, constraints=constraints)  # type: ignore[arg-type]
    answers = CountER(scored.scorer, goal=goal).explain(question)  # type: ignore[arg-type]
    assert answers.alternatives is not None
    for place, row in enumerate(scored_rows(question, world, scored, answers, goal)):
        if row.status == "explained":
            yield row, answers.alternatives, place


def flipping_sets(row: Row, size: int) -> list[tuple[int, ...]] | None:
    """All sets of this size that flip at their bounds; None where single precision cannot tell of one."""
    pair, found = row.pair, []
    lowest, highest = pair.wide_bounds if row.unreviewed else pair.bounds
    for chosen in naive.sets_of(pair.wide_movable if row.unreviewed else pair.movable, size):
        beyond = max(pair.beyond(change) for change in naive.changes_at_bounds(lowest, highest, chosen))
        if abs(beyond) <= pair.slack:
            return None
        if beyond > 0:
            found.append(chosen)
    return found


def hardly_moves(row: Row, aspects: tuple[int, ...]) -> bool:
    """Whether a change of these aspects flips that is too small to see: on a straight line, or one step each."""
    pair = row.pair
    lowest, highest = pair.wide_bounds if row.unreviewed else pair.bounds
    reach = np.where(np.isin(np.arange(len(lowest)), aspects), lowest + highest, 0)
    small = np.clip(reach, -INVISIBLE * pair.on.span, INVISIBLE * pair.on.span)
    if not pair.counted:
        return any(pair.beyond(share * small) > -pair.slack for share in np.linspace(0, 1, 30))
    after = pair.before.astype(np.float64)
    for aspect in aspects:
        stops = [float(pair.before[aspect]), *(pair.ways[aspect].stops() or [])]
        after[aspect] = [stop for stop in stops if abs(stop - stops[0]) < INVISIBLE * pair.on.span[aspect]][-1]
    return pair.beyond_at(after) > -pair.slack


@pytest.mark.parametrize("kind", ["why", "why_not", "why_rather"])
@pytest.mark.parametrize("where", WORLDS)
def test_the_most_telling_of_all_smallest_sets_is_named(where, kind):
    """By trying every set of as many aspects, and by the formula, both in plain arithmetic."""
    seen: Counter[str] = Counter()
    for seed, constraints in product(range(4), VALUES):
        world = WORLDS[where](seed)
        for row, others, place in answered(world, seed, kind, "minimal", constraints):
            sets = flipping_sets(row, len(row.named))
            if sets is None or tuple(row.named) not in sets:
                seen["in doubt"] += 1
                continue
            own = worth(world, row, row.named)
            better = [chosen for chosen in sets if worth(world, row, chosen) > own + 1e-5]
            assert not others.all_tried[place] or others.equal_sets[place] == len(sets) - 1
            if others.all_tried[place]:
                assert all(hardly_moves(row, chosen) for chosen in better)
                seen["several" if len(sets) > 1 else "one"] += 1
                seen["too small"] += bool(better)
                seen["two or more aspects"] += len(row.named) > 1 and len(sets) > 1
            seen["not all tried"] += not others.all_tried[place]
    assert seen["several"] >= 3, seen
    assert seen["in doubt"] + seen["not all tried"] < 0.1 * (seen["several"] + seen["one"]), seen


@pytest.mark.parametrize("where", ["counted", "full", "wide"])
def test_the_most_telling_aspect_is_named_by_single(where):
    """Of all aspects that flip, at any value on their way; its change is exact for that aspect."""
    seen: Counter[str] = Counter()
    for seed, kind, constraints in product(range(5), ("why", "why_not"), VALUES[1:]):
        world = WORLDS[where](seed)
        for row, others, place in answered(world, seed, kind, "single", constraints):
            pair, wide = row.pair, row.unreviewed
            movable = pair.wide_movable if wide else pair.movable
            least, most = (
                {a: pair.single_flips(a, slack, absent=wide) for a in movable} for slack in (pair.slack, -pair.slack)
            )
            flipping = [a for a in movable if least[a] < np.inf]
            if flipping != [a for a in movable if most[a] < np.inf]:
                continue
            assert np.flatnonzero(others.singles[place]).tolist() == [a for a in flipping if a not in row.named]
            assert others.equal_sets[place] == len(flipping) - 1
            assert others.all_tried[place]
            small = {a for a in flipping if most[a] < INVISIBLE}
            visible = [a for a in flipping if a not in small] or flipping
            best = max(worth(world, row, (a,)) for a in visible)
            assert worth(world, row, row.named) >= best - 1e-5
            seen["several" if len(visible) > 1 else "one"] += 1
            seen["some too small"] += 0 < len(small) < len(flipping)
    assert seen["several"] > 10, seen
    assert seen["some too small"] > 0 or where == "full", seen


@pytest.mark.parametrize("name", ["net", "black box", "embedded"])
def test_the_alternatives_are_exactly_the_other_aspects_that_flip_by_themselves(name):
    judged = some = 0
    for seed, kind, constraints in product(range(3), ("why", "why_not"), VALUES):
        for world in (counted_world(seed), plain_world(seed)):
            for row, others, place in answered(world, seed, kind, "minimal", constraints, name):
                singles = flipping_sets(row, 1)
                if singles is not None:
                    expected = [aspect for (aspect,) in singles if aspect not in row.named]
                    assert np.flatnonzero(others.singles[place]).tolist() == expected
                    judged += 1
                    some += bool(expected)
    assert judged > 100
    assert some > 20


def both(question: Question, world: World, goal: str) -> tuple[Explanations, Explanations]:
    net = AspectNet(world.weights)
    return tuple(CountER(net, goal=goal, telling=telling).explain(question) for telling in (True, False))  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("goal", ["minimal", "single"])
@pytest.mark.parametrize("where", WORLDS)
def test_it_never_takes_more_aspects_nor_changes_a_status(where, goal):
    """Left out is where an absent aspect may stop anywhere: one may cross before it is on its scale, and not there."""
    other = explained = 0
    for seed, kind, constraints in product(range(2), ("why", "why_rather", "why_not"), VALUES):
        if kind == "why_not" and (where == "attributes" or constraints.values == "continuous"):
            continue
        world = WORLDS[where](seed)
        question = asked(kind, world, AspectNet(world.weights), seed, constraints=constraints)
        telling, plain = both(question, world, goal)
        np.testing.assert_array_equal(telling.status, plain.status)
        assert (np.count_nonzero(telling.delta, axis=1) == np.count_nonzero(plain.delta, axis=1)).all()
        other += int(((telling.delta != 0) != (plain.delta != 0)).any(axis=1).sum())
        explained += int(telling.explained.sum())
    assert other > 0.05 * explained


@pytest.mark.parametrize("goal", ["minimal", "single"])
def test_costs_that_the_caller_gives_come_first(goal):
    for seed, constraints in product(range(3), VALUES):
        world = counted_world(seed)
        dear = {name: float(1 + number % 3) for number, name in enumerate(world.space.aspects.texts)}
        given = dataclasses.replace(constraints, costs=dear)
        question = asked("why", world, AspectNet(world.weights), seed, constraints=given)
        assert Telling.of(question) is None
        telling, plain = both(question, world, goal)
        np.testing.assert_array_equal(telling.delta, plain.delta)
        alike = dataclasses.replace(constraints, costs=dict.fromkeys(dear, 2.0))
        assert Telling.of(asked("why", world, AspectNet(world.weights), seed, constraints=alike)) is not None


class TestByHand:
    """Any of the aspects would do: item 0 is ahead by 0.5, and each can lose more."""

    def test_a_change_too_small_to_see_comes_last(self):
        """The first aspect counts so much that 4.81 → 4.52 is more than enough, but 4.99 → 4.97 is, too."""
        space = space_of([[5, 1]], [[naive.reviewed(7), naive.reviewed(3)], [naive.reviewed(7) - 0.001, 4.5]])
        lists = rank(AlignmentScorer(), space, Candidates.without(2, [[]]), 1)
        question = why(space, lists)
        assert naive.reviewed(7) - naive.reviewed(6) < 0.2 * 0.05
        for goal in ("minimal", "single"):
            answers = CountER(AlignmentScorer(), goal=goal).explain(question)
            assert np.flatnonzero(answers.delta[0]).tolist() == [1]
            cheapest = CountER(AlignmentScorer(), goal=goal, telling=False).explain(question)
            assert np.flatnonzero(cheapest.delta[0]).tolist() == [0]

    def test_an_aspect_that_somebody_dislikes_is_one_that_they_care_about(self):
        space = space_of([[1, -3]], [[4, 4], [3.5, 4]])
        lists = rank(AlignmentScorer(), space, Candidates.without(2, [[]]), 1)
        question = why(space, lists)
        worths = Telling(question).worth(np.array([0, 0]), np.array([0, 1]))
        assert np.isfinite(worths).all()
        assert worths[1] > worths[0]
