"""Protocol *sampled*: the items that compete for each user's list, drawn by the seed."""

from __future__ import annotations

import numpy as np

from counterec.core.candidates import sampled_candidates
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.serialization import candidates_table, write_table
from counterec.pipeline.stage import Stage, StageContext


def candidates_stage(config: RunConfig) -> Stage:
    """Split → candidates."""
    return Stage(
        name="candidates",
        config=config,
        settings=("lists.negatives", "split.held_out", "seed"),
        inputs=(layout.ASPECTS, layout.VOCABULARY, layout.SPLIT),
        outputs=(layout.CANDIDATES,),
        code=("counterec.core.candidates", "counterec.core.interactions"),
        work=_draw_candidates,
    )


def _draw_candidates(context: StageContext) -> None:
    folder, config = context.folder, context.config
    users, negatives = folder.space.users, config.lists.negatives
    drawn = sampled_candidates(folder.interactions["test"], folder.known_items, users.texts, config.seed, negatives)
    write_table(candidates_table(drawn, folder.space), context.new(layout.CANDIDATES))
    short = int((np.diff(drawn.starts) < config.split.held_out + negatives).sum())
    context.counts |= {"candidates": len(drawn.listed), "users_short_of_negatives": short}
    if short:
        context.warn(f"{short:,} of {len(users):,} users have fewer than {negatives} items to sample; they get all")
