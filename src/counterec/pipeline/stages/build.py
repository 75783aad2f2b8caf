"""Mentions of the training part → the aspects that carry most, and X and Y over all users and items.

Where nothing is held out, all reviews make X and Y of the final model. Aspects and settings are then chosen without the
validation part, with X and Y that do not know it, in a file of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from counterec.core.space import AspectSpace, AttentionRule, QualityRule
from counterec.core.vocabulary import Vocabulary
from counterec.data.readers import Tally, read_item_categories, read_item_names
from counterec.pipeline import layout
from counterec.pipeline.aspect_choice import (
    COLUMNS,
    PAIR,
    Learned,
    aspects_of,
    chosen_names,
    counted_once,
    kept_aspects,
)
from counterec.pipeline.aspect_names import renamed
from counterec.pipeline.config import RunConfig, world_seed
from counterec.pipeline.files import write_json
from counterec.pipeline.saturation import SATURATED, WELL_REVIEWED, rules_of, share_at_the_top, top_of
from counterec.pipeline.serialization import save_space, save_tensors, space_arrays
from counterec.pipeline.space_building import built_space
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
        settings=("split", *_SETTINGS, "data.world", *world_seed(config)),
        inputs=(
            layout.SPLIT,
            layout.REVIEWS,
            layout.MENTIONS,
            *layout.other_files(config.aspects.everybody, layout.OTHER_REVIEWS, layout.OTHER_MENTIONS),
        ),
        outputs=(
            layout.ASPECTS,
            layout.VOCABULARY,
            layout.LEFT_OUT,
            *layout.choosing_files(config.split.held_out, config.split.validation),
        ),
        code=(
            "counterec.core.space",
            "counterec.data",
            "counterec.extraction",
            "counterec.pipeline.aspect_choice",
            "counterec.pipeline.aspect_names",
            "counterec.pipeline.saturation",
            "counterec.pipeline.space_building",
            "counterec.synthetic",
        ),
        work=_build,
        sources=(config.data.items,) if config.data.items else (),
    )


_SETTINGS = (
    "aspects.min_mentions",
    "aspects.most",
    "aspects.merge",
    "aspects.leave_out",
    "aspects.most_per_review",
    "aspects.quality",
    "aspects.attention",
    "aspects.everybody",
    "aspects.ceiling",
)


def _build(context: StageContext) -> None:
    folder, aspects, kept_back = context.folder, context.config.aspects, context.config.split
    split, names = folder.split, _item_names(context)
    found = folder.table(layout.MENTIONS, COLUMNS)
    training, everything = (_of_parts(found, split, parts) for parts in (TRAINING, EVERYTHING))
    others = folder.table(layout.OTHER_MENTIONS, COLUMNS) if aspects.everybody else training.clear()
    known = _names_and_categories(context, names)
    learned = _learned_from(context, training, others)
    choice = chosen_names(learned, known, merge=aspects.merge, leave_out=aspects.leave_out)
    most_per_review = aspects.most_per_review or None
    training, everything, others = (
        counted_once(renamed(mentions, choice.merged), most_per_review) for mentions in (training, everything, others)
    )
    choice = kept_aspects(training, choice, aspects.min_mentions, aspects.most or None)
    vocabulary = aspects_of(training, choice, aspects.min_mentions)
    known_to_all = training if kept_back.held_out else everything
    rules = _rules(context, built_space(split, training, others, vocabulary, aspects, ("eq1", "eq1")))
    space = built_space(split, known_to_all, others, vocabulary, aspects, rules)
    merged = {name: aspect for name, aspect in choice.merged.items() if aspect in space.aspects}
    save_space(space, names, context.new(layout.ASPECTS), context.new(layout.VOCABULARY), merged)
    for file in layout.choosing_files(kept_back.held_out, kept_back.validation):
        save_tensors(space_arrays(built_space(split, training, others, vocabulary, aspects, rules)), context.new(file))
    left_out = _by_reason(choice.left_out)
    write_json(context.new(layout.LEFT_OUT), left_out)
    context.counts |= {
        "users": len(space.users),
        "items": len(space.items),
        "reviews": len(split),
        "aspects": len(space.aspects),
        "density": len(split) / (len(space.users) * len(space.items)),
        "training_mentions": int(known_to_all["aspect"].is_in(list(space.aspects.texts)).sum()),
        "mentions_of_others": int(others["aspect"].is_in(list(space.aspects.texts)).sum()),
        "names_merged": len(merged),
        "names_left_out": {reason: len(some) for reason, some in left_out.items()},
        "items_named": _named(context, names, space.items),
        "items_without_aspects": int((space.item_quality == 0).all(axis=1).sum()),
        "users_without_aspects": int((space.user_attention == 0).all(axis=1).sum()),
    }


def _of_parts(mentions: pl.DataFrame, split: pl.DataFrame, parts: tuple[str, ...]) -> pl.DataFrame:
    """The mentions of reviews of these parts."""
    return mentions.join(split.filter(pl.col("part").is_in(parts)), on=PAIR, how="semi", maintain_order="left")


def _learned_from(context: StageContext, training: pl.DataFrame, others: pl.DataFrame) -> list[Learned]:
    """What names are learned from: the training part and, where they are kept, the reviews of other people."""
    sources = [Learned(training, pl.scan_parquet(context.folder.file(layout.REVIEWS)))]
    if len(others):
        sources.append(Learned(others, pl.scan_parquet(context.folder.file(layout.OTHER_REVIEWS))))
    return sources


def _by_reason(left_out: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, reason in sorted(left_out.items()):
        found.setdefault(reason, []).append(name)
    return found


def _rules(context: StageContext, by_eq1: AspectSpace) -> tuple[QualityRule, AttentionRule]:
    """The rules for Y and X; where Eq. 1 is asked for and saturates, a warning."""
    share, settings = share_at_the_top(by_eq1), context.config.aspects
    quality, attention = rules_of(settings, share)
    context.counts |= {"share_at_the_top": share, "quality": quality, "attention": attention}
    if share >= SATURATED and quality == "eq1":
        context.warn(
            f"{share:.0%} of the values of well-reviewed items (with {WELL_REVIEWED} opinions or more) are "
            f'{top_of(by_eq1):.2f} or more: Eq. 1 tells these items apart no more; try aspects.quality = "share"'
        )
    return quality, attention


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


def _names_and_categories(context: StageContext, names: Mapping[str, str]) -> dict[str, str]:
    """What is known about the kind of items, in words."""
    found = read_item_categories(context.stage.sources[0]) if context.stage.sources else {}
    return {item: f"{names.get(item, '')} {found.get(item, '')}" for item in {**names, **found}}


def _named(context: StageContext, names: dict[str, str], items: Vocabulary) -> int:
    """How many items have a name; a file of names that fits none of them is worth a warning."""
    named = len(names.keys() & set(items.texts))
    for file in context.stage.sources if not named else ():
        context.warn(f"{file} names none of the {len(items):,} items: its ids are others, such as {min(names)!r}")
    return named
