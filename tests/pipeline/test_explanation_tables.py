"""Explanations as a table and back: nothing is lost, and the columns are those of a row."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.necessity_verdicts import VERDICTS
from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.answer_row import ROW_COLUMNS, answer_rows
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.question_builders import why, why_not
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.pipeline.explanation_tables import EXPLANATIONS, explanations_from, explanations_table, rows_from
from tests.worlds import World, random_world

K = 3


def asked_of(kind: str, net: AspectNet, world: World) -> Question:
    lists = rank(net, world.space, world.candidates, K)
    if kind == "why":
        return why(world.space, lists)
    return why_not(world.space, lists, lists.users, lists.items[:, K])


def same(found: Explanations, expected: Explanations) -> None:
    for name in ("users", "items", "score_before", "score_after", "target", "margin", "status", "proof"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    np.testing.assert_array_equal(found.delta != 0, expected.delta != 0)
    np.testing.assert_allclose(found.delta, expected.delta, atol=1e-6)
    assert found.direction == expected.direction


def test_the_columns_are_those_of_a_row() -> None:
    assert tuple(EXPLANATIONS) == ROW_COLUMNS
    empty = explanations_table([])
    assert (len(empty), dict(empty.schema)) == (0, dict(EXPLANATIONS))
    assert rows_from(empty) == []


@pytest.mark.parametrize("kind", ["why", "why_not"])
@pytest.mark.parametrize("seed", range(3))
def test_there_and_back(kind: str, seed: int) -> None:
    world = random_world(seed)
    net = AspectNet(world.weights)
    question = asked_of(kind, net, world)
    answers = CountER(net, goal="minimal").explain(question)
    if kind == "why":
        answers = answers.with_verdicts(verdicts(net, world.space, world.candidates, K, answers.named()))
    rows = answer_rows(answers, question, np.arange(1, len(question) + 1))
    table = explanations_table(rows)
    assert dict(table.schema) == dict(EXPLANATIONS)
    assert rows_from(table) == rows
    found = explanations_from(table, world.space)
    same(found, answers)
    assert found.direction is (Direction.LOWER if kind == "why" else Direction.RAISE)
    judged = found.require_verdicts()
    if kind == "why_not":
        assert not judged.asked.any()
    else:
        assert judged.asked.tolist() == (answers.status == Status.EXPLAINED).tolist()
        for name in VERDICTS:
            np.testing.assert_array_equal(getattr(judged, name), getattr(answers.verdicts, name))


def test_verdicts_without_bounds_stay_without() -> None:
    world = random_world(0)
    net = AspectNet(world.weights)
    question = asked_of("why", net, world)
    answers = CountER(net, goal="complete").explain(question)
    table = explanations_table(answer_rows(answers, question))
    assert table["necessary"].is_not_null().any()
    assert table["necessary_kind"].is_null().all()
    found = explanations_from(table, world.space).require_verdicts()
    assert found.known == ("necessary", "sufficient")
    np.testing.assert_array_equal(found.asked, answers.verdicts.asked)
    np.testing.assert_array_equal(found.necessary, answers.verdicts.necessary)


def test_scores_that_are_not_known_come_back_as_nan() -> None:
    world = random_world(0)
    net = AspectNet(world.weights)
    question = asked_of("why", net, world)
    table = explanations_table(answer_rows(CountER(net, goal="single").explain(question), question))
    table = table.with_columns(pl.lit(None, pl.Float32).alias("target"), pl.lit("no_target").alias("status"))
    assert np.isnan(explanations_from(table, world.space).target).all()
