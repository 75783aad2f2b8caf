"""What a sentence is made from: no value that its own numbers contradict."""

from __future__ import annotations

import re
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from counterec.errors import InvalidValueError
from counterec.wording import SLIGHT, Change, Told, ToldAudience, ToldRanking
from counterec.wording.change import apart, whole
from tests.wording.rows import BETTER, GONE, NEW, SLIGHTLY_WORSE, WORSE, audience, ranking, told


def battery(before: float, after: float, **scale: Any) -> Change:
    return Change("battery", before, after, **scale)


def refused(problem: str) -> Any:
    return pytest.raises(InvalidValueError, match=re.escape(problem))


class TestChange:
    def test_it_checks_itself(self) -> None:
        with refused("a change names no aspect"):
            Change("", 3.0, 2.0)
        with refused("battery is 3.0 before and after: that is no change"):
            battery(3.0, 3.0)
        with refused("span of battery is 0; it must be above 0"):
            battery(3.0, 2.0, span=0)
        with refused("battery ends at 2.0, but the value to take is 2.5"):
            battery(3.0, 2.0, other=2.5)
        assert battery(3.0, 2.0, other=2.0 + 1e-7).other is not None

    @pytest.mark.parametrize("name", ["before", "after", "span", "absent", "low"])
    @pytest.mark.parametrize("value", [nan, inf])
    def test_its_numbers_are_finite(self, name: str, value: float) -> None:
        with refused(f"{name} of battery is {value}; it must be a finite number"):
            Change(**{"aspect": "battery", "before": 3.0, "after": 2.0, name: value})

    def test_slight_is_under_a_quarter_of_the_scale(self) -> None:
        assert SLIGHT == 0.25
        assert battery(4.0, 3.01).slight
        assert not battery(4.0, 3.0).slight
        assert battery(4.0, 2.0, span=10).slight
        assert not battery(0.9, 0.6, span=1).slight
        assert battery(3.0, 3.99).degree == "slightly_better"
        assert battery(3.0, 4.0).degree == "better"

    def test_to_lose_or_to_gain_an_aspect_is_never_slight(self) -> None:
        assert not battery(0.1, 0.0).slight
        assert not battery(0.0, 0.1).slight

    def test_worse_is_where_the_scale_says(self) -> None:
        assert battery(3.0, 2.0).degree == "worse"
        assert battery(3.0, 2.0, low_is_worse=False).degree == "better"
        assert battery(2.0, 3.0, low_is_worse=False).degree == "worse"

    def test_absent_is_what_the_scale_says(self) -> None:
        assert battery(3.0, -1.0, absent=-1.0).removed
        assert not battery(3.0, 0.0, absent=-1.0).removed
        assert battery(0.0, 3.0).added
        assert not battery(0.0, 3.0, absent=-1.0).added
        assert [change.moved for change in (GONE, NEW, WORSE)] == [False, False, True]

    def test_off_the_scale_is_between_it_and_absent(self) -> None:
        assert battery(3.0, 0.5).off_scale
        assert not battery(3.0, 1.0).off_scale
        assert not battery(3.0, 0.0).off_scale
        assert not battery(0.9, 0.5).off_scale
        assert battery(3.0, 5.5, absent=6.0, low_is_worse=False).off_scale
        assert not battery(3.0, 5.0, absent=6.0, low_is_worse=False).off_scale
        assert not battery(3.0, 0.5, absent=-9.0, low=0.0).off_scale

    def test_as_few_digits_as_it_takes(self) -> None:
        assert battery(3.0, 2.1).shown() == ("3.0", "2.1")
        assert battery(3.0, 2.98).shown() == ("3.00", "2.98")
        assert battery(3.0, 2.9999).shown() == ("3.0000", "2.9999")
        least = float(np.nextafter(np.float32(3), np.float32(0)))
        assert battery(3.0, least).shown() == ("3.0000000", "2.9999998")
        assert battery(3.0, 2.1).shown(digits=2) == ("3.00", "2.10")
        assert battery(3.0, 1e-20).shown() == ("3.0", "0.0")
        assert battery(1e-30, 2e-30).shown() == (f"{0:.17f}", f"{0:.17f}")

    @given(st.floats(-5, 5, width=32), st.floats(-5, 5, width=32), st.integers(1, 4))
    def test_two_numbers_that_differ_are_shown_to_differ(self, before: float, after: float, digits: int) -> None:
        assume(abs(before - after) > 1e-15)
        first, second = battery(before, after).shown(digits)
        assert first != second
        assert float(first) == pytest.approx(before, abs=10.0**-digits)
        assert float(second) == pytest.approx(after, abs=10.0**-digits)
        assert "-0.0" not in (first, second)

    def test_numbers_of_which_some_are_equal(self) -> None:
        assert apart(2.0, 2.0, 1.99, digits=1) == ("2.00", "2.00", "1.99")
        assert apart(2.0, 2.0, digits=1) == ("2.0", "2.0")
        assert apart(digits=1) == ()
        assert apart(-0.01, digits=1) == ("0.0",)

    def test_a_bound_is_said_as_it_is(self) -> None:
        assert whole(1.0) == "1.0"
        assert whole(0.44) == "0.44"
        assert whole(float(np.float32(0.1))) == "0.1"
        assert whole(1e-30) == f"{0:.17f}"


