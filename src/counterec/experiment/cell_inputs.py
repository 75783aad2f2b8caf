"""What the stages of a cell work with."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, IntVector
from counterec.core.evaluation.quality import NOWHERE, GroundTruth, rows_of_pairs
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import Scorer
from counterec.experiment.rows import MeasuredLists
from counterec.pipeline import layout
from counterec.pipeline.config import MASKED, RunConfig
from counterec.pipeline.models import model_kind
from counterec.pipeline.stage import StageContext
from counterec.randomness import generator

GUIDE = "relaxed"
"""The goal whose answers decide how many aspects the other methods name."""

MEASURING_SETTINGS = (
    *("lists.k", "lists.protocol", "seed", "experiment.ground_truth"),
    *("explain.margin_share", "explain.relaxed.gamma"),
)
"""Settings that every measurement of a cell reads."""

MEASURING_CODE = ("counterec.core", "counterec.experiment", "counterec.pipeline.explanation_tables")


def measuring_code(config: RunConfig) -> tuple[str, ...]:
    """The packages that a stage of a cell runs."""
    return (*MEASURING_CODE, *model_kind(config.model.kind).all_code)


def measuring_inputs(config: RunConfig, *more: str) -> tuple[str, ...]:
    """The files that measuring depends on."""
    return (*layout.ranking_inputs(config.lists.protocol), layout.MENTIONS, layout.HEADS, *more)


def method_of(goal: str, masked: bool) -> str:
    """The name of a goal with the mask or without."""
    return goal + MASKED if masked else goal


def explanation_files(*goals: str) -> tuple[str, ...]:
    """Where the answers of some goals lie, without the mask and with it."""
    return tuple(layout.explanations_file(method_of(goal, masked)) for goal in goals for masked in (False, True))


class CellInputs:
    """One cell: its scorer, its lists, and the questions about them."""

    def __init__(self, context: StageContext) -> None:
        self.context, self.config, self.folder = context, context.config, context.folder

    @property
    def scorer(self) -> Scorer:
        """The recommender that is explained."""
        return self.folder.scorer

    @property
    def lists(self) -> Recommendations:
        """The recommender's lists."""
        return self.folder.heads.shortened(self.config.lists.k)

    @cached_property
    def measured_lists(self) -> MeasuredLists:
        """The recommender's lists, as explanations of them are measured."""
        return MeasuredLists(self.scorer, self.folder.space, self.folder.heads, self.config.lists.k)

    @cached_property
    def truth(self) -> GroundTruth:
        """The aspects that users went on to mention."""
        return self.folder.ground_truth(self.config.experiment.ground_truth)

    def some_users(self, most: int) -> IntVector:
        """At most this many users with a list, drawn by the seed: a larger number contains a smaller one's users."""
        drawn = generator(self.config.seed, "users looked into").permutation(self.lists.users)[:most]
        return np.sort(drawn)

    @cached_property
    def detail_users(self) -> IntVector:
        """The users whose lists are examined further."""
        return self.some_users(self.config.experiment.detail_users)

    def answers(self, goal: str, masked: bool) -> Explanations:
        """CountER's answers for the whole lists."""
        return self.folder.explanations(method_of(goal, masked))

    def question(self, lists: Recommendations, masked: bool = False) -> Question:
        """Why are these items in their lists: asked as the run asks, without the mask or with it."""
        explain = self.config.explain
        constraints = replace(explain.constraints, masked=masked)
        return why(self.folder.space, lists, constraints=constraints, margin=explain.margin_share)

    def mentioned(self, users: IntVector) -> BoolMatrix:
        """The mask: the aspects that each of these users has mentioned."""
        return self.folder.space.user_attention[users] != 0


def guide_counts(guide: Explanations, users: IntVector, items: IntVector) -> tuple[IntVector, BoolVector]:
    """How many aspects the guide names for each of these pairs, and whether it explains them at all."""
    rows = rows_of_pairs(users, items, guide.users, guide.items)
    counts = np.where(guide.explained, np.count_nonzero(guide.delta, axis=1), 0)
    found = np.where(rows == NOWHERE, 0, counts[rows]) if len(counts) else np.zeros(len(users), dtype=np.int64)
    return found, found > 0


def usual_count(guide: Explanations) -> int:
    """How many aspects the guide names on average where it explains a pair, to the nearest whole number; at least 1."""
    counts = np.count_nonzero(guide.delta[guide.explained], axis=1)
    return max(1, round(float(counts.mean()))) if len(counts) else 1
