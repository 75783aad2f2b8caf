"""Lists → verified explanations."""

from __future__ import annotations

from dataclasses import replace

from counterec.core.candidates import Candidates
from counterec.core.evaluation.model_side import verdicts
from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.answer_row import answer_rows
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goals import Goal
from counterec.core.explainers.why import why
from counterec.core.failures import OnFailure, failure_line
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.protocols import Scorer
from counterec.core.space import AspectSpace
from counterec.pipeline import serialization
from counterec.pipeline.config import MASKED, ExplainConfig, RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.explanation_tables import explanations_table
from counterec.pipeline.stages.inputs import candidates_of, heads_of, ranking_inputs, reserve_of, space_of


def explainer_of(
    scorer: Scorer,
    goal: Goal,
    config: ExplainConfig,
    reserve: Candidates | None,
    on_failure: OnFailure | None = None,
) -> CountER:
    """The explainer that a configuration asks for; ``reserve`` is what candidates were drawn from."""
    return CountER(
        scorer,
        goal=goal,
        relaxed=config.relaxed,
        single=config.single,
        minimal=config.minimal,
        complete=config.complete,
        reserve=reserve,
        on_failure=on_failure,
    )


def explain_stage(config: RunConfig, method: str, device: str) -> Stage:
    """Lists → a verified answer for every recommended item, judged for necessity and sufficiency."""
    goal: Goal = method.removesuffix(MASKED)  # type: ignore[assignment]  # the configuration was checked
    explain = config.explain
    constraints = replace(explain.constraints, masked=method.endswith(MASKED))

    def work(context: StageContext) -> None:
        space, net = space_of(context), AspectNet(serialization.load_net(context.path(serialization.MODEL)), device)
        candidates = candidates_of(config, context, space)
        table = serialization.read_table(context.path(serialization.RECOMMENDATIONS))
        lists = serialization.recommendations_from(table, space, candidates, config.lists.k)
        heads = heads_of(context, candidates)
        question = why(space, lists, constraints=constraints, margin=explain.margin)
        context.reporter.total(2 * len(question), "pairs")
        failures: dict[int, Exception] = {}
        explainer = explainer_of(net, goal, explain, reserve_of(config, context), failures.__setitem__)
        answers = explainer.explain(question, context.reporter.advance)
        _tell(context, method, space, answers, failures)
        found = verdicts(net, space, candidates, lists.k, answers.named(), context.reporter.advance, heads)
        _, positions, _ = lists.pairs()
        frame = explanations_table(answer_rows(answers.with_verdicts(found), question, goal, positions + 1))
        serialization.write_table(frame, context.new(serialization.explanations_file(method)))
        statuses = frame["status"].value_counts()
        context.counts |= dict(zip(statuses["status"], statuses["count"], strict=True))

    settings = [method, vars(constraints), explain.margin, vars(getattr(explain, goal)), config.lists.k]
    inputs = (*ranking_inputs(config), serialization.RECOMMENDATIONS, serialization.HEADS)
    return Stage(f"explain {method}", inputs, (serialization.explanations_file(method),), settings, work)


def _tell(
    context: StageContext, method: str, space: AspectSpace, answers: Explanations, failures: dict[int, Exception]
) -> None:
    """Warn of users that could not be served; where nobody could, it is not for a user's sake, and is raised."""
    if not failures:
        return
    user, error = next(iter(failures.items()))
    if (answers.status == Status.FAILED).all():
        raise error
    first = failure_line(space.users.texts[user], error)
    whose = "a user" if len(failures) == 1 else f"{len(failures)} users"
    context.warn(f"{method} failed for {whose}, whose items are answered failed; the first, {first}")
