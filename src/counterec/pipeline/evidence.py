"""The sentences behind a number: which words of which reviews mention an aspect, and whether they are too few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.opinions import Opinions
from counterec.errors import UnknownIdError, UsageError
from counterec.pipeline import layout

if TYPE_CHECKING:
    from counterec.pipeline.folder import RunFolder

OTHERS = "others"
"""Stands for the part of the split where the writer is not among the users."""
COUNTED = ("train", OTHERS)
"""The parts that X and Y are made from."""

EXAMPLES = 3
"""How many example sentences an aspect of the vocabulary has."""

ENOUGH_REVIEWS = 3
"""Median number of reviews per item below which reasons rest on single opinions."""
MOST_SINGLE = 0.5
"""Share of recommended items with one opinion per aspect above which that is worth a warning."""
WHAT_HELPS = (
    "leave out items with few reviews (--min-item-reviews 5), keep fewer aspects (--most-aspects 20), "
    "or bring more reviews"
)


@dataclass(frozen=True)
class Evidence:
    """One number of X or Y, and the mentions behind it."""

    user_id: str | None
    item_id: str | None
    aspect: str
    value: float | None
    """None if the aspect was too rare to be kept."""
    mentions: list[dict[str, Any]]
    """As ``evidence`` returns them."""


def evidence_of(folder: RunFolder, aspect: str, user_id: str | None = None, item_id: str | None = None) -> Evidence:
    """What is behind a user's attention to an aspect, or behind an item's quality: one of the two is named."""
    if (user_id is None) == (item_id is None):
        raise UsageError("evidence is about the attention of a user or the quality of an item: name one of the two")
    aspect = folder.aspect_of_name.get(aspect, aspect)
    found = review_sentences(folder, aspect, user_id=user_id, item_id=item_id)
    if found.is_empty():
        mentions_of(mentions_of(folder.aspect_mentions, user_id, item_id), aspect=aspect)  # says what is not there
    return Evidence(user_id, item_id, aspect, _value(folder, user_id, item_id, aspect), found.to_dicts())


def review_sentences(
    folder: RunFolder, aspect: str, *, user_id: str | None = None, item_id: str | None = None
) -> pl.DataFrame:
    """What a user said, or what was said of an item, about an aspect, in reading order; empty where nobody did.

    A part that is not in ``COUNTED`` was held out. What people say who are not among the users comes last.
    """
    wanted = [pl.col("aspect") == aspect]
    wanted += [pl.col("user_id") == user_id] if user_id is not None else []
    wanted += [pl.col("item_id") == item_id] if item_id is not None else []
    found = evidence(folder.aspect_mentions.filter(*wanted), folder.reviews, folder.split)
    if user_id is not None or not folder.has(layout.OTHER_MENTIONS):
        return found
    others = folder.mentions_of_others.filter(*wanted)
    if others.is_empty():
        return found
    said = evidence(others, folder.table(layout.OTHER_REVIEWS), folder.split)
    return pl.concat([found, said.with_columns(pl.lit(OTHERS).alias("part"))])


def _value(folder: RunFolder, user_id: str | None, item_id: str | None, aspect: str) -> float | None:
    space = folder.space
    if aspect not in space.aspects:
        return None
    column = space.aspects.number(aspect)
    if user_id is not None:
        return float(space.user_attention[space.users.number(user_id), column])
    return float(space.item_quality[space.items.number(item_id or ""), column])


def evidence(mentions: pl.DataFrame, reviews: pl.DataFrame, split: pl.DataFrame) -> pl.DataFrame:
    """Return mentions with the part of the split they belong to and the sentence they stand in, in reading order.

    A sentence is null where the source brought mentions without texts.
    """
    texts = reviews.select("text").with_row_index("review").with_columns(pl.col("review").cast(pl.Int64))
    start, end = pl.col("sentence_start"), pl.col("sentence_end")
    return (
        mentions.join(split, on=["user_id", "item_id"], how="left", maintain_order="left")
        .join(texts, on="review", how="left", maintain_order="left")
        .with_columns(pl.col("text").str.slice(start, end - start).alias("words"))
        .sort(
            "user_id", "time", "item_id", "review", "start", "aspect", "opinion", nulls_last=True, maintain_order=True
        )
        .select("user_id", "item_id", "time", "part", "aspect", "opinion", "sentiment", "start", "end", "words")
    )


def mentions_of(
    mentions: pl.DataFrame, user_id: str | None = None, item_id: str | None = None, aspect: str | None = None
) -> pl.DataFrame:
    """Return the mentions by a user, of an item, of an aspect; an unknown one is an error."""
    for column, value in (("user_id", user_id), ("item_id", item_id), ("aspect", aspect)):
        if value is None:
            continue
        if not mentions[column].is_in([value]).any():
            raise UnknownIdError(
                f"{value!r}: no such {column.removesuffix('_id')} is mentioned{_near(mentions, column, value)}"
            )
        mentions = mentions.filter(pl.col(column) == value)
    return mentions


def _near(mentions: pl.DataFrame, column: str, value: str) -> str:
    """Return a hint at names that hold the one asked for."""
    names = mentions.filter(pl.col(column).str.contains(value.lower(), literal=True))[column].value_counts(sort=True)
    return f"; did you mean {', '.join(names[column][:5])}?" if len(names) else ""


def vocabulary(mentions: pl.DataFrame, reviews: pl.DataFrame, split: pl.DataFrame) -> pl.DataFrame:
    """Return the aspects of the training part, most frequent first, with counts, share of praise and example sentences.

    Examples are the shortest sentences that name the aspect: they are read fastest.
    """
    training = split.filter(pl.col("part") == "train")
    counted = mentions.join(training, on=["user_id", "item_id"], how="semi", maintain_order="left")
    rows = evidence(counted, reviews, split).with_columns(pl.col("words").str.len_chars().alias("length"))
    examples = (
        rows.drop_nulls("words")
        .unique(["aspect", "words"], keep="first", maintain_order=True)
        .sort("aspect", "length", "words")
        .group_by("aspect", maintain_order=True)
        .agg(pl.col("words").head(EXAMPLES).alias("examples"))
    )
    return (
        counted.group_by("aspect")
        .agg(pl.len().alias("mentions"), (pl.col("sentiment") > 0).mean().alias("positive"))
        .join(examples, on="aspect", how="left")
        .sort("mentions", "aspect", descending=[True, False])
    )


def warn_of_few_reviews(per_item: IntVector) -> str:
    """Return a warning if the median item has fewer than ``ENOUGH_REVIEWS`` reviews; else an empty text."""
    if not len(per_item) or (median := float(np.median(per_item))) >= ENOUGH_REVIEWS:
        return ""
    return (
        f"there are few reviews per item (median {median:g}, over {len(per_item):,} items), so reasons will rest on "
        f"single opinions: {WHAT_HELPS}"
    )


def warn_of_single_opinions(share: float | None) -> str:
    """Return a warning if most recommended items have one opinion per aspect; else an empty text."""
    if share is None or share <= MOST_SINGLE:
        return ""
    return f"{share:.0%} of the recommended items have one opinion per aspect: {WHAT_HELPS}"


def single_opinions(opinions: Opinions, items: IntVector) -> FloatVector:
    """Return 1 for items whose median reviewed aspect has one opinion, 0 for others, NaN without any opinion."""
    counts = (opinions.item_praises + opinions.item_complaints)[items].astype(np.float64)
    reviewed = counts > 0
    alone = (counts == 1).sum(axis=1)
    return np.where(reviewed.any(axis=1), (2 * alone > reviewed.sum(axis=1)).astype(np.float64), np.nan)
