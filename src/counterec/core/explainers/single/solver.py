"""One aspect (Eq. 12), not relaxed: for each movable aspect the smallest change that flips, then the cheapest of these.

A scorer with two ReLU layers is solved exactly (``exact``), any other on a grid with bisection (``grid``).
"""

from __future__ import annotations

from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.question import Question
from counterec.core.explainers.single.exact import exact_single
from counterec.core.explainers.single.grid import grid_single
from counterec.core.explainers.single.settings import ONLY_THE_BOUND, SingleSettings
from counterec.core.scorers.protocols import LayeredScorer, Scorer


def single(scorer: Scorer, question: Question, settings: SingleSettings) -> Proposal:
    """Propose for every pair the cheapest flip by one aspect or, where there is none, the nearest miss."""
    if question.whole:
        return grid_single(scorer, question, ONLY_THE_BOUND)
    if isinstance(scorer, LayeredScorer):
        return exact_single(scorer, question)
    return grid_single(scorer, question, settings)
