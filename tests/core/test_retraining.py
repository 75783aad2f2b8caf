"""The same change under another model: by hand on linear models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tests.worlds import space_of

from counterec.core.candidates import catalogue_candidates
from counterec.core.evaluation.retraining import changes_under
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.interactions import Interactions
from counterec.core.scorers.alignment import AlignmentScorer
from counterec.core.scorers.ranking import rank


@dataclass(frozen=True)
class Weighed:
    """A linear scorer with weights of its own."""

    weights: tuple[float, ...]
    aspects_only: bool = True

    def score(self, pairs):
        return (pairs.user_attention * pairs.item_quality) @ np.array(self.weights, dtype=np.float32)


SPACE = space_of([[1, 1]], [[4, 3], [3, 3], [5, 1]])
CANDIDATES = catalogue_candidates(Interactions([], [], 1, 3))


def answers():
    lists = rank(AlignmentScorer(), SPACE, CANDIDATES, 1)
    return CountER(AlignmentScorer(), "single").explain(why(SPACE, lists))


def test_the_same_model_agrees_with_its_own_answers():
    found = changes_under(AlignmentScorer(), SPACE, rank(AlignmentScorer(), SPACE, CANDIDATES, 1), answers())
    assert (found.listed.tolist(), found.holds.tolist()) == ([True], [True])


def test_a_model_with_another_list_is_not_asked():
    other = Weighed((1.0, 0.0))  # the third item, with 5, is its first
    found = changes_under(other, SPACE, rank(other, SPACE, CANDIDATES, 1), answers())
    assert (found.listed.tolist(), found.holds.tolist()) == ([False], [False])


def test_a_model_that_puts_the_item_further_ahead_keeps_it():
    other = Weighed((1.0, 10.0))  # the first item is still ahead, and the change of one aspect hardly matters
    own = answers()
    found = changes_under(other, SPACE, rank(other, SPACE, CANDIDATES, 1), own)
    first = np.array([1.0, 10.0]) @ (SPACE.item_quality[0] + own.delta[0])
    second = max(np.array([1.0, 10.0]) @ SPACE.item_quality[item] for item in (1, 2))
    assert found.listed.tolist() == [True]
    assert found.holds.tolist() == [bool(first < second)]
