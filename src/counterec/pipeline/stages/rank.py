"""Recommender and candidates → the first K+1 items of every user, and a longer beginning of every ranking."""

from __future__ import annotations

from counterec.core.scorers.ranking import rank
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.models import model_kind
from counterec.pipeline.serialization import recommendations_table, save_heads, write_table
from counterec.pipeline.stage import Stage, StageContext


def rank_stage(config: RunConfig) -> Stage:
    """Rank every user's candidates."""
    return Stage(
        name="rank",
        config=config,
        settings=("lists.k", "lists.protocol"),
        inputs=layout.ranking_inputs(config.lists.protocol),
        outputs=(layout.RECOMMENDATIONS, layout.HEADS),
        code=("counterec.core.scorers", "counterec.core.candidates", *model_kind(config.model.kind).all_code),
        work=_rank,
    )


def _rank(context: StageContext) -> None:
    folder, k = context.folder, context.config.lists.k
    context.reporter.total(len(folder.space.users), "users")
    length = layout.head_length(k)
    ranking = rank(folder.scorer, folder.space, folder.candidates, length, progress=context.reporter.advance)
    write_table(recommendations_table(ranking.shortened(k), folder.space), context.new(layout.RECOMMENDATIONS))
    save_heads(ranking, context.new(layout.HEADS))
