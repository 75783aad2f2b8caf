"""The past reviews of a run's users: those that X and the model were made from, with the mentions that count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from counterec.core.counted_attention import CountedAttention
from counterec.core.explainers.history.past_reviews import PastReviews
from counterec.core.interactions import Interactions
from counterec.core.mention_counts import MentionNumbers
from counterec.errors import UsageError
from counterec.pipeline import layout
from counterec.pipeline.aspect_choice import COLUMNS, PAIR, counted_once, renamed

if TYPE_CHECKING:
    from counterec.pipeline.folder import RunFolder


def has_past_reviews(folder: RunFolder) -> bool:
    """Whether the run was made from reviews or mentions."""
    return folder.has(layout.MENTIONS) and folder.has(layout.SPLIT)


def past_reviews_of(folder: RunFolder) -> PastReviews:
    """Everybody's training reviews or, where nothing is held out, all of them, with the mentions that count for X."""
    if not has_past_reviews(folder):
        raise UsageError(
            f"{folder.path} was not made from reviews or mentions, so nobody's past reviews are known; ask by aspects"
        )
    parts = ("train",) if folder.config.split.held_out else ("train", "validation")
    space, known = folder.space, folder.split.filter(pl.col("part").is_in(parts))
    said = folder.table(layout.MENTIONS, COLUMNS).join(known, on=PAIR, how="semi", maintain_order="left")
    counted = counted_once(renamed(said, folder.aspect_of_name), folder.config.aspects.most_per_review or None)
    counted = counted.filter(pl.col("aspect").is_in(list(space.aspects.texts)))
    users, items = space.users.numbers(known["user_id"]), space.items.numbers(known["item_id"])
    mentions = MentionNumbers(
        space.users.numbers(counted["user_id"]),
        space.items.numbers(counted["item_id"]),
        space.aspects.numbers(counted["aspect"]),
        counted["sentiment"].to_numpy(),
    )
    reviews = Interactions(users, items, len(space.users), len(space.items))
    return PastReviews.of(reviews, mentions, len(space.aspects))


def attention_of(folder: RunFolder) -> CountedAttention:
    """The rule of the run's X."""
    return CountedAttention.of(folder.space)
