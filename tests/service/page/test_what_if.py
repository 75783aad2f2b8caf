"""Values that are set: they can be undone, stand in the address, and move the item."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.errors import UsageError
from counterec.service.page.case import case_of
from counterec.service.page.example import good_example
from counterec.service.page.value_steps import value_steps
from counterec.service.page.what_if import SetValues, outcome, read, written
from tests.attribute_worlds import attribute_world


@pytest.fixture(scope="module")
def case(run, stored, usual):
    return case_of(run, stored, *good_example(run, stored), usual)


class TestSetValues:
    @pytest.fixture
    def steps(self, run):
        return [value_steps(run.space, 0, aspect, any_value=False) for aspect in range(2)]

    def test_a_drag_is_one_step(self, steps):
        found, (first, _) = SetValues(), steps
        others = [at for at in range(len(first.codes)) if at != first.now]
        for at in others:
            found.slide(first, at)
        found.settle()
        assert found.values == {first.aspect: first.codes[others[-1]]}
        found.undo()
        assert (found.values, found.can_undo) == ({}, False)

    def test_what_is_put_back_is_not_set(self, steps):
        found, (first, second) = SetValues(), steps
        for one in (first, second):
            found.slide(one, 0 if one.now else 1)
            found.settle()
        found.slide(first, first.now)
        found.settle()
        assert list(found.values) == [second.aspect]

    def test_undo_goes_back_step_by_step(self, steps):
        found, (first, _) = SetValues(), steps
        seen = [dict(found.values)]
        for at in (0, 1, 2, 1):
            if at != first.now:
                found.slide(first, at)
                found.settle()
                seen.append(dict(found.values))
        for before in reversed(seen[:-1]):
            found.undo()
            assert found.values == before
        assert not found.can_undo
        found.undo()
        assert found.values == {}

    def test_settling_twice_is_one_step(self, steps):
        found = SetValues()
        found.become({"a": 1.0})
        found.settle()
        found.undo()
        assert not found.can_undo


class TestInTheAddress:
    def test_of_reviews(self, run):
        space = run.space
        for number, aspect in enumerate(space.aspects.texts):
            for code in value_steps(space, 0, number, any_value=False).codes:
                there = written(space, {aspect: code})
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
                    assert read(space, 0, written(space, {aspect: code}))[aspect] == pytest.approx(code)

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


class TestOutcome:
    def test_the_smallest_change_takes_the_item_across(self, run, case):
        found = outcome(run, case, run.standing(case.user_id), case.smallest)
        assert found.crossed
        assert "off the list" in found.sentence
        (item,) = [item for item in found.listing.items if item.item_id == case.item_id]
        assert not item.listed
        assert item.position == case.record.position_after
        assert item.was == case.record.row.position

    def test_nothing_set_is_the_list_as_it_is(self, run, case):
        found = outcome(run, case, run.standing(case.user_id), {})
        assert (found.listing, found.sentence, found.crossed) == (case.listing, "", False)

    def test_it_is_what_whatif_says(self, run, case):
        aspect, value = next(iter(case.smallest.items()))
        found = outcome(run, case, run.standing(case.user_id), {aspect: value})
        same = run.what_if(case.user_id, {case.item_id: {aspect: value}})
        shown = [item.item_id for item in found.listing.items[: same.k]]
        assert shown == [run.space.items.texts[item] for item in same.items[: same.k]]
