"""A run: a run folder, any scorer, and questions asked by ids.

Reading needs no PyTorch; it is imported where something is computed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack

import numpy as np
import polars as pl

from counterec.core.attributes import Value
from counterec.core.candidates import Candidates
from counterec.core.explainers.answer_columns import answer_rows
from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.history.answer_row import By, HistoryRow, history_rows, smaller_rows
from counterec.core.lists import ABSENT_ITEM
from counterec.errors import InvalidValueError, UsageError
from counterec.pipeline.asked_pairs import (
    AskedPair,
    ListedItem,
    RerankedItem,
    asked_pair,
    competing,
    question_about,
    question_about_lists,
    require_by,
    require_no_aspects,
    reranked_item,
    user_list,
)
from counterec.pipeline.config import MASKED, RunConfig, check_config, make_frames_config
from counterec.pipeline.evidence import Evidence, evidence_of
from counterec.pipeline.explanation_tables import explanations_table, history_table, mixed_table
from counterec.pipeline.folder import RunFolder, has_past_reviews
from counterec.pipeline.manifest import Manifest
from counterec.wording.change import meant_value
from counterec.wording.record import HistoryRecord
from counterec.wording.record_builders import history_record, row_record

if TYPE_CHECKING:
    from counterec.adapters.tables import PairTable, TableOptions
    from counterec.core.arrays import FloatVector, IntVector
    from counterec.core.evaluation.necessity import Necessity
    from counterec.core.evaluation.robustness import AudienceRobustness
    from counterec.core.explainers.answer import Explanations
    from counterec.core.explainers.audience.answer import AudienceAnswer
    from counterec.core.explainers.budget import Budget
    from counterec.core.explainers.goal_names import Goal
    from counterec.core.explainers.history.solver import HistoryExplainer
    from counterec.core.explainers.question import Kind, Question
    from counterec.core.explainers.what_if import Reranking, UserStanding
    from counterec.core.list_rules import RankedPositions, Ranker
    from counterec.core.lists import Recommendations
    from counterec.core.scorers.base import Scorer
    from counterec.core.scorers.catalogue import Catalogue
    from counterec.core.scorers.rank_position import RankPositions
    from counterec.pipeline.config import ExperimentSettings
    from counterec.pipeline.engine import Checks
    from counterec.pipeline.stage import Reporter, RunOptions, Stage
    from counterec.report.user_list import UserList
    from counterec.wording.record import AnswerRecord

T = TypeVar("T")

ROOMS = "_rooms_of_threads"
"""The attribute that keeps what the threads have made; it ends with the object, and a thread's part with the thread."""


