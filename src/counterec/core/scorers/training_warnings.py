"""What a person should know at once about a training that went wrong."""

from __future__ import annotations

import math

from counterec.core.scorers.popularity import PairedDifference
from counterec.core.scorers.training import Training

LEARNED = 0.99
"""A net that learned something has at most this share of a constant's loss."""


def constant_loss(negatives: int) -> float:
    """The cross-entropy of the best constant, p = 1/(1 + negatives): −p·ln p − (1 − p)·ln(1 − p)."""
    p = 1 / (1 + negatives)
    return -p * math.log(p) - (1 - p) * math.log(1 - p)


def loss_warning(training: Training) -> str | None:
    """A line if the net's loss is not clearly below a constant's."""
    constant, loss = constant_loss(training.settings.negatives or 1), training.best.loss
    if loss <= LEARNED * constant:
        return None
    return (
        f"the net has hardly learned anything: its loss is {loss:.4f} (epoch {training.best_epoch}), that of a "
        f"constant {constant:.4f}; raise training.learning_rate or training.epochs, or bring more reviews"
    )


def popularity_warning(compared: PairedDifference, cutoff: int, model: str = "the net") -> str | None:
    """A line if the model is below popularity on validation."""
    if compared.difference >= 0:
        return None
    beyond = "beyond" if compared.clearly_below else "within"
    return (
        f"on validation {model} is below popularity: NDCG@{cutoff} {compared.model:.4f} against {compared.other:.4f} "
        f"({compared.difference:+.4f}, 95% interval {compared.low:+.4f} to {compared.high:+.4f}, {beyond} the noise of "
        f"{compared.users:,} users)"
    )
