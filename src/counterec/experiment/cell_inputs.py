"""What the stages of a cell work with, each value read once and when it is asked for."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, IntVector
from counterec.core.candidates import Candidates
from counterec.core.evaluation.pair_lookup import NOWHERE, rows_of_pairs
from counterec.core.evaluation.user_side import GroundTruth
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.question import Question
from counterec.core.explainers.why import why
from counterec.core.interactions import Interactions
from counterec.core.lists import Recommendations
from counterec.core.scorers.net import AspectNet
from counterec.core.space import AspectSpace
from counterec.pipeline import serialization
from counterec.pipeline.config import MASKED, RunConfig
from counterec.pipeline.engine import StageContext
from counterec.pipeline.experiment_settings import ExperimentSettings
from counterec.pipeline.explanation_tables import explanations_from
from counterec.pipeline.stages.ground_truth import ground_truth
from counterec.pipeline.stages.inputs import candidates_of, heads_of, parts, ranking_inputs, space_of
from counterec.randomness import generator

GUIDE = "relaxed"
"""Whose answers tell the other methods how many aspects to name."""


class CellInputs:
    """One cell: its net, its lists, and what was found out about them so far."""

    def __init__(
        self, config: RunConfig, settings: ExperimentSettings, context: StageContext, device: str = "cpu"
    ) -> None:
        self.config, self.settings, self.context, self.device = config, settings, context, device

    @cached_property
    def space(self) -> AspectSpace:
        """X and Y."""
        return space_of(self.context)

    @cached_property
    def split(self) -> dict[str, Interactions]:
        """The parts of the split."""
        return parts(self.context)

    @cached_property
    def candidates(self) -> Candidates:
        """Who competes."""
        return candidates_of(self.config, self.context, self.space)

    @cached_property
    def heads(self) -> Recommendations:
        """The beginning of every ranking of the net."""
        return heads_of(self.context, self.candidates)

    @property
    def lists(self) -> Recommendations:
        """The net's lists."""
        return self.heads.shortened(self.config.lists.k)

    @cached_property
    def net(self) -> AspectNet:
        """The recommender that is explained."""
        return AspectNet(serialization.load_net(self.context.path(serialization.MODEL)), self.device)

    @cached_property
    def net_again(self) -> AspectNet:
        """The same training from another seed."""
        return AspectNet(serialization.load_net(self.context.path(serialization.MODEL_AGAIN)), self.device)

    @cached_property
    def truth(self) -> GroundTruth:
        """What users went on to say."""
        return ground_truth(self.context, self.space, self.split["test"], self.settings.ground_truth)

    def some_users(self, most: int) -> IntVector:
        """So many users with a list, drawn by the seed: the same ones first, however many."""
        users = self.lists.users
        drawn = generator(self.config.seed, "users looked into").permutation(users)[:most]
        return np.sort(drawn)

    @cached_property
    def detail_users(self) -> IntVector:
        """The users whose lists are looked into further."""
        return self.some_users(self.settings.detail_users)

    def answers(self, goal: str, masked: bool) -> Explanations:
        """CountER's answers for the whole lists."""
        table = serialization.read_table(self.context.path(serialization.explanations_file(method_of(goal, masked))))
        return explanations_from(table, self.space, self.config.explain.margin)

    def question(self, lists: Recommendations) -> Question:
        """Why are these items in their lists, without the mask: asked as the run asks."""
        explain = self.config.explain
        return why(self.space, lists, constraints=explain.constraints, margin=explain.margin)

    def cared_about(self, users: IntVector) -> BoolMatrix:
        """The mask: the aspects that each of these users has mentioned."""
        return self.space.user_attention[users] != 0


def method_of(goal: str, masked: bool) -> str:
    """The name of a goal with the mask or without."""
    return goal + MASKED if masked else goal


def explanation_files(*goals: str) -> tuple[str, ...]:
    """Where the answers of some goals lie, without the mask and with it."""
    return tuple(serialization.explanations_file(method_of(goal, masked)) for goal in goals for masked in (False, True))


def inputs_of(config: RunConfig, *more: str) -> tuple[str, ...]:
    """The files that measuring depends on."""
    return (*ranking_inputs(config), serialization.MENTIONS, serialization.HEADS, *more)


def told(guide: Explanations, users: IntVector, items: IntVector) -> tuple[IntVector, BoolVector]:
    """How many aspects CountER names for each of these pairs, and whether it explains them at all."""
    rows = rows_of_pairs(users, items, guide.users, guide.items)
    counts = np.where(guide.explained, np.count_nonzero(guide.delta, axis=1), 0)
    found = np.where(rows == NOWHERE, 0, counts[rows]) if len(counts) else np.zeros(len(users), dtype=np.int64)
    return found, found > 0
