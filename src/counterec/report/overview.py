"""What drives a model overall: from the stored answers of a run to small tables, and the cases behind each number.

``cases_of`` makes one row per recommendation; ``CaseFilter`` chooses among them; every other function counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal, get_args

import numpy as np
import polars as pl

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.explainers.answer_row import EXPLAINED, STATUSES
from counterec.core.lists import ABSENT_ITEM
from counterec.core.space import AspectSpace
from counterec.pipeline.folder import RunFolder


def cases_of(folder: RunFolder, method: str | None = None) -> pl.DataFrame:
    """One row per recommendation: the row of the explanations table, by default of the run's first method, and

    ==============  =================================================================================================
    ``sizes``       how far each aspect moves, as a share of its scale; 1 for a category, and to or from absent
    ``strength``    score before − score after, in standard deviations of the scores of the user's candidates
    ``below_id``    the item that takes the place if the item leaves: the first below the list; null where rules decide
    ``activity``    the user's group by reviews, in the order of the groups; null where nothing is known
    ``taste``       the aspect that the user cares about most compared with others; null where nothing is known
    ==============  =================================================================================================

    ``Run.record`` takes such a row as it is.
    """
    table = folder.explanations_table(method or folder.methods[0])
    users, spread, below = _lists(folder)
    lists = pl.DataFrame(
        {"user_id": users, "spread": spread, "below_id": below},
        schema={"user_id": pl.String, "spread": pl.Float64, "below_id": pl.String},
    )
    known = pl.col("spread") > 0
    return (
        table.with_columns(sizes=_sizes(folder.space, table))
        .join(lists, on="user_id", how="left", maintain_order="left")
        .with_columns(strength=pl.when(known).then((pl.col("score_before") - pl.col("score_after")) / pl.col("spread")))
        .drop("spread")
        .join(Cohorts.of(folder).table(), on="user_id", how="left", maintain_order="left")
    )


def _lists(folder: RunFolder) -> tuple[list[str], FloatVector, list[str | None]]:
    """Per list: its user, the spread of the scores of its candidates, and the first item below it."""
    lists, space = folder.recommendations, folder.space
    below = lists.items[:, lists.k] if lists.ranker is None else np.full(len(lists.users), ABSENT_ITEM)
    ids = [None if item == ABSENT_ITEM else space.items.texts[item] for item in below.tolist()]
    return [space.users.texts[user] for user in lists.users.tolist()], lists.spread.astype(np.float64), ids


def _sizes(space: AspectSpace, table: pl.DataFrame) -> pl.Series:
    """|after − before| / span of every change; a jump, between categories or to or from absent, is one."""
    scale = pl.DataFrame(
        {
            "aspects": space.aspects.texts,
            "absent": space.scale.absent,
            "span": space.scale.span,
            "is_category": space.scale.is_category,
        }
    )
    before, after, absent = pl.col("before"), pl.col("after"), pl.col("absent")
    jumps = pl.col("is_category") | (before == absent) | (after == absent)
    size = pl.when(jumps).then(1.0).otherwise((after - before).abs() / pl.col("span")).cast(pl.Float64)
    rows = table.select("aspects", "before", "after").with_row_index("row")
    moved = (
        rows.explode("aspects", "before", "after")
        .drop_nulls("aspects")
        .join(scale, on="aspects", maintain_order="left")
    )
    found = moved.group_by("row", maintain_order=True).agg(size.alias("sizes"))
    joined = rows.select("row").join(found, on="row", how="left", maintain_order="left")["sizes"]
    return joined.fill_null(pl.Series([[]], dtype=pl.List(pl.Float64)))


@dataclass(frozen=True)
class CaseFilter:
    """Which cases are meant; a field that is None leaves all of them."""

    aspect: str | None = None
    """An aspect that the answer names."""
    position: int | None = None
    activity: str | None = None
    taste: str | None = None
    status: str | None = None
    user_id: str | None = None
    item_id: str | None = None
    below_id: str | None = None

    def __post_init__(self) -> None:
        require(self.position is None or self.position >= 1, f"position is {self.position}; positions begin at 1")
        known = self.status is None or self.status in STATUSES
        require(known, f"unknown status {self.status!r}; one of {', '.join(STATUSES)}")

    def applied(self, cases: pl.DataFrame) -> pl.DataFrame:
        """The cases that are meant, in their order."""
        chosen = [_matches(field.name, getattr(self, field.name)) for field in fields(self)]
        wanted = [condition for condition in chosen if condition is not None]
        return cases.filter(*wanted) if wanted else cases


def _matches(column: str, value: str | int | None) -> pl.Expr | None:
    if value is None:
        return None
    if column == "aspect":
        return pl.col("aspects").list.contains(pl.lit(value))
    # A group of activity is compared as text: one that the run does not have matches nobody, and is no error.
    return (pl.col(column).cast(pl.String) if isinstance(value, str) else pl.col(column)) == value


Group = Literal["position", "activity", "taste"]


def decisive_aspects(cases: pl.DataFrame, by: Group | None = None) -> pl.DataFrame:
    """One row per aspect that any answer names, the most frequent first; with ``by``, per group and aspect.

    An aspect *decides* a recommendation if the stored answer names it: worse on these aspects, the item leaves.

    ===================  ==========================================================================================
    ``recommendations``  how many recommendations there are (in the group), explained or not
    ``decided``          how many of them the aspect decides
    ``share``            decided / recommendations; the shares add up to more than 1 where answers name several
    ``alone``            of those it decides, the share that it decides without any other aspect
    ``change``           of those, the mean size of its change as a share of its scale
    ``strength``         of those, its mean part of the drop in score, in standard deviations of the user's scores;
                         an answer's drop is divided among its aspects by the sizes of their changes
    ``necessary``        of those that were judged, the share in which the named aspects are necessary
    ===================  ==========================================================================================
    """
    keys = [] if by is None else [by]
    known = cases if by is None else cases.filter(pl.col(by).is_not_null())
    part = pl.col("sizes") / pl.col("sizes").list.sum()
    decisions = (
        known.filter(pl.col("status") == EXPLAINED)
        .with_columns(alone=pl.col("aspects").list.len() == 1, part=part)
        .select(*keys, "aspects", "sizes", "part", "alone", "strength", "necessary")
        .explode("aspects", "sizes", "part")
        .group_by(*keys, "aspects")
        .agg(
            pl.len().cast(pl.Int64).alias("decided"),
            pl.col("alone").mean(),
            pl.col("sizes").mean().alias("change"),
            (pl.col("strength") * pl.col("part")).mean().alias("strength"),
            pl.col("necessary").mean(),
        )
        .rename({"aspects": "aspect"})
    )
    asked = pl.len().cast(pl.Int64).alias("recommendations")
    counted = known.group_by(by).agg(asked) if by is not None else known.select(asked)
    joined = decisions.join(counted, on=by) if by is not None else decisions.join(counted, how="cross")
    shares = joined.with_columns(share=pl.col("decided") / pl.col("recommendations"))
    columns = ("recommendations", "decided", "share", "alone", "change", "strength", "necessary")
    return shares.select(*keys, "aspect", *columns).sort(
        *keys, "decided", "aspect", descending=[*(False for _ in keys), True, False]
    )


COHORTS = ("activity", "taste")
"""The ways in which users are divided; each is a column of the cases."""
GROUPS = 3
"""How many groups of about equally many users activity is cut into."""


@dataclass(frozen=True)
class Cohorts:
    """Per user of the run, in the order of their numbers: the group of each kind; None where it is not known."""

    user_ids: Sequence[str]
    activity: Sequence[str | None]
    """How many reviews the training part has of them: “1–4”, “5–9”, “10–31”; of an import, how many items they saw."""
    activity_groups: Sequence[str]
    """The groups of activity, the least active first."""
    taste: Sequence[str | None]
    """The aspect that they care about most, compared with everybody."""

    def __post_init__(self) -> None:
        for name in COHORTS:
            found = len(getattr(self, name))
            require(found == len(self.user_ids), f"{name} has {found} entries for {len(self.user_ids)} users")

    @classmethod
    def of(cls, folder: RunFolder) -> Cohorts:
        """The cohorts of a run's users."""
        space = folder.space
        counts = np.bincount(folder.interactions["train"].users, minlength=len(space.users))
        activity, groups = activity_of(counts)
        return cls(space.users.texts, activity, groups, taste_of(space))

    def table(self) -> pl.DataFrame:
        """One row per user: user_id, activity, taste."""
        groups = pl.Enum(list(self.activity_groups))
        columns = {"user_id": self.user_ids, "activity": self.activity, "taste": self.taste}
        return pl.DataFrame(columns, schema={"user_id": pl.String, "activity": groups, "taste": pl.String})


