"""Records from answers: names, positions, verdicts; and nothing that the row does not bear out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.verdicts import VERDICTS
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.answer_columns import answer_rows
from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.audience.answer import AudienceAnswer
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.question import KINDS, Question
from counterec.core.explainers.question_builders import why, why_not, why_rather
from counterec.core.explainers.what_if import what_if
from counterec.core.lists import Recommendations
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import InvalidValueError, UnknownIdError
from counterec.pipeline.explanation_tables import explanations_table, rows_from
from counterec.wording import (
    AnswerRecord,
    Change,
    answer_record,
    audience_record,
    reranking_records,
    row_record,
    sentence,
)
from tests.worlds import World, figure_one, random_world

SPACE = figure_one()
SCORER = AlignmentScorer()
EVERYTHING = Candidates.without(4, [[]])
LISTS = rank(SCORER, SPACE, EVERYTHING, 1)
A, B, C, D = range(4)
NAMES = {"A": "Phone A", "B": "Phone B"}
CONTINUOUS = Constraints(values="continuous")
NOTHING: dict[str, Any] = {"aspects": [], "before": [], "after": [], "balance_before": [], "balance_after": []}
UNJUDGED = dict.fromkeys(("proof", *VERDICTS))


def one(kind: str, **more: Any) -> Question:
    """The four questions of the first figure: about A, which is first of four, or B, which is second."""
    if kind == "why":
        return why(SPACE, LISTS, **more)
    if kind == "why_not":
        return why_not(SPACE, LISTS, [0], [B], **more)
    return why_rather(SCORER, SPACE, LISTS, [0], [A], [B], takes=kind == "why_rather_takes", **more)


def answered(question: Question, goal: str = "minimal", telling: bool = True) -> Explanations:
    return CountER(SCORER, goal=goal, telling=telling).explain(question)  # type: ignore[arg-type]


class TestAnswerRecord:
    def test_why_in_the_paper_s_words(self) -> None:
        """A scores 42 and B 37.5, and a battery counts 5: it takes 0.9 and a margin."""
        question = one("why", constraints=CONTINUOUS)
        record = answer_record(question, answered(question, telling=False), 0, names=NAMES, positions=(1, 2))
        row = record.row
        assert (row.values, row.goal) == ("continuous", "minimal")
        assert (row.question, row.status, record.item, record.k) == ("why", "explained", "Phone A", 1)
        assert (row.versus, record.versus) == (None, None)
        assert (row.score_before, row.target, row.position, record.position_after) == (42.0, 37.5, 1, 2)
        assert row.score_after < 37.5
        (change,) = record.changes
        assert (change.aspect, change.before) == ("battery", 3.0)
        assert change.after == pytest.approx(2.1, abs=0.01)
        assert sentence(record) == (
            "If the battery of Phone A had been slightly worse (3.0 → 2.1 of 5), it would not be recommended."
        )

    def test_what_is_taken_is_the_other_s(self) -> None:
        question = one("why_rather_takes")
        record = answer_record(question, answered(question), 0, names=NAMES)
        values = dict(zip(SPACE.aspects.texts, SPACE.item_quality[B].tolist(), strict=True))
        assert record.changes
        assert all(change.other == change.after == values[change.aspect] for change in record.changes)
        assert "only as good as Phone B on" in sentence(record)


def asked_of(kind: str, net: AspectNet, world: World, lists: Recommendations) -> Question:
    """Everybody's list; or of everybody the fifth item, and the first; or their first item and their fourth."""
    users, first, fourth, fifth = lists.users, lists.items[:, 0], lists.items[:, 3], lists.items[:, 4]
    if kind == "why":
        return why(world.space, lists)
    if kind == "why_not":
        return why_not(world.space, lists, np.tile(users, 2), np.concatenate([fifth, first]))
    takes = kind == "why_rather_takes"
    return why_rather(net, world.space, lists, users, first, fourth, takes=takes)


