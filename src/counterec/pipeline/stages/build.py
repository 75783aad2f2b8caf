"""Mentions of the training part → the aspects people use most, and X and Y over all users and items.

Where nothing is held out, all reviews make X and Y of the final model. Aspects and settings are then chosen without the
validation part, with X and Y that do not know it, in a file of their own.

The number of aspects, and the rule by which opinions become values, are chosen. Each size and rule gives an aspect
space. A small hybrid is trained on it and judged as ``hybrid_model`` judges weights: by NDCG on the validation part
first, then by short reasons. Nothing here depends on the seed, the model or the lists of a run, so every run on the
same data has the same aspects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector
from counterec.core.interactions import Interactions
from counterec.core.mention_counts import ItemMentions, MentionNumbers
from counterec.core.scorers.ease import KEPT, fit_chosen
from counterec.core.scorers.settings import VALIDATION_CUTOFF, VALIDATION_USERS, HybridSettings, TrainingSettings
from counterec.core.scorers.training import net_seeds, train_several
from counterec.core.scorers.validation import CatalogueValidation
from counterec.core.space import AspectSpace, QualityRule
from counterec.core.vocabulary import Vocabulary
from counterec.data.problems import Tally
from counterec.data.readers import read_item_names
from counterec.extraction.protocol import load_aspect_words
from counterec.extraction.vocabulary import AspectNames
from counterec.pipeline import layout
from counterec.pipeline.aspect_choice import COLUMNS, PAIR, Learned, counted_once, rank_aspects, renamed
from counterec.pipeline.config import AspectsConfig, RunConfig, world_seed
from counterec.pipeline.files import save_space, save_tensors, space_arrays
from counterec.pipeline.hybrid_model import TriedWeight, WeightedModel, average_nets, try_weights
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.read import mentions_given
from counterec.randomness import generator
from counterec.synthetic.reviews import item_names
from counterec.synthetic.world import synthetic_world

TRAINING_PART = ("train",)
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
        code=(
            *("counterec.core", "counterec.data", "counterec.extraction", "counterec.synthetic"),
            *("counterec.pipeline.hybrid_model", "counterec.pipeline.net_model"),
        ),
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
    training, everything = (_of_parts(found, split, parts) for parts in (TRAINING_PART, EVERYTHING))
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


def built_space(
    split: pl.DataFrame,
    training: pl.DataFrame,
    others: pl.DataFrame,
    aspects: Vocabulary,
    settings: AspectsConfig,
    rule: QualityRule,
) -> AspectSpace:
    """Build X and Y over all users and items of the split; mentions by other people count for Y.

    Shares of praise go with attention relative to what everybody mentions: both tell items apart on dense data.
    """
    users, items = Vocabulary.of("user", split["user_id"]), Vocabulary.of("item", split["item_id"])
    known = pl.col("aspect").is_in(list(aspects.texts))
    training = training.filter(known)
    numbers = MentionNumbers(
        users.numbers(training["user_id"]),
        items.numbers(training["item_id"]),
        aspects.numbers(training["aspect"]),
        training["sentiment"].to_numpy(),
    )
    return AspectSpace.from_mentions(
        users,
        items,
        aspects,
        numbers,
        settings.ceiling,
        quality_rule=rule,
        attention_rule="relative" if rule == "share" else "eq1",
        of_others=_of_others(others.filter(known), items, aspects) if settings.everybody else None,
    )


def _of_others(mentions: pl.DataFrame, items: Vocabulary, aspects: Vocabulary) -> ItemMentions:
    """The mentions of the catalogue's items by people who are not among the users."""
    known = mentions.filter(pl.col("item_id").is_in(list(items.texts)))
    return ItemMentions(
        items.numbers(known["item_id"]), aspects.numbers(known["aspect"]), known["sentiment"].to_numpy()
    )


SIZES = (20, 40, 80)
"""Numbers of aspects to choose from."""
USUAL_SIZE = 40
"""The number of aspects without a validation part to choose it on."""
RULES: tuple[QualityRule, ...] = ("eq1", "share")
"""Rules to choose from; the first one is used without a validation part."""

