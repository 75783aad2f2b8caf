"""The numbers behind the view of the model, and how they are said; it knows nothing of the page's elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

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
from counterec.service.page.bars import Bar
from counterec.service.page.numbers import percent
from counterec.wording.messages import say

ASPECTS, ITEMS = 12, 8
"""How many aspects, and how many items or rows of a table, are shown."""
MOST_GROUPS = 6
"""How many groups a table has columns for."""
GROUPS: dict[Group, str] = {"position": "position in the list", "activity": "number of reviews", "taste": "taste"}
SIDES: dict[Side, str] = {"wins": "item_id", "loses": "below_id"}
"""For an item that wins or loses, the field of a filter that means its cases."""

Choices = list[tuple[Bar, CaseFilter]]
"""Bars, each with the cases behind it."""


@dataclass(frozen=True)
class ShareTable:
    """Which share of the recommendations of each group each aspect decides."""

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
        return cls(outcomes(cases), decisive_aspects(cases), _share_table(cases, by), items, statuses(cases))

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
            found.append((Bar(row["aspect"], length, said, _note(row), behind == chosen), behind))
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

    def figures_said(self) -> list[tuple[str, str]]:
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


def cases_title(chosen: CaseFilter, name: Callable[[str], str]) -> str:
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


def _share_table(cases: pl.DataFrame, by: Group) -> ShareTable:
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


def _note(row: dict[str, Any]) -> str:
    """What else is known of an aspect's decisions."""
    said = [f"alone in {percent(row['alone'])}"]
    if row["change"] is not None:
        said.append(f"has to move by {percent(row['change'])} of its scale on average")
    return " · ".join(said)
