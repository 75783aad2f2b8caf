"""The model kind *operator*: code that stays outside the run folder, which holds only its name and the rows it scores.

What a name stands for is said in the operator's own config, never in a run folder, which can so execute nothing: the
file in ``$COUNTEREC_CONFIG``, or else ``counterec/config.toml`` in the user's folder of configurations.

.. code-block:: toml

    [models.shop-ranker]
    factory = "shop.models:ranker"        # called once; returns anything that can be explained
    recompute = "shop.models:per_night"   # computes derived attributes again
"""

from __future__ import annotations

import io
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counterec.adapters.frames import Frame, FrameLibrary
from counterec.adapters.models import scorer_of
from counterec.adapters.tables import FrameTables, PairTable, Recompute, Side, by_user, candidates_of
from counterec.core.scorers.base import Scorer
from counterec.core.space import AspectSpace
from counterec.data import tables as data_tables
from counterec.errors import ConfigError, StoreError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import candidates_table, save_space, save_tensors, write_json, write_table
from counterec.pipeline.models import Arrays, ModelKind
from counterec.pipeline.stage import Stage, StageContext
from counterec.references import import_named

VARIABLE = "COUNTEREC_CONFIG"
"""The environment variable that names the operator's config."""
SETTINGS = ("factory", "recompute")
USERS, ITEMS, ROWS = "users", "items", "rows"
_in_this_process: dict[str, tuple[Any, Recompute | None]] = {}


def use_model(name: str, model: Any, recompute: Recompute | None = None) -> None:
    """Let a name stand for a model in this process, whatever the config says."""
    _in_this_process[name] = (model, recompute)


def model_named(name: str) -> tuple[Any, Recompute | None]:
    """Return the model of this name, and the function that computes derived attributes again."""
    if name in _in_this_process:
        return _in_this_process[name]
    settings = _settings_of(name)
    recompute = _imported(settings["recompute"], name) if "recompute" in settings else None
    return _imported(settings["factory"], name)(), recompute


def load_operator(arrays: Arrays, space: AspectSpace, device: str) -> Scorer:
    """Return the model that the operator's config has under the name in the folder."""
    del device
    rows = stored_rows(arrays)
    model, recompute = model_named(str(rows["name"]))
    return scorer_of(model, _tables(rows, space, recompute))


def row_arrays(name: str, tables: FrameTables) -> dict[str, np.ndarray]:
    """Return the arrays of a model file: the model's name and the rows that it scores, as bytes."""
    sides = {USERS: tables.users, ITEMS: tables.items}
    frames = {what: _parquet(polars_rows(side.library, side.frame, side.id_name)) for what, side in sides.items()}
    about = {"name": name, "library": tables.items.library.name, "ids": [side.id_name for side in sides.values()]}
    parts = {**frames, ROWS: json.dumps(about, sort_keys=True).encode()}
    return {what: np.frombuffer(part, dtype=np.uint8) for what, part in parts.items()}


def stored_rows(arrays: Arrays) -> dict[str, Any]:
    """Read what ``row_arrays`` wrote: the two frames, the name, the library and the columns of ids."""
    try:
        frames = {what: pl.read_parquet(io.BytesIO(arrays[what].tobytes())) for what in (USERS, ITEMS)}
        return {**frames, **json.loads(arrays[ROWS].tobytes())}
    except (KeyError, ValueError, pl.exceptions.PolarsError) as error:
        raise StoreError(f"the model's file is damaged ({error}); make the run again") from None


def _tables(rows: Mapping[str, Any], space: AspectSpace, recompute: Recompute | None) -> FrameTables:
    """Return the rows with the attributes of a space, as frames of the library they came from."""
    if space.schema is None:
        raise StoreError("the run has no attributes, but its model looks at them; make the run again")
    users, items = (
        _side(rows, what, id_name, vocabulary.texts)
        for what, id_name, vocabulary in zip((USERS, ITEMS), rows["ids"], (space.users, space.items), strict=True)
    )
    return FrameTables(users, items, space.schema, recompute)


def _side(rows: Mapping[str, Any], what: str, id_name: str, expected: tuple[str, ...]) -> Side:
    side = Side.of(_as_frame(rows[what], rows["library"]), what.removesuffix("s"), id_name)
    if side.texts != expected:
        raise StoreError(f"the rows of the {what} are not those of the run; make the run again")
    return side


def polars_rows(library: FrameLibrary, frame: Frame, id_name: str) -> pl.DataFrame:
    """Return a frame of either library as a table that can be stored, its ids in a column."""
    if library.name == "polars":
        return frame
    columns: dict[str, pl.Series] = {}
    index = library.index(frame)
    if id_name not in library.columns(frame) and index is not None:
        columns[id_name] = pl.Series(id_name, index[1].tolist(), strict=False)
    for name in library.columns(frame):
        kind, values = library.kind(frame, name), library.values(frame, name)
        if kind == "text":
            order = library.category_order(frame, name)
            columns[name] = pl.Series(name, values.tolist(), pl.String if order is None else pl.Enum(order))
        elif kind == "other":
            columns[name] = pl.Series(name, values.tolist(), strict=False)
        else:
            dtype = {"whole": pl.Int64, "yes_no": pl.Boolean}.get(kind, pl.Float64)
            columns[name] = pl.Series(name, values).fill_nan(None).cast(dtype)
    return pl.DataFrame(columns)


def _as_frame(rows: pl.DataFrame, library: str) -> Frame:
    if library == "polars":
        return rows
    from counterec.adapters.tensors import optional

    pandas = optional("pandas", "pandas")
    columns = {}
    for name, series in rows.to_dict().items():
        if isinstance(series.dtype, pl.Enum):
            columns[name] = pandas.Categorical(series.to_list(), categories=series.dtype.categories.to_list())
        elif series.dtype.is_numeric() and series.null_count():
            columns[name] = series.cast(pl.Float64).fill_null(float("nan")).to_numpy()
        else:
            columns[name] = series.to_list()
    return pandas.DataFrame(columns)


def _parquet(rows: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    rows.write_parquet(buffer)
    return buffer.getvalue()


def config_path() -> Path:
    """Return the path of the operator's config."""
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE])
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "counterec" / "config.toml"


def _settings_of(name: str) -> Mapping[str, Any]:
    path = config_path()
    advice = f'add [models.{name}] with factory = "module:factory" to it, or name another file in ${VARIABLE}'
    if not path.is_file():
        raise ConfigError(f"the run's model is {name!r}, which is code: there is no {path} to say where; {advice}")
    try:
        models = tomllib.loads(path.read_text(encoding="utf-8")).get("models", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a TOML file ({error})") from None
    if name not in models:
        raise ConfigError(f"the run's model is {name!r}, and {path} has no model of that name; {advice}")
    for setting in models[name]:
        if setting not in SETTINGS:
            raise ConfigError(f"{path}: models.{name}.{setting}: no such setting; one of {', '.join(SETTINGS)}")
    if "factory" not in models[name]:
        raise ConfigError(f'{path}: models.{name} needs a factory, such as "shop.models:ranker"')
    return models[name]


def _imported(target: Any, name: str) -> Any:
    """Return what ``module:attribute`` names."""
    return import_named(str(target), f"models.{name}")


KIND = ModelKind("operator", load_operator, code=("counterec.adapters", "counterec.core"))


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
