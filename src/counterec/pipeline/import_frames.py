"""Data frames and a model that was trained elsewhere, handed over to the stages of an import."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import polars as pl

from counterec.adapters.onnx import OnnxModel
from counterec.adapters.pair_tables import PairTable, numbered
from counterec.adapters.table_options import TableOptions, tables_by
from counterec.adapters.tables import FrameTables
from counterec.core.attributes import Attribute
from counterec.errors import UsageError
from counterec.pipeline.config import RunConfig, make_import_config
from counterec.pipeline.operator_model import use_model
from counterec.pipeline.row_archive import polars_rows
from counterec.pipeline.table_files import TableFiles

if TYPE_CHECKING:
    from counterec.core.explainers.constraints import Constraints


class ImportOptions(TableOptions, total=False):
    """What ``Run.create`` takes besides a model and two frames."""

    name: str | None
    """The name of a model that is code, in the operator's own config; ``recompute`` belongs to such a model."""
    lists: PairTable | None
    """Lists that were made elsewhere; it is an error if the scores do not make them."""
    methods: Collection[str]
    """The goals to explain by."""
    constraints: Constraints | None
    """What else a change may not do."""


@contextmanager
def handed_over(
    model: Any, users: Any, items: Any, k: int, options: ImportOptions
) -> Iterator[tuple[RunConfig, TableFiles]]:
    """The configuration of a run, and its tables as files for as long as they are read."""
    name = options.get("item_name")
    tables = tables_by(users, items, options)
    with TemporaryDirectory(prefix="counterec-") as place:
        files, kind = _written(Path(place), model, tables, options)
        settings: dict[str, Any] = {
            "data": {"tables": _tables_settings(tables, name)},
            "model": {**kind, "frames": tables.items.library.name},
            "lists": {"k": k, "protocol": "given" if files.candidates else "full"},
            "explain": {"methods": list(options.get("methods", ("minimal",)))},
        }
        if options.get("constraints") is not None:
            settings["explain"]["constraints"] = options["constraints"]
        yield make_import_config(settings, "Run.create"), files


def _tables_settings(tables: FrameTables, item_name: str | None) -> dict[str, Any]:
    """The schema in full, so that reading the tables again infers nothing."""
    return {
        "user_id": tables.users.id_name,
        "item_id": tables.items.id_name,
        "item_name": item_name,
        "attributes": {attribute.name: _settings(attribute) for attribute in tables.schema.attributes},
    }


def _settings(attribute: Attribute) -> dict[str, Any]:
    """An attribute as a config file has it; with its kind, it is the whole of it."""
    said = {"kind": attribute.kind, **attribute.plain()}
    return {name: value for name, value in said.items() if name != "name"}


def _written(place: Path, model: Any, tables: FrameTables, options: ImportOptions) -> tuple[TableFiles, dict[str, Any]]:
    """The tables and the model's file, written; and the model's settings."""
    sides = {"users": tables.users, "items": tables.items}
    paths: dict[str, Path] = {}
    for name, side in sides.items():
        paths[name] = place / f"{name}.parquet"
        polars_rows(side.library, side.frame, side.id_name).write_parquet(paths[name])
    given = {"candidates": options.get("candidates"), "seen": options.get("seen"), "lists": options.get("lists")}
    for name, pairs in given.items():
        if pairs is not None:
            paths[name] = place / f"{name}.parquet"
            _pairs(tables, pairs, name).write_parquet(paths[name])
    content, kind = _stored(model, options)
    if content is not None:
        paths["model"] = place / "model"
        paths["model"].write_bytes(content)
    return TableFiles(**paths), kind


def _pairs(tables: FrameTables, pairs: PairTable, what: str) -> pl.DataFrame:
    numbers = numbered(tables, pairs, what)
    ids = [tables.users.texts[user] for user in numbers[:, 0]], [tables.items.texts[item] for item in numbers[:, 1]]
    return pl.DataFrame({tables.users.id_name: ids[0], tables.items.id_name: ids[1]})


def _stored(model: Any, options: ImportOptions) -> tuple[bytes | None, dict[str, Any]]:
    """The bytes of a model that is data, and its settings; of a model that is code, its name."""
    if isinstance(model, OnnxModel):
        content = model.model if isinstance(model.model, bytes) else Path(model.model).read_bytes()
        settings = {"inputs": model.inputs, "output": model.output, "column": model.column}
        return content, {"kind": "onnx", **{name: value for name, value in settings.items() if value is not None}}
    booster = getattr(model, "booster_", model)
    if type(booster).__module__.startswith("lightgbm") and type(booster).__name__ == "Booster":
        return booster.model_to_string().encode(), {"kind": "lightgbm"}
    name = options.get("name")
    if name is None:
        raise UsageError(
            f"{type(model).__name__} is code, which no run folder holds; give the name that the operator's config "
            "has for it: name=…"
        )
    use_model(name, model, options.get("recompute"))
    return None, {"kind": "operator", "name": name}