class TestRowRecord:
    """The record of a stored row is the record of the live answer that it was made from."""

    @pytest.mark.parametrize("goal", GOALS)
    @pytest.mark.parametrize("kind", KINDS)
    def test_stored_and_live_are_equal(self, kind: str, goal: str) -> None:
        if (kind, goal) == ("why_not", "complete"):
            return
        explained = judged = 0
        for seed in range(4):
            world = random_world(seed)
            net = AspectNet(world.weights)
            lists = rank(net, world.space, world.candidates, 4)
            question = asked_of(kind, net, world, lists)
            answers = CountER(net, goal=goal).explain(question)  # type: ignore[arg-type]
            if kind == "why":
                answers = answers.with_verdicts(verdicts(net, world.space, world.candidates, 4, answers.named()))
            settled = answers.status == Status.ALREADY_TRUE
            positions = np.where((kind == "why_not") & ~settled, 5, 1)
            stored = rows_from(explanations_table(answer_rows(answers, question, positions)))
            names = {world.space.items.texts[0]: "The First"}
            for number, row in enumerate(stored):
                place = (int(positions[number]), None)
                live = answer_record(question, answers, number, names=names, positions=place)
                known = {"spread": float(question.spread[number]), "constraints": question.constraints}
                again = row_record(world.space, row, k=question.k, names=names, **known)
                assert again == live
                assert sentence(again) == sentence(live)

                explained += live.explained
                judged += row.necessary is not None
        assert explained >= 3
        assert judged == (explained if kind == "why" or goal == "complete" else 0)

    @pytest.fixture
    def row(self) -> dict[str, Any]:
        """Why A is first, as it lies on disk."""
        question = one("why", constraints=CONTINUOUS)
        answers = answered(question, telling=False)
        judged = verdicts(SCORER, SPACE, EVERYTHING, 1, answers.named())
        (row,) = answer_rows(answers.with_verdicts(judged), question, np.array([1]))
        return explanations_table([row]).to_dicts()[0]

    def record(self, row: dict[str, Any], after: int | None = 2) -> AnswerRecord:
        return row_record(SPACE, AnswerRow.of(row), k=1, names=NAMES, position_after=after)

    @pytest.mark.parametrize(
        ("lie", "says"),
        [
            ({"score_after": 37.5}, "does not cross it"),
            ({"score_after": 37.4999}, "does not cross it"),
            ({"score_before": 37.0}, "begins across it"),
            ({"after": [3.5]}, "which is not what why asks for"),
            ({"after": [3.0]}, "that is no change"),
            (NOTHING, "explained by no change"),
            ({"status": "not_found", **UNJUDGED}, "does cross it"),
            ({"status": "not_found"}, "leaves nothing to prove"),
            ({"status": "not_found", "proof": None}, "neither necessary nor sufficient for anything"),
            ({"status": "wonderful"}, "unknown status"),
            ({"question": "why_ever"}, "unknown question"),
            ({"question": "why_rather"}, "has versus None"),
            ({"versus": "B"}, "has versus 'B'"),
            ({"position": 2}, "cannot begin at position 2"),
            ({"position": 0}, "positions begin at 1"),
            ({"aspects": ["glamour"]}, "no aspect 'glamour' here"),
        ],
    )
    def test_a_lie_is_refused(self, row: dict[str, Any], lie: dict[str, Any], says: str) -> None:
        assert self.record(row)
        with pytest.raises((InvalidValueError, UnknownIdError), match=says):
            self.record({**row, **lie})

    def test_a_value_that_the_other_does_not_have_is_not_taken(self, row: dict[str, Any]) -> None:
        taken = {**row, "question": "why_rather_takes", "versus": "B"}
        with pytest.raises(InvalidValueError, match="the value to take is 2"):
            self.record(taken)
        fair = {**taken, "after": [2.0], "score_after": 37.0}
        assert self.record(fair).versus == "Phone B"


class TestAudienceRecord:
    def answer(self, **more: Any) -> AudienceAnswer:
        """B, improved on two aspects, for four users: it enters two lists; of two that have it, one loses it."""
        parts = {
            "item": B,
            "users": np.arange(5),
            "wanted": 2,
            "delta": [0.5, 2.5, 0.0],
            "target": np.zeros(5),
            "score_before": np.zeros(5),
            "score_after": np.ones(5),
            "had_it": [False, False, False, True, True],
            "has_it": [True, True, False, True, False],
            "status": Status.EXPLAINED,
            "proof": Proof.SMALLEST,
        }
        return AudienceAnswer(**{**parts, **more})

    def test_counts(self) -> None:
        record = audience_record(SPACE, self.answer(), NAMES)
        assert (record.item, record.status, record.proof) == ("Phone B", "explained", "smallest")
        assert (record.asked, record.wanted, record.entered, record.had_it, record.kept_it) == (5, 2, 2, 2, 1)
        assert [(change.aspect, change.before, change.after) for change in record.changes] == [
            ("price", 2.5, 5.0),
            ("battery", 2.0, 2.5),
        ]
        assert sentence(record).endswith(
            "it would enter the lists of 2 of 5 users. "
            "2 users already have Phone B; 1 would keep it and 1 would lose it."
        )


class TestRerankingRecords:
    def test_each_item_that_changes(self) -> None:
        """A without its battery falls from 42 to 27; D with the best screen rises from 35.4 to 37."""
        changes = {A: np.array([0.0, 3.0, 4.5]), D: np.array([1.0, 4.0, 5.0]), C: SPACE.item_quality[C]}
        found = what_if(SCORER, SPACE, EVERYTHING, 2, 0, changes)
        first, second = reranking_records(SPACE, found, NAMES)
        assert (first.item, first.position_before, first.position_after, first.k) == ("Phone A", 1, 4, 2)
        assert first.changes == (Change("battery", 3.0, 0.0),)  # nobody counts the opinions of this space
        assert (second.item, second.position_before, second.position_after) == ("D", 4, 2)
        assert sentence(second).endswith("D would enter the list of 2: from position 4 to position 2.")
