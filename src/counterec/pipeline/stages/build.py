"""Mentions of the training part → the aspects people use most, and X and Y over all users and items.

Where nothing is held out, all reviews make X and Y of the final model. Aspects and settings are then chosen without the
validation part, with X and Y that do not know it, in a file of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl

from counterec.core.interactions import Interactions
from counterec.core.space import AspectSpace, QualityRule
from counterec.core.vocabulary import Vocabulary
from counterec.data.problems import Tally
from counterec.data.readers import read_item_names
from counterec.extraction.protocol import load_aspect_words
from counterec.extraction.vocabulary import AspectNames
from counterec.pipeline import layout
from counterec.pipeline.aspect_choice import COLUMNS, PAIR, Learned, counted_once, rank_aspects, renamed
from counterec.pipeline.config import RunConfig, world_seed
from counterec.pipeline.serialization import save_space, save_tensors, space_arrays
from counterec.pipeline.space_building import built_space
from counterec.pipeline.space_choice import RULES, SIZES, SpaceChoice, choose_space
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.read import mentions_given
from counterec.synthetic.reviews import item_names
from counterec.synthetic.world import synthetic_world

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
            *layout.choosing_files(config.split.held_out, config.split.validation),
        ),
        code=("counterec.core", "counterec.data", "counterec.extraction", *_CODE, "counterec.synthetic"),
        work=partial(_build, files=_Files(config.data.items, config.aspects.words, mentions_given(config))),
        sources=tuple(path for path in (config.data.items, config.aspects.words) if path),
    )


_SETTINGS = (
    "aspects.min_mentions",
    "aspects.most",
    "aspects.most_per_review",
    "aspects.quality",
    "aspects.everybody",
    "aspects.ceiling",
)
_CODE = (
    "counterec.pipeline.aspect_choice",
    "counterec.pipeline.space_building",
    "counterec.pipeline.space_choice",
    "counterec.pipeline.weight_choice",
)


class _Files(NamedTuple):
    """The files beside the run folder that a build reads, and whether the sources hold mentions."""

    items: Path | None
    words: Path | None
    mentions_given: bool

    @property
    def own_aspects(self) -> frozenset[str]:
        """The aspects that the user's own words list; empty if they list none."""
        return load_aspect_words(self.words).aspects if self.words else frozenset()


def _build(context: StageContext, files: _Files) -> None:
    folder, aspects, kept_back = context.folder, context.config.aspects, context.config.split
    split, item_names = folder.split, _item_names(context, files.items)
    found = folder.table(layout.MENTIONS, COLUMNS)
    training, everything = (_of_parts(found, split, parts) for parts in (TRAINING, EVERYTHING))
    others = folder.table(layout.OTHER_MENTIONS, COLUMNS) if aspects.everybody else training.clear()
    names = _rank_aspects(context, training, others, as_given=files.mentions_given or bool(files.own_aspects))
    training, everything, others = (
        counted_once(renamed(mentions, names.counted_as), aspects.most_per_review or None)
        for mentions in (training, everything, others)
    )

    def make(size: int, rule: QualityRule) -> AspectSpace:
        vocabulary = Vocabulary("aspect", names.most_used(size))
        return built_space(split, training, others, vocabulary, aspects, rule)

    choice = _choose(context, names, make, all_of_them=bool(files.own_aspects))
    vocabulary = Vocabulary("aspect", names.most_used(choice.size))
    known_to_all = training if kept_back.held_out else everything
    space = built_space(split, known_to_all, others, vocabulary, aspects, choice.rule)
    merged = names.counted_as_kept(vocabulary.texts)
    save_space(space, item_names, context.new(layout.ASPECTS), context.new(layout.VOCABULARY), merged)
    for file in layout.choosing_files(kept_back.held_out, kept_back.validation):
        save_tensors(space_arrays(make(choice.size, choice.rule)), context.new(file))
    context.counts |= {
        "users": len(space.users),
        "items": len(space.items),
        "reviews": len(split),
        "aspects": len(space.aspects),
        "aspects_by_use": list(names.ranked[: choice.size]),
        "quality": choice.rule,
        "spaces_tried": list(choice.tried),
        "density": len(split) / (len(space.users) * len(space.items)),
        "training_mentions": int(known_to_all["aspect"].is_in(list(space.aspects.texts)).sum()),
        "mentions_of_others": int(others["aspect"].is_in(list(space.aspects.texts)).sum()),
        "names_merged": len(merged),
        "items_named": _named(context, files.items, item_names, space.items),
        "items_without_aspects": int((space.item_quality == 0).all(axis=1).sum()),
        "users_without_aspects": int((space.user_attention == 0).all(axis=1).sum()),
    }


def _of_parts(mentions: pl.DataFrame, split: pl.DataFrame, parts: tuple[str, ...]) -> pl.DataFrame:
    """Return the mentions of reviews of these parts."""
    return mentions.join(split.filter(pl.col("part").is_in(parts)), on=PAIR, how="semi", maintain_order="left")


def _rank_aspects(
    context: StageContext, training: pl.DataFrame, others: pl.DataFrame, *, as_given: bool
) -> AspectNames:
    """Rank the aspects of the training part; names that the user brought stay as they are."""
    folder = context.folder
    learned = Learned(training, pl.scan_parquet(folder.file(layout.REVIEWS)))
    of_others = None
    if len(others):
        of_others = Learned(others, pl.scan_parquet(folder.file(layout.OTHER_REVIEWS)))
    return rank_aspects(learned, of_others, context.config.aspects.min_mentions, as_given=as_given)


def _choose(
    context: StageContext, names: AspectNames, make: Callable[[int, QualityRule], AspectSpace], *, all_of_them: bool
) -> SpaceChoice:
    """Choose the number of aspects and the rule of their values where the settings leave them open."""
    aspects, most = context.config.aspects, len(names.ranked)
    sizes = [min(size, most) for size in ((aspects.most,) if aspects.most else SIZES)]
    sizes = [most] if all_of_them else sorted(set(sizes))
    rules = RULES if aspects.quality == "auto" else (aspects.quality,)
    context.reporter.total(len(sizes) + len(rules) - 1, "vocabularies")
    train, validation = (_interactions(context.folder.split, part) for part in ("train", "validation"))
    return choose_space(make, sizes, rules, train, validation, context.reporter.advance)


def _interactions(split: pl.DataFrame, part: str) -> Interactions:
    users, items = Vocabulary.of("user", split["user_id"]), Vocabulary.of("item", split["item_id"])
    own = split.filter(pl.col("part") == part)
    return Interactions(users.numbers(own["user_id"]), items.numbers(own["item_id"]), len(users), len(items))


def _item_names(context: StageContext, file: Path | None) -> dict[str, str]:
    config = context.config
    if config.data.world:
        return item_names(synthetic_world(config.data.world, config.seed), config.seed)
    if file is None:
        return {}
    tally = Tally()
    names = read_item_names(file, tally)
    for warning in tally.warnings():
        context.warn(warning)
    return names


def _named(context: StageContext, file: Path | None, names: dict[str, str], items: Vocabulary) -> int:
    """How many items have a name; a file of names that fits none of them is worth a warning."""
    named = len(names.keys() & set(items.texts))
    if file is not None and not named:
        context.warn(f"{file} names none of the {len(items):,} items: its ids are others, such as {min(names)!r}")
    return named
