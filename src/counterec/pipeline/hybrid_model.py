"""The model kind *hybrid*: the mean of a few nets, plus a collaborative part. The default of a run.

The nets are trained by themselves, and the collaborative part is added afterwards, with the weight that the validation
lists allow: so aspects explain what aspects can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from counterec.core.arrays import require
from counterec.core.scorers.collaborative import NAMES, Collaborative
from counterec.core.scorers.ease import KEPT, REGULARISATION, CollaborativeFit, balance, fit_chosen, fit_fixed
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import NetEnsemble, NetWeights
from counterec.core.scorers.training import Training, loss_warning, net_seeds, train_several
from counterec.core.scorers.validation import CatalogueValidation
from counterec.core.space import AspectSpace
from counterec.pipeline.models import Arrays, ModelKind, TrainedModel, TrainingData
from counterec.pipeline.training_record import (
    catalogue_validation,
    report_epochs,
    training_counts,
    training_settings,
    validation_record,
    what_was_chosen,
)
from counterec.pipeline.weight_choice import WeightedModel, try_weights

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


def train_hybrid(data: TrainingData) -> TrainedModel:
    """Train the nets, learn the collaborative part, and choose how much of it a score holds."""
    options = data.hybrid
    settings = training_settings(data)
    data.expect(options.nets * settings.most_epochs)
    parts = data.space, data.train, data.validation
    seeds = net_seeds(data.seed, options.nets)
    report = report_epochs(data)
    nets = train_several(*parts, settings, seeds, data.device, report, checkpoints=data.checkpoints)
    aspects, check = NetEnsemble([net.weights for net in nets], data.device), catalogue_validation(data)
    learned = _collaborative(data, check)
    amount = _amount(data, aspects, learned.related, check)
    named = {f"{NET}{number}.": net.weights.named() for number, net in enumerate(nets)}
    arrays = {prefix + name: array for prefix, own in named.items() for name, array in own.items()}
    choice = {"weight": amount.weight, "regularisation": learned.regularisation, "kept": learned.kept}
    return TrainedModel(
        arrays=arrays | amount.related.named(),
        description={
            "input": "user_attention, item_quality",
            "nets": options.nets,
            "hidden": list(settings.widths),
            "activation": "relu",
            "offset": "user_weight[u] * sum of item_to_item[j, i] over j in history[u]",
            **choice,
            **amount.description,
        },
        counts={
            "nets": [training_counts(net) for net in nets],
            **choice,
            "regularisations": learned.tried,
            "kept_entries": learned.tried_kept,
            "entries": len(amount.related.item_to_item.values),
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
    chosen = data.chosen
    if chosen is not None:
        return fit_fixed(data.train, chosen["regularisation"], chosen["kept"])
    if check is None:
        return fit_fixed(data.train, REGULARISATION, KEPT[1])
    return fit_chosen(data.train, check)


@dataclass(frozen=True)
class _Amount:
    """The weight, the collaborative part that has it, and what it was chosen among."""

    weight: float
    related: Collaborative
    description: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def _amount(
    data: TrainingData, aspects: NetEnsemble, related: Collaborative, check: CatalogueValidation | None
) -> _Amount:
    """Choose the weight on validation, or take over the one that was chosen earlier or given."""
    options = data.hybrid
    if check is None or data.chosen is not None:
        weight = options.weight if data.chosen is None else data.chosen["weight"]
        ones = balance(aspects, related, data.space)
        return _Amount(weight, related.weighted(np.float32(weight) * ones))
    model = WeightedModel(aspects, related, data.space, data.train, check)
    tried, best = try_weights([model], options.weights, data.k)
    alone = validation_record(data, check, model.gains(0.0), f"the mean of {options.nets} nets")
    whole = validation_record(data, check, best.gains, "the hybrid")
    description = {"validation_cutoff": check.cutoff, "weights": [one.record() for one in tried]}
    counts = {
        "validation_ndcg": best.ndcg,
        "nets_validation_ndcg": float(model.gains(0.0).mean()),
        **whole.counts,
        "nets_over_popularity": alone.counts["over_popularity"],
        **description,
        "short_reasons": list(best.short or ()),
    }
    return _Amount(best.weight, model.related(best.weight), description, counts, (*alone.warnings, *whole.warnings))


KIND = ModelKind(
    "hybrid",
    load_hybrid,
    train_hybrid,
    chooses_by_lists=True,
    code=(
        "counterec.core",
        "counterec.pipeline.weight_choice",
        "counterec.pipeline.training_record",
    ),
)
