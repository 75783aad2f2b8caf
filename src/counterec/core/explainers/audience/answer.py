"""The answer for an audience: one change of one item, and whose lists have the item before and after."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector, freeze, require, require_shape
from counterec.core.explainers.answer import Proof, Status


@dataclass(frozen=True)
class AudienceAnswer:
    """One change of one item, re-scored for every user of the audience."""

    item: int
    users: IntVector
    wanted: int
    delta: FloatVector
    target: FloatVector = field(repr=False)
    """Per user the Kth best score of the other candidates."""
    score_before: FloatVector = field(repr=False)
    score_after: FloatVector = field(repr=False)
    had_it: BoolVector
    """Whose list has the item as it is."""
    has_it: BoolVector
    """Whose list has the item after the change."""
    status: Status
    proof: Proof

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            delta=np.float32,
            target=np.float32,
            score_before=np.float32,
            score_after=np.float32,
            had_it=np.bool_,
            has_it=np.bool_,
        )
        for name in ("target", "score_before", "score_after", "had_it", "has_it"):
            require_shape(name, getattr(self, name), self.users.shape)
        entered = int(self.entered.sum())
        require(
            entered >= self.wanted or self.status is not Status.EXPLAINED,
            f"status is explained, but the item enters {entered} lists and is to enter {self.wanted}",
        )

    @property
    def entered(self) -> BoolVector:
        """Whose list the item enters."""
        return self.has_it & ~self.had_it