class TestTold:
    def test_names(self) -> None:
        with refused("unknown question 'who'; one of why, why_not, why_rather, why_rather_takes"):
            told("who", WORSE)  # type: ignore[arg-type]
        with refused("unknown status 'maybe'; one of explained, nothing_to_change,"):
            told("why", WORSE, status="maybe")
        with refused("the item has no name"):
            Told("why", "minimal", "explained", "", (WORSE,), 5)
        with refused("the item has no name"):
            ToldAudience("", (BETTER,), "explained", 9, 1, 1, 0, 0)
        with refused("why_rather has versus None"):
            told("why_rather", WORSE, versus=None)
        with refused("why_rather_takes has versus ''"):
            told("why_rather_takes", WORSE, versus="")
        with refused("why has versus 'Phone B'"):
            told("why", WORSE, versus="Phone B")

    def test_an_explanation_changes_something(self) -> None:
        for question in ("why", "why_not", "why_rather", "why_rather_takes"):
            with refused(f"{question} is explained by no change"):
                told(question)

    @pytest.mark.parametrize("status", ["nothing_to_change", "no_target", "already_true"])
    def test_where_nothing_changes_nothing_changes(self, status: str) -> None:
        with refused(f"why with status {status} changes something"):
            told("why", WORSE, status=status)

    def test_an_aspect_changes_once(self) -> None:
        with refused("an aspect changes twice: battery, battery"):
            told("why", WORSE, Change("battery", 4.0, 3.0))

    @pytest.mark.parametrize("status", ["explained", "not_found"])
    def test_changes_go_the_way_of_the_question(self, status: str) -> None:
        for question in ("why", "why_rather", "why_rather_takes"):
            with refused(f"battery goes from 2.0 to 4.1, which is not what {question} asks for"):
                told(question, SLIGHTLY_WORSE, BETTER, status=status)
        with refused("battery goes from 4.5 to 1.2, which is not what why_not asks for"):
            told("why_not", WORSE, status=status)
        dearer = Change("price", 10.0, 20.0, span=90.0, low=10.0, low_is_worse=False)
        assert told("why", dearer, status=status).changes == (dearer,)
        with refused("price goes from 10.0 to 20.0, which is not what why_not asks for"):
            told("why_not", dearer, status=status)

    def test_what_was_never_reviewed_cannot_get_worse(self) -> None:
        with refused("battery goes from 0.0 to -1.0, but what was never reviewed cannot get worse"):
            told("why", battery(0.0, -1.0))

    @pytest.mark.parametrize("name", ["score_before", "score_after", "target"])
    def test_scores_are_finite(self, name: str) -> None:
        with refused(f"{name} is nan; it must be a finite number, or None"):
            told("why", WORSE, **{name: nan})

    @pytest.mark.parametrize("name", ["position_before", "position_after"])
    def test_positions_begin_at_one(self, name: str) -> None:
        with refused(f"{name} is 0; positions begin at 1"):
            told("why_rather", WORSE, **{name: 0})
        with refused("k is 0; a list has at least 1 place"):
            ToldRanking("Phone A", (WORSE,), 1, 2, 0)

    @pytest.mark.parametrize("question", ["why", "why_rather", "why_rather_takes"])
    def test_a_score_that_is_to_fall_falls_below_the_target(self, question: Any) -> None:
        assert told(question, WORSE, score_before=3.0, score_after=1.9997, target=2.0)
        assert told(question, WORSE, score_after=0.99989, target=1.0)
        with refused(f"{question} with status explained and target 2.0 does not cross it with 1.9999"):
            told(question, WORSE, score_before=3.0, score_after=1.9999, target=2.0)
        assert told(question, WORSE, score_after=1.9999, target=2.0, margin=1e-5)
        with refused(f"{question} with status explained and target 2.0 begins across it, at 1.0"):
            told(question, WORSE, score_before=1.0, score_after=0.5, target=2.0)

    def test_a_score_that_is_to_rise_rises_above_the_target(self) -> None:
        assert told("why_not", BETTER, score_before=-3.0, score_after=-1.9997, target=-2.0)
        with refused("why_not with status explained and target -2.0 does not cross it with -1.9999"):
            told("why_not", BETTER, score_before=-3.0, score_after=-1.9999, target=-2.0)
        with refused("why_not with status explained and target 2.0 begins across it, at 3.0"):
            told("why_not", BETTER, score_before=3.0, score_after=4.0, target=2.0)

    @pytest.mark.parametrize("status", ["cannot_flip", "not_found"])
    def test_a_miss_misses(self, status: str) -> None:
        assert told("why", WORSE, status=status, score_before=3.0, score_after=1.9999, target=2.0)
        with refused(f"why with status {status} and target 2.0 does cross it with 1.5"):
            told("why", WORSE, status=status, score_before=3.0, score_after=1.5, target=2.0)
        assert told("why", status="already_true", score_before=1.5, score_after=1.5, target=2.0)

    def test_why_takes_off_the_list(self) -> None:
        assert told("why", WORSE, position_before=5, position_after=6)
        with refused("why with status explained and a list of 5 cannot begin at position 6"):
            told("why", WORSE, position_before=6, position_after=7)
        with refused("why with status explained and a list of 5 cannot end at position 5"):
            told("why", WORSE, position_before=1, position_after=5)

    def test_why_not_brings_into_the_list(self) -> None:
        assert told("why_not", BETTER, position_before=6, position_after=5)
        with refused("why_not with status explained and a list of 5 cannot begin at position 5"):
            told("why_not", BETTER, position_before=5, position_after=4)
        with refused("why_not with status explained and a list of 5 cannot end at position 6"):
            told("why_not", BETTER, position_before=9, position_after=6)

    def test_where_a_miss_is_said_to_be_there_it_is(self) -> None:
        assert told("why", WORSE, status="not_found", position_before=5, position_after=6)  # by less than the margin
        assert told("why", status="no_target", position_before=1)
        assert told("why_not", status="no_target", position_before=1)
        assert told("why_not", status="already_true", position_before=5)
        assert told("why", status="already_true", position_before=6)
        with refused("why with status no_target and a list of 5 cannot begin at position 6"):
            told("why", status="no_target", position_before=6)
        with refused("why_not with status not_found and a list of 5 cannot begin at position 5"):
            told("why_not", BETTER, status="not_found", position_before=5)
        with refused("why_not with status already_true and a list of 5 cannot begin at position 6"):
            told("why_not", status="already_true", position_before=6)
        with refused("why with status already_true and a list of 5 cannot begin at position 5"):
            told("why", status="already_true", position_before=5)

    def test_why_rather_does_not_rise(self) -> None:
        assert told("why_rather", WORSE, position_before=8, position_after=8)
        assert told("why_rather", WORSE, status="not_found", position_before=8, position_after=7)
        with refused("why_rather with status explained and a list of 5 rises from position 3 to 2"):
            told("why_rather", WORSE, position_before=3, position_after=2)

    @pytest.mark.parametrize("name", ["necessary", "sufficient"])
    @pytest.mark.parametrize("verdict", [True, False])
    def test_only_what_keeps_an_item_there_is_judged(self, name: str, verdict: bool) -> None:
        assert told("why", WORSE, **{name: verdict})
        with refused("why_not with status explained is neither necessary nor sufficient for anything"):
            told("why_not", BETTER, **{name: verdict})
        with refused("why with status not_found is neither necessary nor sufficient for anything"):
            told("why", WORSE, status="not_found", **{name: verdict})

    def test_a_miss_proves_nothing(self) -> None:
        assert told("why", WORSE, status="not_found", proof="none")
        with refused("proof is exact, but status not_found leaves nothing to prove"):
            told("why", WORSE, status="not_found", proof="exact")


