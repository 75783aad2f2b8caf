"""Anybody's scorer, and numbers that no user has: one clear line each, and nothing answered by accident."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from tests import worlds

from counterec.core.candidates import Candidates
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why, why_rather
from counterec.core.explainers.what_if import what_if
from counterec.core.scorers.base import PairBatch, scores_of
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import CounterecError, InvalidValueError, UnknownIdError, UsageError

SPACE = worlds.figure_one()
CANDIDATES = Candidates.without(4, [[]])
PAIRS = PairBatch.of(SPACE, [0, 0, 0], [0, 1, 2])


@dataclass(frozen=True)
class Returns:
    """Scores as they should be, handed back in some form."""

    form: Any
    aspects_only: bool = True

    def score(self, pairs: PairBatch) -> Any:
        return self.form((pairs.user_attention * pairs.item_quality).sum(axis=1))


GOOD = {
    "list": list,
    "tuple": tuple,
    "column": lambda scores: scores[:, None],
    "tensor": lambda scores: torch.tensor(scores, requires_grad=True),
    "whole numbers": lambda scores: scores.astype(np.int64),
    "doubles": lambda scores: scores.astype(np.float64),
}
BAD = {
    "two columns": (lambda scores: np.stack([scores, scores], axis=1), r"shape \(\d, 2\)"),
    "a row": (lambda scores: scores[None], r"shape \(1, \d\)"),
    "too few": (lambda scores: scores[1:], r"shape \(\d,\)"),
    "one number": (lambda scores: float(scores[0]), r"shape \(\)"),
    "nothing": (lambda _: None, "returned None"),
    "ragged": (lambda scores: [[1.0], [1.0, 2.0]] * len(scores), "returned a list"),
    "texts": (lambda scores: [str(score) for score in scores], "returned a list"),
    "NaN": (lambda scores: np.where(np.arange(len(scores)) == 1, np.nan, scores), r"NaN for user 0 and item \d"),
}


@pytest.mark.parametrize("form", GOOD.values(), ids=GOOD)
def test_what_has_one_meaning_is_converted(form):
    found = scores_of(Returns(form), PAIRS)
    assert found.shape == (3,)
    assert found.dtype.kind == "f"
    assert np.allclose(found, Returns(np.asarray).score(PAIRS), atol=1)
    lists = rank(Returns(form), SPACE, CANDIDATES, 2)
    answers = CountER(Returns(form)).explain(why(SPACE, lists))
    assert SPACE.items.texts[lists.items[0, 0]] == "A"
    assert answers.explained.any()


@pytest.mark.parametrize(("form", "message"), BAD.values(), ids=BAD)
def test_anything_else_is_refused_and_named(form, message):
    with pytest.raises(InvalidValueError, match=message) as caught:
        rank(Returns(form), SPACE, CANDIDATES, 2)
    assert "Returns" in str(caught.value)
    assert "\n" not in str(caught.value)
    lists = rank(Returns(np.asarray), SPACE, CANDIDATES, 2)
    with pytest.raises(InvalidValueError, match="Returns returned"):
        CountER(Returns(form)).explain(why(SPACE, lists))


@pytest.mark.parametrize("model", [torch.nn.Linear(3, 1), lambda pairs: pairs, Returns, None])
def test_a_bare_model_is_refused_wherever_it_is_passed(model):
    lists = rank(Returns(np.asarray), SPACE, CANDIDATES, 2)
    one, other = np.array([0]), np.array([1])
    for asked in (
        lambda: rank(model, SPACE, CANDIDATES, 2),
        lambda: CountER(model),
        lambda: why_rather(model, SPACE, lists, one, one, other),
        lambda: what_if(model, SPACE, CANDIDATES, 2, 0, {0: SPACE.item_quality[1]}),
    ):
        with pytest.raises(UsageError, match=r"not a scorer"):
            asked()


def test_relaxed_names_every_goal_that_needs_scores_alone():
    lists = rank(Returns(np.asarray), SPACE, CANDIDATES, 2)
    with pytest.raises(UsageError, match="minimal, single or complete"):
        CountER(Returns(np.asarray), goal="relaxed").explain(why(SPACE, lists))


@pytest.mark.parametrize("users", [[-1], [999], [0, 1], np.array([1])])
def test_no_list_for_a_user_that_is_not_there(users):
    with pytest.raises(UnknownIdError, match=r"no user (-1|999|1); there are 1, numbered 0 to 0"):
        rank(AlignmentScorer(), SPACE, CANDIDATES, 2, users=users)


@pytest.mark.parametrize("users", [["someone"], [0.5], [[0]], [True]])
def test_ids_and_fractions_are_not_numbers_of_users(users):
    with pytest.raises(UnknownIdError, match="is not the number of a user"):
        rank(AlignmentScorer(), SPACE, CANDIDATES, 2, users=users)


@pytest.mark.parametrize(("user", "item"), [(-1, 0), (9, 0), (0, -1), (0, 9)])
def test_no_other_ranking_for_numbers_that_are_not_there(user, item):
    with pytest.raises(CounterecError, match="there are"):
        what_if(AlignmentScorer(), SPACE, CANDIDATES, 2, user, {item: SPACE.item_quality[1]})
