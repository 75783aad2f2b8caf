"""The answers that lie in a run folder: read once, found by user and item."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from counterec.pipeline.layout import explanations_file

if TYPE_CHECKING:
    from counterec.core.explainers.goal_names import Goal
    from counterec.run import Run


class StoredAnswers:
    """The stored answers to *why*, by goal."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._tables: dict[str, pl.DataFrame] = {}

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The methods whose answers are there; none in a run that ends with its lists."""
        return tuple(method for method in self._run.methods if self._run.has(explanations_file(method)))

    def table(self, method: str) -> pl.DataFrame:
        """All answers of a method."""
        if method not in self._tables:
            self._tables[method] = self._run.explanations_table(method)
        return self._tables[method]

    def row(self, goal: Goal, user_id: str, item_id: str) -> dict[str, Any] | None:
        """The answer about an item of a user's list under the run's own constraints; None if it is not there."""
        if goal not in self.methods:
            return None
        found = self.table(goal).filter(pl.col("user_id") == user_id, pl.col("item_id") == item_id)
        return found.row(0, named=True) if len(found) else None
