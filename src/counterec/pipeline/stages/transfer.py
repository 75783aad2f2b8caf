"""Explanations that were selected for a measure → the same measure on ground they were not selected on."""

from __future__ import annotations

from collections.abc import Iterator

from counterec.core.candidates import sampled_candidates
from counterec.core.evaluation.transfer import Ground, elsewhere, fresh_grounds
from counterec.core.explainers.answer import NamedAspects
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.space import AspectSpace
from counterec.pipeline import serialization
from counterec.pipeline.config import MASKED, RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.explanation_tables import explanations_from
from counterec.pipeline.files import write_json
from counterec.pipeline.stages.inputs import candidates_of, depth, heads_of, parts, ranking_inputs, space_of

SELECTING = ("complete",)
"""The goals that select on necessity and sufficiency, which is what PN and PS measure."""


def selects(method: str) -> bool:
    """Whether a method selects on what its explanations are measured by."""
    return method.removesuffix(MASKED) in SELECTING


def elsewhere_stage(config: RunConfig, method: str, device: str) -> Stage:
    """Explanations, and a net that was trained again → PN and PS elsewhere."""

    def work(context: StageContext) -> None:
        space = space_of(context)
        table = serialization.read_table(context.path(serialization.explanations_file(method)))
        named = explanations_from(table, space, config.explain.margin).named()
        context.reporter.total(4 * int(named.any_named.sum()), "pairs")
        grounds = grounds_of(config, context, space, named, device)
        found = elsewhere(space, named, grounds, context.reporter.advance)
        write_json(
            context.new(serialization.elsewhere_file(method)), {name: side.as_dict() for name, side in found.items()}
        )

    inputs = (
        *ranking_inputs(config),
        serialization.HEADS,
        serialization.MODEL_AGAIN,
        serialization.explanations_file(method),
    )
    settings = [config.lists.k, config.lists.negatives, config.seed]
    return Stage(f"elsewhere {method}", inputs, (serialization.elsewhere_file(method),), settings, work)


def grounds_of(
    config: RunConfig, context: StageContext, space: AspectSpace, named: NamedAspects, device: str
) -> Iterator[Ground]:
    """Other lengths of the list, a net trained again, and, where candidates are drawn, another draw of them."""
    net, again = (
        AspectNet(serialization.load_net(context.path(file)), device)
        for file in (serialization.MODEL, serialization.MODEL_AGAIN)
    )
    candidates, k = candidates_of(config, context, space), config.lists.k
    ranking = heads_of(context, candidates)
    if k > 1:
        yield Ground(f"k={k - 1}", net, ranking, k - 1)
    yield Ground(f"k={k + 1}", net, ranking, k + 1)
    yield Ground("trained again", again, rank(again, space, candidates, depth(k)), k)
    if config.lists.protocol == "sampled":
        split = parts(context)
        touched, seed = split["train"].joined(split["validation"]), config.seed + 1
        drawn = sampled_candidates(split["test"], touched, space.users.texts, seed, config.lists.negatives)
        yield from fresh_grounds("fresh candidates", net, space, drawn, named, k, depth(k))
