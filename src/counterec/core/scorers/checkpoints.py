"""Unfinished trainings that are kept, so that one that was cut off goes on from its last epoch.

The core knows no files: whoever trains brings a place to keep them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from counterec.core.scorers.training_examples import TrainingExamples
from counterec.core.scorers.training_settings import TrainingSettings


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
