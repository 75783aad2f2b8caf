"""The model kind *hybrid*: the mean of a few nets, plus a collaborative part. The default of a run.

The nets are trained by themselves, and the collaborative part is added afterwards, with the weight that the validation
lists allow: so aspects explain what aspects can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from counterec.core.arrays import IntVector, require
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.collaborative import NAMES, Collaborative
from counterec.core.scorers.collaborative_fit import CollaborativeFit, fit_chosen, fit_fixed
from counterec.core.scorers.collaborative_weight import (
    KeptScores,
    WeightTrial,
    balance,
    chosen_point,
    price_of_limit,
)
from counterec.core.scorers.ensemble import NetEnsemble
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import NetWeights
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.side_by_side import net_seeds, train_several
from counterec.core.scorers.training import Training
from counterec.core.scorers.training_warnings import loss_warning
from counterec.core.space import AspectSpace
from counterec.core.space_growth import Renumbering
from counterec.pipeline.chosen_settings import chosen_settings, what_was_chosen
from counterec.pipeline.models import Arrays, ModelKind, TrainedModel, TrainingData
from counterec.pipeline.training_progress import TrainingProgress
from counterec.pipeline.training_record import catalogue_validation, training_counts, validation_record

NET = "net."
"""The beginning of the names of a net's arrays: ``net.0.hidden1.weight``."""


def load_hybrid(arrays: Arrays, space: AspectSpace, device: str) -> HybridScorer:
    """The mean of the nets, with the offsets of the collaborative part."""
    del space  # the arrays know their sizes
    nets: dict[int, dict[str, np.ndarray]] = {}
    for name, array in arrays.items():
        if name.startswith(NET):
            number, own_name = name.removeprefix(NET).split(".", 1)
            nets.setdefault(int(number), {})[own_name] = array
    require(len(nets) > 0, f"a hybrid has arrays whose names begin with {NET}0; got {', '.join(arrays)}")
    weights = [NetWeights.from_named(nets[number]) for number in sorted(nets)]
    collaborative = Collaborative.from_named({name: array for name, array in arrays.items() if name in NAMES})
    return HybridScorer(NetEnsemble(weights, device), collaborative)


def renumbered_hybrid(arrays: Arrays, to: Renumbering) -> Arrays:
    """The same nets and the same collaborative part, in which nobody and nothing new has a history."""
    related = Collaborative.from_named({name: array for name, array in arrays.items() if name in NAMES})
    return {**arrays, **related.renumbered(to.users, to.items, to.n_users, to.n_items).named()}


def train_hybrid(data: TrainingData) -> TrainedModel:
    """Train the nets, learn the collaborative part, and choose how much of it a score holds."""
    options, progress = data.hybrid, TrainingProgress(data, data.hybrid.nets)
    found, seeds = chosen_settings(data, progress), net_seeds(data.seed, options.nets)
    parts = data.space, data.train, data.validation
    nets = train_several(*parts, found.chosen, seeds, data.device, progress.net, checkpoints=data.checkpoints)
    aspects, check = NetEnsemble([net.weights for net in nets], data.device), catalogue_validation(data)
    learned = _collaborative(data, check)
    kept = KeptScores(np.empty(0, dtype=np.int64) if check is None else check.users, len(data.space.items))
    balanced = learned.related.weighted(balance(aspects, learned.related, data.space, kept=kept))
    amount = _amount(data, aspects, balanced, check, kept)
    related = balanced.weighted(np.float32(amount.weight) * balanced.user_weight)
    named = {f"{NET}{number}.": net.weights.named() for number, net in enumerate(nets)}
    arrays = {prefix + name: array for prefix, own in named.items() for name, array in own.items()}
    choice = {"weight": amount.weight, "regularisation": learned.regularisation, "kept": learned.kept}
    return TrainedModel(
        arrays=arrays | related.named(),
        description={
            "input": "user_attention, item_quality",
            "nets": options.nets,
            "hidden": list(found.chosen.hidden),
            "activation": "relu",
            "offset": "user_weight[u] * sum of item_to_item[j, i] over j in history[u]",
            **choice,
            **amount.description,
        },
        counts={
            "nets": [training_counts(net) for net in nets],
            "search": found.record(),
            **choice,
            "regularisations": learned.tried,
            "kept_entries": learned.tried_kept,
            "entries": len(related.item_to_item.values),
            **amount.counts,
        },
        chosen={**what_was_chosen(nets), **choice},
        warnings=(*_loss_warnings(nets), *amount.warnings),
    )


