"""Methods → rows: CountER's goals, attributions, rules and baselines, each measured by the aspects that it names."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from counterec.baselines.base import Fitted
from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.attribution.present_aspects import present
from counterec.core.attribution.top_aspects import named
from counterec.core.evaluation.judge_necessity import judged_once, verdicts
from counterec.core.evaluation.quality import ranking_quality
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import Explanations, NamedAspects, Status
from counterec.core.explainers.goal_names import Goal
from counterec.core.failure_isolation import failure_line, isolate_failures
from counterec.core.scorers.ranking import rank
from counterec.errors import BaselineUnavailableError
from counterec.experiment.fitted_baselines import fitted_baseline, fitted_file, fitting_notes_file, train_mentions
from counterec.experiment.rows import (
    GUIDE,
    MEASURING_SETTINGS,
    CellInputs,
    MeasuredLists,
    MethodAnswers,
    Shape,
    count_guide_aspects,
    count_usually_named,
    explanation_files,
    measure_rows,
    measuring_code,
    measuring_inputs,
    no_rows,
    notes_file,
    rows_file,
)
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig, goal_settings
from counterec.pipeline.files import write_json, write_table
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.explain import explainer_of

TIMED_PAIRS = 200
"""At most this many pairs are explained once more, alone, to measure the time per pair."""


def counterfactual_stage(config: RunConfig, goal: Goal) -> Stage:
    """The explanations of one goal, masked and not → its rows."""
    return Stage(
        name=f"measure {goal}",
        config=config,
        settings=(*MEASURING_SETTINGS, "explain.constraints", "explain.telling", *goal_settings(goal)),
        inputs=measuring_inputs(config, *explanation_files(goal)),
        outputs=(rows_file(goal), notes_file(goal)),
        code=measuring_code(config),
        work=lambda context: _measure_goal(context, goal),
    )


def _measure_goal(context: StageContext, goal: Goal) -> None:
    cell, shape = CellInputs(context), _shape(goal)
    frames, failures = [], []
    for masked in (False, True):
        answers = cell.answers(goal, masked)
        everywhere = np.ones(len(answers), dtype=bool)
        found = MethodAnswers(goal, shape, masked, answers.named(), everywhere, answers)
        frames.append(measure_rows(cell.config, found, cell.measured_lists, cell.truth, answers.verdicts))
        failures += _failures(cell, answers, masked)
    write_table(pl.concat(frames), context.new(rows_file(goal)))
    write_json(context.new(notes_file(goal)), {"milliseconds": _milliseconds(cell, goal), "failures": failures})


def _shape(goal: Goal) -> Shape:
    return "single" if goal == "single" else "multi"


def _failures(cell: CellInputs, answers: Explanations, masked: bool) -> list[str]:
    """One line for each user that CountER failed for; the stage that explained has said why."""
    failed = np.unique(answers.users[answers.status == Status.FAILED])
    where = " with the mask" if masked else ""
    return [f"user {cell.folder.space.users.texts[user]}{where}: asking ended in an error" for user in failed]


def _milliseconds(cell: CellInputs, goal: Goal) -> float | None:
    """The time of one explanation when many are asked for at once."""
    question = cell.question(cell.lists)
    chosen = np.linspace(0, len(question) - 1, min(TIMED_PAIRS, len(question))).astype(np.int64)
    if not len(chosen):
        return None
    explainer = explainer_of(cell.scorer, goal, cell.config.explain, cell.folder.reserve, ignore_failure)
    started = time.perf_counter()
    explainer.explain(question.rows(chosen))
    return (time.perf_counter() - started) / len(chosen) * 1e3


def weighted_stage(config: RunConfig) -> Stage:
    """The lists → the aspects that attributions and rules weigh heaviest.

    One stage for all of them: they explain the same lists, and what several of them name is judged once.
    """
    rules = list_rules(config)
    methods = (*ATTRIBUTIONS, *rules)
    baselines = [PREDICTED[rule] for rule in rules if rule in PREDICTED]
    fitted = [file_of(name) for name in baselines for file_of in (fitted_file, fitting_notes_file)]
    return Stage(
        name="measure attributions and rules",
        config=config,
        settings=MEASURING_SETTINGS,
        inputs=measuring_inputs(config, *fitted, *explanation_files(GUIDE)),
        outputs=tuple(file_of(name) for name in methods for file_of in (rows_file, notes_file)),
        code=measuring_code(config),
        work=lambda context: _measure_weighted(context, methods),
    )


def weigh_by_attribution(cell: CellInputs, name: str) -> WeighPairs:
    """The weights of an attribution."""

    def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
        return ATTRIBUTIONS[name].weights(cell.scorer, cell.folder.space, users, items, cell.config.seed)

    return weigh


def _measure_weighted(context: StageContext, methods: Sequence[str]) -> None:
    cell = CellInputs(context)
    makers = {name: partial(weigh_by_attribution, name=name) for name in ATTRIBUTIONS} | dict(RULES)
    answers: dict[str, list[MethodAnswers]] = {}
    for name in methods:
        try:
            answers[name], notes = weigh_aspects(cell, cell.measured_lists, name, makers[name](cell))
        except BaselineUnavailableError as error:
            answers[name], notes = [], {"unavailable": str(error), "failures": []}
        write_json(context.new(notes_file(name)), notes)
    frames = measure_together(cell, cell.measured_lists, [one for found in answers.values() for one in found])
    for name in methods:
        own = [frames.pop(0) for _ in answers[name]]
        write_table(pl.concat([no_rows(), *own]), context.new(rows_file(name)))


def baseline_stage(config: RunConfig, name: str) -> Stage:
    """A fitted baseline → its lists and the aspects it names for them; or why there is none."""
    return Stage(
        name=f"measure {name}",
        config=config,
        settings=MEASURING_SETTINGS,
        inputs=measuring_inputs(config, fitted_file(name), fitting_notes_file(name), *explanation_files(GUIDE)),
        outputs=(rows_file(name), notes_file(name)),
        code=measuring_code(config),
        work=lambda context: _measure_baseline(context, name),
    )


def _measure_baseline(context: StageContext, name: str) -> None:
    cell, frame = CellInputs(context), no_rows()
    notes: dict[str, Any] = {}
    try:
        frame, notes = _measure_own_lists(cell, fitted_baseline(cell.folder, name))
    except BaselineUnavailableError as error:
        notes["unavailable"] = str(error)
    except Exception as error:  # whatever a method does, the others are measured
        notes["unavailable"] = f"it failed: {type(error).__name__}: {error}"
        context.warn(f"{name} is left out: {notes['unavailable']}")
    write_table(frame, context.new(rows_file(name)))
    write_json(context.new(notes_file(name)), notes)


def _measure_own_lists(cell: CellInputs, fitted: Fitted) -> tuple[pl.DataFrame, dict[str, Any]]:
    k = cell.config.lists.k
    users = cell.lists.users
    heads = rank(fitted.scorer, fitted.space, cell.folder.candidates, layout.head_length(k), users)
    lists = MeasuredLists(fitted.scorer, fitted.space, heads, k, fitted.model_side)
    answers, notes = weigh_aspects(cell, lists, fitted.name, fitted.weights, always_masked=True)
    frame = pl.concat(measure_together(cell, lists, answers))
    if fitted.scored is not None:
        notes["best_aligned_is_not_scored"] = best_aligned_is_not_scored(fitted, cell, *lists.pairs())
    return frame, {"ranking": ranking_quality(lists.lists, cell.folder.interactions["test"]).as_dict(), **notes}


def best_aligned_is_not_scored(fitted: Fitted, cell: CellInputs, users: IntVector, items: IntVector) -> float | None:
    """For which share of pairs the best aligned of the user's aspects is one that does not move the score.

    A method that named it would name no reason of its list.
    """
    if fitted.scored is None or not len(users):
        return None
    alignment = fitted.space.user_attention[users] * fitted.space.item_quality[items]
    best = np.where(cell.mentioned(users), alignment, -np.inf).argmax(axis=1)
    return float(np.mean(~fitted.scored(users)[np.arange(len(users)), best]))


WeighPairs = Callable[[IntVector, IntVector], FloatMatrix]
"""From users and items to the weights of their aspects."""


def weigh_aspects(
    cell: CellInputs,
    lists: MeasuredLists,
    name: str,
    weigh: WeighPairs,
    always_masked: bool = False,
) -> tuple[list[MethodAnswers], dict[str, Any]]:
    """The aspects that a method weighs heaviest, without the mask and with it, and a note on how it went.

    ``always_masked``: the method names only aspects that the user has mentioned, with the mask and without.
    """
    users, items = lists.pairs()
    space = cell.folder.space
    started = time.perf_counter()
    weights, failures = guard_weights(
        lambda rows: weigh(users[rows], items[rows]), users, len(space.aspects), lambda user: space.users.texts[user]
    )
    notes = {"milliseconds": (time.perf_counter() - started) / max(1, len(users)) * 1e3, "failures": failures}
    answers = [
        one for masked in (False, True) for one in _answers(cell, name, users, items, weights, masked, always_masked)
    ]
    return answers, notes


def measure_together(cell: CellInputs, lists: MeasuredLists, answers: Sequence[MethodAnswers]) -> list[pl.DataFrame]:
    """Measure what was named for the same lists, one table for each; what several name is judged once."""
    reporter, heads = cell.context.reporter, lists.heads

    def judge(named: NamedAspects) -> Verdicts:
        reporter.total(int(named.any_named.sum()), "pairs")
        return verdicts(lists.scorer, lists.space, heads.candidates, lists.k, named, reporter.advance, heads)

    known: Sequence[Verdicts | None] = [None] * len(answers)
    if lists.judged and answers:
        known = judged_once([one.named for one in answers], judge)
    return [measure_rows(cell.config, one, lists, cell.truth, found) for one, found in zip(answers, known, strict=True)]


def _answers(
    cell: CellInputs,
    name: str,
    users: IntVector,
    items: IntVector,
    weights: FloatMatrix,
    masked: bool,
    always_masked: bool,
) -> tuple[MethodAnswers, MethodAnswers]:
    """The heaviest aspect of each pair, and as many as CountER names.

    For a pair that CountER does not explain or that is not in its lists, they are as many as it usually names.
    """
    eligible = cell.mentioned(users) if masked or always_masked else None
    found = cell.answers(GUIDE, masked)
    counts, joint = count_guide_aspects(found, users, items)
    counts = np.where(joint, counts, count_usually_named(found))
    one, everywhere = np.ones(len(users), dtype=np.int64), np.ones(len(users), dtype=bool)
    return (
        MethodAnswers(name, "single", masked, named(users, items, weights, one, eligible), everywhere),
        MethodAnswers(name, "multi", masked, named(users, items, weights, counts, eligible), joint),
    )


WeighRows = Callable[[IntVector], FloatMatrix]
"""From row numbers to the weights of their aspects."""


def guard_weights(
    weigh: WeighRows, users: IntVector, aspects: int, name_of: Callable[[int], str]
) -> tuple[FloatMatrix, list[str]]:
    """The weights of all rows, and one line for each user the method failed for, whose weights are −∞."""
    weights = np.full((len(users), aspects), -np.inf, dtype=np.float32)
    failures: list[str] = []

    def work(rows: IntVector) -> None:
        weights[rows] = weigh(rows)

    isolate_failures(users, work, lambda user, error: failures.append(failure_line(name_of(user), error)))
    return weights, failures


def ignore_failure(user: int, error: Exception) -> None:
    """Do nothing: the failure was reported where the user was first asked about."""


PREDICTED = {"alignment_efm": "efm", "alignment_a2cf": "a2cf"}
"""The alignments of predicted attention and quality, and the baseline that predicts them."""
TIE = 1e-6
"""How much a mention of the aspect anywhere weighs beside one in the item's reviews: it only breaks ties."""


