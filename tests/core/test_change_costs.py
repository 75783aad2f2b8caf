"""What a change costs: per span and, where absent is a mere sign, one span to or from it, whatever number it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.worlds import space_of

from counterec.core.candidates import Candidates
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why, why_not
from counterec.core.lists import Recommendations
from counterec.core.scale import AspectScale
from counterec.core.scorers.ranking import rank
from counterec.core.space import AspectSpace

SIGNS = (-1.0, -1000.0)
"""Numbers that stand for absent."""
ALSO_ABSENT = Constraints(unreviewed_beyond=0)


class Attributes:
    """Twice the first attribute and the second; one that is absent counts as −5, whatever number stands for it.

    So does every value below those that items have.
    """

    aspects_only = True

    def __init__(self, space: AspectSpace) -> None:
        self._least = space.possible[0]

    def score(self, pairs):
        worth = np.where(pairs.item_quality < self._least - 1e-3, -5, pairs.item_quality)
        return (worth * [2, 1]).sum(axis=1).astype(np.float32)


def attributes(quality: list[list[float | None]], sign: float) -> AspectSpace:
    """Two attributes from 0 to 10; None is absent."""
    scale = AspectScale(
        low=[0, 0], high=[10, 10], low_is_worse=[True, True], absent=[sign, sign], is_category=[False, False]
    )
    return space_of([[1, 1]], [[sign if value is None else value for value in row] for row in quality], scale)


def lists_of(space: AspectSpace) -> Recommendations:
    return rank(Attributes(space), space, Candidates.without(len(space.items), [[]]), 1)


def asked_why(space: AspectSpace, constraints: Constraints):
    return why(
        space, rank(Attributes(space), space, Candidates.without(len(space.items), [[]]), 1), constraints=constraints
    )


def asked_why_not(space: AspectSpace, constraints: Constraints):
    return why_not(space, lists_of(space), np.array([0]), np.array([0]), constraints=constraints)


@pytest.mark.parametrize("sign", SIGNS)
class TestJumps:
    @pytest.mark.parametrize("goal", ["single", "minimal"])
    @pytest.mark.parametrize(("cheap", "price"), [(0, 0.8), (1, 0.5)])
    def test_the_cheaper_of_two_becomes_absent(self, sign, cheap, price, goal):
        """By the distance, it would be the first in both cases: no value lies between its own and absent."""
        space = attributes([[9, 2], [9, 1.9], [9, 1.8]], sign)
        question = asked_why(space, replace(ALSO_ABSENT, costs={space.aspects.texts[cheap]: price}))
        question = replace(question, target=question.target - 4)  # which no value does that another item has
        answer = CountER(Attributes(space), goal=goal, telling=False).explain(question)
        assert answer.explained.tolist() == [True]
        assert np.flatnonzero(answer.delta[0]).tolist() == [cheap]
        assert question.after(answer.delta)[0, cheap] == sign

    @pytest.mark.parametrize("goal", ["single", "minimal"])
    @pytest.mark.parametrize(("cheap", "price"), [(0, 0.5), (1, 0.9)])
    def test_what_an_item_lacks_costs_the_same_however_much_of_it_is_needed(self, sign, cheap, price, goal):
        """By the distance, it would be the first in both cases: half as much of it is enough."""
        space = attributes([[None, None], [6, None], [1, 9], [9, 1]], sign)
        question = asked_why_not(space, Constraints(costs={space.aspects.texts[cheap]: price}))
        question = replace(question, target=np.full(1, -7.0, dtype=np.float32))
        answer = CountER(Attributes(space), goal=goal, telling=False).explain(question)
        assert answer.explained.tolist() == [True]
        assert np.flatnonzero(answer.delta[0]).tolist() == [cheap]
