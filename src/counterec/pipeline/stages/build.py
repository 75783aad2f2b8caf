"""Mentions of the training part → X and Y (Eq. 1), over all users and items.

Where nothing is held out, all reviews are the training part of the final model. Settings are then chosen with X and Y
that do not know the validation part, in a file of their own.
"""

from __future__ import annotations

import polars as pl

from counterec.core.space import AspectSpace, MentionNumbers, Vocabulary
from counterec.data.readers import Tally, read_item_names
from counterec.errors import EmptyDataError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig, world_seed
from counterec.pipeline.serialization import save_space, save_tensors, space_arrays
from counterec.pipeline.stage import Stage, StageContext
from counterec.synthetic.matrices import synthetic_world
from counterec.synthetic.reviews import item_names

TRAINING = ("train",)
EVERYTHING = ("train", "validation")
"""The parts that there are where nothing is held out."""


def build_stage(config: RunConfig) -> Stage:
    """Mentions → the aspect space."""
    return Stage(
        name="build",
        config=config,
        settings=("split", "aspects.min_mentions", "aspects.ceiling", "data.world", *world_seed(config)),
        inputs=(layout.SPLIT, layout.MENTIONS),
        outputs=(
            layout.ASPECTS,
            layout.VOCABULARY,
            *layout.choosing_files(config.split.held_out, config.split.validation),
        ),
        code=("counterec.core.space", "counterec.data", "counterec.synthetic"),
        work=_build,
        sources=(config.data.items,) if config.data.items else (),
    )


def _build(context: StageContext) -> None:
    split, config = context.folder.split, context.config
    mentions = context.folder.table(layout.MENTIONS, ["user_id", "item_id", "aspect", "sentiment"])
    training = _of_parts(mentions, split, TRAINING if config.split.held_out else EVERYTHING)
    users, items = Vocabulary.of("user", split["user_id"]), Vocabulary.of("item", split["item_id"])
    kept = _kept_aspects(training, config.aspects.min_mentions)
    training = training.filter(pl.col("aspect").is_in(list(kept.texts)))

    def space_of(known: pl.DataFrame) -> AspectSpace:
        numbers = MentionNumbers(
            users.numbers(known["user_id"]),
            items.numbers(known["item_id"]),
            kept.numbers(known["aspect"]),
            known["sentiment"].to_numpy(),
        )
        return AspectSpace.from_mentions(users, items, kept, numbers, config.aspects.ceiling)

    space, names = space_of(training), _item_names(context)
    save_space(space, names, context.new(layout.ASPECTS), context.new(layout.VOCABULARY))
    for file in layout.choosing_files(config.split.held_out, config.split.validation):
        save_tensors(space_arrays(space_of(_of_parts(training, split, TRAINING))), context.new(file))
    context.counts |= {
        "users": len(users),
        "items": len(items),
        "reviews": len(split),
        "aspects": len(kept),
        "density": len(split) / (len(users) * len(items)),
        "training_mentions": len(training),
        "items_named": _named(context, names, items),
        "items_without_aspects": int((space.item_quality == 0).all(axis=1).sum()),
        "users_without_aspects": int((space.user_attention == 0).all(axis=1).sum()),
    }


def _of_parts(mentions: pl.DataFrame, split: pl.DataFrame, parts: tuple[str, ...]) -> pl.DataFrame:
    """The mentions of reviews of these parts."""
    return mentions.join(split.filter(pl.col("part").is_in(parts)), on=["user_id", "item_id"], how="semi")


def _kept_aspects(training: pl.DataFrame, least: int) -> Vocabulary:
    counts = training["aspect"].value_counts(sort=True)
    kept = counts.filter(pl.col("count") >= least)
    if not len(kept):
        most = f"the most frequent has {counts['count'][0]}" if len(counts) else "it has none at all"
        raise EmptyDataError(
            f"no aspect has {least} mentions in the training part ({most}); lower --min-aspect-mentions {least}"
        )
    return Vocabulary.of("aspect", kept["aspect"])


def _item_names(context: StageContext) -> dict[str, str]:
    config = context.config
    if config.data.world:
        return item_names(synthetic_world(config.data.world, config.seed), config.seed)
    if not context.stage.sources:
        return {}
    tally = Tally()
    names = read_item_names(context.stage.sources[0], tally)
    for warning in tally.warnings():
        context.warn(warning)
    return names


def _named(context: StageContext, names: dict[str, str], items: Vocabulary) -> int:
    """How many items have a name; a file of names that fits none of them is worth a warning."""
    named = len(names.keys() & set(items.texts))
    for file in context.stage.sources if not named else ():
        context.warn(f"{file} names none of the {len(items):,} items: its ids are others, such as {min(names)!r}")
    return named