CHOOSING_NETS = 2
"""Nets that judge a space."""
CHOOSING_TRAINING = TrainingSettings(patience=5)
"""How these nets are trained, whatever the settings of the run."""
MOST_INTERACTIONS = 25_000
"""With more training interactions, those of some users are enough to choose by."""
CHOOSING_LIST = 5
"""Length of the lists whose short reasons are counted."""
CHOOSING_HYBRID = HybridSettings()
CHOOSING_SEED = 0


@dataclass(frozen=True)
class SpaceChoice:
    """The chosen size and rule, and what was tried."""

    size: int
    rule: QualityRule
    tried: tuple[dict[str, Any], ...] = ()
    """One entry per space and weight, as plain values."""


def choose_space(
    make: Callable[[int, QualityRule], AspectSpace],
    sizes: Sequence[int],
    rules: Sequence[QualityRule],
    train: Interactions,
    validation: Interactions,
    advance: Callable[[int], None] = lambda _: None,
) -> SpaceChoice:
    """Choose among these sizes by the first rule, then among the rules with the chosen size.

    Without a validation part, or with nothing to choose, the usual size and the first rule are returned. ``advance`` is
    called after each space that was tried.
    """
    usual = min(sizes, key=lambda size: abs(size - USUAL_SIZE))
    part = _sample_users(train, MOST_INTERACTIONS)
    held_back = _interactions_of(validation, np.unique(part.users))
    if len(sizes) * len(rules) == 1 or not len(held_back):
        return SpaceChoice(usual, rules[0])
    judge = _Judge(make, part, held_back, advance)
    for size in sizes:
        judge.add(size, rules[0])
    for rule in rules[1:]:
        judge.add(judge.best()[0], rule)
    return SpaceChoice(*judge.best(), judge.table())


class _Judge:
    """Aspect spaces and the weighted models that were trained on them."""

    def __init__(
        self,
        make: Callable[[int, QualityRule], AspectSpace],
        train: Interactions,
        validation: Interactions,
        advance: Callable[[int], None],
    ) -> None:
        self._make, self._train, self._validation, self._advance = make, train, validation, advance
        self._check = CatalogueValidation(train, validation, VALIDATION_USERS, VALIDATION_CUTOFF)
        self._related = fit_chosen(train, self._check, kept=KEPT[:1]).related
        self._spaces: list[tuple[int, QualityRule]] = []
        self._models: list[WeightedModel] = []
        self._tried: list[TriedWeight] = []

    def add(self, size: int, rule: QualityRule) -> None:
        """Train nets on one more space."""
        space = self._make(size, rule)
        nets = train_several(
            space, self._train, self._validation, CHOOSING_TRAINING, net_seeds(CHOOSING_SEED, CHOOSING_NETS)
        )
        aspects, users = average_nets(nets), self._check.users
        self._spaces.append((size, rule))
        self._models.append(WeightedModel(aspects, self._related, space, self._train, self._check, users))
        self._advance(1)

    def best(self) -> tuple[int, QualityRule]:
        """Judge all spaces so far together; return the size and the rule of the best."""
        self._tried, best = try_weights(self._models, CHOOSING_HYBRID.weights, CHOOSING_LIST)
        return self._spaces[best.model]

    def table(self) -> tuple[dict[str, Any], ...]:
        """Return what was tried when the best was last asked for."""
        return tuple(
            {"aspects": self._spaces[one.model][0], "rule": self._spaces[one.model][1], **one.record()}
            for one in self._tried
        )


def _sample_users(interactions: Interactions, most: int) -> Interactions:
    """Return all interactions of some users: as many users as have at most ``most`` together, and at least one."""
    if len(interactions) <= most:
        return interactions
    users, counts = np.unique(interactions.users, return_counts=True)
    order = generator(CHOOSING_SEED, "users of the space choice").permutation(len(users))
    fitting = max(1, int(np.searchsorted(np.cumsum(counts[order]), most, side="right")))
    return _interactions_of(interactions, users[order[:fitting]])


def _interactions_of(interactions: Interactions, users: IntVector) -> Interactions:
    kept = np.isin(interactions.users, users)
    return Interactions(interactions.users[kept], interactions.items[kept], interactions.n_users, interactions.n_items)
