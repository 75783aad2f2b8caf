"""Records: none can be built that its own numbers contradict."""

from __future__ import annotations

import re
from math import nan
from typing import Any

import pytest

from counterec.errors import InvalidValueError
from counterec.wording import AnswerRecord, AudienceRecord, Change, RerankingRecord
from tests.wording.records import (
    BETTER,
    COMPLAINTS,
    GONE,
    NEW,
    SLIGHTLY_WORSE,
    WORSE,
    answer,
    audience,
    reranking,
    row_of,
)


def battery(before: float, after: float, **scale: Any) -> Change:
    return Change("battery", before, after, **scale)


def refused(problem: str) -> Any:
    return pytest.raises(InvalidValueError, match=re.escape(problem))


class TestAnswerRecord:
    def test_names(self) -> None:
        with refused("unknown question 'who'; one of why, why_not, why_rather, why_rather_takes"):
            answer("who", WORSE)  # type: ignore[arg-type]
        with refused("unknown status 'maybe'; one of explained, nothing_to_change,"):
            answer("why", WORSE, status="maybe")
        with refused("the item has no name"):
            answer("why", WORSE, item="")
        with refused("the item has no name"):
            AudienceRecord("", (BETTER,), "explained", 9, 1, 1, 0, 0)
        with refused("why_rather has versus None"):
            answer("why_rather", WORSE, versus=None)
        with refused("why_rather_takes has versus ''"):
            answer("why_rather_takes", WORSE, versus="")
        with refused("why has versus 'Phone B'"):
            answer("why", WORSE, versus="Phone B")

    def test_an_explanation_changes_something(self) -> None:
        for question in ("why", "why_not", "why_rather", "why_rather_takes"):
            with refused(f"{question} is explained by no change"):
                answer(question)

    @pytest.mark.parametrize("status", ["nothing_to_change", "no_target", "already_true", "failed"])
    def test_where_nothing_changes_nothing_changes(self, status: str) -> None:
        with refused(f"why with status {status} changes something"):
            answer("why", WORSE, status=status)

    def test_an_aspect_changes_once(self) -> None:
        with refused("an aspect changes twice: battery, battery"):
            answer("why", WORSE, Change("battery", 4.0, 3.0))

    @pytest.mark.parametrize("status", ["explained", "not_found"])
    def test_changes_go_the_way_of_the_question(self, status: str) -> None:
        for question in ("why", "why_rather", "why_rather_takes"):
            with refused(f"battery goes from 2.0 to 4.1, which is not what {question} asks for"):
                answer(question, SLIGHTLY_WORSE, BETTER, status=status)
        with refused("battery goes from 4.5 to 1.2, which is not what why_not asks for"):
            answer("why_not", WORSE, status=status)
        dearer = Change("price", 10.0, 20.0, span=90.0, low=10.0, low_is_worse=False)
        assert answer("why", dearer, status=status).changes == (dearer,)
        with refused("price goes from 10.0 to 20.0, which is not what why_not asks for"):
            answer("why_not", dearer, status=status)

    def test_what_was_never_reviewed_cannot_get_worse(self) -> None:
        with refused("battery goes from 0.0 to -1.0, but what was never reviewed cannot get worse"):
            answer("why", battery(0.0, -1.0))

    @pytest.mark.parametrize("name", ["score_before", "score_after", "target"])
    def test_scores_are_finite(self, name: str) -> None:
        with refused(f"{name} is nan; it must be a finite number, or None"):
            answer("why", WORSE, **{name: nan})

    @pytest.mark.parametrize("name", ["position", "position_after"])
    def test_positions_begin_at_one(self, name: str) -> None:
        with refused(f"{name} is 0; positions begin at 1"):
            answer("why_rather", WORSE, **{name: 0})
        with refused("k is 0; a list has at least 1 place"):
            RerankingRecord("Phone A", (WORSE,), 1, 2, 0)

    @pytest.mark.parametrize("question", ["why", "why_rather", "why_rather_takes"])
    def test_a_score_that_is_to_fall_falls_below_the_target(self, question: Any) -> None:
        assert answer(question, WORSE, score_before=3.0, score_after=1.9997, target=2.0)
        assert answer(question, WORSE, score_after=0.99989, target=1.0)
        with refused(f"{question} with status explained and target 2.0 does not cross it with 1.9999"):
            answer(question, WORSE, score_before=3.0, score_after=1.9999, target=2.0)
        assert answer(question, WORSE, score_after=1.9999, target=2.0, margin=1e-5)
        assert answer(question, WORSE, score_after=1.9999, target=2.0, margin=None)
        with refused(f"{question} with status explained and target 2.0 begins across it, at 1.0"):
            answer(question, WORSE, score_before=1.0, score_after=0.5, target=2.0)

    def test_a_score_that_is_to_rise_rises_above_the_target(self) -> None:
        assert answer("why_not", BETTER, score_before=-3.0, score_after=-1.9997, target=-2.0)
        with refused("why_not with status explained and target -2.0 does not cross it with -1.9999"):
            answer("why_not", BETTER, score_before=-3.0, score_after=-1.9999, target=-2.0)
        with refused("why_not with status explained and target 2.0 begins across it, at 3.0"):
            answer("why_not", BETTER, score_before=3.0, score_after=4.0, target=2.0)

    @pytest.mark.parametrize("status", ["cannot_flip", "not_found"])
    def test_a_miss_misses(self, status: str) -> None:
        assert answer("why", WORSE, status=status, score_before=3.0, score_after=1.9999, target=2.0)
        with refused(f"why with status {status} and target 2.0 does cross it with 1.5"):
            answer("why", WORSE, status=status, score_before=3.0, score_after=1.5, target=2.0)
        assert answer("why", status="already_true", score_before=1.5, score_after=1.5, target=2.0)

    def test_why_takes_off_the_list(self) -> None:
        assert answer("why", WORSE, position=5, position_after=6)
        with refused("why with status explained and a list of 5 cannot begin at position 6"):
            answer("why", WORSE, position=6, position_after=7)
        with refused("why with status explained and a list of 5 cannot end at position 5"):
            answer("why", WORSE, position=1, position_after=5)

    def test_why_not_brings_into_the_list(self) -> None:
        assert answer("why_not", BETTER, position=6, position_after=5)
        with refused("why_not with status explained and a list of 5 cannot begin at position 5"):
            answer("why_not", BETTER, position=5, position_after=4)
        with refused("why_not with status explained and a list of 5 cannot end at position 6"):
            answer("why_not", BETTER, position=9, position_after=6)

    def test_where_a_miss_is_said_to_be_there_it_is(self) -> None:
        assert answer("why", WORSE, status="not_found", position=5, position_after=6)  # by less than the margin
        assert answer("why", status="no_target", position=1)
        assert answer("why_not", status="no_target", position=1)
        assert answer("why_not", status="already_true", position=5)
        assert answer("why", status="already_true", position=6)
        with refused("why with status no_target and a list of 5 cannot begin at position 6"):
            answer("why", status="no_target", position=6)
        with refused("why_not with status not_found and a list of 5 cannot begin at position 5"):
            answer("why_not", BETTER, status="not_found", position=5)
        with refused("why_not with status already_true and a list of 5 cannot begin at position 6"):
            answer("why_not", status="already_true", position=6)
        with refused("why with status already_true and a list of 5 cannot begin at position 5"):
            answer("why", status="already_true", position=5)

    def test_why_rather_does_not_rise(self) -> None:
        assert answer("why_rather", WORSE, position=8, position_after=8)
        assert answer("why_rather", WORSE, status="not_found", position=8, position_after=7)
        with refused("why_rather with status explained and a list of 5 rises from position 3 to 2"):
            answer("why_rather", WORSE, position=3, position_after=2)

    @pytest.mark.parametrize("name", ["necessary", "sufficient"])
    @pytest.mark.parametrize("verdict", [True, False])
    def test_only_what_keeps_an_item_there_is_judged(self, name: str, verdict: bool) -> None:
        assert answer("why", WORSE, **{name: verdict})
        with refused("why_not with status explained is neither necessary nor sufficient for anything"):
            answer("why_not", BETTER, **{name: verdict})
        with refused("why with status not_found is neither necessary nor sufficient for anything"):
            answer("why", WORSE, status="not_found", **{name: verdict})

    def test_a_miss_proves_nothing(self) -> None:
        assert answer("why", WORSE, status="not_found", proof=None)
        with refused("proof is exact, but status not_found leaves nothing to prove"):
            answer("why", WORSE, status="not_found", proof="exact")

    def test_its_changes_are_those_of_the_row(self) -> None:
        row = row_of("why", WORSE, GONE)
        assert AnswerRecord(row, "Phone A", (WORSE, GONE), 5).changes == (WORSE, GONE)
        lies = ((WORSE,), (GONE, WORSE), (WORSE, Change("camera", 3.0, 1.0)), (WORSE, Change("camera", 2.0, 0.0)))
        for changes in lies:
            with refused("are not those of the row"):
                AnswerRecord(row, "Phone A", changes, 5)

    def test_a_list_has_a_place(self) -> None:
        with refused("k is 0; a list has at least 1 place"):
            AnswerRecord(row_of("why", WORSE), "Phone A", (WORSE,), 0)

    def test_its_counts_are_those_of_the_row(self) -> None:
        assert answer("why", COMPLAINTS, balance_before=[None])
        with refused("battery has 9 praises and 7 complaints, but the row says 3 more praises than complaints"):
            answer("why", COMPLAINTS, balance_before=[3])
        with refused("battery ends at -1 more praises than complaints, but the row says -2"):
            answer("why", COMPLAINTS, balance_after=[-2])
        with refused("but the row says None"):
            answer("why", COMPLAINTS, balance_after=[None])

    def test_only_a_list_has_an_item_below(self) -> None:
        assert answer("why", WORSE, instead="Phone B").instead == "Phone B"
        for question in ("why_rather", "why_rather_takes"):
            with refused(f"{question} puts nothing in the place of the item"):
                answer(question, WORSE, instead="Phone B")
        with refused("spread is -1.0; it must be 0 or more, or None"):
            answer("why", WORSE, spread=-1.0)

    @pytest.mark.parametrize(
        ("question", "before", "target", "spread", "expected"),
        [
            ("why", 2.009, 2.0, 1.0, True),
            ("why", 2.011, 2.0, 1.0, False),
            ("why", 2.011, 2.0, 2.0, True),
            ("why", 2.0, 2.0, 0.0, True),
            ("why", 2.001, 2.0, None, False),
            ("why", None, 2.0, 1.0, False),
            ("why", 2.001, None, 1.0, False),
            ("why_not", 1.991, 2.0, 1.0, True),
            ("why_not", 1.989, 2.0, 1.0, False),
            ("why_not", 2.001, 2.0, 1.0, False),
            ("why_rather", 2.009, 2.0, 1.0, True),
        ],
    )
    def test_by_a_hair(
        self, question: Any, before: float | None, target: float | None, spread: float | None, expected: bool
    ) -> None:
        record = answer(question, status="not_found", score_before=before, target=target, spread=spread)
        assert record.by_a_hair is expected

    def test_too_close_is_across_but_not_by_the_margin(self) -> None:
        missed = {"status": "not_found", "score_before": 3.0, "target": 2.0}
        assert answer("why", WORSE, **missed, score_after=1.99995).too_close
        assert not answer("why", WORSE, **missed, score_after=2.0).too_close
        assert not answer("why", WORSE, **missed).too_close
        assert not answer("why", WORSE, score_before=3.0, target=2.0, score_after=1.5).too_close


class TestAudienceRecord:
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


class TestRerankingRecord:
    def test_it_checks_itself(self) -> None:
        with refused("the item has no name"):
            RerankingRecord("", (WORSE,), 1, 2, 5)
        with refused("what_if is explained by no change"):
            RerankingRecord("Phone A", (), 1, 2, 5)
        with refused("position_before is 0; positions begin at 1"):
            reranking(0, 2)
        with refused("position_after is -1; positions begin at 1"):
            reranking(1, -1)

    def test_changes_go_any_way(self) -> None:
        assert len(reranking(1, 2, WORSE, NEW, Change("screen", 2.0, 4.0)).changes) == 3
