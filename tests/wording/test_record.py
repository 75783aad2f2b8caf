"""Records: none can be built that its own numbers contradict."""

from __future__ import annotations

import re
from typing import Any

import pytest

from counterec.errors import InvalidValueError
from counterec.wording import AnswerRecord, Change
from tests.wording.records import (
    BETTER,
    COMPLAINTS,
    GONE,
    SLIGHTLY_WORSE,
    WORSE,
    answer,
    audience,
    row_of,
)


def battery(before: float, after: float, **scale: Any) -> Change:
    return Change("battery", before, after, **scale)


def refused(problem: str) -> Any:
    return pytest.raises(InvalidValueError, match=re.escape(problem))


class TestAnswerRecord:
    def test_an_explanation_changes_something(self) -> None:
        for question in ("why", "why_not", "why_rather", "why_rather_takes"):
            with refused(f"{question} is explained by no change"):
                answer(question)

    @pytest.mark.parametrize("status", ["nothing_to_change", "no_target", "already_true", "failed"])
    def test_where_nothing_changes_nothing_changes(self, status: str) -> None:
        with refused(f"why with status {status} changes something"):
            answer("why", WORSE, status=status)

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

    def test_its_counts_are_those_of_the_row(self) -> None:
        assert answer("why", COMPLAINTS, balance_before=[None])
        with refused("battery has 9 praises and 7 complaints, but the row says 3 more praises than complaints"):
            answer("why", COMPLAINTS, balance_before=[3])
        with refused("battery ends at -1 more praises than complaints, but the row says -2"):
            answer("why", COMPLAINTS, balance_after=[-2])
        with refused("but the row says None"):
            answer("why", COMPLAINTS, balance_after=[None])

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
