"""One aspect (Eq. 12), not relaxed: for each movable aspect the smallest change that flips, then the cheapest of these.

Where values are counted, all of them are tried (``counted``), and so are those of an attribute that has few (``grid``).
Otherwise a scorer with two ReLU layers is solved exactly (``exact``), any other on a grid with bisection (``grid``).
With ``telling`` the most telling of the aspects that flip is named, by its smallest change.
"""

from __future__ import annotations

from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.question import Question
from counterec.core.explainers.single.counted import counted_single
from counterec.core.explainers.single.exact import exact_single
from counterec.core.explainers.single.grid import grid_single
from counterec.core.explainers.single.settings import ONLY_THE_BOUND, SingleSettings
from counterec.core.scorers.base import Scorer, aspect_part_of, has_layers


def single(scorer: Scorer, question: Question, settings: SingleSettings, telling: bool = False) -> Proposal:
    """Propose for every pair the cheapest flip by one aspect or, where there is none, the nearest miss."""
    if question.whole:
        return grid_single(scorer, question, ONLY_THE_BOUND, telling)
    if question.stepped:
        return grid_single(scorer, question, settings, telling)
    if question.counted and question.space.counted_values is not None:
        return counted_single(scorer, question, question.space.counted_values, telling)
    part = aspect_part_of(scorer)
    if has_layers(part) and not question.by_membership:
        return exact_single(scorer, part, question, telling)
    return grid_single(scorer, question, settings, telling)
