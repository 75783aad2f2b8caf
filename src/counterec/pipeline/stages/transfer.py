"""Explanations that were selected for a measure → the same measure in conditions they were not selected on."""

from __future__ import annotations

from collections.abc import Iterator

from counterec.core.candidates import sampled_candidates
from counterec.core.evaluation.transfer import Condition, fresh_conditions, transfer
from counterec.core.explainers.answer import NamedAspects
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import rank
from counterec.pipeline import layout
from counterec.pipeline.config import MASKED, RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.models import model_kind
from counterec.pipeline.stage import Stage, StageContext

SELECTING = ("complete",)
"""The goals that select on necessity and sufficiency, which is what PN and PS measure."""

SETTINGS = ("lists.k", "lists.protocol", "lists.negatives", "seed")
"""The settings that the conditions depend on."""


def selects(method: str) -> bool:
    """Whether a method selects on what its explanations are measured by."""
    return method.removesuffix(MASKED) in SELECTING


def transfer_stage(config: RunConfig, method: str) -> Stage:
    """Explanations and a retrained model → PN and PS in other conditions."""
    return Stage(
        name=f"transfer {method}",
        config=config,
        settings=(*SETTINGS, *layout.ranker_settings(config.lists.rules)),
        inputs=(
            *layout.ranking_inputs(config.lists.protocol, config.lists.rules),
            layout.HEADS,
            layout.RETRAINED_MODEL,
            layout.explanations_file(method),
        ),
        outputs=(layout.transfer_file(method),),
        code=("counterec.core", "counterec.pipeline.explanation_tables", *model_kind(config.model.kind).all_code),
        work=lambda context: _transfer(context, method),
    )


def _transfer(context: StageContext, method: str) -> None:
    answers = context.folder.explanations(method)
    named = answers.only(~context.folder.unreviewed_rows(method)).named()
    context.reporter.total(4 * int(named.any_named.sum()), "pairs")
    found = transfer(context.folder.space, named, conditions(context, named), context.reporter.advance)
    write_json(context.new(layout.transfer_file(method)), {name: side.as_dict() for name, side in found.items()})


def conditions(context: StageContext, named: NamedAspects) -> Iterator[Condition]:
    """Other lengths of the list, a retrained model and, where candidates are drawn, another draw of them."""
    folder, config = context.folder, context.config
    space, k, rules = folder.space, config.lists.k, folder.ranker
    length = layout.head_length(k) if rules is None else k

    def ranking(scorer: Scorer, other: int) -> Recommendations:
        """The beginning of every ranking or, where rules decide, lists of this length."""
        if rules is not None:
            return rank(scorer, space, folder.candidates, other, ranker=rules)
        return folder.heads if scorer is folder.scorer else rank(scorer, space, folder.candidates, length)

    if k > 1:
        yield Condition(f"k={k - 1}", folder.scorer, ranking(folder.scorer, k - 1), k - 1)
    yield Condition(f"k={k + 1}", folder.scorer, ranking(folder.scorer, k + 1), k + 1)
    again = folder.retrained_scorer
    yield Condition("trained again", again, ranking(again, k), k)
    if config.lists.protocol == "sampled":
        test, known = folder.interactions["test"], folder.known_items
        drawn = sampled_candidates(test, known, space.users.texts, config.seed + 1, config.lists.negatives)
        yield from fresh_conditions("fresh candidates", folder.scorer, space, drawn, named, k, length, rules)
