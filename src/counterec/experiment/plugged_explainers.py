"""Explainers of other packages → rows: asked the questions that CountER is asked, and measured by the same path.

What such an explainer claims is not taken over. A change that it proposes is scored again here, exactly as it stands,
and only a real flip counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector, require, require_shape
from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.explainers.answer import Explanations, NamedAspects, Proposal, verified
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.question import Question
from counterec.core.explainers.reachable_values import made_reachable
from counterec.core.failure_isolation import failure_line, isolate_failures
from counterec.core.scorers.protocols import Scorer
from counterec.errors import InvalidValueError, PluginError
from counterec.experiment.cell_inputs import MEASURING_SETTINGS, CellInputs, measuring_code, measuring_inputs
from counterec.experiment.rows import MethodAnswers, Shape, measured, notes_file, rows_file
from counterec.experiment.schemas import ROWS
from counterec.pipeline.config import RunConfig
from counterec.pipeline.experiment_settings import OWN_LISTS
from counterec.pipeline.files import write_json
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.plugins import Plugin, plugin_named

TAKEN = (*GOALS, *ATTRIBUTIONS, *OWN_LISTS, "popularity", "random_ranking")
"""Names that mean something else in the tables of an experiment."""


def explainer_plugins(config: RunConfig) -> list[Plugin]:
    """The explainers of other packages that an experiment asks for; that one cannot be loaded is told at once."""
    found = [plugin_named("explainer", name) for name in config.experiment.explainers]
    for plugin in found:
        if plugin.name in TAKEN:
            raise PluginError(f"{plugin.label} has the name of a method of our own; ask its authors for another")
        plugin.load()
    return found


def plugged_explainer_stage(config: RunConfig, plugin: Plugin) -> Stage:
    """The lists → what an explainer of another package says of them, measured; or why there is nothing."""
    return Stage(
        name=f"measure {plugin.name}",
        config=config,
        settings=(*MEASURING_SETTINGS, "explain.constraints"),
        inputs=measuring_inputs(config),
        outputs=(rows_file(plugin.name), notes_file(plugin.name)),
        code=(*measuring_code(config), plugin.code),
        work=lambda context: _measure(context, plugin),
    )


def _measure(context: StageContext, plugin: Plugin) -> None:
    cell, frame = CellInputs(context), pl.DataFrame(schema=dict(ROWS))
    notes: dict[str, Any] = {"package": f"{plugin.package} {plugin.version}"}
    try:
        frame, found = _measured(cell, plugin)
        notes |= found
    except PluginError as error:  # whatever a method does, the others are measured
        notes["unavailable"] = str(error)
        context.warn(f"{plugin.name} is left out: {error}")
    write_table(frame, context.new(rows_file(plugin.name)))
    write_json(context.new(notes_file(plugin.name)), notes)


def _measured(cell: CellInputs, plugin: Plugin) -> tuple[pl.DataFrame, dict[str, Any]]:
    frames, failures, seconds, proposes = [], list[str](), 0.0, False
    for masked in (False, True):
        question = cell.question(cell.lists, masked)
        started = time.perf_counter()
        answers = plugged_answers(plugin, cell.scorer, question)
        seconds += 0.0 if masked else time.perf_counter() - started
        failures += answers.failures(cell.folder.space.users.texts, masked)
        proposes |= answers.explanations is not None
        everywhere = np.ones(len(question), dtype=bool)
        one = MethodAnswers(plugin.name, answers.shape, masked, answers.named, everywhere, answers.explanations)
        frames.append(measured(cell.config, one, cell.measured_lists, cell.truth))
    milliseconds = seconds / max(1, len(question)) * 1e3
    return pl.concat(frames), {"milliseconds": milliseconds, "failures": failures, "proposes_changes": proposes}


@dataclass(frozen=True)
class PluggedAnswers:
    """What an explainer of another package says of the pairs of a question."""

    shape: Shape
    named: NamedAspects
    explanations: Explanations | None
    """The changes that it proposes, scored again; None where it only names aspects."""
    errors: dict[int, Exception]
    """The users it failed for."""

    def failures(self, users: tuple[str, ...], masked: bool) -> list[str]:
        """One line for each user it failed for."""
        where = " with the mask" if masked else ""
        return [failure_line(users[user] + where, error) for user, error in self.errors.items()]


def plugged_answers(plugin: Plugin, scorer: Scorer, question: Question) -> PluggedAnswers:
    """Ask an explainer of another package; if it works for nobody, that is an error that names the package."""
    make = plugin.load()
    try:
        explainer = make(scorer)
        shape = _shape(explainer)
        require(callable(getattr(explainer, "explain", None)), f"a {type(explainer).__name__} has no explain(question)")
    except Exception as error:  # it is anybody's code
        raise plugin.fault(error) from None
    asked, errors = _Asked(explainer.explain, scorer, question), dict[int, Exception]()
    lost = isolate_failures(question.users, asked.ask, errors.__setitem__)
    if len(lost) and len(lost) == len(question):
        raise plugin.fault(next(iter(errors.values()))) from None
    return asked.answers(shape, lost, errors)


def _shape(explainer: Any) -> Shape:
    found = getattr(explainer, "shape", "multi")
    require(found in ("single", "multi"), f"its shape is {found!r}; it must be 'single' or 'multi'")
    return cast(Shape, found)


class _Asked:
    """Collects what an explainer says, part by part: users it fails for are asked about by themselves."""

    def __init__(self, explain: Callable[[Question], Any], scorer: Scorer, question: Question) -> None:
        self._explain, self._scorer, self._question = explain, scorer, question
        self._rows: list[IntVector] = []
        self._changes: list[Explanations] = []
        self._names: list[NamedAspects] = []

    def ask(self, rows: IntVector) -> None:
        """Ask about some rows, and keep what is said if it can be used."""
        part = self._question.rows(rows)
        said = self._explain(part)
        if not isinstance(said, Explanations | NamedAspects):
            raise InvalidValueError(
                f"explain(question) returned a {type(said).__name__}; return Explanations or NamedAspects"
            )
        same = np.array_equal(said.users, part.users) and np.array_equal(said.items, part.items)
        require(same, "explain(question) answered for other pairs than those of the question, or in another order")
        if isinstance(said, Explanations):
            require(not self._names, "explain(question) returned Explanations, and before that NamedAspects")
            proposal = made_reachable(self._scorer, part, Proposal.of(np.array(said.delta)))
            self._changes.append(verified(self._scorer, part, proposal))
        else:
            require(not self._changes, "explain(question) returned NamedAspects, and before that Explanations")
            require_shape("named", said.named, part.lowest.shape)
            self._names.append(_within_mask(part, said))
        self._rows.append(rows)

    def answers(self, shape: Shape, lost: IntVector, errors: dict[int, Exception]) -> PluggedAnswers:
        """All parts in the order of the question; nothing is named for the rows that were lost."""
        order = np.argsort(np.concatenate([*self._rows, lost])) if len(self._question) else lost
        rest = self._question.rows(lost)
        if self._names:
            names = _joined([*self._names, _no_names(rest)])
            return PluggedAnswers(shape, _in_order(names, order), None, errors)
        found = Explanations.joined([*self._changes, Explanations.failed(rest)]).rows(order)
        return PluggedAnswers(shape, found.named(), found, errors)


def _within_mask(question: Question, said: NamedAspects) -> NamedAspects:
    """What was named, of the aspects that the user has mentioned where only these may be."""
    if not question.constraints.masked:
        return said
    mentioned = question.space.user_attention[question.users] != 0
    return NamedAspects(said.users, said.items, said.named & mentioned, said.weight)


def _no_names(question: Question) -> NamedAspects:
    nothing = np.zeros(question.lowest.shape)
    return NamedAspects(question.users, question.items, nothing > 0, nothing)


def _joined(parts: list[NamedAspects]) -> NamedAspects:
    names = ("users", "items", "named", "weight")
    return NamedAspects(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _in_order(names: NamedAspects, order: IntVector) -> NamedAspects:
    return NamedAspects(names.users[order], names.items[order], names.named[order], names.weight[order])
