"""Lists → verified explanations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector
from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.robustness import robustness
from counterec.core.explainers.answer import Status
from counterec.core.explainers.answer_columns import answer_columns
from counterec.core.explainers.answer_row import EXPLAINED, UNREVIEWED
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import Goal
from counterec.core.explainers.lead import leads
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.failure_isolation import OnFailure, failure_line
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import Scorer
from counterec.pipeline import layout
from counterec.pipeline.config import MASKED, ExplainConfig, RunConfig, goal_settings
from counterec.pipeline.explanation_tables import columns_table, joined_explanations
from counterec.pipeline.files import read_table, table_bytes, write_table
from counterec.pipeline.models import model_kind
from counterec.pipeline.piece_store import Made, Piece
from counterec.pipeline.pieces import Step, made_in_pieces
from counterec.pipeline.stage import Stage, StageContext, StageInputs

USERS_PER_PIECE = 128
"""Users whose lists are explained as one piece: seconds of work, and enough pairs to be solved side by side."""


def goal_of(method: str) -> Goal:
    """The goal of a method: its name without the mask."""
    goal: Goal = method.removesuffix(MASKED)  # type: ignore[assignment]  # the configuration was checked
    return goal


def explainer_of(
    scorer: Scorer,
    goal: Goal,
    config: ExplainConfig,
    reserve: Candidates | None,
    on_failure: OnFailure | None = None,
    budget: Budget | None = None,
) -> CountER:
    """The explainer that a configuration asks for; ``reserve`` is what candidates were drawn from."""
    settings = {goal: getattr(config, goal)} if goal_settings(goal) else {}
    telling = config.telling
    return CountER(
        scorer, goal=goal, telling=telling, reserve=reserve, on_failure=on_failure, budget=budget, **settings
    )


def explain_stage(config: RunConfig, method: str) -> Stage:
    """Lists → a verified answer for every recommended item, judged for necessity, sufficiency and robustness."""
    return Stage(
        name=f"explain {method}",
        config=config,
        settings=(
            "lists.k",
            "lists.protocol",
            "explain.constraints",
            "explain.margin_share",
            "explain.telling",
            *goal_settings(goal_of(method)),
        ),
        inputs=(
            *layout.ranking_inputs(config.lists.protocol),
            layout.RECOMMENDATIONS,
            layout.HEADS,
        ),
        outputs=(layout.explanations_file(method),),
        code=(
            "counterec.core",
            "counterec.pipeline.explanation_tables",
            *model_kind(config.model.kind).all_code,
        ),
        work=lambda context: _explain(context, method),
        in_pieces=True,
    )


def _explain(context: StageContext, method: str) -> None:
    users = len(context.folder.recommendations.users)
    step = Step("answers", _explain_users, users, USERS_PER_PIECE, "users", ".parquet")
    pieces = made_in_pieces(context, step, method)
    frame = joined_explanations([read_table(piece.path) for piece in pieces])
    _report_failures(context, method, frame, [line for piece in pieces for line in piece.notes["failures"]])
    write_table(frame, context.new(layout.explanations_file(method)))
    context.counts |= _counts(frame)


def _explain_users(inputs: StageInputs, piece: Piece, method: str) -> Made:
    """The answers of some users, and one line for each user who could not be answered."""
    folder = inputs.folder
    question, lists = _question(inputs, method, np.arange(piece.start, piece.stop))
    failures: dict[int, Exception] = {}
    explainer = _explainer(inputs, method, failures.__setitem__)
    answers = explainer.explain(question)
    asked = folder.scorer, folder.space, folder.candidates, lists.k, answers.named()
    answers = answers.with_verdicts(verdicts(*asked, lists=folder.heads, necessity=folder.necessity))
    split = leads(folder.scorer, question, answers)
    mark = robustness(folder.scorer, question, answers, member_lists=folder.member_lists)
    _, positions, _ = lists.pairs()
    frame = columns_table(answer_columns(answers, question, positions + 1, split, mark))
    texts = folder.space.users.texts
    return Made(table_bytes(frame), {"failures": [failure_line(texts[user], e) for user, e in failures.items()]})


def _question(inputs: StageInputs, method: str, rows: IntVector) -> tuple[Question, Recommendations]:
    """The question why everything in these lists is there; and the lists."""
    folder, explain = inputs.folder, inputs.config.explain
    lists = folder.recommendations.rows(rows)
    constraints = replace(explain.constraints, masked=method.endswith(MASKED))
    return why(folder.space, lists, constraints=constraints, margin=explain.margin_share), lists


def _explainer(inputs: StageInputs, method: str, on_failure: OnFailure | None) -> CountER:
    folder = inputs.folder
    return explainer_of(folder.scorer, goal_of(method), inputs.config.explain, folder.reserve, on_failure)


def _report_failures(context: StageContext, method: str, frame: pl.DataFrame, failures: list[str]) -> None:
    """Warn of users who could not be answered; if nobody could be, the fault is not theirs, and is raised."""
    if not failures:
        return
    if (frame["status"] == Status.FAILED.label).all():
        first, _ = _question(context.inputs, method, np.arange(1))
        _explainer(context.inputs, method, None).explain(first)
    whose = "one user" if len(failures) == 1 else f"{len(failures)} users"
    context.warn(f"{method} failed for {whose}, whose items have the status failed; the first, {failures[0]}")


def _counts(frame: pl.DataFrame) -> dict[str, int]:
    """How many pairs have each status; explanations that make aspects unreviewed are counted by themselves."""
    unreviewed = (pl.col("status") == EXPLAINED) & (pl.col("values") == UNREVIEWED)
    status = pl.when(unreviewed).then(pl.lit(UNREVIEWED)).otherwise("status").alias("status")
    counts = frame.select(status)["status"].value_counts()
    return dict(zip(counts["status"], counts["count"], strict=True))
