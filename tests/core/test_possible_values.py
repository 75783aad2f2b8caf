"""Possible values: how far an aspect may go, which values it may have there, and that answers have exactly these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests import naive
from tests.worlds import (
    ALL_WORLDS,
    ATTRIBUTES,
    KINDS,
    SCORED,
    asked,
    attributes_world,
    counted_world,
    figure_one,
    pairs_of,
    shares_world,
    space_of,
)

from counterec.core.candidates import Candidates
from counterec.core.explainers.change_bounds import change_bounds, with_absent_allowed
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.possible_values import possible_values
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.scale import AspectScale
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace

R = naive.reviewed
ZERO = np.array([0])


class TestOfASpace:
    def test_of_opinions_they_lie_between_the_worst_and_the_best_that_an_item_has_or_three_complaints_and_praises(self):
        space = space_of([[1, 1, 1]], [[R(-5), 3, 0], [R(1), R(7), 0]])
        least, greatest = space.possible
        assert least.tolist() == [R(-5), R(-3), R(-3)]
        assert greatest.tolist() == [R(3), R(7), R(3)]

    def test_of_anything_else_they_lie_between_what_items_have_or_the_ends_of_the_scale_where_none_has_it(self):
        scale = AspectScale(
            low=[0, 0, 0], high=[10, 10, 10], low_is_worse=[True, False, True], absent=[-1] * 3, is_category=[False] * 3
        )
        least, greatest = space_of([[1, 1, 1]], [[4, 2, -1], [6, -1, -1]], scale).possible
        assert (least.tolist(), greatest.tolist()) == ([4, 2, 0], [6, 2, 10])

    def test_a_space_without_items_has_the_ends_of_its_scale(self):
        scale = AspectScale(low=[0], high=[10], low_is_worse=[True], absent=[-1], is_category=[False])
        least, greatest = space_of([[1]], np.empty((0, 1)), scale).possible
        assert (least.tolist(), greatest.tolist()) == ([0], [10])


class TestNearest:
    def test_on_a_ladder_every_value_stands_for_a_rung_or_for_absent(self):
        space = figure_one()
        values = np.array([0.0, 0.49, 0.51, 1.0, 3.9, 3.0, 4.9999995, 5.0], dtype=np.float32)
        found = possible_values(space, np.zeros(len(values), dtype=int), np.zeros(len(values), dtype=int), values)
        assert found.tolist() == [0, 0, 1, 1, R(1), 3, np.float32(4.9999995), 5]

    def test_without_one_it_is_the_value_itself_within_what_items_have(self):
        scale = AspectScale(low=[0], high=[10], low_is_worse=[True], absent=[-1], is_category=[False])
        space = space_of([[1]], [[4], [6]], scale)
        found = possible_values(
            space, np.zeros(5, dtype=int), np.zeros(5, dtype=int), np.array([4.5, 3.9, 7, -1, 1.4], dtype=np.float32)
        )
        assert found.tolist() == [4.5, 4, 6, -1, -1]


def bounds(
    kind: str, quality: Sequence[Sequence[float]], constraints: Constraints, absent: bool = False, other: int = 1
) -> tuple[list[float], list[float]]:
    """Of the first item, which the user cares about on all but the last aspect: the furthest values."""
    space = space_of([[1.0] * (len(quality[0]) - 1) + [0.0]], quality)
    versus = np.array([other]) if kind.startswith("why_rather") else None
    lowest, highest = change_bounds(kind, space, ZERO, ZERO, versus, constraints, absent)  # type: ignore[arg-type]
    own = space.item_quality[0]
    return (own + lowest[0]).round(4).tolist(), (own + highest[0]).round(4).tolist()


def near(*values: float) -> list[float]:
    return pytest.approx(values, abs=1e-4)  # type: ignore[return-value]


class TestBounds:
    QUALITY = ((R(2), R(-4), 0, 3), (R(-4), 3, 3, R(6)))

    def test_down_to_the_worst_that_an_item_has_or_three_complaints(self):
        lowest, highest = bounds("why", self.QUALITY, Constraints())
        assert lowest == near(R(-4), R(-4), 0, R(-3))
        assert highest == near(R(2), R(-4), 0, 3)

    def test_down_to_absent_where_aspects_may_become_absent(self):
        assert bounds("why", self.QUALITY, Constraints(), absent=True)[0] == near(0, 0, 0, 0)

    def test_up_to_the_best_that_an_item_has_or_three_praises(self):
        lowest, highest = bounds("why_not", self.QUALITY, Constraints())
        assert highest == near(R(3), R(3), R(3), R(6))
        assert lowest == near(R(2), R(-4), 0, 3)

    def test_continuously_down_to_absent_and_up_to_the_ceiling(self):
        free = Constraints(values="continuous")
        assert bounds("why", self.QUALITY, free)[0] == near(0, 0, 0, 0)
        assert bounds("why_not", self.QUALITY, free)[1] == near(5, 5, 5, 5)

    def test_the_mask_and_what_must_not_move(self):
        held = Constraints(masked=True, keep=("aspect 0001",))
        assert bounds("why", self.QUALITY, held, absent=True)[0] == near(0, R(-4), 0, 3)
        assert bounds("why_not", self.QUALITY, held)[1] == near(R(3), R(-4), R(3), 3)

    def test_the_caller_s_bounds_are_kept_to_by_the_next_value_inside(self):
        """At least 2 is 2.08; at most 4.6 is 4.52; an aspect that lies outside stays, also one that is absent."""
        within = Constraints(lowest=dict.fromkeys(["aspect 0000", "aspect 0002"], 2.0))
        assert bounds("why", self.QUALITY, within, absent=True)[0] == near(R(-1), 0, 0, 0)
        assert bounds("why_not", self.QUALITY, within)[1] == near(R(3), R(3), 0, R(6))
        top = Constraints(highest=dict.fromkeys(["aspect 0000", "aspect 0001", "aspect 0002"], 4.6))
        assert bounds("why_not", self.QUALITY, top)[1] == near(R(2), R(2), R(2), R(6))

    def test_a_bound_that_forbids_absent_leads_no_further_than_without_absent(self):
        """At least 1 would allow 1.0 of nineteen complaints, but no item has more than four."""
        least = Constraints(lowest={"aspect 0000": 1.0})
        for absent in (False, True):
            assert bounds("why", self.QUALITY, least, absent)[0][0] == pytest.approx(R(-4), abs=1e-4)

    def test_an_unmentioned_aspect_takes_a_praise_or_stays(self):
        below = Constraints(highest={"aspect 0002": 3.5})
        assert bounds("why_not", self.QUALITY, below)[1][2] == 0

    def test_the_other_s_values_are_taken_where_they_are_worse_and_absent_only_where_that_is_allowed(self):
        quality = [[R(2), R(2), 3, 3], [R(1), R(4), 0, 3]]
        assert bounds("why_rather_takes", quality, Constraints())[0] == near(R(1), R(2), 3, 3)
        assert bounds("why_rather_takes", quality, Constraints(), absent=True)[0] == near(R(1), R(2), 0, 3)
        free = Constraints(values="continuous")
        assert bounds("why_rather_takes", quality, free)[0] == near(R(1), R(2), 0, 3)

    def test_without_opinions_between_the_worst_and_the_best_that_an_item_has(self):
        space = space_of([[1.0] * 5], [[3, 100, 0.2, 1, 50], [2, 50, 0.4, -1, 10], [4, 300, 9, 2, 200]], ATTRIBUTES)

        def ends(kind: str, absent: bool = False) -> list[float]:
            lowest, highest = change_bounds(kind, space, ZERO, ZERO, None, Constraints(), absent)  # type: ignore[arg-type]
            return (space.item_quality[0] + lowest[0] + highest[0]).tolist()

        assert ends("why") == near(2, 300, 0.4, -1, 10)
        # *absent* is worse on the first, the third and the fourth; on the others it lies beyond the better end.
        assert ends("why", absent=True) == near(0, 300, 9, -3, 10)
        assert ends("why_not") == near(4, 50, 0.2, 2, 50)


def ends_of(question: Question, row: int) -> np.ndarray:
    """The values at the bounds of one pair."""
    at_bounds = np.where(question.lowest < 0, question.lowest, question.highest)
    return question.after(at_bounds)[row]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", ALL_WORLDS)
def test_the_bounds_of_every_question_are_those_of_the_rules(where, kind):
    """To the bit where values are counted, with constraints and without, aspects absent or not."""
    for seed in range(3):
        world = ALL_WORLDS[where](seed)
        names, low = world.space.aspects.texts, world.space.scale.low
        scored = SCORED["net"](world, seed)
        held = {"keep": names[-1:], "masked": True, "lowest": {names[0]: float(low[0])}} if len(names) > 1 else {}
        for given in ({}, {"values": "continuous"}, held):
            question = asked(kind, world, scored.scorer, seed, constraints=Constraints(**given))
            for absent in (False, True) if kind != "why_not" and "values" not in given else (False,):
                some = with_absent_allowed(question) if absent else question
                for row, pair in enumerate(pairs_of(question, world, scored)):
                    expected = np.array([way.end(absent) for way in pair.ways])
                    largest = np.maximum(np.abs(pair.before), np.abs(expected))
                    assert (np.abs(ends_of(some, row) - expected) <= 2e-7 * largest).all()
                    if pair.counted:
                        assert ends_of(some, row).tolist() == expected.astype(np.float32).tolist()


@pytest.mark.parametrize("make", [counted_world, shares_world, attributes_world])
def test_what_is_scored_is_exactly_the_possible_value(make):
    """``after`` of any change within the bounds is possible; of a change to a possible value, it is that value."""
    seen: Counter[str] = Counter()
    for seed, kind in product(range(4), ("why", "why_not")):
        world, random = make(seed), np.random.default_rng(seed)
        scored = SCORED["net"](world, seed)
        question = asked(kind, world, scored.scorer, seed)
        share = random.random(question.lowest.shape)
        anything = ((question.lowest + question.highest) * share).astype(np.float32)
        after = question.after(anything)
        least, greatest = world.space.possible
        present = after != world.space.scale.absent
        inside = (after >= least - 1e-6 * np.abs(least)) & (after <= greatest + 1e-6 * np.abs(greatest))
        had = question.pairs.item_quality != world.space.scale.absent
        assert (inside | ~present)[(anything != 0) & had].all()
        assert (after == question.pairs.item_quality)[anything == 0].all()
        for row, pair in enumerate(pairs_of(question, world, scored)):
            for way in (way for way in pair.ways if way.counted):
                for stop in way.stops() or []:
                    delta = np.zeros_like(question.lowest)
                    delta[row, way.aspect] = np.float32(stop) - np.float32(way.own)
                    assert question.after(delta)[row, way.aspect] == np.float32(stop)
                    seen[kind] += 1
    assert min(seen.values(), default=0) > 500 or make is attributes_world


def test_a_continuous_change_to_its_bound_is_on_the_scale():
    """From 0.27 down to 0.1, single precision would add up to 0.099999994, which *whatif* refuses."""
    scale = AspectScale(low=[0.1], high=[0.5], low_is_worse=[False], absent=[9], is_category=[False])
    qualities = np.random.default_rng(0).uniform(0.1, 0.5, (200, 1)).astype(np.float32)
    space = space_of([[1.0]], qualities, scale)
    for kind, end in (("why", 9.0), ("why_not", 0.1)):
        free = Constraints(values="continuous")
        users, items = np.zeros(200, dtype=int), np.arange(200)
        lowest, highest = change_bounds(kind, space, users, items, None, free)
        question = _about(space, users, items, lowest, highest, free)
        after = question.after(lowest + highest)
        assert (after == np.float32(end)).all()
        for row in after:
            space.require_on_scale(row, "it")


def _about(space: AspectSpace, users, items, lowest, highest, constraints: Constraints) -> Question:
    lists = rank(AlignmentScorer(), space, Candidates.without(len(space.items), [[]]), 1)
    one = why(space, lists, constraints=constraints)
    rows = one.rows(np.zeros(len(users), dtype=int))
    return replace(rows, users=users, items=items, lowest=lowest, highest=highest)
