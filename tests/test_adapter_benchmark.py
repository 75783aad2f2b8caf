"""The benchmark of adapters measures what it says, on a tiny world."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.adapters import Counted, measured, world

from counterec.adapters.models import scorer_of
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.ranking import rank


@pytest.fixture(scope="module")
def asked():
    made = world(users=3, items=30, attributes=6, candidates=20, rows=200)
    slopes = np.linalg.lstsq(made.rows, made.liked, rcond=None)[0]

    def linear(users, items):
        return np.concatenate([frame.drop(frame.columns[0]).to_numpy() for frame in (users, items)], axis=1) @ slopes

    scorer = scorer_of(linear, made.tables)
    return scorer, why(made.tables.space, rank(scorer, made.tables.space, made.candidates, 5))


def test_calls_and_rows_are_those_that_the_scorer_sees(asked):
    scorer, question = asked
    found = measured("linear", scorer, "minimal", question, alone=2)
    counted = Counted(scorer)
    answers = CountER(counted).explain(question)
    assert found.calls_in_a_batch == counted.calls / len(question)
    assert found.rows == counted.rows / len(question)
    assert found.explained == answers.explained.mean()
    assert found.calls > found.calls_in_a_batch


def test_candidates_are_as_many_as_were_asked_for(asked):
    _, question = asked
    assert all(len(question.rivals(row)) == 20 for row in range(len(question)))


def test_what_is_kept_does_not_move(asked):
    scorer, question = asked
    fame = list(question.space.aspects.texts).index("fame")
    assert not CountER(scorer).explain(question).delta[:, fame].any()
