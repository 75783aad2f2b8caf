"""The review sentences behind a number: what users, and others whose reviews count, said of an aspect."""

from __future__ import annotations

import polars as pl

from counterec.pipeline import layout
from counterec.pipeline.evidence import evidence
from counterec.pipeline.folder import RunFolder

OTHERS = "others"
"""Stands for the part of the split where the writer is not among the users."""
COUNTED = ("train", OTHERS)
"""The parts that X and Y are made from."""


def review_sentences(
    folder: RunFolder, aspect: str, *, user_id: str | None = None, item_id: str | None = None
) -> pl.DataFrame:
    """What a user said, or what was said of an item, about an aspect, in reading order; empty where nobody did.

    ``user_id, item_id, time, part, aspect, opinion, sentiment, start, end, words``; a part that is not in ``COUNTED``
    was held out, and a sentence is null where the source brought mentions without texts.
    """
    wanted = [pl.col("aspect") == aspect]
    wanted += [pl.col("user_id") == user_id] if user_id is not None else []
    wanted += [pl.col("item_id") == item_id] if item_id is not None else []
    found = evidence(folder.aspect_mentions.filter(*wanted), folder.reviews, folder.split)
    if user_id is not None or not folder.has(layout.OTHER_MENTIONS):
        return found
    others = folder.mentions_of_others.filter(*wanted)
    said = evidence(others, folder.table(layout.OTHER_REVIEWS), folder.split)
    return pl.concat([found, said.with_columns(pl.lit(OTHERS).alias("part"))])
