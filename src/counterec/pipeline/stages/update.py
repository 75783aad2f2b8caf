"""A run, and what its updates brought → X, Y and the model with it, without training again.

X and Y change for those whom a new review concerns. The model gets new numbers for its users and items, and is
otherwise the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from counterec.core.mention_counts import MentionNumbers
from counterec.core.space_growth import Renumbering, grown_space
from counterec.core.vocabulary import Vocabulary
from counterec.data import tables
from counterec.errors import UsageError
from counterec.pipeline import layout
from counterec.pipeline.aspect_choice import PAIR, counted_once, renamed
from counterec.pipeline.config import RunConfig
from counterec.pipeline.manifest import UPDATE
from counterec.pipeline.models import Arrays, model_kind
from counterec.pipeline.serialization import load_tensors, save_space, save_tensors, write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.without_history import WithoutHistory
from counterec.plugins import guarded


def update_stage(config: RunConfig, numbers: range) -> Stage:
    """The run, and what all its updates brought → X, Y and the model with it."""
    brought = (layout.REVIEWS, layout.MENTIONS, layout.ARRIVALS)
    changed = (layout.REVIEWS, layout.MENTIONS, layout.SPLIT, layout.ASPECTS, layout.VOCABULARY, layout.MODEL)
    return Stage(
        name=UPDATE,
        config=config,
        settings=("aspects.most_per_review", "model.kind"),
        inputs=(
            *changed,
            layout.MODEL_DESCRIPTION,
            *(layout.of_update(number, file) for number in numbers for file in brought),
        ),
        outputs=tuple(map(layout.updated_place, changed)),
        code=(
            "counterec.core.counted_attention",
            "counterec.core.space_growth",
            "counterec.data",
            "counterec.extraction",
            "counterec.pipeline.aspect_choice",
            "counterec.pipeline.without_history",
            *model_kind(config.model.kind).all_code,
        ),
        work=lambda context: _update(context, numbers),
    )


def _update(context: StageContext, numbers: range) -> None:
    folder, before = context.folder, context.folder.space
    pairs = pl.concat([folder.table(layout.of_update(number, layout.REVIEWS), PAIR) for number in numbers])
    arrivals = [folder.json(layout.of_update(number, layout.ARRIVALS)) for number in numbers]
    named = {kind: [text for one in arrivals for text in one[kind]] for kind in ("users", "items")}
    users = Vocabulary.of("user", [*before.users.texts, *pairs["user_id"], *named["users"]])
    items = Vocabulary.of("item", [*before.items.texts, *pairs["item_id"], *named["items"]])
    mentions = _new_mentions(context, numbers)
    space = grown_space(before, users, items, _numbered(context, mentions, users, items))
    arrived = {
        "users": [user for user in users.texts if user not in before.users],
        "items": [item for item in items.texts if item not in before.items],
    }
    names = {**{item: name for one in arrivals for item, name in one["item_names"].items()}, **folder.item_names}
    tensors, vocabulary = (context.new(layout.updated_place(file)) for file in (layout.ASPECTS, layout.VOCABULARY))
    save_space(space, names, tensors, vocabulary, folder.aspect_of_name, arrived)
    split = pl.concat([folder.split, pairs.with_columns(pl.lit("train").alias("part"))]).sort(PAIR)
    write_table(tables.checked(split, tables.SPLIT, "split"), context.new(layout.updated_place(layout.SPLIT)))
    texts = [folder.file(layout.REVIEWS), *(folder.file(layout.of_update(n, layout.REVIEWS)) for n in numbers)]
    write_table(pl.concat(map(pl.scan_parquet, texts)), context.new(layout.updated_place(layout.REVIEWS)))
    said = pl.concat([folder.table(layout.MENTIONS), mentions])
    write_table(said, context.new(layout.updated_place(layout.MENTIONS)))
    _renumber_model(context, Renumbering.between(before, users, items))
    unknown, trained = WithoutHistory.of(space, arrived), context.manifest.stages.get("fit")
    context.counts |= {
        "users": len(users),
        "items": len(items),
        "reviews": len(split),
        "aspects": len(space.aspects),
        "density": len(split) / (len(users) * len(items)),
        "updates": len(numbers),
        "reviews_added": len(pairs),
        "mentions_added": len(mentions),
        "users_added": len(arrived["users"]),
        "items_added": len(arrived["items"]),
        "users_without_history": len(unknown.users),
        "items_without_history": len(unknown.items),
        "trained": None if trained is None else trained.ended,
        "trained_on_reviews": len(folder.split),
    }


def _new_mentions(context: StageContext, numbers: range) -> pl.DataFrame:
    """The mentions of all updates; ``review`` counts the rows of the run's reviews and then those of each update."""
    folder, found = context.folder, [tables.empty(tables.MENTIONS)]
    first = _height(folder.file(layout.REVIEWS))
    for number in numbers:
        own = folder.table(layout.of_update(number, layout.MENTIONS))
        found.append(own.with_columns(pl.col("review") + first))
        first += _height(folder.file(layout.of_update(number, layout.REVIEWS)))
    return pl.concat(found)


def _height(path: Path) -> int:
    height: int = pl.scan_parquet(path).select(pl.len()).collect().item()
    return height


def _numbered(context: StageContext, mentions: pl.DataFrame, users: Vocabulary, items: Vocabulary) -> MentionNumbers:
    """The mentions that count, of aspects that the run has."""
    aspects = context.folder.space.aspects
    by_aspect = renamed(mentions, context.folder.aspect_of_name)
    counted = counted_once(by_aspect, context.config.aspects.most_per_review or None)
    kept = counted.filter(pl.col("aspect").is_in(list(aspects.texts)))
    return MentionNumbers(
        users.numbers(kept["user_id"]),
        items.numbers(kept["item_id"]),
        aspects.numbers(kept["aspect"]),
        kept["sentiment"].to_numpy(),
    )


def _renumber_model(context: StageContext, to: Renumbering) -> None:
    kind = model_kind(context.config.model.kind)
    arrays = load_tensors(context.folder.file(layout.MODEL))
    with guarded("model", kind.name):
        save_tensors(renumbered(context.config)(arrays, to), context.new(layout.updated_place(layout.MODEL)))


def renumbered(config: RunConfig) -> Callable[[Arrays, Renumbering], Arrays]:
    """How the run's model gets new numbers."""
    found = model_kind(config.model.kind).renumbered
    if found is None:
        raise UsageError(
            f"a model of kind {config.model.kind!r} does not say how it is used with more users and items: give its "
            "ModelKind a function renumbered, or run again on all reviews"
        )
    return found
