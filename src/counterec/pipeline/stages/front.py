"""How much of the collaborative part: each weight that was tried, with how many items a short answer still explains.

NDCG and the share of items that leave without their aspects come from the training, which chose by them on the
validation lists. The share of short answers is counted here, on the lists that the run would have with each weight:
nothing is chosen by it, and an edited explainer does not train a model again.
"""

from __future__ import annotations

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
from counterec.pipeline.pieces import Made, Piece, Step, made_in_pieces
from counterec.pipeline.serialization import tensor_bytes
from counterec.pipeline.stage import Stage, StageContext, StageInputs
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
        in_pieces=True,
    )


def _measure(context: StageContext) -> None:
    folder = context.folder
    described = folder.json(layout.MODEL_DESCRIPTION)
    step = Step("weights", _measure_weight, len(described["front"]), 1, "weights", ".safetensors")
    shares = [piece.notes["share"] for piece in made_in_pieces(context, step)]
    points = [{**point, "short_answers": share} for point, share in zip(described["front"], shares, strict=True)]
    names = ("weight", "min_explainable", "validation_cutoff")
    users = len(_asked_users(context.inputs))
    found = {**{name: described[name] for name in names}, "users_asked": users, "points": points}
    write_json(context.new(layout.FRONT), found)
    context.counts |= found


def _measure_weight(inputs: StageInputs, piece: Piece, _: None) -> Made:
    """The share of short answers with one of the weights: all there is to note of it."""
    folder, config, users = inputs.folder, inputs.config, _asked_users(inputs)
    with_weight = model_kind(config.model.kind).with_weight
    assert with_weight is not None  # has_front
    weights = [point["weight"] for point in folder.json(layout.MODEL_DESCRIPTION)["front"][piece.start : piece.stop]]
    if not len(users) or not weights:
        return Made(tensor_bytes({}), {"share": None})
    scorer = with_weight(folder.scorer, folder.space, users)(weights[0])
    return Made(tensor_bytes({}), {"share": _share_of_short_answers(inputs, scorer, users)})


def _asked_users(inputs: StageInputs) -> IntVector:
    config = inputs.config
    return _some_users(len(inputs.folder.space.users), config.model.hybrid.front_users, config.seed)


def _some_users(users: int, most: int, seed: int) -> IntVector:
    return np.sort(generator(seed, "users of the front").permutation(users)[:most])


def _share_of_short_answers(inputs: StageInputs, scorer: Scorer, users: IntVector) -> float | None:
    """The share of listed items that at most a few aspects, at values that reviews can give, take off the list."""
    folder, config = inputs.folder, inputs.config
    lists = rank(scorer, folder.space, folder.candidates, config.lists.k, users)
    short = Constraints(most=FEW, unreviewed_beyond="never")
    question = why(folder.space, lists, constraints=short, margin=config.explain.margin_share)
    if not len(question):
        return None
    return float(CountER(scorer, goal="minimal").explain(question).explained.mean())
