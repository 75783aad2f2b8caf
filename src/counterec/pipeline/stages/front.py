"""How much of the collaborative part: each weight that was tried, with how many items a short answer still explains.

NDCG and the share of items that leave without their aspects come from the training, which chose by them on the
validation lists. The share of short answers is counted here, on the lists that the run would have with each weight:
nothing is chosen by it, and an edited explainer does not train a model again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from counterec.core.arrays import IntVector
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import rank
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.models import model_kind
from counterec.pipeline.stage import Stage, StageContext
from counterec.randomness import generator

FEW = 3
"""A person takes in this many aspects."""


def front_stage(config: RunConfig) -> Stage:
    """The model, and the weights it could have had → ``front.json``."""
    return Stage(
        name="front",
        config=config,
        settings=("model", "lists.k", "lists.protocol", "explain.margin_share", "seed"),
        inputs=layout.ranking_inputs(config.lists.protocol),
        outputs=(layout.FRONT,),
        code=("counterec.core", *model_kind(config.model.kind).all_code),
        work=_measure,
    )


def _measure(context: StageContext) -> None:
    folder, config = context.folder, context.config
    described = folder.json(layout.MODEL_DESCRIPTION)
    with_weight = model_kind(config.model.kind).with_weight
    assert with_weight is not None  # has_front
    users = _some_users(len(folder.space.users), config.model.hybrid.front_users, config.seed)
    weighted = with_weight(folder.scorer, folder.space, users)
    points: list[dict[str, Any]] = []
    context.reporter.total(len(described["front"]), "weights")
    for point in described["front"]:
        share = _share_of_short_answers(context, weighted(point["weight"]), users) if len(users) else None
        points.append({**point, "short_answers": share})
        context.reporter.advance(1)
    names = ("weight", "min_explainable", "validation_cutoff")
    found = {**{name: described[name] for name in names}, "users_asked": len(users), "points": points}
    write_json(context.new(layout.FRONT), found)
    context.counts |= found


def _some_users(users: int, most: int, seed: int) -> IntVector:
    return np.sort(generator(seed, "users of the front").permutation(users)[:most])


def _share_of_short_answers(context: StageContext, scorer: Scorer, users: IntVector) -> float | None:
    """The share of listed items that at most a few aspects, at values that reviews can give, take off the list."""
    folder, config = context.folder, context.config
    lists = rank(scorer, folder.space, folder.candidates, config.lists.k, users)
    short = Constraints(most=FEW, unreviewed_beyond="never")
    question = why(folder.space, lists, constraints=short, margin=config.explain.margin_share)
    if not len(question):
        return None
    return float(CountER(scorer, goal="minimal").explain(question).explained.mean())
