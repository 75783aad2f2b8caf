"""Short reasons: recommended items that leave their list with at most three aspects at values they can really take."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import IntVector
from counterec.core.evaluation.intervals import Measure, mean
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.minimal.solver import fewest_aspects
from counterec.core.explainers.question_builders import why
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace

FEW = 3
"""The most aspects of a short reason."""


def count_aspects(scorer: Scorer, space: AspectSpace, lists: Recommendations) -> IntVector:
    """Return, for each recommended item, the fewest aspects whose worsening takes it off its list.

    Every aspect goes to a value that reviews can give. The number is 0 where more than ``FEW`` aspects are needed, and
    for lists that no item can leave.
    """
    question = why(space, lists, constraints=Constraints(most=FEW, unreviewed_beyond="never"))
    if not len(question):
        return np.zeros(0, dtype=np.int64)
    return fewest_aspects(scorer, question, MinimalSettings(), FEW)


def share_by_size(sizes: IntVector) -> tuple[float, ...]:
    """Return the shares of items explained by at most 1, 2 and 3 aspects; 0 stands for more."""
    if not len(sizes):
        return (0.0,) * FEW
    return tuple(float(np.mean((sizes > 0) & (sizes <= most))) for most in range(1, FEW + 1))


def measure_short_reasons(sizes: IntVector, users: IntVector) -> dict[str, Measure]:
    """Return the share of items explained by at most 1, 2 and 3 aspects, by that number; 0 stands for none found."""
    return {str(most): mean(((sizes > 0) & (sizes <= most)).astype(np.float64), users) for most in range(1, FEW + 1)}
