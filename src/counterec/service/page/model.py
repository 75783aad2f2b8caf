"""The numbers behind the view of the model, and what the address says about it. It knows nothing of elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from counterec.core.arrays import require
from counterec.errors import UsageError
from counterec.report.overview import (
    CaseFilter,
    Group,
    Outcomes,
    Side,
    decisive_aspects,
    items_by_aspect,
    outcomes,
    statuses,
)
from counterec.service.page.site import Address
from counterec.wording import AnswerRecord
from counterec.wording.messages import say

if TYPE_CHECKING:
    from counterec.run import Run

ASPECTS, ITEMS = 12, 8
"""How many aspects, and how many items or rows of a table, are shown."""
MOST_GROUPS = 6
"""How many groups a table has columns for."""
GROUPS: dict[Group, str] = {"position": "position in the list", "activity": "number of reviews", "taste": "taste"}
SIDES: dict[Side, str] = {"wins": "item_id", "loses": "below_id"}
"""For an item that wins or loses, the field of a filter that means its cases."""
CASES = 6
"""Cases on a page of them."""
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


@dataclass(frozen=True)
class Bar:
    """One bar."""

    name: str
    share: float
    """How long it is: from 0 to 1."""
    said: str
    """What it means in numbers: “231 of 1,500 (15%)”."""
    note: str = ""
    """More about it, in smaller letters."""
    chosen: bool = False
    """Whether its cases are shown."""

    def __post_init__(self) -> None:
        require(0 <= self.share <= 1, f"the bar of {self.name} has a length of {self.share}; it must be from 0 to 1")


Choices = list[tuple[Bar, CaseFilter]]
"""Bars, each with the cases behind it."""


@dataclass(frozen=True)
class ShareTable:
    """The share of the recommendations of each group that each aspect decides."""

    by: Group
    aspects: Sequence[str]
    groups: Sequence[str | int]
    shares: dict[tuple[str | int, str], float]
    """By group and aspect; what is not there is 0."""
    left_out: int
    """How many smaller groups there are besides."""

    def share(self, group: str | int, aspect: str) -> float:
        """The share of one group."""
        return self.shares.get((group, aspect), 0.0)

    @property
    def largest(self) -> float:
        """The largest share in the table."""
        return max(self.shares.values(), default=0.0) or 1.0


@dataclass(frozen=True)
class ModelOverview:
    """What some recommendations have in common."""

    figures: Outcomes
    aspects: pl.DataFrame
    table: ShareTable
    items: dict[Side, pl.DataFrame]
    statuses: pl.DataFrame

    @classmethod
    def of(cls, cases: pl.DataFrame, by: Group) -> ModelOverview:
        """Count these cases."""
        items = {side: items_by_aspect(cases, side).head(ITEMS) for side in SIDES}
        return cls(outcomes(cases), decisive_aspects(cases), _make_table(cases, by), items, statuses(cases))

    def aspect_bars(self, strongly: bool, chosen: CaseFilter) -> Choices:
        """The aspects by how often they decide, or by how strongly."""
        table = self.aspects.sort("strength", descending=True, nulls_last=True) if strongly else self.aspects
        strongest = max(table["strength"].drop_nulls().to_list(), default=0.0) or 1.0
        found: Choices = []
        for row in table.head(ASPECTS).iter_rows(named=True):
            behind = CaseFilter(aspect=row["aspect"])
            length = max(0.0, (row["strength"] or 0.0) / strongest) if strongly else row["share"]
            often = f"{row['decided']:,} of {row['recommendations']:,} ({percent(row['share'])})"
            said = f"{row['strength'] or 0.0:.2f} of the spread of scores" if strongly else often
            found.append((Bar(row["aspect"], length, said, _describe(row), behind == chosen), behind))
        return found

    def item_bars(self, side: Side, name: Callable[[str], str], chosen: CaseFilter) -> Choices:
        """The items that win, or lose, by an aspect."""
        table = self.items[side]
        longest = table["lists"].max() or 1
        found: Choices = []
        for row in table.iter_rows(named=True):
            behind = CaseFilter(aspect=row["aspect"], **{SIDES[side]: row["item_id"]})
            said = f"{row['lists']:,} of {row['of_lists']:,} lists"
            bar = Bar(f"{name(row['item_id'])}: {row['aspect']}", row["lists"] / longest, said, chosen=behind == chosen)
            found.append((bar, behind))
        return found

    def status_bars(self, chosen: CaseFilter) -> Choices:
        """What became of the recommendations."""
        found: Choices = []
        for row in self.statuses.iter_rows(named=True):
            behind = CaseFilter(status=row["status"])
            said = f"{row['recommendations']:,} ({percent(row['share'])})"
            found.append((Bar(say(f"status.{row['status']}"), row["share"], said, chosen=behind == chosen), behind))
        return found

    def figures_in_words(self) -> list[tuple[str, str]]:
        """The main numbers, each with what it means; what is not known is left out."""
        figures = self.figures
        counted = f"recommendations to {figures.users:,} users, of {figures.items:,} items"
        said = [
            (f"{figures.recommendations:,}", counted),
            (percent(figures.explained_share), "are explained: a change of aspects was found and checked"),
            (percent(figures.one_aspect), "of these hang on a single aspect"),
            (percent(figures.necessary), "of these would also leave the list if no item had these aspects"),
            (percent(figures.led_by_history), "of all rest more on the user's history than on aspects"),
        ]
        return [(number, meaning) for number, meaning in said if number]


def title_cases(chosen: CaseFilter, name: Callable[[str], str]) -> str:
    """“Decided by battery, position in the list 2”."""
    said = []
    if chosen.aspect is not None:
        said.append(f"Decided by {chosen.aspect}")
    if chosen.status is not None:
        said.append(say(f"status.{chosen.status}").capitalize())
    if chosen.item_id is not None:
        said.append(name(chosen.item_id))
    if chosen.below_id is not None:
        said.append(f"just below: {name(chosen.below_id)}")
    said += [f"{GROUPS[by]} {value}" for by in GROUPS if (value := getattr(chosen, by)) is not None]
    return ", ".join(said)


def _make_table(cases: pl.DataFrame, by: Group) -> ShareTable:
    """The aspects that decide most, by the groups of most recommendations; positions and activity in their order."""
    table = decisive_aspects(cases, by)
    groups = table.group_by(by).agg(pl.col("recommendations").first())
    keys = ["recommendations", by] if by == "taste" else [by]
    ordered = groups.sort(keys, descending=[key == "recommendations" for key in keys])[by].to_list()
    decided = table.group_by("aspect").agg(pl.col("decided").sum()).sort("decided", "aspect", descending=[True, False])
    aspects, shown = decided["aspect"].to_list()[:ITEMS], ordered[:MOST_GROUPS]
    rows = table.filter(pl.col("aspect").is_in(aspects), pl.col(by).is_in(shown)).iter_rows(named=True)
    return ShareTable(
        by, aspects, shown, {(row[by], row["aspect"]): row["share"] for row in rows}, len(ordered[MOST_GROUPS:])
    )


def _describe(row: dict[str, Any]) -> str:
    """What else is known of an aspect's decisions."""
    said = [f"alone in {percent(row['alone'])}"]
    if row["change"] is not None:
        said.append(f"has to move by {percent(row['change'])} of its scale on average")
    return " · ".join(said)


@dataclass(frozen=True)
class CasePage:
    """A few of many cases."""

    records: Sequence[AnswerRecord]
    page: int
    total: int

    @classmethod
    def of(cls, run: Run, cases: pl.DataFrame, page: int) -> CasePage:
        """Return the cases of a page, counted from 0; beyond the last page, those of the last."""
        page = min(page, max(0, (len(cases) - 1) // CASES))
        rows = cases.slice(page * CASES, CASES).to_dicts()
        return cls([run.record(row) for row in rows], page, len(cases))


def percent(share: float | None) -> str:
    """Write “15%”; “under 1%” for little, “over 99%” for nearly all, nothing for None."""
    if share is None:
        return ""
    if 0 < share < 0.01:
        return "under 1%"
    if 0.99 < share < 1:
        return "over 99%"
    return f"{100 * share:.0f}%"
