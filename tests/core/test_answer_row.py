"""One answer as one row: what it refuses, and how the solvers' arrays become rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.worlds import figure_one

from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.necessity_verdicts import VERDICTS
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.answer_row import ROW_COLUMNS, AnswerRow, answer_rows, strongest_first
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why, why_rather
from counterec.core.scorers.alignment import AlignmentScorer
from counterec.core.scorers.ranking import rank
from counterec.errors import InvalidValueError

SPACE, SCORER = figure_one(), AlignmentScorer()
EVERYTHING = Candidates.without(4, [[]])
A, B = 0, 1


def question(k: int = 1) -> Question:
    return why(SPACE, rank(SCORER, SPACE, EVERYTHING, k))


def answered(asked: Question, goal: str = "minimal") -> Explanations:
    return CountER(SCORER, goal=goal).explain(asked)  # type: ignore[arg-type]


def row_of(**more: Any) -> AnswerRow:
    (row,) = answer_rows(answered(question()), question(), "minimal", np.array([1]))
    return replace(row, **more)


def test_the_columns_are_those_on_disk() -> None:
    assert (
        "user_id", "item_id", "position", "question", "versus", "goal", "status", "aspects", "before", "after",
        "score_before", "score_after", "target", "proof", *VERDICTS,
    ) == ROW_COLUMNS  # fmt: skip


def test_the_numbers_of_an_answer() -> None:
    row = row_of()
    assert (row.user_id, row.item_id, row.position, row.question, row.versus) == ("someone", "A", 1, "why", None)
    assert (row.goal, row.status, row.proof) == ("minimal", "explained", "smallest")
    assert (row.aspects, row.before, row.score_before, row.target) == (("battery",), (3.0,), 42.0, 37.5)
    assert row.after[0] == pytest.approx(2.1, abs=0.01)
    assert row.score_after < 37.5
    assert [getattr(row, name) for name in VERDICTS] == [None] * 6


def test_one_row_per_pair_in_order() -> None:
    rows = answer_rows(answered(question(2)), question(2), "minimal")
    assert [(row.item_id, row.position) for row in rows] == [("A", None), ("B", None)]
    assert rows[1].target == pytest.approx(35.7)


def test_the_strongest_change_comes_first() -> None:
    asked, delta = question(), np.array([[-0.5, -2.0, -1.0]])
    after = (SPACE.user_attention[[0]] * (SPACE.item_quality[[A]] + delta)).sum(axis=1)
    (row,) = answer_rows(replace(answered(asked), delta=delta, score_after=after), asked, "minimal")
    assert (row.aspects, row.before, row.after) == (("price", "screen", "battery"), (3.0, 4.5, 3.0), (1.0, 3.5, 2.5))
    assert strongest_first(np.array([0.0, 1.0, -1.0, 2.0])).tolist() == [3, 1, 2]


def test_the_other_item_is_named() -> None:
    asked = why_rather(SCORER, SPACE, EVERYTHING, [0], [A], [B])
    (row,) = answer_rows(answered(asked), asked, "minimal")
    assert (row.item_id, row.versus, row.compares, row.lowers) == ("A", "B", True, True)


def test_verdicts_by_the_rule_or_with_their_bounds() -> None:
    asked = question()
    (complete,) = answer_rows(answered(asked, "complete"), asked, "complete")
    assert (complete.necessary, complete.sufficient) == (True, True)
    assert (complete.necessary_kind, complete.sufficient_strict) == (None, None)
    answers = answered(asked)
    judged = answers.with_verdicts(verdicts(SCORER, SPACE, EVERYTHING, 1, answers.named()))
    (row,) = answer_rows(judged, asked, "minimal")
    assert [getattr(row, name) for name in VERDICTS] == [True] * 6


def test_what_is_not_known_is_none() -> None:
    failed = Explanations([0], [A], np.zeros((1, 3)), [np.nan], [np.nan], [np.nan], [Status.FAILED], [Proof.NONE])
    (row,) = answer_rows(failed, question(), "minimal")
    assert (row.score_before, row.score_after, row.target, row.proof) == (None, None, None, None)


def test_answers_to_another_question() -> None:
    with pytest.raises(InvalidValueError, match="about other pairs"):
        answer_rows(answered(question(1)), question(2), "minimal")
    with pytest.raises(InvalidValueError, match="about other pairs"):
        answer_rows(answered(question(2)).rows(np.array([1, 0])), question(2), "minimal")


def test_further_names_are_ignored_and_none_may_be_missing() -> None:
    row = row_of()
    given = {name: getattr(row, name) for name in ROW_COLUMNS}
    assert AnswerRow.of({**given, "sentence": "…", "aspects": list(row.aspects)}) == row
    del given["status"]
    with pytest.raises(KeyError, match="status"):
        AnswerRow.of(given)


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        ({"question": "who"}, "unknown question 'who'; one of why, why_not, why_rather, why_rather_takes"),
        ({"status": "maybe"}, "unknown status 'maybe'; one of explained, nothing_to_change,"),
        ({"proof": "none"}, "unknown proof 'none'; one of found, irreducible, smallest, exact"),
        ({"position": 0}, "position is 0; positions begin at 1"),
        ({"after": ()}, "aspects, before and after differ in length: 1, 1, 0"),
        ({"versus": "B"}, "why has versus 'B'"),
        ({"question": "why_rather"}, "why_rather has versus None"),
        ({"status": "not_found"}, "proof is smallest, but status not_found leaves nothing to prove"),
        ({"status": "no_target", "proof": None}, "why with status no_target changes something"),
        ({"status": "failed", "proof": None}, "why with status failed changes something"),
        ({"question": "why_not", "necessary": True}, "why_not with status explained is neither necessary nor"),
        ({"status": "not_found", "proof": None, "sufficient_kind": False}, "is neither necessary nor sufficient"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(lie: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidValueError, match=says):
        row_of(**lie)
