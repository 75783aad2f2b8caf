"""What nets are trained and validated on, and the checkpoints of unfinished trainings.

The core knows no files: the caller brings a place that keeps checkpoints.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from counterec.core.arrays import require
from counterec.core.interactions import Interactions
from counterec.core.scorers.settings import VALIDATION_CUTOFF, VALIDATION_USERS, TrainingSettings
from counterec.core.scorers.validation import CatalogueValidation
from counterec.core.space import AspectSpace


@dataclass(frozen=True, eq=False)
class TrainingExamples:
    """Positives with the vectors of their users and items, and the interactions that every epoch is validated on."""

    space: AspectSpace
    positives: Interactions
    validation: Interactions

    def __post_init__(self) -> None:
        require(len(self.positives) > 0, "there is no training interaction: keep more reviews")

    @cached_property
    def check(self) -> CatalogueValidation | None:
        """What an epoch is validated on; None where there is no validation part."""
        if not len(self.validation):
            return None
        return CatalogueValidation(self.positives, self.validation, VALIDATION_USERS, VALIDATION_CUTOFF)

    @cached_property
    def digest(self) -> str:
        """A checksum over everything here that a training depends on."""
        found = hashlib.sha256()
        for table in (self.space.user_attention, self.space.item_quality):
            found.update(f"{table.shape} {table.dtype};".encode())
            found.update(np.ascontiguousarray(table).data)
        for part in (self.positives, self.validation):
            found.update(f"{part.n_users} {part.n_items} {len(part)};".encode())
            found.update(np.stack([part.users, part.items]).data)
        return found.hexdigest()


@dataclass(frozen=True)
class Checkpoint:
    """A training after one of its epochs, as named arrays and plain values."""

    arrays: Mapping[str, np.ndarray]
    values: Mapping[str, Any]
    """What JSON can hold; floats come back as they were."""


class Checkpoints(Protocol):
    """A place that keeps the last checkpoint of each training, by name."""

    def load(self, name: str) -> Checkpoint | None:
        """The checkpoint of this name; None if there is none, or a damaged one."""
        ...

    def save(self, name: str, make: Callable[[], Checkpoint]) -> None:
        """Keep what ``make`` gives in place of the last one; it is not asked if keeping it is not worth the time."""
        ...


class NoCheckpoints:
    """Keeps nothing."""

    def load(self, name: str) -> Checkpoint | None:  # noqa: ARG002
        """There is none."""
        return None

    def save(self, name: str, make: Callable[[], Checkpoint]) -> None:
        """Keep nothing."""


NOTHING_KEPT = NoCheckpoints()


def training_name(examples: TrainingExamples, settings: TrainingSettings, seed: int, device: str) -> str:
    """A name that no other training has: made from everything that decides what a training gives."""
    parts = [examples.digest, asdict(settings), seed, device]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