def _loss_warnings(nets: Sequence[Training]) -> list[str]:
    """What is to be said of the net that learned least: of three alike, one line is enough."""
    warning = loss_warning(max(nets, key=lambda net: net.best.loss))
    return [warning] if warning else []


def _collaborative(data: TrainingData, check: CatalogueValidation | None) -> CollaborativeFit:
    """λ and the number of entries chosen on validation, chosen earlier, or as the settings say."""
    options, chosen = data.hybrid, data.chosen
    if chosen is not None:
        return fit_fixed(data.train, chosen["regularisation"], chosen["kept"])
    if check is None:
        return fit_fixed(data.train, options.regularisation, options.kept[min(1, len(options.kept) - 1)])
    return fit_chosen(data.train, check, options)


@dataclass(frozen=True)
class _Amount:
    """The weight, what it was chosen among, and what validation says of the model."""

    weight: float
    description: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def _amount(
    data: TrainingData,
    aspects: NetEnsemble,
    balanced: Collaborative,
    check: CatalogueValidation | None,
    kept: KeptScores,
) -> _Amount:
    """The weight chosen on validation, chosen earlier, or as the settings say."""
    options = data.hybrid
    if check is None or data.chosen is not None:
        return _Amount(options.weight if data.chosen is None else data.chosen["weight"])
    trial = WeightTrial(aspects, balanced, data.space, data.train, check, kept)
    front = trial.front(options.weights, data.k)
    best = chosen_point(trial, front, options.min_explainable, options.weight)
    alone = validation_record(data, check, trial.gains(0.0), f"the mean of {options.nets} nets")
    whole = validation_record(data, check, trial.gains(best.weight), "the hybrid")
    description = {
        "validation_cutoff": check.cutoff,
        "min_explainable": options.min_explainable,
        "front": [point.as_dict() for point in front],
    }
    counts = {
        "validation_ndcg": best.ndcg,
        "nets_validation_ndcg": float(trial.gains(0.0).mean()),
        **whole.counts,
        "nets_over_popularity": alone.counts["over_popularity"],
        **description,
        "explainable": best.leaving,
        "price_of_limit": price_of_limit(front, options.min_explainable),
    }
    warnings = [*alone.warnings, *whole.warnings]
    if best.leaving < options.min_explainable:
        warnings.append(
            f"only {best.leaving:.1%} of the items recommended on validation leave their lists when all their aspects "
            f"are absent, whatever the weight of the collaborative part; {options.min_explainable:.0%} were asked for "
            "(model.hybrid.min_explainable)"
        )
    return _Amount(best.weight, description, counts, tuple(warnings))


def with_weight(scorer: Scorer, space: AspectSpace, users: IntVector) -> Callable[[float], Scorer]:
    """For some users: from a weight of the collaborative part to the model that would have it."""
    assert isinstance(scorer, HybridScorer)
    assert isinstance(scorer.offsets, Collaborative)
    aspects, related = scorer.aspect_part, scorer.offsets
    balanced = related.weighted(balance(aspects, related, space, users))

    def weighted(weight: float) -> Scorer:
        return HybridScorer(aspects, balanced.weighted(np.float32(weight) * balanced.user_weight))

    return weighted


KIND = ModelKind(
    "hybrid",
    load_hybrid,
    train_hybrid,
    chooses_by_lists=True,
    searches=True,
    with_weight=with_weight,
    renumbered=renumbered_hybrid,
    code=(
        "counterec.core.scorers",
        "counterec.core.interactions",
        "counterec.pipeline.chosen_settings",
        "counterec.pipeline.training_progress",
        "counterec.pipeline.training_record",
    ),
)
