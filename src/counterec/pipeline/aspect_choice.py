"""From the mentions that were found to those that count: by chosen names, each aspect once a sentence.

What is learned comes from reviews that nothing is measured on: the training part, and reviews of people who are not
among the users where these are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector
from counterec.core.vocabulary import Vocabulary
from counterec.errors import EmptyDataError
from counterec.extraction.vocabulary.carrying import carried
from counterec.extraction.vocabulary.choice import CARRIES_LITTLE, Corpus, NameChoice, choose_names
from counterec.extraction.vocabulary.contexts import MentionContext

LEAST_MENTIONS = 2
"""Names that are found less often are not looked at: they are too rare to be kept or to be merged."""
MOST_REVIEWS = 10_000
"""Of more reviews, this many, evenly spread, show how names are used; the rules were set with about as many."""

COLUMNS = ["user_id", "item_id", "aspect", "opinion", "sentiment", "review", "sentence", "start", "end"]
COLUMNS += ["sentence_start", "sentence_end"]
PAIR = ["user_id", "item_id"]


@dataclass(frozen=True)
class Learned:
    """Reviews and the mentions found in them, to learn names from; ``review`` of a mention is a row of the reviews."""

    mentions: pl.DataFrame
    reviews: pl.LazyFrame


def chosen_names(sources: list[Learned], item_names: Mapping[str, str], *, merge: bool, leave_out: bool) -> NameChoice:
    """Which names are merged and which are no aspects, by these reviews."""
    if not merge and not leave_out:
        return NameChoice()
    total = sum(source.mentions["review"].n_unique() for source in sources)
    step = max(1, -(-total // MOST_REVIEWS))
    read = [_read(source, step) for source in sources]
    counts = pl.concat([source.mentions.select("aspect") for source in read])["aspect"].value_counts()
    often = counts.filter(pl.col("count") >= LEAST_MENTIONS).sort("aspect")
    corpus = Corpus(
        dict(zip(often["aspect"], often["count"], strict=True)),
        (row for source in read for row in source.texts.select("item_id", "text").iter_rows()),
        (context for number, source in enumerate(read) for context in _contexts(source, number, often["aspect"])),
        item_names,
    )
    return choose_names(corpus, merge=merge, leave_out=leave_out)


class _Read(NamedTuple):
    """Some reviews of a source, by number, item and text, and the mentions found in them."""

    texts: pl.DataFrame
    mentions: pl.DataFrame


def _read(source: Learned, step: int) -> _Read:
    """One of every ``step`` reviews that have mentions; where mentions were brought without texts, all mentions."""
    numbers = source.mentions["review"].drop_nulls().unique().sort()
    chosen = numbers.gather_every(step).to_frame("review").lazy()
    table = source.reviews.with_row_index("review").with_columns(pl.col("review").cast(pl.Int64))
    texts = table.join(chosen, on="review", how="semi").drop_nulls("text").select("review", "item_id", "text").collect()
    known = source.mentions.join(texts, on="review", how="semi", maintain_order="left")
    return _Read(texts, known if len(texts) else source.mentions)


def _contexts(source: _Read, number: int, names: pl.Series) -> Iterator[MentionContext]:
    """Yield mentions of these names with the text around them; the number tells sources apart."""
    columns = ["aspect", "opinion", "text", "start", "end", "sentence_start", "sentence_end", "review", "sentence"]
    known = source.mentions.filter(pl.col("aspect").is_in(names.to_list()))
    rows = known.join(source.texts.select("review", "text"), on="review").sort("review", "start", "aspect")
    for name, opinion, text, start, end, first, last, review, sentence in rows.select(columns).iter_rows():
        yield MentionContext(name, opinion or "", text[first:start], text[end:last], (number, review, sentence))


def counted_once(mentions: pl.DataFrame, most: int | None) -> pl.DataFrame:
    """One row per aspect and sentence, at most so many per aspect and review: user, item, aspect, sentiment.

    Of several opinions in one sentence the majority counts and, if there is none, the last. Mentions that were brought
    without sentences count one by one.
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


def kept_aspects(training: pl.DataFrame, choice: NameChoice, least: int, most: int | None) -> NameChoice:
    """The choice, with aspects that are too rare left out, and all but those that carry most.

    ``training`` are the counted mentions of the training part, by aspect.
    """
    counts = training["aspect"].value_counts(sort=True)
    possible = counts.filter(~pl.col("aspect").is_in(list(choice.left_out)))
    frequent = possible.filter(pl.col("count") >= least)["aspect"].sort()
    if not len(frequent):
        found = f"the most frequent has {possible['count'][0]}" if len(possible) else "it has none at all"
        raise EmptyDataError(
            f"no aspect has {least} mentions in the training part ({found}); lower --min-aspect-mentions {least}"
        )
    if most is None or len(frequent) <= most:
        return choice
    score = _carried(training, frequent)
    order = np.lexsort((np.arange(len(score)), -score))
    return choice.without([frequent[int(at)] for at in sorted(order[most:])], CARRIES_LITTLE)


def aspects_of(training: pl.DataFrame, choice: NameChoice, least: int) -> Vocabulary:
    """The aspects that are not left out and that the training part mentions often enough."""
    counts = training["aspect"].value_counts().filter(~pl.col("aspect").is_in(list(choice.left_out)))
    return Vocabulary.of("aspect", counts.filter(pl.col("count") >= least)["aspect"])


def _carried(training: pl.DataFrame, aspects: pl.Series) -> np.ndarray:
    """How much each of these aspects carries, in their order."""
    said = training.unique([*PAIR, "aspect"]).filter(pl.col("aspect").is_in(aspects.to_list())).sort(*PAIR, "aspect")
    reviews = training.select(PAIR).unique().sort(PAIR)
    users, of_user = _numbers(reviews["user_id"], said["user_id"])
    items, of_item = _numbers(reviews["item_id"], said["item_id"])
    numbers = np.searchsorted(aspects.to_numpy().astype(str), said["aspect"].to_numpy().astype(str))
    return carried(numbers, of_user, of_item, users, items)


def _numbers(all_ids: pl.Series, some: pl.Series) -> tuple[IntVector, IntVector]:
    """How often each id occurs, in sorted order, and the numbers of some of them."""
    known, counts = np.unique(all_ids.to_numpy().astype(str), return_counts=True)
    return counts, np.searchsorted(known, some.to_numpy().astype(str))
