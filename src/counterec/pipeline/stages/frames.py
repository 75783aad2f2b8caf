"""Data frames of users and items → the aspect space and the model, for runs with a model of your own.

There are no reviews: those tables are empty, and nothing is held out.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from counterec.adapters.tables import FrameTables, PairTable, by_user, candidates_of
from counterec.data import tables as data_tables
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.operator_model import KIND, row_arrays
from counterec.pipeline.serialization import candidates_table, save_space, save_tensors, write_table
from counterec.pipeline.stage import Stage, StageContext

BUILD, STORE = "build", "store"


def frame_stages(
    config: RunConfig,
    tables: FrameTables,
    name: str,
    *,
    candidates: PairTable | None = None,
    seen: PairTable | None = None,
    item_names: Mapping[str, str],
) -> list[Stage]:
    """Return the stages that make a run's files from frames in memory, whose content no key knows: force them."""
    given = (layout.CANDIDATES,) if candidates is not None else ()
    code = ("counterec.adapters", "counterec.core", "counterec.data", *KIND.all_code)
    build = Stage(
        name=BUILD,
        config=config,
        settings=(),
        inputs=(),
        outputs=(layout.ASPECTS, layout.VOCABULARY, layout.SPLIT, layout.REVIEWS, layout.MENTIONS, *given),
        code=code,
        work=lambda context: _build(context, tables, candidates, seen, item_names),
    )
    store = Stage(
        name=STORE,
        config=config,
        settings=("model.kind",),
        inputs=(),
        outputs=(layout.MODEL, layout.MODEL_DESCRIPTION),
        code=code,
        work=lambda context: _store(context, tables, name),
    )
    return [build, store]


def _build(
    context: StageContext,
    tables: FrameTables,
    candidates: PairTable | None,
    seen: PairTable | None,
    item_names: Mapping[str, str],
) -> None:
    """Write the space, who competes, what was seen as the training part, and empty tables of reviews."""
    space = tables.space
    save_space(space, item_names, context.new(layout.ASPECTS), context.new(layout.VOCABULARY))
    gone = {} if seen is None else by_user(tables, seen, "seen")
    pairs = [(space.users.texts[user], space.items.texts[item]) for user, own in gone.items() for item in own]
    rows = [(user, item, "train") for user, item in pairs]
    split = pl.DataFrame(rows, schema=dict(data_tables.SPLIT), orient="row").unique(maintain_order=True)
    write_table(split, context.new(layout.SPLIT))
    for file, schema in ((layout.REVIEWS, data_tables.REVIEWS), (layout.MENTIONS, data_tables.MENTIONS)):
        write_table(data_tables.empty(schema), context.new(file))
    if candidates is not None:
        competing = candidates_of(tables, candidates, None)
        write_table(candidates_table(competing, space), context.new(layout.CANDIDATES))
    context.counts |= {
        "users": len(space.users),
        "items": len(space.items),
        "reviews": len(split),
        "aspects": len(space.aspects),
        "density": len(split) / (len(space.users) * len(space.items)),
    }


def _store(context: StageContext, tables: FrameTables, name: str) -> None:
    save_tensors(row_arrays(name, tables), context.new(layout.MODEL))
    description = {"kind": context.config.model.kind, "imported": True, "name": name}
    write_json(context.new(layout.MODEL_DESCRIPTION), description)
