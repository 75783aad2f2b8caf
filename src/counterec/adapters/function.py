"""Any function from (user rows, item rows) to scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from counterec.adapters.frame_library import Frame
from counterec.adapters.pair_rows import PairRows


@dataclass(frozen=True)
class FunctionModel:
    """The function gets two frames with equally many rows, like those that were given, and returns a number per row."""

    function: Callable[[Frame, Frame], Any]

    @property
    def said(self) -> str:
        """Its name."""
        return getattr(self.function, "__name__", type(self.function).__name__).replace("<lambda>", "predict")

    def predict(self, rows: PairRows) -> Any:
        """Ask the function."""
        return self.function(rows.users, rows.items)
