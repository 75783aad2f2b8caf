"""A run folder, read: every file as a typed value, verified against its checksum, read once and when first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl

from counterec.core.arrays import BoolVector
from counterec.core.candidates import Candidates, catalogue_candidates
from counterec.core.counted_attention import CountedAttention
from counterec.core.explainers.answer_row import UNREVIEWED
from counterec.core.explainers.history.past_reviews import PastReviews
from counterec.core.interactions import Interactions
from counterec.core.lists import Recommendations
from counterec.core.mention_counts import MentionNumbers
from counterec.core.space import AspectSpace
from counterec.data import tables
from counterec.errors import ConfigError, StoreError, UndeclaredInputError, UnknownIdError, UsageError
from counterec.pipeline import files, layout
from counterec.pipeline.aspect_choice import COLUMNS, PAIR, counted_once, renamed
from counterec.pipeline.config import RunConfig, check_config
from counterec.pipeline.explanation_tables import explanations_from
from counterec.pipeline.files import read_json
from counterec.pipeline.manifest import Manifest, statistics, verified_path
from counterec.references import guarded

if TYPE_CHECKING:
    from counterec.core.evaluation.necessity import Necessity
    from counterec.core.evaluation.quality import GroundTruth
    from counterec.core.explainers.answer import Explanations
    from counterec.core.scorers.base import Scorer

Sentiments = Literal["positive", "all"]
"""Which mentions of a held-out review are the ground truth: those that praise, as in the paper, or all of them."""


class RunFolder:
    """The files of a run folder as values.

    ``place`` says where a file lies by its plain name, for folders that hold several runs' files (the cells of an
    experiment). ``readable`` limits what may be read, so that a stage cannot read a file it does not declare.
    """

    def __init__(
        self,
        path: Path,
        manifest: Manifest,
        device: str = "cpu",
        *,
        config: RunConfig | None = None,
        place: Callable[[str], str] = str,
        readable: frozenset[str] | None = None,
    ) -> None:
        self.path, self.manifest, self.device = path, manifest, device
        self._config, self._place, self._readable = config, place, readable

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def file(self, name: str) -> Path:
        """The path of a file, its bytes verified."""
        if self._readable is not None and name not in self._readable:
            raise UndeclaredInputError(f"a stage reads {name}, which is not among its inputs")
        return verified_path(self.path, self.manifest, self._place(name))

    def has(self, name: str) -> bool:
        """Whether a finished stage has written the file."""
        return self.checksum(name) is not None

    def checksum(self, name: str) -> str | None:
        """What identifies the bytes of a file; None if no finished stage has written it."""
        return self.manifest.checksum(self._place(name))

    def table(self, name: str, columns: list[str] | None = None) -> pl.DataFrame:
        return files.read_table(self.file(name), columns)

    def json(self, name: str) -> Any:
        return read_json(self.file(name))

    @cached_property
    def config(self) -> RunConfig:
        """The configuration that the run was made with."""
        if self._config is not None:
            return self._config
        try:
            found = check_config(self.manifest.config, str(self.path / layout.MANIFEST))
        except ConfigError as error:  # made by another version: the folder is at fault, not the question
            raise StoreError(f"{error}; run it again into another folder with --out") from None
        return found

    @cached_property
    def reviews(self) -> pl.DataFrame:
        """The reviews that were kept."""
        return self.table(layout.REVIEWS)

    @cached_property
    def mentions(self) -> pl.DataFrame:
        """The mentions of all parts of the split."""
        return self.table(layout.MENTIONS)

    @cached_property
    def aspect_of_name(self) -> dict[str, str]:
        """The aspect that mentions of another name count for."""
        return dict(self.json(layout.VOCABULARY)["merged"])

    @cached_property
    def aspect_mentions(self) -> pl.DataFrame:
        """The mentions, each by the aspect that it counts for."""
        return renamed(self.mentions, self.aspect_of_name)

    @cached_property
    def mentions_of_others(self) -> pl.DataFrame:
        """The mentions by people who are not among the users, by aspect, where they count for Y."""
        return renamed(self.table(layout.OTHER_MENTIONS), self.aspect_of_name)

    @cached_property
    def merged_names(self) -> dict[str, list[str]]:
        """The other names that each aspect was found under: first by the extractor, then by the choice of aspects."""
        found: dict[str, list[str]] = {}
        chosen = self.aspect_of_name
        learned = self.json(layout.LEARNED).get("merged", {}) if self.has(layout.LEARNED) else {}
        for name, aspect in [*learned.items(), *chosen.items()]:
            found.setdefault(chosen.get(aspect, aspect), []).append(name)
        return {aspect: sorted(set(names) - {aspect}) for aspect, names in found.items()}

    @cached_property
    def split(self) -> pl.DataFrame:
        """Which review is training, validation and test."""
        return self.table(layout.SPLIT)

    @cached_property
    def _space_and_names(self) -> tuple[AspectSpace, dict[str, str]]:
        return files.load_space(self.file(layout.ASPECTS), self.file(layout.VOCABULARY))

    @property
    def space(self) -> AspectSpace:
        """X, Y, their scale and their vocabularies."""
        return self._space_and_names[0]

    @cached_property
    def choosing_space(self) -> AspectSpace:
        """The aspect space without the validation part, where the run's own has it."""
        return files.load_space(self.file(layout.CHOOSING_ASPECTS), self.file(layout.VOCABULARY))[0]

    @property
    def item_names(self) -> dict[str, str]:
        """The names of items, where known."""
        return self._space_and_names[1]

    def item_name(self, item_id: str) -> str:
        """What a person reads for an item: its name, or its id where it has none."""
        return self.item_names.get(item_id, item_id)

    @cached_property
    def interactions(self) -> dict[str, Interactions]:
        """The training, validation and test interactions as numbers."""
        found, space = {}, self.space
        for part in tables.PARTS:
            rows = self.split.filter(pl.col("part") == part)
            users, items = space.users.numbers(rows["user_id"]), space.items.numbers(rows["item_id"])
            found[part] = Interactions(users, items, len(space.users), len(space.items))
        return found

    @property
    def known_items(self) -> Interactions:
        """What each user touched before the test part: these items do not compete."""
        return self.interactions["train"].joined(self.interactions["validation"])

    @cached_property
    def past_reviews(self) -> tuple[PastReviews, CountedAttention]:
        """Everybody's reviews that the model was made from, and how X follows from their mentions."""
        return past_reviews_of(self), attention_of(self)

    @cached_property
    def candidates(self) -> Candidates:
        """The items that compete for each user's list, by the run's protocol."""
        if self.config.lists.protocol in layout.LISTED_CANDIDATES:
            return files.candidates_from(self.table(layout.CANDIDATES), self.space)
        return catalogue_candidates(self.known_items)

    @cached_property
    def reserve(self) -> Candidates | None:
        """What the candidates were drawn from, where they were drawn."""
        return catalogue_candidates(self.known_items) if self.config.lists.protocol == "sampled" else None

    @cached_property
    def scorer(self) -> Scorer:
        return self._load_model(layout.MODEL)

    @cached_property
    def retrained_scorer(self) -> Scorer:
        """The recommender trained again from another seed."""
        return self._load_model(layout.RETRAINED_MODEL)

    def _load_model(self, name: str) -> Scorer:
        from counterec.pipeline.models import model_kind

        kind = model_kind(self.json(layout.MODEL_DESCRIPTION)["kind"])
        with guarded("model", kind.name):
            return kind.load(files.load_tensors(self.file(name)), self.space, self.device)

    @cached_property
    def recommendations(self) -> Recommendations:
        """The first K+1 items of every user."""
        table, k = self.table(layout.RECOMMENDATIONS), self.config.lists.k
        return files.recommendations_from(table, self.space, self.candidates, k)

    @cached_property
    def heads(self) -> Recommendations:
        """The beginning of every user's ranking, longer than a list."""
        return files.load_heads(self.file(layout.HEADS), self.candidates)

    @cached_property
    def member_lists(self) -> tuple[Recommendations, ...]:
        """The lists that each net of a mean would make by itself; none of any other model."""
        return files.load_member_lists(self.file(layout.HEADS), self.candidates)

    @cached_property
    def necessity(self) -> Necessity:
        """What judging answers needs once for all users."""
        from counterec.core.evaluation.necessity import Necessity

        return Necessity(self.scorer, self.space, self.recommendations.k)

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that the run was explained with."""
        return self.config.explain.methods

    def explanations_table(self, method: str) -> pl.DataFrame:
        """The explanations of a method as they lie on disk."""
        if not self.has(layout.explanations_file(method)) and method not in self.methods:
            raise UnknownIdError(f"{self.path}: no explanations by {method!r}; there are {', '.join(self.methods)}")
        return self.table(layout.explanations_file(method))

    def unreviewed_rows(self, method: str) -> BoolVector:
        """Which rows of a method's explanations make aspects unreviewed."""
        return (self.explanations_table(method)["values"] == UNREVIEWED).to_numpy()

    def explanations(self, method: str) -> Explanations:
        return explanations_from(self.explanations_table(method), self.space)

    def ground_truth(self, sentiments: Sentiments = "positive") -> GroundTruth:
        """The aspects that users praised in held-out reviews, or all that they mentioned there."""
        from counterec.core.evaluation.quality import GroundTruth

        space, test = self.space, self.interactions["test"]
        mentions = renamed(pl.scan_parquet(self.file(layout.MENTIONS)), self.aspect_of_name)
        mentions = mentions.filter(pl.col("aspect").is_in(list(space.aspects.texts)))
        if sentiments == "positive":
            mentions = mentions.filter(pl.col("sentiment") > 0)
        held_out = self.split.lazy().filter(pl.col("part") == "test")
        found = mentions.join(held_out, on=["user_id", "item_id"], how="semi").collect()
        truth = GroundTruth(test.users, test.items, np.zeros((len(test), len(space.aspects)), dtype=bool))
        rows = truth.rows_of(space.users.numbers(found["user_id"]), space.items.numbers(found["item_id"]))
        praised = truth.praised.copy()
        praised[rows, space.aspects.numbers(found["aspect"])] = True
        return GroundTruth(test.users, test.items, praised)

    @cached_property
    def evaluation(self) -> dict[str, Any]:
        """How good lists and explanations are."""
        result: dict[str, Any] = self.json(layout.EVALUATION)
        return result

    @property
    def statistics(self) -> dict[str, Any]:
        """The paper's Table 1 for this data; needs no file but the manifest."""
        return statistics(self.path, self.manifest)


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