class per_thread(Generic[T]):  # noqa: N801 - used like cached_property
    """Like ``functools.cached_property``, but once for each thread that asks."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, kind: type) -> T:
        rooms = owner.__dict__.setdefault(ROOMS, threading.local())
        if self._name not in rooms.__dict__:
            rooms.__dict__[self._name] = self._make(owner)
        found: T = rooms.__dict__[self._name]
        return found


def make_run(
    config: RunConfig,
    folder: str | Path,
    reporter: Reporter | None = None,
    device: str = "cpu",
    processes: int = 1,
    force: Collection[str] = (),
    engine: str = "local",
    address: str | None = None,
) -> Run:
    """Bring a run folder up to date with a configuration and open it.

    What the configuration names, and the sources if they are new, are checked before any work, as by ``counterec run``.
    Stages that take long share their work among this many processes; what comes out is the same. Stages named in
    ``force`` run even if nothing changed, ``"all"`` for all.
    The engine ``"ray"`` shares the work among the nodes of Ray: of a cluster at an address, else of one that is started
    here while the run lasts.
    """
    from counterec.core.compute_limits import threads
    from counterec.pipeline.check import check_run
    from counterec.pipeline.engine import run_stages
    from counterec.pipeline.stage import RunOptions, SilentReporter

    reporter = reporter or SilentReporter()
    options = RunOptions(device, processes, engine=engine, address=address)
    check_run(config, Path(folder), reporter)
    stages, checks = stages_and_checks(config)
    settings = config.model_dump(mode="json")
    with threads(1):
        run_stages(Path(folder), settings, stages, reporter, options, force, checks)
    return open_run(folder, device)


def stages_and_checks(config: RunConfig) -> tuple[list[Stage], Checks]:
    """The stages of a run, and what has to hold after some of them."""
    from counterec.pipeline.check import check_aspects
    from counterec.pipeline.stages import run_stages_of

    return run_stages_of(config), {"build": partial(check_aspects, config)}


def open_run(
    folder: str | Path, device: str = "cpu", scorer: Scorer | None = None, ranker: Ranker | None = None
) -> Run:
    """Open a run folder; its model works on this device. A scorer given here is explained instead of its model.

    A ranker given here decides the lists instead of the run's own rules.
    """
    return Run(Path(folder), Manifest.load(Path(folder)), device, scorer, ranker)


class Run(RunFolder):
    """The values of a run folder, and answers to questions about its scorer; it may be asked from several threads."""

    ranker: Ranker | None = None
    """What decides the lists after the scores; None: nothing does, and they are the first K."""

    def __init__(
        self,
        path: Path,
        manifest: Manifest,
        device: str = "cpu",
        scorer: Scorer | None = None,
        ranker: Ranker | None = None,
    ) -> None:
        super().__init__(path, manifest, device)
        self._as_stored = scorer is None and ranker is None
        if ranker is not None:
            self.ranker = ranker
        if scorer is not None:
            self._rank_by(scorer)
        elif ranker is not None:
            self.recommendations = self._lists_by(ranker)

    @classmethod
    def create(
        cls,
        folder: str | Path,
        model: Any,
        users: Any,
        items: Any,
        *,
        name: str,
        k: int = 5,
        methods: Collection[str] = ("minimal",),
        constraints: Constraints | None = None,
        reporter: Reporter | None = None,
        **options: Unpack[TableOptions],
    ) -> Run:
        """Make a run folder from a model of your own and two data frames, and open it.

        The folder holds the rows that the model scores and the ``name`` of the model, never code. In this process the
        name stands for ``model``; whoever opens the folder later has the name in their own config.
        """
        from counterec.adapters.tables import tables_by
        from counterec.core.compute_limits import threads
        from counterec.pipeline.check import check_aspects
        from counterec.pipeline.engine import run_stages
        from counterec.pipeline.operator_model import BUILD, STORE, frame_stages, use_model
        from counterec.pipeline.stage import SilentReporter
        from counterec.pipeline.stages import stages_after_frames

        candidates: PairTable | None = options.get("candidates")
        tables, item_name = tables_by(users, items, options), options.get("item_name")
        lists = {"k": k, "protocol": "full" if candidates is None else "given"}
        limits = {} if constraints is None else {"constraints": constraints}
        config = make_frames_config(lists, {"methods": list(methods), **limits})
        made = frame_stages(
            config,
            tables,
            name,
            candidates=candidates,
            seen=options.get("seen"),
            item_names={} if item_name is None else tables.item_names(item_name),
        )
        use_model(name, model, options.get("recompute"))
        stages, checks = [*made, *stages_after_frames(config)], {"build": partial(check_aspects, config)}
        settings = config.model_dump(mode="json")
        with threads(1):
            run_stages(
                Path(folder), settings, stages, reporter or SilentReporter(), force=(BUILD, STORE), checks=checks
            )
        return open_run(folder)

    def _rank_by(self, scorer: Scorer) -> None:
        """Put another scorer, and the lists it makes, in the place of the stored ones."""
        from counterec.core.scorers.ranking import rank_with_members
        from counterec.pipeline.layout import head_length

        k = self.config.lists.k
        self.scorer = scorer
        self.heads, self.member_lists = rank_with_members(scorer, self.space, self.candidates, head_length(k), k)
        self.recommendations = self.heads.shortened(k) if self.ranker is None else self._lists_by(self.ranker)

    def _lists_by(self, ranker: Ranker) -> Recommendations:
        from counterec.core.scorers.ranking import rank

        return rank(self.scorer, self.space, self.candidates, self.config.lists.k, ranker=ranker)

    def explain(
        self,
        user_id: str | None = None,
        item_id: str | None = None,
        *,
        question: Kind = "why",
        versus: str | None = None,
        goal: Goal = "minimal",
        by: By = "aspects",
        constraints: Constraints | None = None,
        budget: Budget | None = None,
    ) -> pl.DataFrame:
        """Answer a question now: rows as they would lie on disk.

        ``why`` explains everybody's list, one user's, or one item of it; ``why_not`` an item that is not in it;
        ``why_rather`` and ``why_rather_takes`` why an item is ahead of the one in ``versus``. The run's constraints
        hold unless others are given; they say which values an aspect may take. With a ``budget``, calls are counted.

        ``by`` history, ``why`` names past reviews of the user instead of aspects: the fewest without which the item
        would not be in the list. ``both`` gives the answer that names fewer, and its column ``by`` says which it is.
        """
        require_by(by, question, versus)
        require_no_aspects(by, goal, constrained=constraints is not None)
        allowed = constraints or self.config.explain.constraints
        if user_id is None and item_id is not None:
            raise UsageError(f"{question} needs a user: in whose list?")
        if user_id is None or (question == "why" and item_id is None and versus is None):
            asked = question_about_lists(self, question, user_id, allowed)
        else:
            asked = question_about(self, question, [asked_pair(self, question, user_id, item_id, versus)], allowed)
        if by == "aspects":
            return self.answered(asked, goal, budget)
        past = self.history_rows(asked.users, asked.items, budget)
        if by == "history":
            return history_table(past)
        return mixed_table(smaller_rows(self.answer_rows(asked, goal, budget), past))

    def explain_pairs(
        self,
        pairs: Sequence[AskedPair],
        *,
        question: Kind = "why",
        goal: Goal = "minimal",
        constraints: Constraints | None = None,
        budget: Budget | None = None,
    ) -> list[AnswerRow]:
        """Answer one kind of question about many checked pairs together; rows in their order."""
        allowed = constraints or self.config.explain.constraints
        at_once = 1 if question.startswith("why_rather") else len(pairs)  # rivals differ from pair to pair
        rows: list[AnswerRow] = []
        for start in range(0, len(pairs), max(1, at_once)):
            asked = question_about(self, question, pairs[start : start + at_once], allowed)
            rows += self.answer_rows(asked, goal, budget)
        return rows

    @property
    def knows_past_reviews(self) -> bool:
        """Whether questions can be answered by past reviews: they are known, and what the model takes from them."""
        from counterec.core.explainers.history.user_history import is_forgetting

        return has_past_reviews(self) and is_forgetting(self.scorer)

    def history_rows(self, users: IntVector, items: IntVector, budget: Budget | None = None) -> list[HistoryRow]:
        """By numbers: the fewest past reviews without which each item would not be in its user's list, row by row."""
        from counterec.core.explainers.history.solver import NO_LIMIT

        return history_rows(self._history.explain(users, items, budget=budget or NO_LIMIT), self.space)

    def explain_pairs_by(
        self,
        by: By,
        pairs: Sequence[AskedPair],
        *,
        goal: Goal = "minimal",
        constraints: Constraints | None = None,
        budget: Budget | None = None,
        past_budget: Budget | None = None,
    ) -> list[AnswerRow | HistoryRow]:
        """Why are these items in their lists, by past reviews, or by whichever names fewer; rows in their order.

        ``past_budget`` is for past reviews alone; by default ``budget`` is for them, too.
        """
        users, items = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
        past = self.history_rows(users, items, past_budget or budget)
        if by == "history":
            return list(past)
        return smaller_rows(self.explain_pairs(pairs, goal=goal, constraints=constraints, budget=budget), past)

    def prepare(self) -> None:
        """Load what the first question of this thread would wait for; no scorer of others is asked."""
        from counterec.core.explainers import what_if  # noqa: F401  # imported now
        from counterec.core.scorers.base import LayeredScorer, aspect_part_of
        from counterec.pipeline.stages import explain  # noqa: F401
        from counterec.wording.sentences import sentence

        self.space.prepare()
        lists = self.recommendations
        rows, _, items = lists.pairs()
        if len(rows) and lists.ranker is None and isinstance(aspect_part_of(self.scorer), LayeredScorer):
            self._necessity.by_danger  # noqa: B018  # made once
            first = AskedPair(int(lists.users[rows[0]]), int(items[0]))
            sentence(self.record(self.explain_pairs([first])[0]))

    def answered(self, asked: Question, goal: Goal, budget: Budget | None = None) -> pl.DataFrame:
        """Answer a question that was built by numbers: a table as it would lie on disk."""
        return explanations_table(self.answer_rows(asked, goal, budget))

    def answer_rows(self, asked: Question, goal: Goal, budget: Budget | None = None) -> list[AnswerRow]:
        """Answer a question that was built by numbers: one row per pair."""
        from counterec.core.evaluation.robustness import robustness
        from counterec.core.explainers.lead import leads
        from counterec.core.explainers.ranker_targets import under_ranker
        from counterec.pipeline.stages.explain import explainer_of

        asked = under_ranker(self.scorer, asked)
        answers = explainer_of(self.scorer, goal, self.config.explain, self.reserve, budget=budget).explain(asked)
        answers = self._judged(asked, answers)
        pairs = zip(asked.users.tolist(), asked.items.tolist(), strict=True)
        positions = np.array([self._positions.before(user, item) for user, item in pairs], dtype=np.int64)
        mark = robustness(self.scorer, asked, answers, member_lists=self.member_lists)
        return answer_rows(answers, asked, positions, leads(self.scorer, asked, answers), mark)

    def what_if(
        self,
        user_id: str,
        changes: Mapping[str, Mapping[str, Value]],
        *,
        constraints: Constraints | None = None,
        places: int | None = None,
    ) -> Reranking:
        """The new ranking of a user's candidates if items had other values: item id → aspect → value.

        The value of an attribute is given as people have it: a number, True or False, a category, None for absent.

        A value as it is printed, such as 2.1, is read as the possible value that it stands for, unless the constraints
        allow any value.

        With ``places``, only so many first places matter, and those of the changed items: where the stored head of the
        user's ranking decides them, nothing else is scored, and the ranking ends with the head.
        """
        allowed = constraints or Constraints()
        qualities = self._changed_qualities(user_id, changes, allowed.values == "continuous")
        if places is not None and self.recommendations.ranker is None and places < self.heads.k:
            from counterec.core.explainers.what_if import what_if_near_the_list

            user, k = self.space.users.number(user_id), self.recommendations.k
            found = what_if_near_the_list(self.scorer, self.space, self.heads, k, user, qualities, constraints=allowed)
            if found is not None:
                return found
        return self.standing(user_id).reranked(qualities, allowed)

    def standing(self, user_id: str) -> UserStanding:
        """A user's candidates as they stand, for whoever asks *what if* again and again."""
        from counterec.core.explainers.what_if import UserStanding

        lists, user = self.recommendations, self.space.users.number(user_id)
        return UserStanding(
            self.scorer,
            self.space,
            self.candidates,
            lists.k,
            user,
            ranker=lists.ranker,
            catalogue=self._catalogue,
        )

    def listed(self, user_id: str) -> list[ListedItem]:
        """A user's list by ids, best first, and the first item below it."""
        return user_list(self, user_id)

    def reranked(
        self, user_id: str, changes: Mapping[str, Mapping[str, Value]], *, constraints: Constraints | None = None
    ) -> list[RerankedItem]:
        """The same as ``what_if``, by ids: all candidates in their new order."""
        found = self.what_if(user_id, changes, constraints=constraints)
        return [reranked_item(self, found, at) for at in range(len(found.items))]

    def evidence(self, aspect: str, *, user_id: str | None = None, item_id: str | None = None) -> Evidence:
        """What stands behind a user's attention to an aspect, or behind an item's quality."""
        return evidence_of(self, aspect, user_id, item_id)

    def why_not_for_all(
        self, item_id: str, user_ids: Iterable[str], wanted: int, *, constraints: Constraints | None = None
    ) -> AudienceAnswer:
        """The fewest improvements of an item with which it enters the lists of at least ``wanted`` of these users.

        Users for whom the item does not compete are left out.
        """
        from counterec.core.explainers.audience.solver import why_not_for_all

        return why_not_for_all(
            self.scorer,
            self.space,
            self.recommendations,
            self.space.items.number(item_id),
            self._audience(item_id, user_ids),
            wanted,
            constraints=constraints or self.config.explain.constraints,
            margin=self.config.explain.margin_share,
        )

    def audience_robustness(
        self, answer: AudienceAnswer, *, constraints: Constraints | None = None
    ) -> AudienceRobustness | None:
        """In how many of the nets, whose mean decides, an answer for an audience holds; None if there is no mean.

        ``constraints`` are those that the question was asked with; by default the run's.
        """
        from counterec.core.evaluation.robustness import audience_robustness

        return audience_robustness(
            self.scorer,
            self.space,
            self.recommendations,
            answer,
            constraints=constraints or self.config.explain.constraints,
            member_lists=self.member_lists,
        )

    def record(self, row: AnswerRow | Mapping[str, Any], constraints: Constraints | None = None) -> AnswerRecord:
        """The record of a row of an explanations table, checked; the position after the change is ranked anew.

        ``constraints`` are those that the question was asked with; by default the run's.
        """
        found = row if isinstance(row, AnswerRow) else AnswerRow.of(row)
        after = self._position_after(found) if found.aspects else found.position
        lists, user = self.recommendations, self.space.users.number(found.user_id)
        (list_row,) = lists.rows_of(np.array([user])).tolist()
        below = int(lists.items[list_row, lists.k]) if lists.ranker is None else self._instead(found)
        return row_record(
            self.space,
            found,
            k=lists.k,
            names=self.item_names,
            position_after=after,
            instead=None if below == ABSENT_ITEM else self.space.items.texts[below],
            spread=float(lists.spread[list_row]),
            constraints=constraints or self.config.explain.constraints,
        )

    def history_record(self, row: HistoryRow | Mapping[str, Any]) -> HistoryRecord:
        """The record of a row by history, checked."""
        found = row if isinstance(row, HistoryRow) else HistoryRow.of(row)
        return history_record(found, k=self.recommendations.k, names=self.item_names)

    def stored_record(self, row: AnswerRow | Mapping[str, Any], method: str) -> AnswerRecord:
        """The record of a row that a method of the run has stored: with the constraints that the method asks with."""
        asked = replace(self.config.explain.constraints, masked=method.endswith(MASKED))
        return self.record(row, asked)

    def list_of(self, user_id: str, below: int = 1) -> UserList:
        """A user's list with names and scores, and so many items below it."""
        from counterec.report.user_list import user_list

        return user_list(self, user_id, below)

    def report(self, path: str | Path | None = None, *, text: bool = True) -> Path:
        """Write the report of the run, one HTML file that needs nothing else; return where it is.

        By default it is ``report.html`` in the run folder. Without ``text`` it has no review texts, and pseudonyms for
        users.  It is about what the folder holds, whatever scorer was given here.
        """
        from counterec.report.document.inputs import ReportInputs
        from counterec.report.document.report_html import FILE, write_report_html
        from counterec.report.privacy import EVERYTHING, Privacy

        shown = EVERYTHING if text else Privacy.without_text()
        stored = self if self._as_stored else open_run(self.path, self.device)
        inputs = ReportInputs(stored, stored.stored_record, shown)
        return write_report_html(inputs, self.path / FILE if path is None else Path(path))

    def _repr_html_(self) -> str:
        from counterec.report.run_card import run_card

        return run_card(self)

    def _instead(self, row: AnswerRow) -> int:
        """The item that enters the list by the rules when the item of the row leaves it."""
        if row.question != "why" or row.score_after is None:
            return ABSENT_ITEM
        user, item = self.space.users.number(row.user_id), self.space.items.number(row.item_id)
        entered = self._ranked_positions.entered(user, item, row.score_after)
        return int(entered[0]) if len(entered) else ABSENT_ITEM

    def _position_after(self, row: AnswerRow) -> int | None:
        """Where the item stands after its change."""
        if row.score_after is None:
            return None
        user, item = self.space.users.number(row.user_id), self.space.items.number(row.item_id)
        quality = self.space.item_quality[item].copy()
        quality[self.space.aspects.numbers(row.aspects)] = row.after
        return self._positions.after(user, item, quality, row.score_after)

    def with_method(
        self,
        method: str,
        reporter: Reporter | None = None,
        device: str = "cpu",
        force: Collection[str] = (),
        processes: int = 1,
    ) -> Run:
        """Explain the whole run by one more method, evaluate it, and open the run anew."""
        from counterec.pipeline.stage import RunOptions
        from counterec.pipeline.stages import method_stages
        from counterec.pipeline.stages.evaluate import evaluate_stage

        methods = self.methods if method in self.methods else (*self.methods, method)
        settings = self.config.model_dump(mode="json")
        settings["explain"]["methods"] = methods
        config = check_config(settings, method)
        stages = [*method_stages(config, (method,)), evaluate_stage(config)]
        self._add(stages, config, reporter, RunOptions(device, processes), force)
        return open_run(self.path, device)

    def experiment(
        self,
        settings: ExperimentSettings | None = None,
        reporter: Reporter | None = None,
        device: str = "cpu",
        force: Collection[str] = (),
        processes: int = 1,
        at_once: int = 1,
        minutes: float | None = None,
    ) -> dict[str, Path]:
        """Measure every method of the paper on this run; return where each report lies, by model and protocol.

        What was measured before and has not changed is not measured again. The settings are the run's own by default.
        ``at_once`` cells are measured side by side, each in a process of its own; one at a time, its stages share
        ``processes``. After ``minutes`` no stage is begun; reports are made of what is whole by then, and the same
        call goes on from there.
        """
        from counterec.experiment.part import Part, require_known_stages, run_part
        from counterec.experiment.plan import list_cells
        from counterec.pipeline.engine import EVERY_STAGE
        from counterec.pipeline.layout import EXPERIMENT
        from counterec.pipeline.stage import RunOptions, SilentReporter
        from counterec.report.experiment_report import report_stage

        settings = settings or self.config.experiment
        if not self.config.split.held_out and self.config.data.tables is None:
            raise UsageError(f"{self.path} holds nothing out, so nothing can be measured; make a run with --held-out 5")
        config = self.config.model_copy(update={"experiment": settings})
        cells = list_cells(config)
        reports = {folder: report_stage(config, folder) for folder in dict.fromkeys(cell.folder for cell in cells)}
        require_known_stages(config, force, [stage.name for stage in reports.values()])
        shown, options = reporter or SilentReporter(), RunOptions(device, processes)
        settings_now = self.config.model_dump(mode="json")
        done = run_part(self.path, settings_now, config, Part(at_once, minutes), shown, options, force)
        whole = [folder for folder in reports if all(cell.name in done for cell in cells if cell.folder == folder)]
        made = [reports[folder] for folder in whole]
        again = [name for name in force if name in {EVERY_STAGE, *(stage.name for stage in made)}]
        self._add(made, self.config, reporter, options, again)
        return {folder: self.path / EXPERIMENT / folder for folder in whole}

    def _add(
        self,
        stages: list[Stage],
        config: RunConfig,
        reporter: Reporter | None,
        options: RunOptions,
        force: Collection[str],
    ) -> None:
        from counterec.core.compute_limits import threads
        from counterec.pipeline.engine import add_stages
        from counterec.pipeline.stage import SilentReporter

        with threads(1):
            settings = config.model_dump(mode="json")
            add_stages(self.path, settings, stages, reporter or SilentReporter(), options, force)

    @per_thread
    def _ranked_positions(self) -> RankedPositions:
        from counterec.core.list_rules import RankedPositions

        lists = self.recommendations
        if lists.ranker is None:
            raise InvalidValueError("no rules decide the lists of this run")
        return RankedPositions(self.scorer, self.space, lists.ranker, self.candidates, lists.k)

    @per_thread
    def _catalogue(self) -> Catalogue:
        """What the scorer needs once for all users; kept, since questions come one by one."""
        from counterec.core.scorers.catalogue import catalogue_of

        return catalogue_of(self.scorer, self.space)

    @per_thread
    def _history(self) -> HistoryExplainer:
        """What explaining by past reviews needs once for all users."""
        from counterec.core.explainers.history.solver import HistoryExplainer

        past, attention = self.past_reviews
        return HistoryExplainer(
            self.scorer,
            self.space,
            self.recommendations,
            past,
            attention=attention,
            margin=self.config.explain.margin_share,
            catalogue=self._catalogue,
        )

    @per_thread
    def _necessity(self) -> Necessity:
        """What judging answers needs once for all users."""
        from counterec.core.evaluation.necessity import Necessity

        return Necessity(self.scorer, self.space, self.recommendations.k)

    @per_thread
    def _positions(self) -> RankPositions | RankedPositions:
        if self.recommendations.ranker is not None:
            return self._ranked_positions
        from counterec.core.scorers.rank_position import RankPositions

        return RankPositions(lambda: self.scorer, self.space, self.heads)

    def _judged(self, asked: Question, answers: Explanations) -> Explanations:
        """The answers with verdicts: are the named aspects necessary and sufficient? Not asked of *why not*."""
        from counterec.core.evaluation.judge_necessity import verdicts

        if asked.kind == "why_not":
            return answers
        if asked.ranker is not None:
            k, named, versus = self.recommendations.k, answers.named(), asked.versus
            found = verdicts(self.scorer, self.space, asked.candidates, k, named, ranker=asked.ranker, versus=versus)
        elif asked.versus is None:
            named, shared = answers.named(), self._necessity
            found = verdicts(
                self.scorer, self.space, asked.candidates, asked.k, named, lists=self.heads, necessity=shared
            )
        else:
            rivals = {int(asked.users[row]): asked.rivals(row) for row in range(len(asked))}
            everyone = range(len(self.space.users))
            candidates = Candidates.exactly(len(self.space.items), [rivals.get(user, []) for user in everyone])
            found = verdicts(self.scorer, self.space, candidates, asked.k, answers.named())
        return answers.with_verdicts(found)

    def _changed_qualities(
        self, user_id: str, changes: Mapping[str, Mapping[str, Value]], any_value: bool
    ) -> dict[int, FloatVector]:
        """The whole vectors of items that compete for a user's list, with some values changed."""
        qualities = {}
        for item_id, values in changes.items():
            item = competing(self, user_id, item_id, "")
            quality = self.space.item_quality[item].copy()
            aspects = self.space.aspects.numbers(values).tolist()
            for aspect, value in zip(aspects, values.values(), strict=True):
                quality[aspect] = self._meant(item, aspect, value, any_value)
            try:
                self.space.require_on_scale(quality, item_id, or_between=any_value)
            except InvalidValueError as error:  # of a value in the question, not of the run's own
                raise UsageError(str(error)) from None
            qualities[item] = quality
        return qualities

    def _meant(self, item: int, aspect: int, value: Value, any_value: bool) -> float:
        """The number that a value as people have it stands for."""
        if self.space.schema is not None:
            try:
                return self.space.schema[aspect].code(value)
            except InvalidValueError as error:
                raise UsageError(str(error)) from None
        if not isinstance(value, int | float | np.number):
            raise UsageError(f"{self.space.aspects.texts[aspect]} is {value!r}; it must be a number")
        return float(value) if any_value else meant_value(self.space, float(value), item, aspect)

    def _audience(self, item_id: str, user_ids: Iterable[str]) -> IntVector:
        """The users whose list the item competes for."""
        item, users = self.space.items.number(item_id), self.space.users.numbers(user_ids)
        open_to_it = [user for user in users.tolist() if self.candidates.contain(user, item)]
        if not open_to_it:
            raise UsageError(f"{item_id} competes for the list of none of these {len(users)} users")
        return np.array(open_to_it, dtype=np.int64)
