"""Recommender and candidates → the first K+1 items of every user, and a longer beginning of every ranking.

Of a mean of several nets, the own
lists of these are kept as well: answers say in how many of them they hold.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from counterec.core.explainers.tolerances import ROUNDING
from counterec.core.lists import Recommendations
from counterec.core.scorers.ranking import Ranking
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.models import model_kind
from counterec.pipeline.pieces import Made, Piece, Step, made_in_pieces
from counterec.pipeline.serialization import (
    load_tensors,
    ranking_arrays,
    ranking_from,
    recommendations_table,
    save_tensors,
    tensor_bytes,
    write_table,
)
from counterec.pipeline.stage import Stage, StageContext, StageInputs

USERS_PER_PIECE = 128
"""Users that are ranked as one piece: seconds of work over a large catalogue."""

_RANKINGS: WeakKeyDictionary[RunFolder, Ranking] = WeakKeyDictionary()
"""What all pieces that one process makes have in common; over a large catalogue, seconds of work by itself."""


def rank_stage(config: RunConfig) -> Stage:
    """Rank every user's candidates."""
    return Stage(
        name="rank",
        config=config,
        settings=("lists.k", "lists.protocol"),
        inputs=layout.ranking_inputs(config.lists.protocol),
        outputs=(layout.RECOMMENDATIONS, layout.HEADS),
        code=(
            "counterec.core.scorers",
            "counterec.core.candidates",
            "counterec.core.list_rules",
            "counterec.core.explainers.tolerances",
            *model_kind(config.model.kind).all_code,
        ),
        work=_rank,
        in_pieces=True,
    )


def _rank(context: StageContext) -> None:
    folder, k = context.folder, context.config.lists.k
    step = Step("lists", _rank_users, len(folder.space.users), USERS_PER_PIECE, "users", ".safetensors")
    parts = [load_tensors(piece.path) for piece in made_in_pieces(context, step)]
    found = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    ranking = ranking_from(found, folder.candidates)
    _warn_of_indistinct_scores(context, ranking)
    write_table(recommendations_table(ranking.shortened(k), folder.space), context.new(layout.RECOMMENDATIONS))
    save_tensors(found, context.new(layout.HEADS))


def _rank_users(inputs: StageInputs, piece: Piece, _: None) -> Made:
    """The lists of some users: as the scores make them, and as each member of a mean would."""
    folder, k = inputs.folder, inputs.config.lists.k
    users = np.arange(piece.start, piece.stop)
    asked = folder.scorer, folder.space, folder.candidates
    ranking = _RANKINGS.get(folder) or _RANKINGS.setdefault(folder, Ranking.with_members(*asked))
    found = ranking_arrays(*ranking.with_member_lists(layout.head_length(k), k, users))
    return Made(tensor_bytes(found))


def _warn_of_indistinct_scores(context: StageContext, ranking: Recommendations) -> None:
    """Say so where single precision cannot tell the scores of a user's candidates apart: the order is arbitrary."""
    several = ranking.items[:, 1] >= 0
    alike = int((several & (ranking.spread <= ROUNDING * ranking.largest)).sum())
    if alike:
        context.warn(
            f"the scores of all candidates are alike, as far as single precision can tell, for {alike:,} of "
            f"{len(ranking.users):,} users: the order of their lists means nothing, and no change can flip it"
        )
