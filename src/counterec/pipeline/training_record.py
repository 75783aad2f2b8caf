"""How a training went, for the manifest, and what a person should be warned of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from counterec.core.arrays import FloatVector
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.popularity import compared_with_popularity, popularity_gains
from counterec.core.scorers.training import Training
from counterec.core.scorers.training_settings import SEARCHED
from counterec.core.scorers.training_warnings import constant_loss, loss_warning, popularity_warning
from counterec.pipeline.models import TrainingData


@dataclass(frozen=True)
class ValidationRecord:
    """What validation says of a model: counts for the manifest, and warnings."""

    counts: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


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
        "settings": {name: getattr(settings, name) for name in ("optimizer", *SEARCHED)},
    }


def catalogue_validation(data: TrainingData) -> CatalogueValidation | None:
    """The validation part as training saw it; None where there is none."""
    if not len(data.validation):
        return None
    settings = data.settings
    return CatalogueValidation(data.train, data.validation, settings.validation_users, settings.validation_cutoff)


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
