"""A run folder opened: its values bound to names, each read when first asked for and checked against its checksum."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from counterec.core.devices import threads
from counterec.core.evaluation.model_side import verdicts
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.asking import why
from counterec.core.explainers.counter import Goal
from counterec.core.interactions import Interactions, catalogue_candidates
from counterec.core.scorers.aspect_net import AspectNet
from counterec.core.space import AspectSpace, Candidates, Recommendations
from counterec.errors import ConfigError, StoreError, UnknownIdError
from counterec.pipeline import store
from counterec.pipeline.config import RunConfig, make_config
from counterec.pipeline.engine import Reporter, Silence, add_stages, run_stages
from counterec.pipeline.files import read_json
from counterec.pipeline.manifest import NAME, Manifest, missing, verified_path
from counterec.pipeline.stages import stages_of
from counterec.pipeline.stages.evaluating import evaluate_stage
from counterec.pipeline.stages.explaining import explain_stage, explainer_of
from counterec.pipeline.stages.inputs import parts_of


def make_run(config: RunConfig, folder: str | Path, reporter: Reporter | None = None, device: str = "cpu") -> Run:
    """Bring a run folder up to date with a configuration and open it."""
    settings = config.model_dump(mode="json")
    with threads(1):
        run_stages(Path(folder), settings, stages_of(config, device), reporter or Silence())
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
        return store.read_table(self._path(store.REVIEWS))

    @cached_property
    def mentions(self) -> pl.DataFrame:
        """The mentions of all parts."""
        return store.read_table(self._path(store.MENTIONS))

    @cached_property
    def split(self) -> pl.DataFrame:
        """Which review is training, validation and test."""
        return store.read_table(self._path(store.SPLIT))

    @cached_property
    def _space_and_names(self) -> tuple[AspectSpace, dict[str, str]]:
        return store.load_space(self._path(store.ASPECTS), self._path(store.VOCABULARY))

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
        return AspectNet(store.load_net(self._path(store.MODEL)), self.device)

    @cached_property
    def candidates(self) -> Candidates:
        """The items that compete for each user's list."""
        if self.config.lists.protocol == "sampled":
            return store.candidates_from(store.read_table(self._path(store.CANDIDATES)), self.space)
        touched = self.interactions["train"].joined(self.interactions["validation"])
        return catalogue_candidates(touched)

    @cached_property
    def recommendations(self) -> Recommendations:
        """The first K+1 of every user."""
        table = store.read_table(self._path(store.RECOMMENDATIONS))
        return store.recommendations_from(table, self.space, self.candidates, self.config.lists.k)

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that the run was explained with."""
        return self.config.explain.methods

    def explanations_table(self, method: str) -> pl.DataFrame:
        """The explanations of a method as they lie on disk."""
        if method not in self.methods:
            raise UnknownIdError(f"{self.folder}: no explanations by {method!r}; there are {', '.join(self.methods)}")
        return store.read_table(self._path(store.explanations_file(method)))

    def explanations(self, method: str) -> Explanations:
        """The explanations of a method."""
        return store.explanations_from(self.explanations_table(method), self.space, self.config.explain.margin)

    def explain(
        self, user_id: str, item_id: str | None = None, goal: Goal = "minimal", masked: bool = False
    ) -> pl.DataFrame:
        """Explain a user's list, or one item of it, now: rows as they would lie on disk."""
        lists = self.recommendations.of_user(self.space.users.number(user_id))
        explain = self.config.explain
        question = why(
            self.space, lists, constraints=replace(explain.constraints, masked=masked), margin=explain.margin
        )
        _, positions, items = lists.pairs()
        if item_id is not None:
            chosen = items == self.space.items.number(item_id)
            if not chosen.any():
                listed = ", ".join(self.space.items.texts[item] for item in items)
                raise UnknownIdError(f"{item_id} is not in the list of {user_id}, which holds {listed}")
            question, positions = question.rows(chosen), positions[chosen]
        answers = explainer_of(self.scorer, goal, explain).explain(question)
        found = verdicts(self.scorer, self.space, self.candidates, lists.k, answers.named())
        return store.explanations_table(answers, found, self.space, positions, goal)

    def with_method(self, method: str, reporter: Reporter | None = None, device: str = "cpu") -> Run:
        """Explain the whole run by one more method, evaluate it, and open the run anew."""
        methods = self.methods if method in self.methods else (*self.methods, method)
        settings = self.config.model_dump(mode="json")
        settings["explain"]["methods"] = methods
        config = make_config(settings, method)
        stages = [explain_stage(config, method, device), evaluate_stage(config)]
        with threads(1):
            add_stages(self.folder, config.model_dump(mode="json"), stages, reporter or Silence())
        return open_run(self.folder)

    @cached_property
    def evaluation(self) -> dict[str, Any]:
        """How good lists and explanations are."""
        result: dict[str, Any] = read_json(self._path(store.EVALUATION))
        return result

    @property
    def statistics(self) -> dict[str, Any]:
        """The paper's Table 1 for this data."""
        if "build" not in self.manifest.finished:
            raise missing(self.folder, self.manifest, "statistics")
        counts = self.manifest.finished["build"].counts
        return {name: counts[name] for name in ("users", "items", "reviews", "aspects", "density")}