class TestToldAudience:
    def test_it_checks_itself_as_an_answer_does(self) -> None:
        with refused("audience is explained by no change"):
            audience()
        with refused("unknown status 'maybe'"):
            audience(BETTER, status="maybe")
        with refused("battery goes from 4.5 to 1.2, which is not what audience asks for"):
            audience(WORSE)
        with refused("audience with status no_target changes something"):
            audience(BETTER, status="no_target")

    def test_counts(self) -> None:
        with refused("asked is 0; it must be 1 or more"):
            audience(BETTER, asked=0, entered=0)
        with refused("wanted is 0; it must be 1 or more"):
            audience(BETTER, wanted=0)
        with refused("entered is -1; it must be 0 or more"):
            audience(BETTER, status="not_found", entered=-1)
        with refused("kept_it is 3 of had_it 2"):
            audience(BETTER, had_it=2, kept_it=3)
        with refused("kept_it is -1 of had_it 2"):
            audience(BETTER, had_it=2, kept_it=-1)
        with refused("entered is 37 and had_it 84, of 120 asked"):
            audience(BETTER, had_it=84, kept_it=84)
        assert audience(BETTER, had_it=83, kept_it=83)

    def test_no_change_changes_no_list(self) -> None:
        with refused("nothing changes, and yet entered is 1 and kept_it 2 of 2"):
            audience(status="not_found", entered=1, had_it=2, kept_it=2)
        with refused("nothing changes, and yet entered is 0 and kept_it 1 of 2"):
            audience(status="not_found", had_it=2, kept_it=1)

    def test_explained_is_as_many_as_wanted(self) -> None:
        assert audience(BETTER, entered=30)
        with refused("status explained, but entered is 29 of the 30 wanted"):
            audience(BETTER, entered=29)
        with refused("status not_found, but entered is 30 of the 30 wanted"):
            audience(BETTER, status="not_found", entered=30)

    def test_already_true_is_true(self) -> None:
        assert audience(status="already_true", had_it=30, kept_it=30)
        assert audience(status="already_true", asked=20, had_it=20, kept_it=20)
        with refused("status already_true, but had_it is 29 of the 30 wanted"):
            audience(status="already_true", had_it=29, kept_it=29)


class TestToldRanking:
    def test_it_checks_itself(self) -> None:
        with refused("the item has no name"):
            ToldRanking("", (WORSE,), 1, 2, 5)
        with refused("what_if is explained by no change"):
            ToldRanking("Phone A", (), 1, 2, 5)
        with refused("position_before is 0; positions begin at 1"):
            ranking(0, 2)
        with refused("position_after is -1; positions begin at 1"):
            ranking(1, -1)
        with refused("score_after is inf; it must be a finite number, or None"):
            ranking(1, 2, score_after=inf)

    def test_changes_go_any_way(self) -> None:
        assert len(ranking(1, 2, WORSE, NEW, Change("screen", 2.0, 4.0)).changes) == 3
