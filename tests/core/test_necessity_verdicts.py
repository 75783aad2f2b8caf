"""Verdicts as a value: whole or by the rule alone, about the same pairs as the answers that carry them."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.worlds import figure_one

from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import model_side
from counterec.core.evaluation.verdicts import VERDICTS, Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Proposal, Status, verified
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import InvalidValueError


def by_rule(users: Any = (0, 1), asked: Any = (True, True), **more: Any) -> Verdicts:
    return Verdicts(**{"users": users, "asked": asked, "necessary": [True, False], "sufficient": [False, True], **more})


def bounded() -> Verdicts:
    """Both hold only as long as ties are not resolved against them."""
    strict = {name: [False, False] for name in ("necessary_strict", "sufficient_strict")}
    return by_rule(necessary_kind=[True, False], sufficient_kind=[False, True], **strict)


def answers(*statuses: Status, **more: Any) -> Explanations:
    """Two users, one aspect: 2 scores above the target 1, and 0 below it."""
    explained = np.array([status is Status.EXPLAINED for status in statuses])
    return Explanations(
        users=[0, 1],
        items=[0, 0],
        delta=np.where(explained, -1.0, 0.0)[:, None],
        score_before=[2, 2],
        score_after=np.where(explained, 0, 2),
        target=[1, 1],
        margin=[1e-4, 1e-4],
        status=statuses,
        proof=np.where(explained, Proof.FOUND, Proof.NONE),
        **more,
    )


BOTH = (Status.EXPLAINED, Status.EXPLAINED)


def test_the_bounds_are_all_known_or_none() -> None:
    assert by_rule().known == ("necessary", "sufficient")
    assert bounded().known == VERDICTS
    with pytest.raises(InvalidValueError, match="verdicts without necessary_strict; give all bounds or none"):
        replace(bounded(), necessary_strict=None)


def test_items_that_stay_without_aspects_are_counted_beside_ps() -> None:
    assert model_side(by_rule()).stays_without_aspects is None
    assert "stays_without_aspects" not in model_side(by_rule()).as_dict()
    found = dataclasses.replace(bounded(), stays_without_aspects=[True, False])
    assert model_side(found).stays_without_aspects.value == 0.5
    assert model_side(found).as_dict()["stays_without_aspects"]["cases"] == 2
    assert found.rows(np.array([1, 0])).stays_without_aspects.tolist() == [False, True]
    assert found.only(np.array([False, True])).stays_without_aspects.tolist() == [False, False]
    assert Verdicts.joined([found, found]).stays_without_aspects.tolist() == [True, False, True, False]


def test_bounds_that_are_not_known_are_not_measured() -> None:
    side = model_side(by_rule())
    assert (side.pn.value, side.ps.value) == (0.5, 0.5)
    assert side.ties == dict.fromkeys(("pn", "ps", "f_ns"), (None, None))
    assert model_side(bounded()).ties["pn"] == (0.0, 0.5)


def test_they_are_about_the_same_pairs() -> None:
    with pytest.raises(InvalidValueError, match="the verdicts are about other users"):
        answers(*BOTH, verdicts=by_rule(users=[1, 0]))
    with pytest.raises(InvalidValueError, match="a row has a verdict but no explanation"):
        answers(Status.EXPLAINED, Status.NOT_FOUND, verdicts=by_rule())
    assert answers(Status.EXPLAINED, Status.NOT_FOUND, verdicts=by_rule(asked=[True, False]))


def test_a_solver_s_verdict_counts_only_where_its_change_flips() -> None:
    """The battery of A counts 5 and A leads by 4.5: a change by 1 flips, one by 0.1 does not."""
    space, scorer = figure_one(), AlignmentScorer()
    question = why(space, rank(scorer, space, Candidates.without(4, [[]]), 1)).rows(np.array([0, 0]))
    both = Verdicts(users=question.users, asked=[True, True], necessary=[True, True], sufficient=[True, True])
    delta = np.array([[-1.0, 0, 0], [-0.1, 0, 0]])
    found = verified(scorer, question, Proposal.of(delta, verdicts=both))
    assert found.status.tolist() == [Status.EXPLAINED, Status.NOT_FOUND]
    assert found.verdicts.asked.tolist() == [True, False]
    assert found.verdicts.necessary.tolist() == found.verdicts.sufficient.tolist() == [True, False]
