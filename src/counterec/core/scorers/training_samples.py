"""The samples of an epoch: positives, each with freshly drawn negatives of the same user."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import IntVector, require, row_chunks
from counterec.core.interactions import Interactions, draw_outside
from counterec.core.scorers.training_settings import EPOCH_SAMPLES, TrainingSettings
from counterec.randomness import generator

Batch = tuple[Tensor, Tensor, Tensor | None]
"""Users [P]; their items [P, 1 + negatives], the positive one first; which of those are samples [P, 1 + negatives], or
None if all are."""


def epochs_per_pass(positives: int, settings: TrainingSettings) -> int:
    """How many epochs see every positive once."""
    return -(-positives * (1 + (settings.negatives or 0)) // EPOCH_SAMPLES)


class TrainingSamples:
    """The positives in an order drawn for each pass, cut into epochs; a long pass takes several epochs."""

    def __init__(self, positives: Interactions, settings: TrainingSettings, seed: int, device: str) -> None:
        require(settings.negatives is not None and settings.batch_size is not None, "complete the settings first")
        self._positives, self._seed, self._device = positives, seed, device
        self._negatives = settings.negatives or 1
        self.items_per_pair = 1 + self._negatives
        """The positive one and the negatives."""
        self.pairs_per_step = max(1, (settings.batch_size or 1) // self.items_per_pair)
        """The positives of a batch, at most."""
        self._epochs_per_pass = epochs_per_pass(len(positives), settings)

    def batches(self, epoch: int) -> Iterator[Batch]:
        """The batches of an epoch, counted from 1."""
        chosen = self._interactions_of(epoch)
        users = self._positives.users[chosen]
        drawn = draw_outside(
            self._positives, np.repeat(users, self._negatives), generator(self._seed, "negatives", epoch)
        )
        items = np.concatenate([self._positives.items[chosen, None], drawn.reshape(-1, self._negatives)], axis=1)
        who, what = torch.from_numpy(users).to(self._device), torch.from_numpy(items).to(self._device)
        everything_counts = items.min() >= 0
        for rows in row_chunks(len(users), self.pairs_per_step):
            # A user who touched everything has no negatives: −1, which is no sample.
            are_samples = None if everything_counts else what[rows] >= 0
            yield who[rows], what[rows] if are_samples is None else what[rows].clamp(min=0), are_samples

    def _interactions_of(self, epoch: int) -> IntVector:
        passes, part = divmod(epoch - 1, self._epochs_per_pass)
        order = generator(self._seed, "order", passes).permutation(len(self._positives))
        return np.array_split(order, self._epochs_per_pass)[part]
