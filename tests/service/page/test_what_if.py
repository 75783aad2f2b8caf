"""What if: possible values only, in order; in the address; and what becomes of the list with them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from counterec.core.explainers.possible_values import possible_values
from counterec.errors import UsageError
from counterec.service.page.case import case_of, listing_after
from counterec.service.page.site import first_case
from counterec.service.page.what_if import APART, rank_with, read, value_steps, write
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

    def test_what_is_absent_comes_first_even_if_its_code_is_the_greatest(self, space):
        for aspect in ("age", "stars", "chain"):
            assert of(space, 0, aspect).codes[0] == space.scale.absent[space.aspects.number(aspect)]


@pytest.fixture(scope="module")
def case(run, stored, usual):
    return case_of(run, stored, *first_case(run, stored), usual)


class TestInTheAddress:
    def test_of_reviews(self, run):
        space = run.space
        for number, aspect in enumerate(space.aspects.texts):
            for code in value_steps(space, 0, number, any_value=False).codes:
                there = write(space, {aspect: code})
                back = read(space, 0, there)
                now = np.float32(code) == space.item_quality[0, number]
                assert back == ({} if now else {aspect: pytest.approx(code)})

    @pytest.mark.parametrize("world", ["hotels", "small", "derived"])
    def test_of_attributes(self, world):
        space = attribute_world(world, seed=1).space
        for number, aspect in enumerate(space.aspects.texts):
            if space.schema.stays[number]:
                continue
            for code in value_steps(space, 0, number, any_value=False).codes:
                if np.float32(code) != space.item_quality[0, number]:
                    assert read(space, 0, write(space, {aspect: code}))[aspect] == pytest.approx(code)

    def test_a_printed_number_stands_for_the_nearest_possible_one(self, run):
        space = run.space
        aspect = space.aspects.texts[0]
        (value,) = read(space, 0, [f"{aspect}:2.1"]).values()
        assert value == pytest.approx(2.0757656)

    @pytest.mark.parametrize("text", ["no such aspect:1", "", "signal"])
    def test_unknown_aspects_are_named(self, run, text):
        with pytest.raises(UsageError, match="no aspect of this run"):
            read(run.space, 0, [text])

    @pytest.mark.parametrize("value", ["", "much", "nan", "inf"])
    def test_what_is_no_number_is_named(self, run, value):
        with pytest.raises(UsageError, match=run.space.aspects.texts[0]):
            read(run.space, 0, [f"{run.space.aspects.texts[0]}:{value}"])

    def test_a_category_that_there_is_not_names_those_that_there_are(self):
        space = attribute_world("hotels", seed=1).space
        with pytest.raises(UsageError, match="x, y, z"):
            read(space, 0, ["genre:opera"])


class TestRanking:
    def test_the_smallest_change_takes_the_item_across(self, run, case):
        found = rank_with(run, case.item_id, case.smallest, run.standing(case.user_id), case.settings.constraints)
        assert found.crossed
        assert "off the list" in found.sentence
        (item,) = [item for item in listing_after(run, found.found).items if item.item_id == case.item_id]
        assert not item.listed
        assert item.position == case.record.position_after
        assert item.was == case.record.row.position

    def test_nothing_set_is_the_list_as_it_is(self, run, case):
        found = rank_with(run, case.item_id, {}, run.standing(case.user_id), case.settings.constraints)
        assert (listing_after(run, found.found), found.sentence, found.crossed) == (case.listing, "", False)

    def test_it_is_what_whatif_says(self, run, case):
        aspect, value = next(iter(case.smallest.items()))
        standing = run.standing(case.user_id)
        found = rank_with(run, case.item_id, {aspect: value}, standing, case.settings.constraints)
        same = run.what_if(case.user_id, {case.item_id: {aspect: value}})
        assert found.found.items[: same.k].tolist() == same.items[: same.k].tolist()
