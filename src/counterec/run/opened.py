"""A run folder opened: its values bound to names, each read when first asked for and checked against its checksum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counterec.core.candidates import Candidates
from counterec.core.devices import threads
from counterec.core.evaluation.model_side import Verdicts, verdicts
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.audience.answer import AudienceAnswer
from counterec.core.explainers.audience.solver import why_not_for_all
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.goals import Goal
from counterec.core.explainers.question import Kind, Question
from counterec.core.explainers.what_if import Reranking, what_if
from counterec.core.interactions import Interactions
from counterec.core.lists import Recommendations
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.rank_position import RankPositions
from counterec.core.space import AspectSpace
from counterec.errors import ConfigError, StoreError, UnknownIdError
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig, make_config
from counterec.pipeline.engine import Reporter, Silence, add_stages, run_stages
from counterec.pipeline.files import read_json
from counterec.pipeline.manifest import NAME, Manifest, missing, verified_path
from counterec.pipeline.stages import stages_of
from counterec.pipeline.stages.evaluate import evaluate_stage
from counterec.pipeline.stages.explain import explain_stage, explainer_of
from counterec.pipeline.stages.inputs import parts_of, untouched
from counterec.pipeline.stages.modelling import fit_again_stage
from counterec.pipeline.stages.transfer import elsewhere_stage, selects
from counterec.run.asking import audience_of, qualities_of, question_of
from counterec.wording.record import Told
from counterec.wording.record_builders import tell_row


def make_run(
    config: RunConfig,
    folder: str | Path,
    reporter: Reporter | None = None,
    device: str = "cpu",
    processes: int = 1,
) -> Run:
    """Bring a run folder up to date with a configuration and open it; mentions are found in this many processes."""
    settings = config.model_dump(mode="json")
    with threads(1):
        run_stages(Path(folder), settings, stages_of(config, device, processes), reporter or Silence())
    return open_run(folder)


def open_run(folder: str | Path, device: str = "cpu") -> Run:
    """Open a run folder; its scorer works on this device."""
    return Run(Path(folder), Manifest.load(Path(folder)), device)


class Run:
    """The typed values of a run folder."""

    def __init__(self, folder: Path, manifest: Manifest, device: str = "cpu") -> None:
        self.folder = folder
        self.manifest = manifest
        self.device = device

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"

    def _path(self, file: str) -> Path:
        return verified_path(self.folder, self.manifest, file)

    @cached_property
    def config(self) -> RunConfig:
        """What the run was made with."""
        try:
            return make_config(self.manifest.config, str(self.folder / NAME))
        except ConfigError as error:  # made by another version: the folder is at fault, not the question
            raise StoreError(str(error)) from None

    @cached_property
    def reviews(self) -> pl.DataFrame:
        """The reviews that were kept."""
        return serialization.read_table(self._path(serialization.REVIEWS))

    @cached_property
    def mentions(self) -> pl.DataFrame:
        """The mentions of all parts."""
        return serialization.read_table(self._path(serialization.MENTIONS))

    @cached_property
    def merged_names(self) -> dict[str, list[str]]:
        """Which other names each aspect was found under; none where the mentions were brought."""
        found: dict[str, list[str]] = {}
        if self.manifest.checksum(serialization.LEARNED):
            for name, aspect in read_json(self._path(serialization.LEARNED)).get("merged", {}).items():
                found.setdefault(aspect, []).append(name)
        return found

    @cached_property
    def split(self) -> pl.DataFrame:
        """Which review is training, validation and test."""
        return serialization.read_table(self._path(serialization.SPLIT))

    @cached_property
    def _space_and_names(self) -> tuple[AspectSpace, dict[str, str]]:
        return serialization.load_space(self._path(serialization.ASPECTS), self._path(serialization.VOCABULARY))

    @property
    def space(self) -> AspectSpace:
        """X, Y and their vocabularies."""
        return self._space_and_names[0]

    @property
    def item_names(self) -> dict[str, str]:
        """The names of items, where known."""
        return self._space_and_names[1]

    def item_name(self, item_id: str) -> str:
        """What a person reads for an item: its name, or its id where there is none."""
        return self.item_names.get(item_id, item_id)

    @cached_property
    def interactions(self) -> dict[str, Interactions]:
        """The parts of the split as numbers."""
        return parts_of(self.split, self.space)

    @cached_property
    def scorer(self) -> AspectNet:
        """The recommender."""
        return AspectNet(serialization.load_net(self._path(serialization.MODEL)), self.device)

    @cached_property
    def candidates(self) -> Candidates:
        """The items that compete for each user's list."""
        if self.config.lists.protocol == "sampled":
            return serialization.candidates_from(
                serialization.read_table(self._path(serialization.CANDIDATES)), self.space
            )
        return untouched(self.interactions)

    @cached_property
    def recommendations(self) -> Recommendations:
        """The first K+1 of every user."""
        table = serialization.read_table(self._path(serialization.RECOMMENDATIONS))
        return serialization.recommendations_from(table, self.space, self.candidates, self.config.lists.k)

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that the run was explained with."""
        return self.config.explain.methods

    def explanations_table(self, method: str) -> pl.DataFrame:
        """The explanations of a method as they lie on disk."""
        if method not in self.methods:
            raise UnknownIdError(f"{self.folder}: no explanations by {method!r}; there are {', '.join(self.methods)}")
        return serialization.read_table(self._path(serialization.explanations_file(method)))

    def explanations(self, method: str) -> Explanations:
        """The explanations of a method."""
        return serialization.explanations_from(self.explanations_table(method), self.space, self.config.explain.margin)

    def explain(
        self,
        user_id: str | None = None,
        item_id: str | None = None,
        *,
        question: Kind = "why",
        versus: str | None = None,
        goal: Goal = "minimal",
        constraints: Constraints | None = None,
    ) -> pl.DataFrame:
        """Answer a question now: rows as they would lie on disk.

        ``why`` explains everybody's list, one user's, or one item of it; ``why_not`` an item that is not in it;
        ``why_rather`` and ``why_rather_takes`` why an item is ahead of the one in ``versus``. Without constraints of
        their own, questions keep to those of the run.
        """
        allowed = constraints or self.config.explain.constraints
        asked = question_of(self, user_id, item_id, question, versus, allowed)
        answers = explainer_of(self.scorer, goal, self.config.explain, self._reserve).explain(asked)
        pairs = zip(asked.users.tolist(), asked.items.tolist(), strict=True)
        positions = np.array([self._places.of(user, item) for user, item in pairs], dtype=np.int64)
        return serialization.explanations_table(answers, self._verdicts(asked, answers), asked, positions - 1, goal)

    def what_if(
        self, user_id: str, changes: Mapping[str, Mapping[str, float]], *, constraints: Constraints | None = None
    ) -> Reranking:
        """The new ranking of a user's candidates, had items had other values: item id → aspect → value."""
        user, qualities = self.space.users.number(user_id), qualities_of(self, user_id, changes)
        allowed = constraints or Constraints()
        return what_if(
            self.scorer, self.space, self.candidates, self.recommendations.k, user, qualities, constraints=allowed
        )

    def why_not_for_all(
        self, item_id: str, user_ids: Iterable[str], wanted: int, *, constraints: Constraints | None = None
    ) -> AudienceAnswer:
        """The fewest improvements of an item with which it enters the lists of at least ``wanted`` of these users.

        Users who cannot get it, since they have it already, are left out.
        """
        users = audience_of(self, item_id, user_ids)
        explain = self.config.explain
        return why_not_for_all(
            self.scorer,
            self.space,
            self.recommendations,
            self.space.items.number(item_id),
            users,
            wanted,
            constraints=constraints or explain.constraints,
            margin=explain.margin,
        )

    @property
    def _reserve(self) -> Candidates | None:
        return untouched(self.interactions) if self.config.lists.protocol == "sampled" else None

    def _verdicts(self, asked: Question, answers: Explanations) -> Verdicts | None:
        """Whether the named aspects are necessary and sufficient for what was asked about; not of an item outside."""
        if asked.kind == "why_not":
            return None
        if asked.versus is None:
            heads = serialization.load_heads(self._path(serialization.HEADS), asked.candidates)
            return verdicts(self.scorer, self.space, asked.candidates, asked.k, answers.named(), lists=heads)
        rivals = {int(asked.users[row]): asked.rivals(row) for row in range(len(asked))}
        everyone = range(len(self.space.users))
        candidates = Candidates.exactly(len(self.space.items), [rivals.get(user, []) for user in everyone])
        return verdicts(self.scorer, self.space, candidates, asked.k, answers.named())

    @cached_property
    def _places(self) -> RankPositions:
        return RankPositions(self.scorer, self.space, self.candidates, self.recommendations)

    def told(self, row: Mapping[str, Any]) -> Told:
        """What a row of an explanations table says, checked; where the item stands after the change is ranked anew."""
        user, item = self.space.users.number(row["user_id"]), self.space.items.number(row["item_id"])
        quality = self.space.item_quality[item].copy()
        quality[self.space.aspects.numbers(row["aspects"])] = row["after"]
        moved = bool(row["aspects"])
        after = self._places.after(user, item, quality, row["score_after"]) if moved else row["position"]
        k, margin = self.recommendations.k, self.config.explain.margin
        return tell_row(self.space, row, k=k, margin=margin, names=self.item_names, position_after=after)

    def with_method(self, method: str, reporter: Reporter | None = None, device: str = "cpu") -> Run:
        """Explain the whole run by one more method, evaluate it, and open the run anew."""
        methods = self.methods if method in self.methods else (*self.methods, method)
        settings = self.config.model_dump(mode="json")
        settings["explain"]["methods"] = methods
        config = make_config(settings, method)
        stages = [explain_stage(config, method, device)]
        if selects(method):
            stages += [fit_again_stage(config, device), elsewhere_stage(config, method, device)]
        stages.append(evaluate_stage(config))
        with threads(1):
            add_stages(self.folder, config.model_dump(mode="json"), stages, reporter or Silence())
        return open_run(self.folder)

    @cached_property
    def evaluation(self) -> dict[str, Any]:
        """How good lists and explanations are."""
        result: dict[str, Any] = read_json(self._path(serialization.EVALUATION))
        return result

    @property
    def statistics(self) -> dict[str, Any]:
        """The paper's Table 1 for this data."""
        if "build" not in self.manifest.finished:
            raise missing(self.folder, self.manifest, "statistics")
        counts = self.manifest.finished["build"].counts
        return {name: counts[name] for name in ("users", "items", "reviews", "aspects", "density")}
