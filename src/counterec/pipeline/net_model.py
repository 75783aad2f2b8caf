"""The model kind *net*: the paper's recommender, trained here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from counterec.core.arrays import FloatVector
from counterec.core.scorers.net import AspectNet, NetWeights
from counterec.core.scorers.settings import RECORDED, VALIDATION_CUTOFF, VALIDATION_USERS, TrainingSettings
from counterec.core.scorers.training import (
    EpochProgress,
    Training,
    constant_loss,
    loss_warning,
    popularity_warning,
    train,
)
from counterec.core.scorers.validation import CatalogueValidation, compared_with_popularity, popularity_gains
from counterec.core.space import AspectSpace
from counterec.pipeline.models import Arrays, ModelKind, TrainedModel, TrainingData


def load_net(arrays: Arrays, space: AspectSpace, device: str) -> AspectNet:
    del space  # the weights know their size
    return AspectNet(NetWeights.from_named(arrays), device)


def train_net(data: TrainingData) -> TrainedModel:
    """Train the net; with a validation part, keep the weights of its best epoch."""
    settings = training_settings(data)
    data.expect(settings.most_epochs)
    parts = data.space, data.train, data.validation
    net = train(*parts, settings, data.seed, data.device, report_epochs(data), data.checkpoints)
    check = held_against_popularity(data, net)
    hidden = [len(net.weights.hidden1.bias), len(net.weights.hidden2.bias)]
    return TrainedModel(
        arrays=net.weights.named(),
        description={"input": "user_attention, item_quality", "hidden": hidden, "activation": "relu"},
        counts=training_counts(net) | check.counts,
        chosen=what_was_chosen([net]),
        warnings=check.warnings,
    )


KIND = ModelKind(
    "net",
    load_net,
    train_net,
    code=("counterec.core.scorers",),
)


@dataclass(frozen=True)
class ValidationRecord:
    """What validation says of a model: counts for the manifest, and warnings."""

    counts: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def training_settings(data: TrainingData) -> TrainingSettings:
    """Return the settings to train with: as given, or as chosen by an earlier training on a validation part."""
    if data.chosen is not None:
        return replace(data.settings, **data.chosen["training"]).completed()
    return data.settings.completed(validated=len(data.validation) > 0)


def report_epochs(data: TrainingData) -> EpochProgress:
    """Return a callback that counts each epoch as progress."""
    return lambda _: data.advance(1)


def what_was_chosen(nets: Sequence[Training]) -> dict[str, Any]:
    """Return the settings of these nets with the median of their best epochs, for a training on everything."""
    settings = {name: getattr(nets[0].settings, name) for name in RECORDED}
    return {"training": {**settings, "epochs": int(np.median([net.best_epoch for net in nets]))}}


def training_counts(net: Training) -> dict[str, Any]:
    """The outcome of one training as plain values."""
    best, settings = net.best, net.settings
    return {
        "epochs": len(net.history),
        "best_epoch": best.epoch,
        "loss": best.loss,
        "constant_loss": constant_loss(settings.negatives or 1),
        "validation_ndcg": best.validation_ndcg,
        "losses": [report.loss for report in net.history],
        "validation_curve": [report.validation_ndcg for report in net.history],
        "settings": {name: getattr(settings, name) for name in RECORDED},
    }


def catalogue_validation(data: TrainingData) -> CatalogueValidation | None:
    """The validation part as training saw it; None where there is none."""
    if not len(data.validation):
        return None
    return CatalogueValidation(data.train, data.validation, VALIDATION_USERS, VALIDATION_CUTOFF)


def held_against_popularity(data: TrainingData, net: Training) -> ValidationRecord:
    """Hold a net against a constant and against popularity."""
    warning, check = loss_warning(net), catalogue_validation(data)
    own = (warning,) if warning else ()
    if check is None or net.gains is None:
        return ValidationRecord({}, own)
    record = validation_record(data, check, net.gains, "the net")
    return ValidationRecord(record.counts, (*own, *record.warnings))


def validation_record(
    data: TrainingData, check: CatalogueValidation, gains: FloatVector, model: str
) -> ValidationRecord:
    """Hold the validation gains of any model against those of popularity."""
    compared = compared_with_popularity(gains, popularity_gains(data.train, check))
    warning = popularity_warning(compared, check.cutoff, model)
    counts = {
        "validation_cutoff": check.cutoff,
        "validation_users": compared.users,
        "popularity_ndcg": compared.other,
        "over_popularity": [compared.difference, *compared.interval],
    }
    return ValidationRecord(counts, (warning,) if warning else ())