def activity_of(counts: IntVector) -> tuple[list[str | None], list[str]]:
    """The group of each user by a count, and all groups; no group where nobody has done anything.

    The groups begin at the quantiles 0, 1/3 and 2/3 of the counts, so users with equal counts are in the same one.
    """
    if not counts.any():
        return [None] * len(counts), []
    ordered = np.sort(counts)
    starts = np.unique([ordered[len(ordered) * group // GROUPS] for group in range(GROUPS)])
    place = np.searchsorted(starts, counts, side="right") - 1
    labels = [_range(counts[place == group]) for group in range(len(starts))]
    return [labels[group] for group in place.tolist()], labels


def _range(counts: IntVector) -> str:
    least, most = int(counts.min()), int(counts.max())
    return f"{least}" if least == most else f"{least}–{most}"


def taste_of(space: AspectSpace) -> list[str | None]:
    """Per user, the aspect k with the largest X[i, k] − mean of X[·, k], among those that they mention at all.

    The mean is taken off, since otherwise everybody's taste is what everybody speaks of. Of equal ones it is the first.
    None for users who mention nothing, and where all users are alike.
    """
    X = space.user_attention.astype(np.float64)
    above = np.where(X > 0, X - X.mean(axis=0, keepdims=True), -np.inf)
    if not len(X) or np.ptp(X, axis=0).max() == 0:
        return [None] * len(X)
    best = above.argmax(axis=1)
    known = np.isfinite(above[np.arange(len(X)), best])
    return [space.aspects.texts[aspect] if sure else None for aspect, sure in zip(best.tolist(), known, strict=True)]


Side = Literal["wins", "loses"]
SIDES: tuple[Side, ...] = get_args(Side)


def items_by_aspect(cases: pl.DataFrame, side: Side) -> pl.DataFrame:
    """One row per item and aspect, the most lists first: ``item_id, aspect, lists, of_lists, share``.

    An item *wins* a list by an aspect if it is in it and would leave it, were the aspect worse. An item *loses* a list
    by an aspect if it is the first below it, and would take the place of an item of the list that wins by the aspect.
    ``lists`` counts the lists that it wins or loses by the aspect, and ``of_lists`` those that it is in, or just below.
    """
    item = "item_id" if side == "wins" else "below_id"
    known = cases.filter(pl.col(item).is_not_null())
    of_lists = known.group_by(item).agg(pl.col("user_id").n_unique().cast(pl.Int64).alias("of_lists"))
    return (
        known.filter(pl.col("status") == EXPLAINED)
        .select(item, "user_id", "aspects")
        .explode("aspects")
        .group_by(item, "aspects")
        .agg(pl.col("user_id").n_unique().cast(pl.Int64).alias("lists"))
        .join(of_lists, on=item)
        .rename({item: "item_id", "aspects": "aspect"} if item != "item_id" else {"aspects": "aspect"})
        .select("item_id", "aspect", "lists", "of_lists", share=pl.col("lists") / pl.col("of_lists"))
        .sort("lists", "share", "item_id", "aspect", descending=[True, True, False, False])
    )


@dataclass(frozen=True)
class Outcomes:
    """The cases in a few numbers; a share is None where there is no case to take it of."""

    recommendations: int
    users: int
    items: int
    """How many different items are recommended."""
    explained: int
    aspects_named: float | None
    """How many aspects an explanation names on average."""
    one_aspect: float | None
    """The share of explanations that name a single one."""
    necessary: float | None
    """The share, of explanations that were judged, whose aspects are necessary."""
    led_by_history: float | None
    """The share of recommendations whose lead comes more from the user's history than from aspects."""

    def __post_init__(self) -> None:
        require(0 <= self.explained <= self.recommendations, f"{self.explained} of {self.recommendations} explained")

    @property
    def explained_share(self) -> float | None:
        """The share of recommendations that are explained."""
        return self.explained / self.recommendations if self.recommendations else None


def outcomes(cases: pl.DataFrame) -> Outcomes:
    """The cases in a few numbers."""
    explained = cases.filter(pl.col("status") == EXPLAINED)
    named = explained["aspects"].list.len()
    led = cases.filter(pl.col("lead_aspects").is_not_null(), pl.col("lead_history").is_not_null())
    return Outcomes(
        recommendations=len(cases),
        users=cases["user_id"].n_unique(),
        items=cases["item_id"].n_unique(),
        explained=len(explained),
        aspects_named=_mean(named),
        one_aspect=_mean(named == 1),
        necessary=_mean(explained["necessary"].drop_nulls()),
        led_by_history=_mean(led["lead_history"] > led["lead_aspects"]),
    )


def statuses(cases: pl.DataFrame) -> pl.DataFrame:
    """One row per status that occurs, the most frequent first: ``status, recommendations, share``."""
    return (
        cases.group_by("status")
        .agg(pl.len().cast(pl.Int64).alias("recommendations"))
        .with_columns(share=pl.col("recommendations") / max(1, len(cases)))
        .sort("recommendations", "status", descending=[True, False])
    )


def _mean(values: pl.Series) -> float | None:
    found = values.cast(pl.Float64).mean()
    return float(found) if isinstance(found, float) else None
