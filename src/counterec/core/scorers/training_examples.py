"""What nets are trained and validated on; several trainings can share it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from counterec.core.arrays import require
from counterec.core.interactions import Interactions
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.training_settings import VALIDATION_CUTOFF, VALIDATION_USERS
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
