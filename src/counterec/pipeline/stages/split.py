"""Reviews → which of them are training, validation and test, before anything is extracted."""

from __future__ import annotations

from counterec.data.prepare import split_reviews
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext


def split_stage(config: RunConfig) -> Stage:
    """Reviews → their parts."""
    return Stage(
        name="split",
        config=config,
        settings=("split", "seed"),
        inputs=(layout.REVIEWS,),
        outputs=(layout.SPLIT,),
        code=("counterec.data",),
        work=_split,
    )


def _split(context: StageContext) -> None:
    settings = context.config.split
    reviews = context.folder.table(layout.REVIEWS, ["user_id", "item_id", "time"])
    split, how = split_reviews(reviews, settings.held_out, settings.validation, seed=context.config.seed)
    write_table(split, context.new(layout.SPLIT))
    parts = split["part"].value_counts()
    context.counts |= {**how, **dict(zip(parts["part"], parts["count"], strict=True))}
    if how["order"] != "time":
        context.warn("no review has a time: the held-out reviews were drawn by the seed")
    elif how["rows_without_time"]:
        context.warn(f"{how['rows_without_time']} reviews have no time and count as the earliest of their user")
