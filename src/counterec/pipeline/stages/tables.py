"""Tables of users and items → the aspect space, and the model that was trained elsewhere, both as data.

There are no reviews: those tables are empty, and nothing is held out.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from counterec.adapters.pair_tables import by_user, candidates_of, require_same_lists
from counterec.adapters.tables import FrameTables
from counterec.data import tables
from counterec.errors import ConfigError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig, TablesConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.models import model_kind
from counterec.pipeline.row_archive import RowArchive
from counterec.pipeline.serialization import candidates_table, load_tensors, save_space, save_tensors, write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.table_files import TableFiles, frame_tables, read_table_file

_CODE = (
    "counterec.adapters",
    "counterec.core",
    "counterec.data",
    "counterec.pipeline.row_archive",
    "counterec.pipeline.table_files",
)
ROW_KINDS = ("onnx", "lightgbm", "operator")
"""Kinds whose models look at rows; all others have arrays of their own, and look at attributes."""


def build_from_tables_stage(config: RunConfig, files: TableFiles) -> Stage:
    """Tables → the aspect space, who competes, and empty tables of reviews."""
    given = (layout.CANDIDATES,) if files.candidates else ()
    return Stage(
        name="build",
        config=config,
        settings=_SETTINGS,
        inputs=(),
        outputs=(layout.ASPECTS, layout.VOCABULARY, layout.SPLIT, layout.REVIEWS, layout.MENTIONS, *given),
        code=_CODE,
        work=lambda context: _build(context, files),
        sources=files.tables,
    )


_SETTINGS = tuple(f"data.tables.{name}" for name in ("user_id", "item_id", "item_name", "attributes"))


def _build(context: StageContext, files: TableFiles) -> None:
    config = _tables_config(context)
    found = frame_tables(config, files)
    space = found.space
    save_space(space, _names(found, config.item_name), context.new(layout.ASPECTS), context.new(layout.VOCABULARY))
    seen = {} if files.seen is None else by_user(found, read_table_file(files.seen), files.seen.name)
    pairs = [(space.users.texts[user], space.items.texts[item]) for user, own in seen.items() for item in own]
    split = pl.DataFrame(
        {
            "user_id": [user for user, _ in pairs],
            "item_id": [item for _, item in pairs],
            "part": ["train"] * len(pairs),
        },
        schema=dict(tables.SPLIT),
    )
    write_table(split.unique(maintain_order=True), context.new(layout.SPLIT))
    for file, schema in ((layout.REVIEWS, tables.REVIEWS), (layout.MENTIONS, tables.MENTIONS)):
        write_table(tables.empty(schema), context.new(file))
    if files.candidates is not None:
        competing = candidates_of(found, read_table_file(files.candidates), None)
        write_table(candidates_table(competing, space), context.new(layout.CANDIDATES))
    context.counts |= {
        "users": len(space.users),
        "items": len(space.items),
        "reviews": len(split),
        "aspects": len(space.aspects),
        "density": len(split) / (len(space.users) * len(space.items)),
    }


def store_model_stage(config: RunConfig, files: TableFiles) -> Stage:
    """The model's file, and the rows it looks at → the model as a run folder holds one."""
    return Stage(
        name="store",
        config=config,
        settings=("model", *_SETTINGS),
        inputs=(),
        outputs=(layout.MODEL, layout.MODEL_DESCRIPTION),
        code=(*_CODE, *model_kind(config.model.kind).all_code),
        work=lambda context: _store(context, files),
        sources=files.rows,
    )


def _store(context: StageContext, files: TableFiles) -> None:
    model = context.config.model
    description = {"kind": model.kind, "imported": True}
    if model.kind in ROW_KINDS:
        found = frame_tables(_tables_config(context), files)
        settings = {
            **model.adapter(),
            "library": model.frames,
            "ids": [found.users.id_name, found.items.id_name],
        }
        if model.kind == "operator":
            if model.name is None:
                raise ConfigError("model.name: a model that is code needs the name that the operator's config has")
            settings["name"] = description["name"] = model.name
        elif files.model is None:
            raise ConfigError(f"model.file: name the file of the {model.kind} model")
        content = b"" if files.model is None else files.model.read_bytes()
        archive = RowArchive(content, found.users.frame, found.items.frame, settings)
        save_tensors(archive.arrays(), context.new(layout.MODEL))
    elif files.model is None:
        raise ConfigError(f"model.file: name the safetensors file of the {model.kind} model")
    else:
        save_tensors(load_tensors(files.model), context.new(layout.MODEL))
    write_json(context.new(layout.MODEL_DESCRIPTION), description)


def same_lists_stage(config: RunConfig, lists: Path) -> Stage:
    """Lists that were made elsewhere must be those that the scores make; otherwise nothing is explained."""
    return Stage(
        name="lists",
        config=config,
        settings=("lists.k", "lists.protocol", *_SETTINGS),
        inputs=(*layout.ranking_inputs(config.lists.protocol), layout.RECOMMENDATIONS),
        outputs=(),
        code=_CODE,
        work=lambda context: _compare_lists(context, lists),
        sources=(lists,),
    )


def _compare_lists(context: StageContext, lists: Path) -> None:
    folder, config, rows = context.folder, _tables_config(context), read_table_file(lists)
    names = [config.user_id or "user_id", config.item_id or "item_id"]
    for name in names:
        if name not in rows.columns:
            raise ConfigError(f"{lists.name} has no column {name!r}; it has {', '.join(rows.columns)}")
    given: dict[int, list[int]] = {}
    for user, item in rows.select(names).cast(pl.String).iter_rows():
        given.setdefault(folder.space.users.number(user), []).append(folder.space.items.number(item))
    require_same_lists(folder.space, folder.recommendations, given)


def _tables_config(context: StageContext) -> TablesConfig:
    found: TablesConfig = context.config.data.tables  # type: ignore[assignment]  # only such runs have this stage
    return found


def _names(found: FrameTables, column: str | None) -> dict[str, str]:
    if column is None:
        return {}
    names = found.items.library.values(found.items.frame, column)
    return {text: str(name) for text, name in zip(found.items.texts, names, strict=True) if name is not None}