def alignment(cell: CellInputs) -> WeighPairs:
    """X_k · Y_k of the aspects that the user has mentioned and the item has."""
    space = cell.folder.space

    def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
        both = cell.mentioned(users) & present(space, items)
        return np.where(both, space.user_attention[users] * space.item_quality[items], -np.inf)

    return weigh


def frequency(cell: CellInputs) -> WeighPairs:
    """How often the item's training reviews mention each aspect; among equals, how often any review does."""
    weight = frequencies(cell.folder)

    def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
        del users
        return weight[items]

    return weigh


def frequencies(folder: RunFolder) -> FloatMatrix:
    """[items, aspects]: the weights of plain frequency; −∞ where no training review of the item mentions the aspect."""
    space, said = folder.space, train_mentions(folder)
    counts = np.zeros((len(space.items), len(space.aspects)))
    np.add.at(counts, (said.items, said.aspects), 1.0)
    return np.where(counts > 0, counts + TIE * counts.sum(axis=0), -np.inf)


def predicted_alignment(cell: CellInputs, baseline: str) -> WeighPairs:
    """X̂_k · Ŷ_k, as a baseline predicts both, of the aspects that the user has mentioned and the item has.

    It explains our lists: so an aspect that the item does not have, whatever is predicted of it, cannot be a reason.
    """
    space, predicted = cell.folder.space, fitted_baseline(cell.folder, baseline).space

    def weigh(users: IntVector, items: IntVector) -> FloatMatrix:
        both = cell.mentioned(users) & present(space, items)
        return np.where(both, predicted.user_attention[users] * predicted.item_quality[items], -np.inf)

    return weigh


RULES: Mapping[str, Callable[[CellInputs], WeighPairs]] = {
    "alignment": alignment,
    "alignment_efm": lambda cell: predicted_alignment(cell, "efm"),
    "alignment_a2cf": lambda cell: predicted_alignment(cell, "a2cf"),
    "frequency": frequency,
}
"""Every rule by its name."""


def list_rules(config: RunConfig) -> tuple[str, ...]:
    """The rules that can be asked: what a baseline predicts only where it is fitted."""
    return tuple(name for name in RULES if PREDICTED.get(name, "") in ("", *config.experiment.baselines))
