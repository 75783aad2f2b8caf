"""The model kind *hybrid*: the mean of a few nets, plus a collaborative part. The default of a run.

The nets are trained by themselves, and the collaborative part is added afterwards, with the weight that the validation
lists allow: so aspects explain what aspects can. Every weight is judged twice on the validation part: by NDCG, and by
its short reasons, the share of recommended items that leave their list with at most three aspects at possible values.
Among weights whose NDCG is within one standard error of the best, the one with the most short reasons is chosen. Shares
of ``ENOUGH`` and more count alike: the best NDCG decides among them, since a few more reasons are not worth worse
recommendations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.candidates import catalogue_candidates
from counterec.core.evaluation.short_reasons import count_aspects, share_by_size
from counterec.core.interactions import Interactions
from counterec.core.scorers.collaborative import NAMES, Collaborative
from counterec.core.scorers.ease import (
    KEPT,
    REGULARISATION,
    CollaborativeFit,
    KeptScores,
    WeightTrial,
    balance,
    fit_chosen,
    fit_fixed,
)
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import NetEnsemble, NetWeights
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.training import Training, loss_warning, net_seeds, train_several
from counterec.core.scorers.validation import CatalogueValidation
from counterec.core.space import AspectSpace
from counterec.pipeline.models import Arrays, ModelKind, TrainedModel, TrainingData
from counterec.pipeline.net_model import (
    catalogue_validation,
    report_epochs,
    training_counts,
    training_settings,
    validation_record,
    what_was_chosen,
)

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
    aspects, check = average_nets(nets, data.device), catalogue_validation(data)
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


def average_nets(nets: Sequence[Training], device: str = "cpu") -> NetEnsemble:
    """Return the mean of trained nets as one scorer."""
    return NetEnsemble([net.weights for net in nets], device)


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
    code=("counterec.core", "counterec.pipeline.net_model"),
)


MOST_USERS = 200
"""Short reasons are counted in the lists of at most this many users."""
ENOUGH = 0.8
"""With this share of short reasons, more of them do not count."""


class WeightedModel:
    """An aspect part and a collaborative part, to be summed with any weight."""

    def __init__(
        self,
        aspects: NetEnsemble,
        related: Collaborative,
        space: AspectSpace,
        past: Interactions,
        validation: CatalogueValidation,
        users: IntVector | None = None,
    ) -> None:
        """``related`` has a weight of 1 for everybody. Only ``users`` are weighted, by default all."""
        kept = KeptScores(validation.users, len(space.items))
        self._aspects, self._space, self._past = aspects, space, past
        self._balanced = related.weighted(balance(aspects, related, space, users, kept))
        self._trial, self._users = WeightTrial(self._balanced, validation, kept), validation.users

    def gains(self, weight: float) -> FloatVector:
        """Return the validation gain of each validated user."""
        return self._trial.gains(weight)

    def related(self, weight: float) -> Collaborative:
        return self._balanced.weighted(np.float32(weight) * self._balanced.user_weight)

    def short_reasons(self, weight: float, k: int, users: int) -> tuple[float, ...]:
        """Return the shares of items explained by at most 1, 2 and 3 aspects, in the lists of some validated users."""
        scorer = HybridScorer(self._aspects, self.related(weight))
        lists = rank(scorer, self._space, catalogue_candidates(self._past), k, spread_out(self._users, users))
        return share_by_size(count_aspects(scorer, self._space, lists))


@dataclass(frozen=True, eq=False)
class TriedWeight:
    """One weight of one model, and what it is worth on validation."""

    model: int
    """Number of the model."""
    weight: float
    gains: FloatVector
    short: tuple[float, ...] | None
    """Shares of items explained by at most 1, 2 and 3 aspects; None if the ranking is clearly worse than the best."""

    @property
    def merit(self) -> tuple[float, float]:
        """What is compared among weights that rank equally well: short reasons first, then NDCG."""
        return (-1.0 if self.short is None else min(ENOUGH, self.short[-1])), self.ndcg

    @property
    def ndcg(self) -> float:
        """Mean gain of the validated users."""
        return float(self.gains.mean())

    def record(self) -> dict[str, Any]:
        """Return plain values for the manifest."""
        return {"weight": self.weight, "ndcg": self.ndcg, "short": None if self.short is None else list(self.short)}


def try_weights(
    models: Sequence[WeightedModel], weights: Sequence[float], k: int
) -> tuple[list[TriedWeight], TriedWeight]:
    """Judge every weight of every model; return all of them, and the chosen one."""
    gains = {(number, weight): model.gains(weight) for number, model in enumerate(models) for weight in weights}
    best = max(gains.values(), key=np.mean)
    tried = []
    for (number, weight), own in gains.items():
        short = models[number].short_reasons(weight, k, MOST_USERS) if is_as_good(own, best) else None
        tried.append(TriedWeight(number, weight, own, short))
    return tried, max(tried, key=lambda one: one.merit)


def is_as_good(gains: FloatVector, best: FloatVector) -> bool:
    """Return whether the mean gain is within one standard error of the best mean."""
    return bool(best.mean() - gains.mean() <= best.std() / np.sqrt(max(1, len(best))))


def spread_out(values: IntVector, most: int) -> IntVector:
    """Return at most this many of the values, evenly spaced."""
    return values[np.linspace(0, len(values), min(most, len(values)), endpoint=False).astype(np.int64)]
