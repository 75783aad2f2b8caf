"""Reviews → mentions → X and Y."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from counterec.core.space import AspectSpace, MentionNumbers, Vocabulary
from counterec.data import tables
from counterec.data.readers import Tally, read_item_names
from counterec.errors import EmptyDataError
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.files import write_json
from counterec.pipeline.mention_extraction import TEXTS_AT_ONCE, chosen_extractor, extracted, fitted
from counterec.pipeline.processes import workers
from counterec.synthetic import reviews as synthetic_reviews
from counterec.synthetic.matrices import synthetic_world


def extract_stage(config: RunConfig, processes: int = 1) -> Stage:
    """Reviews → mentions; what the extractor learns, it learns from the training part alone."""

    def work(context: StageContext) -> None:
        reviews, split = (
            context.path(serialization.REVIEWS),
            serialization.read_table(context.path(serialization.SPLIT)),
        )
        total = pl.scan_parquet(reviews).select(pl.len()).collect().item()
        context.reporter.total(total, "reviews")
        training = split.filter(pl.col("part") == "train")
        chosen = chosen_extractor(aspects.extractor, aspects.words, aspects.near_synonyms)
        with workers(processes) as share:
            extractor = fitted(chosen, lambda: _batches(reviews, total, training), share)
            found = extracted(extractor, lambda: _batches(reviews, total), context.reporter.advance, share)
            mentions = pl.concat([tables.empty(tables.MENTIONS), *found])
        if not len(mentions):
            raise EmptyDataError("no opinion on any aspect was found in the texts; are they reviews in English?")
        serialization.write_table(mentions, context.new(serialization.MENTIONS))
        write_json(context.new(serialization.LEARNED), extractor.learned())
        context.counts |= {"mentions": len(mentions), "aspects": mentions["aspect"].n_unique()}

    aspects = config.aspects
    inputs, outputs = (serialization.REVIEWS, serialization.SPLIT), (serialization.MENTIONS, serialization.LEARNED)
    words = (aspects.words,) if aspects.words else ()
    settings = [aspects.extractor, aspects.near_synonyms]
    return Stage("extract", inputs, outputs, settings, work, sources=words)


def _batches(reviews: Path, total: int, chosen: pl.DataFrame | None = None) -> Iterator[pl.DataFrame]:
    """Read the reviews, or the chosen ones among them, a batch at a time: so the text in memory stays bounded."""
    for start in range(0, total, TEXTS_AT_ONCE):
        batch = pl.scan_parquet(reviews).slice(start, TEXTS_AT_ONCE).collect()
        yield batch if chosen is None else batch.join(chosen, on=["user_id", "item_id"], how="semi")


def build_stage(config: RunConfig) -> Stage:
    """Mentions of the training part → X and Y (Eq. 1), over every user and item there is."""
    data, aspects = config.data, config.aspects
    names_from = (data.items,) if data.items else ()

    def work(context: StageContext) -> None:
        split = serialization.read_table(context.path(serialization.SPLIT))
        mentions = serialization.read_table(
            context.path(serialization.MENTIONS), ["user_id", "item_id", "aspect", "sentiment"]
        )
        training = mentions.join(split.filter(pl.col("part") == "train"), on=["user_id", "item_id"], how="semi")
        users, items = Vocabulary.of("user", split["user_id"]), Vocabulary.of("item", split["item_id"])
        kept = _kept_aspects(training, aspects.min_mentions)
        training = training.filter(pl.col("aspect").is_in(list(kept.texts)))
        numbers = MentionNumbers(
            users.numbers(training["user_id"]),
            items.numbers(training["item_id"]),
            kept.numbers(training["aspect"]),
            training["sentiment"].to_numpy(),
        )
        space = AspectSpace.from_mentions(users, items, kept, numbers, aspects.ceiling)
        names = _item_names(config, context)
        serialization.save_space(
            space, names, context.new(serialization.ASPECTS), context.new(serialization.VOCABULARY)
        )
        named = len(names.keys() & set(items.texts))
        if data.items and not named:
            context.warn(
                f"{data.items} names none of the {len(items):,} items: its ids are others, such as {min(names)!r}"
            )
        context.counts |= {
            "users": len(users),
            "items": len(items),
            "reviews": len(split),
            "aspects": len(kept),
            "density": len(split) / (len(users) * len(items)),
            "training_mentions": len(training),
            "items_named": named,
            "items_without_aspects": int((space.item_quality == 0).all(axis=1).sum()),
            "users_without_aspects": int((space.user_attention == 0).all(axis=1).sum()),
        }

    settings = [aspects.min_mentions, aspects.ceiling, data.world and config.seed]
    inputs, outputs = (serialization.SPLIT, serialization.MENTIONS), (serialization.ASPECTS, serialization.VOCABULARY)
    return Stage("build", inputs, outputs, settings, work, sources=names_from)


def _kept_aspects(training: pl.DataFrame, least: int) -> Vocabulary:
    counts = training["aspect"].value_counts(sort=True)
    kept = counts.filter(pl.col("count") >= least)
    if not len(kept):
        most = f"the most frequent has {counts['count'][0]}" if len(counts) else "it has none at all"
        raise EmptyDataError(
            f"no aspect has {least} mentions in the training part ({most}); lower --min-aspect-mentions {least}"
        )
    return Vocabulary.of("aspect", kept["aspect"])


def _item_names(config: RunConfig, context: StageContext) -> dict[str, str]:
    if config.data.world:
        return synthetic_reviews.item_names(synthetic_world(config.data.world, config.seed), config.seed)
    if config.data.items is None:
        return {}
    tally = Tally()
    names = read_item_names(config.data.items, tally)
    for warning in tally.warnings():
        context.warn(warning)
    return names
