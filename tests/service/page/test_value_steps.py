"""The values that a row offers: possible ones only, in order, with the value as it is among them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from counterec.core.explainers.possible_values import possible_values
from counterec.service.page.value_steps import APART, value_steps
from tests.attribute_worlds import attribute_world
from tests.worlds import figure_one


def of(space, item, aspect, also=(), any_value=False):
    return value_steps(space, item, space.aspects.number(aspect), also, any_value=any_value)


@pytest.fixture(scope="module")
def everything(run):
    space = run.space
    return [of(space, item, aspect) for item in range(0, len(space.items), 3) for aspect in space.aspects.texts]


@pytest.fixture(scope="module")
def space():
    return attribute_world("hotels", seed=3).space


class TestOfReviews:
    def test_every_value_is_possible(self, run):
        space = run.space
        for item in range(0, len(space.items), 5):
            for number, aspect in enumerate(space.aspects.texts):
                codes = np.array(of(space, item, aspect).codes, dtype=np.float32)
                same = np.full(len(codes), item), np.full(len(codes), number)
                np.testing.assert_array_equal(possible_values(space, *same, codes), codes)
                least, greatest = (end[number] for end in space.possible)
                others = codes[(codes != 0) & (codes != space.item_quality[item, number])]
                assert ((others >= least) & (others <= greatest)).all()

    def test_they_are_in_order_and_can_be_told_apart(self, everything):
        for steps in everything:
            assert list(steps.codes) == sorted(set(steps.codes))
            assert list(steps.places) == sorted(set(steps.places))
            assert 0 <= steps.places[0] <= steps.places[-1] <= 1
            assert len(set(steps.shown)) == len(steps.shown)
            others = [code for at, code in enumerate(steps.codes) if at not in (0, steps.now)]
            assert (np.diff(others) >= APART * 4 * 0.99).all()

    def test_the_present_value_is_among_them(self, run):
        space = run.space
        for item in range(len(space.items)):
            steps = of(space, item, space.aspects.texts[0])
            assert np.float32(steps.codes[steps.now]) == space.item_quality[item, 0]
            assert steps.notes[steps.now] == ""

    def test_so_is_what_an_answer_names(self, run):
        space = run.space
        ladder = space.ladder_of(0, 0)
        for value in ladder.values.tolist():
            steps = of(space, 0, space.aspects.texts[0], also=[value])
            assert np.float32(value) in np.array(steps.codes, dtype=np.float32)

    def test_notes_say_what_it_takes(self, run):
        space = run.space
        item, aspect = (int(number[0]) for number in np.nonzero(space.opinions.item_praises > 1))
        steps = of(space, item, space.aspects.texts[aspect])
        assert steps.shown[0] == "not mentioned"
        assert steps.notes[0] == "as if nobody had mentioned it"
        assert steps.notes[steps.now - 1].endswith("more complaint") or "more complaints" in steps.notes[steps.now - 1]
        assert steps.opinions >= 2
        assert steps.scale == "of 5"
        assert [said for said, _, _ in steps.ends] == ["none", "1", "5"]

    def test_any_value_where_that_is_allowed(self, run):
        steps = of(run.space, 0, run.space.aspects.texts[0], any_value=True)
        assert len(steps.codes) > 80
        assert (np.diff(steps.codes) <= 0.1).all()

    def test_nearest(self, run):
        steps = of(run.space, 0, run.space.aspects.texts[0])
        for at, code in enumerate(steps.codes):
            assert steps.nearest(code) == at


class TestWithoutOpinions:
    def test_plain_numbers_go_from_the_least_to_the_greatest_in_steps_that_can_be_told_apart(self):
        phones = figure_one()
        plain = replace(phones, scale=replace(phones.scale, ladder=None))
        steps = of(plain, 0, "battery")
        least, greatest = (end[0] for end in plain.possible)
        assert (steps.codes[1], steps.codes[-1]) == (least, greatest)
        assert (np.diff(steps.codes[1:]) < 0.09).all()
        assert steps.opinions is None
        assert set(steps.notes) == {""}


class TestOfAttributes:
    def test_kinds(self, space):
        controls = {aspect: of(space, 0, aspect).control for aspect in space.aspects.texts}
        assert controls == {
            "age": "slider",
            "chain": "choice",
            "distance": "slider",
            "genre": "choice",
            "price": "slider",
            "stars": "slider",
            "wifi": "switch",
        }

    def test_a_switch_is_no_or_yes(self, space):
        steps = of(space, 0, "wifi")
        assert (steps.codes, steps.shown) == ((0.0, 1.0), ("no", "yes"))

    def test_a_category_has_all_its_values_and_unknown_where_it_may_lack(self, space):
        assert of(space, 0, "genre").shown == ("x", "y", "z")
        assert of(space, 0, "chain").shown == ("unknown", "a", "b", "c", "d")

    @pytest.mark.parametrize("aspect", ["age", "distance", "price", "stars"])
    def test_numbers_lie_on_their_steps_but_for_the_present_one(self, space, aspect):
        number = space.aspects.number(aspect)
        step, absent = space.schema[number].steps, space.scale.absent[number]
        for item in range(len(space.items)):
            steps = of(space, item, aspect)
            others = [code for at, code in enumerate(steps.codes) if at != steps.now and code != absent]
            counted = np.array(others) / step
            np.testing.assert_allclose(counted, np.rint(counted), atol=1e-3)

    def test_what_is_absent_lies_left_of_the_scale_even_if_its_code_is_the_greatest(self, space):
        for aspect in ("age", "stars", "chain"):
            steps = of(space, 0, aspect)
            assert steps.places[0] == 0
            assert list(steps.places) == sorted(steps.places)
