"""The lists of a cell: everybody's, or those of some users where their number is bounded."""

from __future__ import annotations

import numpy as np

from counterec.core.scorers.ranking import Ranking
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.models import model_kind
from counterec.pipeline.serialization import ranking_arrays, recommendations_table, save_tensors, write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.rank import rank_stage
from counterec.randomness import generator


def cell_rank_stage(config: RunConfig) -> Stage:
    """Rank every user's candidates or, where their number is bounded, those of some users."""
    if not config.experiment.users:
        return rank_stage(config)
    return Stage(
        name="rank",  # of two names for the same files, the manifest would take the older checksums
        config=config,
        settings=("lists.k", "lists.protocol", "seed", "experiment.users"),
        inputs=layout.ranking_inputs(config.lists.protocol),
        outputs=(layout.RECOMMENDATIONS, layout.HEADS),
        code=("counterec.core.scorers", *model_kind(config.model.kind).all_code),
        work=_rank_some,
    )


def _rank_some(context: StageContext) -> None:
    folder, config = context.folder, context.config
    space, candidates, k = folder.space, folder.candidates, config.lists.k
    everybody = generator(config.seed, "users whose lists are explained").permutation(len(space.users))
    users = np.sort(everybody[: config.experiment.users])
    with_members = Ranking.with_members(folder.scorer, space, candidates)
    ranking, own = with_members.with_member_lists(layout.head_length(k), k, users)
    write_table(recommendations_table(ranking.shortened(k), space), context.new(layout.RECOMMENDATIONS))
    save_tensors(ranking_arrays(ranking, own), context.new(layout.HEADS))
