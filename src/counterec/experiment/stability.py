"""The same pairs explained by a retrained model, and for longer and shorter lists → how alike the answers are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatMatrix, require
from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.attribution.protocol import Attribution
from counterec.core.attribution.top_aspects import named
from counterec.core.evaluation.pair_lookup import NOWHERE, rows_of_pairs
from counterec.core.evaluation.stability import jaccard
from counterec.core.explainers.answer import Explanations, NamedAspects
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.question import Question
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import rank
from counterec.errors import BaselineUnavailableError, PluginError
from counterec.experiment.cell_inputs import (
    DETAIL_SETTINGS,
    GUIDE,
    CellInputs,
    guide_counts,
    measuring_code,
    measuring_inputs,
)
from counterec.experiment.fitted_baselines import fitted_baseline, fitted_file, fitting_notes_file
from counterec.experiment.guarded_weights import guarded_weights, ignore_failure
from counterec.experiment.plugged_explainers import explainer_plugins, plugged_answers
from counterec.experiment.rows import Shape, rows_file
from counterec.experiment.schemas import STABILITY
from counterec.experiment.transfer import named_in
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.explain import explainer_of
from counterec.plugins import Plugin

STABILITY_FILE = "stability.parquet"
RETRAINED = "trained again"
"""What the retrained model is called on disk."""

Answers = dict[tuple[str, Shape], NamedAspects]
"""What each method names, with one aspect and with several."""


@dataclass(frozen=True)
class _Lists:
    """Lists that are explained: what they are called, and the scorer that made them."""

    name: str
    scorer: Scorer
    lists: Recommendations


def stability_stage(config: RunConfig) -> Stage:
    """Lists and a retrained model → how alike explanations of the same pair are, without the mask."""
    plugins = explainer_plugins(config)
    return Stage(
        name="stability",
        config=config,
        settings=(
            "lists.k",
            "lists.protocol",
            "seed",
            "explain.margin_share",
            "explain.telling",
            *DETAIL_SETTINGS,
            *(f"explain.{goal}" for goal in GOALS),
            "experiment.baselines",
            "experiment.explainers",
        ),
        inputs=measuring_inputs(
            config,
            layout.RETRAINED_MODEL,
            *map(layout.explanations_file, GOALS),
            *_baseline_files(config),
        ),
        outputs=(STABILITY_FILE,),
        code=(
            *measuring_code(config),
            "counterec.baselines",
            "counterec.pipeline.stages",
            *(plugin.code for plugin in plugins),
        ),
        work=lambda context: _measure(context, plugins),
    )


def _baseline_files(config: RunConfig) -> list[str]:
    names = config.experiment.baselines
    again = [file_of(name, True) for name in names for file_of in (fitted_file, fitting_notes_file)]
    return [*map(rows_file, names), *again]


def _measure(context: StageContext, plugins: list[Plugin]) -> None:
    cell = CellInputs(context)
    here, *others = _lists(cell)
    context.reporter.total(1 + len(others), "lists")
    longest = max((one for one in (here, *others) if one.scorer is cell.scorer), key=lambda one: one.lists.k)
    weights = _AttributedPairs(cell, cell.question(longest.lists), cell.scorer)
    first = _explained(cell, here, plugins, weights)
    context.reporter.advance(1)
    frames = [pl.DataFrame(schema=dict(STABILITY))]
    for other in others:
        if other.scorer is not cell.scorer:
            weights = _AttributedPairs(cell, cell.question(other.lists), other.scorer)
        second = _explained(cell, other, plugins, weights)
        for method, shape in [one for one in first if one in second]:
            frames.append(_frame(cell, method, shape, other.name, first[method, shape], second[method, shape]))
        context.reporter.advance(1)
    for method in context.config.experiment.baselines:
        frames += _baseline_frames(cell, method)
    write_table(pl.concat(frames), context.new(STABILITY_FILE))


def _lists(cell: CellInputs) -> Iterator[_Lists]:
    """The lists as they are, one item shorter, one longer, and those of the retrained model."""
    folder, k, users = cell.folder, cell.config.lists.k, cell.detail_users
    rows = folder.heads.rows_of(users)
    heads = folder.heads
    own = heads.rows(rows)
    yield _Lists("", cell.scorer, own.shortened(k))
    for length in (k - 1, k + 1):
        if length:
            yield _Lists(f"k={length}", cell.scorer, own.shortened(length))
    again = folder.retrained_scorer
    yield _Lists(RETRAINED, again, rank(again, folder.space, folder.candidates, k, users))


def _explained(cell: CellInputs, lists: _Lists, plugins: list[Plugin], weights: _AttributedPairs) -> Answers:
    """What every method names for these lists, without the mask."""
    question = cell.question(lists.lists)
    answers: Answers = {}
    for goal in GOALS:
        found = _answered(cell, lists, goal, question)
        answers[goal, "single" if goal == "single" else "multi"] = found.named()
        if goal == GUIDE:
            counts, _ = guide_counts(found, question.users, question.items)
    one = np.ones(len(question), dtype=np.int64)
    for name in ATTRIBUTIONS:
        own = weights.of(name, question)
        answers[name, "single"] = named(question.users, question.items, own, one)
        answers[name, "multi"] = named(question.users, question.items, own, counts)
    for plugin in plugins:
        with suppress(PluginError):  # its own rows say how it failed
            plugged = plugged_answers(plugin, lists.scorer, question)
            answers[plugin.name, plugged.shape] = plugged.named
    return answers


def _answered(cell: CellInputs, lists: _Lists, goal: Goal, question: Question) -> Explanations:
    """The answers of a goal: for the lists as they are, those that were measured."""
    if not lists.name:
        known = cell.answers(goal, masked=False)
        return known.rows(rows_of_pairs(question.users, question.items, known.users, known.items))
    explainer = explainer_of(lists.scorer, goal, cell.config.explain, cell.folder.reserve, ignore_failure)
    return explainer.explain(question)


class _AttributedPairs:
    """The weights of all attributions for the pairs of a question: they do not depend on the length of a list."""

    def __init__(self, cell: CellInputs, question: Question, scorer: Scorer) -> None:
        self._users, self._items = question.users, question.items
        self._weights = {name: _weights(cell, scorer, one, question) for name, one in ATTRIBUTIONS.items()}

    def of(self, name: str, question: Question) -> FloatMatrix:
        """Those of some of the pairs."""
        rows = rows_of_pairs(question.users, question.items, self._users, self._items)
        require(not (rows == NOWHERE).any(), "a shorter list has a pair that the longest one lacks")
        return self._weights[name][rows]


def _weights(cell: CellInputs, scorer: Scorer, attribution: Attribution, question: Question) -> FloatMatrix:
    space, seed = cell.folder.space, cell.config.seed
    weights, _ = guarded_weights(
        lambda rows: attribution.weights(scorer, space, question.users[rows], question.items[rows], seed),
        question.users,
        len(space.aspects),
        str,
    )
    return weights


def _baseline_frames(cell: CellInputs, method: str) -> list[pl.DataFrame]:
    """A baseline beside the same one from another seed; none where it cannot be fitted, as its own rows say."""
    answers = named_in(cell, method, "single")
    if not len(answers):
        return []
    try:
        fitted = fitted_baseline(cell.folder, method, again=True)
        lists = rank(fitted.scorer, fitted.space, cell.folder.candidates, cell.config.lists.k, cell.detail_users)
        rows, _, items = lists.pairs()
        users, one = lists.users[rows], np.ones(len(rows), dtype=np.int64)
        again = named(users, items, fitted.weights(users, items), one, cell.mentioned(users))
    except BaselineUnavailableError:  # whoever fitted it has said so
        return []
    return [_frame(cell, method, "single", RETRAINED, answers, again)]


def _frame(
    cell: CellInputs, method: str, shape: Shape, other: str, one: NamedAspects, two: NamedAspects
) -> pl.DataFrame:
    found, space = jaccard(one, two), cell.folder.space
    columns: dict[str, Any] = {
        "protocol": cell.config.lists.protocol,
        "seed": cell.config.seed,
        "method": method,
        "shape": shape,
        "masked": method in cell.config.experiment.baselines,
        "other": other,
        "user_id": [space.users.texts[user] for user in found.users],
        "item_id": [space.items.texts[item] for item in found.items],
        "jaccard": found.value,
    }
    return pl.DataFrame(columns, schema=dict(STABILITY))
