"""Explanations as a table and back: nothing is lost, and the columns are those of a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from polars.testing import assert_frame_equal

from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.robustness import Robustness
from counterec.core.evaluation.verdicts import VERDICTS, Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.answer_columns import answer_columns, answer_rows
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import Goal
from counterec.core.explainers.lead import Leads
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.question_builders import why, why_not
from counterec.core.scorers.base import scores_of
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.errors import InvalidValueError
from counterec.pipeline.explanation_tables import (
    EXPLANATIONS,
    columns_table,
    explanations_from,
    explanations_table,
    rows_from,
)
from counterec.pipeline.files import table_bytes
from tests.worlds import World, counted_world, random_world, shares_world

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


def background(net: AspectNet, question: Question, answers: Explanations) -> tuple[Leads, Robustness]:
    """Made-up figures beside the answers, some of them unknown: how they are told is all that counts here."""
    draw, pairs, items = np.random.default_rng(0), len(question), len(question.space.items)
    history = np.where(draw.random(pairs) < 0.5, draw.normal(size=pairs), np.nan)
    carriers = [None if np.isnan(part) else draw.permutation(items)[: row % 4] for row, part in enumerate(history)]
    agree = np.where(answers.explained, draw.integers(1, 4, pairs), 0)
    mark = Robustness(3, answers.explained, agree, np.minimum(agree, draw.integers(0, 4, pairs)))
    return Leads(history + 1, history, carriers, scores_of(net, question.pairs)), mark


@pytest.mark.parametrize(
    ("kind", "goal"),
    [("why", "minimal"), ("why", "complete"), ("why", "relaxed"), ("why_not", "minimal"), ("why_not", "single")],
)
@pytest.mark.parametrize("made", [random_world, counted_world, shares_world])
def test_columns_make_the_table_that_rows_make(kind: str, goal: Goal, made: Callable[[int], World]) -> None:
    """To the byte: whether anybody asked for rows must not change a run."""
    for seed in range(2):
        world = made(seed)
        net = AspectNet(world.weights)
        question = asked_of(kind, net, world)
        counted = Budget(calls=30) if seed and goal == "minimal" else None
        answers = CountER(net, goal=goal, budget=counted).explain(question)
        told = np.arange(1, len(question) + 1), *background(net, question, answers)
        for given in ((), told):
            by_rows = explanations_table(answer_rows(answers, question, *given))
            by_columns = columns_table(answer_columns(answers, question, *given))
            assert_frame_equal(by_columns, by_rows)
            assert table_bytes(by_columns) == table_bytes(by_rows)
            answers = answers.with_verdicts(None if kind == "why_not" else judged(net, world, answers))


def judged(net: AspectNet, world: World, answers: Explanations) -> Verdicts:
    return verdicts(net, world.space, world.candidates, K, answers.named())


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        ({"status": Status.NO_TARGET, "proof": Proof.NONE}, "an answer with status no_target changes something"),
        ({"status": Status.NOT_FOUND}, "a proof where status not_found leaves nothing to prove"),
    ],
)
def test_answers_that_no_row_could_tell_are_refused(lie: dict[str, int], says: str) -> None:
    world = random_world(0)
    net = AspectNet(world.weights)
    question = asked_of("why", net, world)
    answers = CountER(net, goal="single").explain(question)
    row = int(np.flatnonzero(answers.explained)[0])
    wrong = {name: getattr(answers, name).copy() for name in lie}
    for name, value in lie.items():
        wrong[name][row] = value
    with pytest.raises(InvalidValueError, match=says):
        answer_columns(replace(answers, **wrong), question)
