"""The measures of one method that an experiment examines further, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from counterec.core.evaluation.measure import Measure


@dataclass(frozen=True)
class ExaminedMethod:
    """One method, for one shape (single or multi), with or without the mask."""

    method: str
    shape: str
    masked: bool
    measures: dict[str, Measure]

    def as_dict(self) -> dict[str, Any]:
        """Everything as it is written to disk."""
        combination = {"method": self.method, "shape": self.shape, "masked": self.masked}
        return combination | {name: measure.as_dict() for name, measure in self.measures.items()}
