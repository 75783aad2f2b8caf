"""What the view of the model is about, as the address has it: whose recommendations, and which cases are looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from counterec.errors import UsageError
from counterec.report.overview import CaseFilter
from counterec.service.page.address import Address

SCOPE = ("activity", "taste", "position")
"""The fields by which the recommendations are narrowed down, under these names in the address."""
CASE = ("aspect", "position", "activity", "taste", "status", "item_id", "below_id")
"""The fields that say which cases are looked at, each with a prefix in the address."""
PREFIX = "case."
ALL = CaseFilter()


@dataclass(frozen=True)
class ModelScope:
    """Two choices among the cases of a run; those behind a bar are the ones that both mean."""

    whose: CaseFilter = ALL
    chosen: CaseFilter = ALL

    @classmethod
    def of(cls, address: Address) -> ModelScope:
        """Read an address."""
        return cls(
            CaseFilter(**{name: _read(name, address.get(name)) for name in SCOPE}),
            CaseFilter(**{name: _read(name, address.get(PREFIX + name)) for name in CASE}),
        )

    def params(self) -> dict[str, str | None]:
        """The parameters that say it in an address."""
        said = {name: getattr(self.whose, name) for name in SCOPE}
        said |= {PREFIX + name: getattr(self.chosen, name) for name in CASE}
        return {name: None if value is None else str(value) for name, value in said.items()}

    def narrowed(self, **fields: Any) -> ModelScope:
        """The same with other recommendations; no cases are chosen any more."""
        return ModelScope(replace(self.whose, **fields))

    @property
    def has_cases(self) -> bool:
        """Whether some cases are chosen."""
        return self.chosen != ALL

    def recommendations(self, cases: pl.DataFrame) -> pl.DataFrame:
        """All cases that the view counts."""
        return self.whose.applied(cases)

    def cases(self, cases: pl.DataFrame) -> pl.DataFrame:
        """The cases that are looked at."""
        return self.chosen.applied(self.whose.applied(cases))


def _read(name: str, value: str | None) -> Any:
    if value is None or name != "position":
        return value
    if not value.isdecimal():
        raise UsageError(f"position={value} in the address is no position; positions are 1, 2, 3 …")
    return int(value)
