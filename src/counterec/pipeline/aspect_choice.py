"""From extracted mentions to the ones that count: ranked aspect names, each aspect once per sentence.

Names are learned from reviews that nothing is measured on: the training part, and reviews by people who are not among
the users.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import polars as pl

from counterec.core.arrays import row_chunks
from counterec.errors import EmptyDataError
from counterec.extraction.vocabulary import AspectNames, NameForms, rank_names
from counterec.extraction.words import base_noun

COLUMNS = ["user_id", "item_id", "aspect", "opinion", "sentiment", "review", "sentence", "start", "end"]
COLUMNS += ["sentence_start", "sentence_end"]
PAIR = ["user_id", "item_id"]

MOST_REVIEWS = 10_000
"""With more reviews, this many, evenly spaced, show how names are written."""
TEXT_BEFORE = 25
"""Characters before a mention that show which determiner it has."""
_WORDS = re.compile(r"[\w'-]+")

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


@dataclass(frozen=True)
class Learned:
    """Reviews and their mentions, to learn names from; ``review`` of a mention is a row number of the reviews."""

    mentions: pl.DataFrame
    reviews: pl.LazyFrame


def rank_aspects(training: Learned, others: Learned | None, least: int, *, as_given: bool) -> AspectNames:
    """Rank the names that the training part mentions at least ``least`` times.

    With ``as_given`` every name is an aspect: it comes from the user, and is neither merged nor renamed.
    """
    sources = [training, *([others] if others is not None and len(others.mentions) else [])]
    counts = Counter(training.mentions["aspect"].to_list())
    pairs = pl.concat([source.mentions.select(*PAIR, "aspect") for source in sources]).unique()
    forms = NameForms() if as_given else _read_forms(sources)
    names = rank_names(pairs.iter_rows(), counts, forms, least, as_given=as_given)
    if not names.ranked:
        top = max(counts.values(), default=0)
        found = f"the most frequent has {top}" if top else "it has none at all"
        raise EmptyDataError(
            f"no aspect has {least} mentions in the training part ({found}); lower aspects.min_mentions = {least}"
        )
    return names


def _read_forms(sources: Sequence[Learned]) -> NameForms:
    """Count how reviewers write each name, in a sample of the reviews."""
    total = sum(source.mentions["review"].n_unique() for source in sources)
    step = max(1, -(-total // MOST_REVIEWS))
    forms: Mapping[str, Counter[str]] = defaultdict(Counter)
    called_this: Counter[str] = Counter()
    for source in sources:
        for name, written, before in _written(source, step):
            head = (_WORDS.findall(written.lower()) or [""])[-1]
            if base_noun(head) != name.split()[-1]:
                continue  # a pronoun, or a verb that implies the name: "it works" is about performance
            forms[name][head] += 1
            if {"this", "these"} & set(_WORDS.findall(before.lower())[-2:]):
                called_this[name] += 1
    return NameForms(forms, called_this)


def _written(source: Learned, step: int) -> Iterator[tuple[str, str, str]]:
    """Yield each mention as its name, its own text and the text before it, from one of every ``step`` reviews."""
    numbers = source.mentions["review"].drop_nulls().unique().sort().gather_every(step)
    table = source.reviews.with_row_index("review").with_columns(pl.col("review").cast(pl.Int64))
    texts = table.join(numbers.to_frame("review").lazy(), on="review", how="semi").select("review", "text").collect()
    for rows in row_chunks(len(texts), 1_000):
        known = texts[rows].drop_nulls("text")
        mentions = source.mentions.join(known, on="review", maintain_order="left").drop_nulls(["start", "end"])
        for name, text, start, end in mentions.select("aspect", "text", "start", "end").iter_rows():
            yield name, text[start:end], text[max(0, start - TEXT_BEFORE) : start]


def renamed(mentions: Frame, counted_as: Mapping[str, str]) -> Frame:
    """Return the mentions, each under the aspect that its name counts as."""
    return mentions.with_columns(pl.col("aspect").replace(dict(counted_as))) if counted_as else mentions


def counted_once(mentions: pl.DataFrame, most: int | None) -> pl.DataFrame:
    """Return one row per aspect and sentence, at most ``most`` per aspect and review: user, item, aspect, sentiment.

    Several opinions in one sentence count as their majority, or as the last one if there is none. Mentions that were
    brought without sentences count one by one.
    """
    numbered = mentions.with_row_index("row").with_columns(
        pl.coalesce("sentence", -1 - pl.col("row").cast(pl.Int64)).alias("place")
    )
    total, last = pl.col("sentiment").cast(pl.Int64).sum(), pl.col("sentiment").last()
    once = (
        numbered.sort("row")
        .group_by(*PAIR, "aspect", "place", maintain_order=True)
        .agg(pl.when(total == 0).then(last).otherwise(total.sign()).cast(pl.Int8).alias("sentiment"))
        .drop("place")
    )
    return once if most is None else once.filter(pl.int_range(pl.len()).over(*PAIR, "aspect") < most)
