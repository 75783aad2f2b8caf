"""Lists → verified explanations."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.robustness import robustness
from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.answer_row import EXPLAINED, UNREVIEWED, answer_rows
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import Goal
from counterec.core.explainers.lead import leads
from counterec.core.explainers.question_builders import why
from counterec.core.explainers.ranker_targets import under_ranker
from counterec.core.failure_isolation import OnFailure, failure_line
from counterec.core.scorers.protocols import AveragedScorer, Scorer
from counterec.pipeline import layout
from counterec.pipeline.config import MASKED, ExplainConfig, RunConfig
from counterec.pipeline.explanation_tables import explanations_table
from counterec.pipeline.models import model_kind
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import CountedOnce, Stage, StageContext


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
    settings = {goal: getattr(config, goal)}
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
            f"explain.{goal_of(method)}",
            *layout.ranker_settings(config.lists.rules),
        ),
        inputs=(
            *layout.ranking_inputs(config.lists.protocol, config.lists.rules),
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
    )


def _explain(context: StageContext, method: str) -> None:
    folder, explain, goal = context.folder, context.config.explain, goal_of(method)
    constraints = replace(explain.constraints, masked=method.endswith(MASKED))
    lists, scorer = folder.recommendations, folder.scorer
    question = why(folder.space, lists, constraints=constraints, margin=explain.margin_share)
    question = under_ranker(scorer, question)
    rounds = (
        3 if isinstance(scorer, AveragedScorer) else 2
    )  # explained, judged and, where there are nets, asked of them
    progress = CountedOnce(context.reporter, len(question), "pairs", rounds * len(question))
    advance = progress.advance
    failures: dict[int, Exception] = {}
    explainer = explainer_of(scorer, goal, explain, folder.reserve, failures.__setitem__)
    answers = explainer.explain(question, advance)
    _report_failures(context, method, answers, failures)
    named = answers.named()
    found = verdicts(scorer, folder.space, folder.candidates, lists.k, named, advance, folder.heads, lists.ranker)
    split, mark = leads(scorer, question, answers), robustness(scorer, question, answers, advance, folder.member_lists)
    progress.finish()
    _, positions, _ = lists.pairs()
    frame = explanations_table(answer_rows(answers.with_verdicts(found), question, positions + 1, split, mark))
    write_table(folder.marked(frame), context.new(layout.explanations_file(method)))
    context.counts |= _counts(frame)


def _report_failures(context: StageContext, method: str, answers: Explanations, failures: dict[int, Exception]) -> None:
    """Warn of users who could not be answered; if nobody could be, the fault is not theirs, and is raised."""
    if not failures:
        return
    user, error = next(iter(failures.items()))
    if (answers.status == Status.FAILED).all():
        raise error
    first = failure_line(context.folder.space.users.texts[user], error)
    whose = "one user" if len(failures) == 1 else f"{len(failures)} users"
    context.warn(f"{method} failed for {whose}, whose items have the status failed; the first, {first}")


def _counts(frame: pl.DataFrame) -> dict[str, int]:
    """How many pairs have each status; explanations that make aspects unreviewed are counted by themselves."""
    unreviewed = (pl.col("status") == EXPLAINED) & (pl.col("values") == UNREVIEWED)
    status = pl.when(unreviewed).then(pl.lit(UNREVIEWED)).otherwise("status").alias("status")
    counts = frame.select(status)["status"].value_counts()
    return dict(zip(counts["status"], counts["count"], strict=True))
