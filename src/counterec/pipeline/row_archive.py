"""The arrays of an imported model: the model's file, the rows of users and items it looks at, and how they meet.

All of it is data: bytes of an ONNX file or of LightGBM's text, two Parquet tables, and settings as JSON. Nothing in it
is executed, and nothing names code.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from counterec.adapters.frame_library import Frame, FrameLibrary
from counterec.adapters.tables import FrameTables, Recompute, Side
from counterec.core.space import AspectSpace
from counterec.errors import StoreError
from counterec.pipeline.models import Arrays

FILE, USERS, ITEMS, SETTINGS = "file", "users", "items", "settings"


@dataclass(frozen=True)
class RowArchive:
    """A model that is data, or only the rows, where the model is somebody's code."""

    file: bytes
    users: pl.DataFrame
    items: pl.DataFrame
    settings: Mapping[str, Any] = field(default_factory=dict)
    """How the adapter is set, and in which library's frames a model that is code gets its rows."""

    def arrays(self) -> dict[str, np.ndarray]:
        """As they lie on disk."""
        settings = json.dumps(dict(self.settings), sort_keys=True).encode()
        parts = {FILE: self.file, USERS: _parquet(self.users), ITEMS: _parquet(self.items), SETTINGS: settings}
        return {name: np.frombuffer(part, dtype=np.uint8) for name, part in parts.items()}

    @classmethod
    def of(cls, arrays: Arrays) -> RowArchive:
        """The inverse of ``arrays``."""
        try:
            file, users, items, settings = (arrays[name].tobytes() for name in (FILE, USERS, ITEMS, SETTINGS))
            rows = [pl.read_parquet(io.BytesIO(part)) for part in (users, items)]
            return cls(file, rows[0], rows[1], json.loads(settings))
        except (KeyError, ValueError, pl.exceptions.PolarsError) as error:
            raise StoreError(f"the model's file is damaged ({error}); import it again") from None

    def tables(self, space: AspectSpace, recompute: Recompute | None = None) -> FrameTables:
        """The rows with the attributes of a space, as frames of the library they came from."""
        if space.schema is None:
            raise StoreError("the run has no attributes, but its model looks at them; import it again")
        names, library = self.settings["ids"], self.settings["library"]
        sides = (("user", self.users, names[0], space.users), ("item", self.items, names[1], space.items))
        made = [Side.of(_as_frame(rows, library), what, name) for what, rows, name, _ in sides]
        for side, (_, _, _, vocabulary) in zip(made, sides, strict=True):
            if side.texts != vocabulary.texts:
                raise StoreError(f"the rows of the {side.what}s are not those of the run; import it again")
        return FrameTables(made[0], made[1], space.schema, recompute)


def polars_rows(library: FrameLibrary, frame: Frame, id_name: str) -> pl.DataFrame:
    """A frame of either library as a table that can be stored, its ids in a column."""
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
    from counterec.adapters.extras import optional

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
