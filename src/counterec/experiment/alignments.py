"""Rules that name aspects of the recommender's lists without asking it.

They tell what a comparison on the same black box is worth: alignments of attention and quality, the user's and the
item's own or those that a baseline predicts; and plain frequency, which knows no model at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.attribution.present_aspects import present
from counterec.experiment.cell_inputs import CellInputs
from counterec.experiment.fitted_baselines import fitted_baseline, train_mentions
from counterec.experiment.weighted_methods import WeighPairs
from counterec.pipeline.config import RunConfig
from counterec.pipeline.folder import RunFolder

PREDICTED = {"alignment_efm": "efm", "alignment_a2cf": "a2cf"}
"""The alignments of predicted attention and quality, and the baseline that predicts them."""
TIE = 1e-6
"""How much a mention of the aspect anywhere weighs beside one in the item's reviews: it only breaks ties."""


def alignment(cell: CellInputs) -> WeighPairs:
    """X_k · Y_k of the aspects that the user has mentioned and the item has."""
    space = cell.folder.space

    def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
        both = cell.mentioned(users) & present(space, items)
        return np.where(both, space.user_attention[users] * space.item_quality[items], -np.inf)

    return weigh


def frequency(cell: CellInputs) -> WeighPairs:
    """How often the item's training reviews mention each aspect; among equals, how often any review does."""
    weight = frequencies(cell.folder)

    def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
        del users
        return weight[items]

    return weigh


def frequencies(folder: RunFolder) -> FloatMatrix:
    """[items, aspects]: the weights of plain frequency; −∞ where no training review of the item mentions the aspect."""
    space, said = folder.space, train_mentions(folder)
    counts = np.zeros((len(space.items), len(space.aspects)))
    np.add.at(counts, (said.items, said.aspects), 1.0)
    return np.where(counts > 0, counts + TIE * counts.sum(axis=0), -np.inf)


def predicted_alignment(cell: CellInputs, baseline: str) -> WeighPairs:
    """X̂_k · Ŷ_k, as a baseline predicts both, of the aspects that the user has mentioned and the item has.

    It explains our lists: so an aspect that the item does not have, whatever is predicted of it, cannot be a reason.
    """
    space, predicted = cell.folder.space, fitted_baseline(cell.folder, baseline).space

    def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
        both = cell.mentioned(users) & present(space, items)
        return np.where(both, predicted.user_attention[users] * predicted.item_quality[items], -np.inf)

    return weigh


RULES: Mapping[str, Callable[[CellInputs], WeighPairs]] = {
    "alignment": alignment,
    "alignment_efm": lambda cell: predicted_alignment(cell, "efm"),
    "alignment_a2cf": lambda cell: predicted_alignment(cell, "a2cf"),
    "frequency": frequency,
}
"""Every rule by its name."""


def rules_of(config: RunConfig) -> tuple[str, ...]:
    """The rules that can be asked: what a baseline predicts only where it is fitted, and none without reviews."""
    if config.data.tables is not None:
        return ()
    return tuple(name for name in RULES if PREDICTED.get(name, "") in ("", *config.experiment.baselines))
