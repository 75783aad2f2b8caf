"""A small search for the settings of training, on validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from counterec.core.interactions import Interactions
from counterec.core.scorers.checkpoints import NOTHING_KEPT, Checkpoints
from counterec.core.scorers.side_by_side import side_by_side
from counterec.core.scorers.training import EpochProgress, NetTraining, Training
from counterec.core.scorers.training_examples import TrainingExamples
from counterec.core.scorers.training_settings import SEARCHED, TrainingSettings
from counterec.core.space import AspectSpace
from counterec.randomness import entropy, generator


@dataclass(frozen=True)
class Candidate:
    """Settings that are tried together."""

    learning_rate: float
    weight_decay: float
    negatives: int
    batch_size: int


CANDIDATES = (
    Candidate(1e-3, 1.0, 4, 512),
    Candidate(1e-3, 1e-3, 4, 512),
    Candidate(3e-4, 0.1, 2, 512),
    Candidate(3e-4, 3.0, 8, 512),
    Candidate(1e-3, 1.0, 4, 2048),
)
"""What is tried; the first is what is usual without a search."""

SEARCH_EPOCHS, SEARCH_PATIENCE = 20, 4
"""A search needs to tell candidates apart, not to finish them."""

SEED = 0
"""Of every search."""


@dataclass(frozen=True)
class SearchRow:
    """How a candidate did."""

    learning_rate: float
    weight_decay: float
    negatives: int
    batch_size: int
    epochs: int
    best_epoch: int
    loss: float
    validation_ndcg: float


@dataclass(frozen=True)
class SearchResult:
    """The table of what was tried, and the settings with the best of it; no table where nothing was searched for."""

    table: tuple[SearchRow, ...]
    chosen: TrainingSettings
    interactions: int = 0
    """How many training interactions the search used."""

    def record(self) -> dict[str, Any]:
        """The search as plain values, for a manifest."""
        return {"interactions": self.interactions, "table": [asdict(row) for row in self.table]}

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, which ``from_dict`` takes back."""
        return {**self.record(), "chosen": asdict(self.chosen)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SearchResult:
        """The result that gave these values."""
        chosen = TrainingSettings(**{**values["chosen"], "hidden": tuple(values["chosen"]["hidden"])})
        return cls(tuple(SearchRow(**row) for row in values["table"]), chosen, values["interactions"])


def search_settings(
    space: AspectSpace,
    positives: Interactions,
    validation: Interactions,
    settings: TrainingSettings,
    device: str = "cpu",
    progress: EpochProgress = lambda _: None,
    at_once: int | None = None,
    checkpoints: Checkpoints = NOTHING_KEPT,
) -> SearchResult:
    """Choose the settings that were not given by the NDCG of a net trained with each candidate.

    What is chosen belongs to the data: two trainings with different seeds have the same settings. Without a validation
    part, or with nothing to choose, the settings are completed as usual. Of equals the first
    candidate is chosen. A setting that was given is the same in every candidate.
    """
    if not settings.open or not len(validation):
        return SearchResult((), settings.completed(validated=len(validation) > 0))
    part = sample_of_users(positives, settings.search_interactions)
    held_back = _of_users(validation, np.unique(part.users))
    if not len(part) or not len(held_back):
        return SearchResult((), settings.completed())
    tried = candidates(settings)
    if len(tried) == 1:
        return SearchResult((), tried[0])
    net_seed = entropy(SEED, "search") % 2**63

    examples = TrainingExamples(space, part, held_back, settings)

    def trial(one: TrainingSettings) -> NetTraining:
        brief = replace(one, epochs=min(one.most_epochs, SEARCH_EPOCHS), patience=min(one.patience, SEARCH_PATIENCE))
        return NetTraining(examples, brief, net_seed, device, checkpoints)

    trainings = side_by_side([trial(one) for one in tried], progress, at_once if device == "cpu" else 1)
    table = tuple(_row(training) for training in trainings)
    best = int(np.argmax([row.validation_ndcg for row in table]))
    return SearchResult(table, tried[best], len(part))


def search_epochs(settings: TrainingSettings, validation: Interactions) -> int:
    """How many epochs the search takes at most, all candidates together."""
    tried = candidates(settings) if settings.open and len(validation) else []
    return sum(min(one.most_epochs, SEARCH_EPOCHS) for one in tried) if len(tried) > 1 else 0


def candidates(settings: TrainingSettings) -> list[TrainingSettings]:
    """What is tried: each candidate with the settings that were given, without repetition."""
    completed = [settings.completed(**asdict(candidate)) for candidate in CANDIDATES]
    return list(dict.fromkeys(completed))


def sample_of_users(positives: Interactions, most: int) -> Interactions:
    """All interactions of as many drawn users as have at most so many together; of one user at least."""
    if len(positives) <= most:
        return positives
    users, counts = np.unique(positives.users, return_counts=True)
    order = generator(SEED, "search users").permutation(len(users))
    fitting = max(1, int(np.searchsorted(np.cumsum(counts[order]), most, side="right")))
    return _of_users(positives, users[order[:fitting]])


def _of_users(interactions: Interactions, users: np.ndarray) -> Interactions:
    kept = np.isin(interactions.users, users)
    return Interactions(interactions.users[kept], interactions.items[kept], interactions.n_users, interactions.n_items)


def _row(training: Training) -> SearchRow:
    best, values = training.best, {name: getattr(training.settings, name) for name in SEARCHED}
    return SearchRow(
        **values,
        epochs=len(training.history),
        best_epoch=best.epoch,
        loss=best.loss,
        validation_ndcg=best.validation_ndcg or 0.0,
    )
