"""Sets that need not be tried: the layers of the scorer show at little cost that they cannot flip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector
from counterec.core.explainers.probe import LayeredProbe
from counterec.core.explainers.set_screen import SetScreen
from counterec.core.explainers.tolerances import SINGLE_PRECISION

SETS_PER_SCORING = 5
"""So many sets are screened for one scoring of a pair's budget."""

WORTH_SCREENING = 64
"""So few sets are tried sooner than screened."""


@dataclass(frozen=True)
class ScreenedSets:
    """The screens of some owners."""

    probe: LayeredProbe
    screen: SetScreen
    places: dict[int, int]
    """The place of each owner in the screen."""
    limits: FloatVector
    """Per owner of the probe: a set whose gap is not below this does not flip, whatever single precision rounds."""

    @classmethod
    def of(
        cls, probe: LayeredProbe, near: FloatVector, owners: IntVector, aspects: IntMatrix, reach: FloatMatrix
    ) -> ScreenedSets:
        """From one set of each of these owners, best one that flips or nearly does: the bound is sharp around it."""
        limits = near + SINGLE_PRECISION * probe.largest.cpu().numpy()
        places = {int(owner): place for place, owner in enumerate(owners)}
        return cls(probe, probe.screen(owners, aspects, reach), places, limits)

    def may_flip(self, owner: int, aspects: IntVector, reach: FloatVector, sets: BoolMatrix) -> BoolVector:
        """Which of these sets of an owner have to be tried."""
        place = self.places.get(owner)
        if place is None:
            return np.ones(len(sets), dtype=bool)
        lowest = self.probe.lowest_gaps_of_sets(owner, aspects, reach, sets, self.screen, place)
        return ~(lowest >= self.limits[owner])
