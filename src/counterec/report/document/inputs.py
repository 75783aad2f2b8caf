"""What the sections of a report are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from counterec.pipeline import layout
from counterec.pipeline.folder import RunFolder
from counterec.report.overview import cases_of
from counterec.report.privacy import EVERYTHING, Privacy
from counterec.wording import AnswerRecord


@dataclass(frozen=True)
class ReportInputs:
    """A run folder, how a stored row becomes a record, and what of people is shown."""

    folder: RunFolder
    record: Callable[[Mapping[str, Any], str], AnswerRecord] = field(repr=False)
    """From a row of the explanations of a method to its record."""
    privacy: Privacy = EVERYTHING

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The methods whose explanations the run has."""
        return tuple(name for name in self.folder.methods if self.folder.has(layout.explanations_file(name)))

    @cached_property
    def cases(self) -> pl.DataFrame | None:
        """Every recommendation with the answer of the first method; None where nothing is explained yet."""
        if not self.methods or not self.folder.has(layout.RECOMMENDATIONS):
            return None
        return cases_of(self.folder, self.methods[0])

    @cached_property
    def evaluation(self) -> dict[str, Any]:
        """How good lists and explanations are; empty where that was not measured yet."""
        return self.folder.evaluation if self.folder.has(layout.EVALUATION) else {}

    @property
    def imported(self) -> bool:
        """Whether users and items came as tables with attributes, and not as reviews."""
        return self.folder.config.data.tables is not None

    def counts(self, stage: str) -> dict[str, Any]:
        """What a stage counted; empty where it has not run."""
        found = self.folder.manifest.finished.get(stage)
        return {} if found is None else found.counts
