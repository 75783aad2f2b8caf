"""Lists → verified explanations."""

from __future__ import annotations

from counterec.core.evaluation.model_side import verdicts
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import why
from counterec.core.scorers.aspect_net import AspectNet
from counterec.pipeline import store
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Desk, Stage
from counterec.pipeline.stages.inputs import candidates_of, ranking_inputs, space_of


def explain_stage(config: RunConfig, method: str) -> Stage:
    """Lists → a verified answer for every recommended item, judged for necessity and sufficiency."""
    goal, masked = method.removesuffix("-masked"), method.endswith("-masked")
    explain = config.explain

    def work(desk: Desk) -> None:
        space, net = space_of(desk), AspectNet(store.load_net(desk.path(store.MODEL)))
        candidates = candidates_of(config, desk, space)
        table = store.read_table(desk.path(store.RECOMMENDATIONS))
        lists = store.recommendations_from(table, space, candidates, config.lists.k)
        question = why(space, lists, masked=masked, floor=explain.floor, margin=explain.margin)
        desk.reporter.total(2 * len(question), "pairs")
        explainer = CountER(net, goal=goal, relaxed=explain.relaxed, single=explain.single)  # type: ignore[arg-type]
        answers = explainer.explain(question, desk.reporter.advance)
        found = verdicts(net, space, candidates, lists.k, answers.named(), desk.reporter.advance)
        _, positions, _ = lists.pairs()
        frame = store.explanations_table(answers, found, space, positions, goal)
        store.write_table(frame, desk.new(store.explanations_file(method)))
        statuses = frame["status"].value_counts()
        desk.counts |= dict(zip(statuses["status"], statuses["count"], strict=True))

    settings = [method, explain.floor, explain.margin, vars(getattr(explain, goal)), config.lists.k]
    inputs = (*ranking_inputs(config), store.RECOMMENDATIONS)
    return Stage(f"explain {method}", inputs, (store.explanations_file(method),), settings, work)
