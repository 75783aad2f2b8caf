"""Data frames of Polars and pandas behind one face, and what their columns are.

Neither library is imported unless a frame of it is given. Columns are read as plain arrays: numbers and yes/no as
float64 with NaN for a missing value, everything else as objects with None for it. Columns become attributes:

==============================  =================================================================
a column of                     is taken for
==============================  =================================================================
true and false, or only 0, 1    yes or no
numbers                         a number between the least and the greatest; whole ones in steps of 1
texts, few of them              a category
texts, nearly all different     no attribute: names and descriptions reach the model as they are
anything else, or one value     no attribute
==============================  =================================================================

A missing value makes an attribute one that can be absent. Which end of a number is worse is never guessed: it may
move either way until the schema says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Protocol

import numpy as np

from counterec.core.arrays import IntVector
from counterec.core.attributes import Attribute, Schema
from counterec.errors import ConfigError, EmptyDataError, UsageError

Frame = Any
"""A Polars or a pandas data frame."""

ColumnKind = Literal["number", "whole", "yes_no", "text", "other"]


class FrameLibrary(Protocol):
    """What is asked of a library of data frames."""

    name: str

    def columns(self, frame: Frame) -> list[str]:
        """The names of the columns."""
        ...

    def index(self, frame: Frame) -> tuple[str | None, np.ndarray] | None:
        """The name and the values of an index that means something; None where there is none."""
        ...

    def kind(self, frame: Frame, column: str) -> ColumnKind:
        """What a column holds."""
        ...

    def values(self, frame: Frame, column: str) -> np.ndarray:
        """A column as an array."""
        ...

    def category_order(self, frame: Frame, column: str) -> list[str] | None:
        """The values of a column that has a type of its own for them, in its order."""
        ...

    def take(self, frame: Frame, rows: IntVector) -> Frame:
        """Some of the rows, in this order."""
        ...

    def replaced(self, frame: Frame, columns: Mapping[str, np.ndarray]) -> Frame:
        """The frame with other values in some columns, which keep their type where it can hold them."""
        ...

    def side_by_side(self, left: Frame, right: Frame, columns: Sequence[str]) -> Frame:
        """These columns of two frames with equally many rows, as one."""
        ...

    def of_matrix(self, matrix: np.ndarray, columns: Sequence[str]) -> Frame:
        """A matrix with names for its columns."""
        ...

    def of_columns(self, columns: Mapping[str, Sequence[Any]]) -> Frame:
        """A new frame."""
        ...


def library_of(frame: Frame, what: str) -> FrameLibrary:
    """The library of a frame; anything else is refused by name."""
    origin = type(frame).__module__.partition(".")[0]
    if type(frame).__name__ == "DataFrame" and origin == "polars":
        return PolarsFrames()
    if type(frame).__name__ == "DataFrame" and origin == "pandas":
        return PandasFrames()
    raise UsageError(f"{what} is a {type(frame).__name__}; give a Polars or pandas DataFrame")


class PolarsFrames:
    """Polars."""

    name = "polars"

    def __init__(self) -> None:
        import polars

        self._pl = polars

    def columns(self, frame: Frame) -> list[str]:
        return list(frame.columns)

    def index(self, frame: Frame) -> None:  # noqa: ARG002
        """Polars has none."""
        return

    def kind(self, frame: Frame, column: str) -> ColumnKind:
        dtype = frame.schema[column]
        if dtype == self._pl.Boolean:
            return "yes_no"
        if dtype.is_integer():
            return "whole"
        if dtype.is_numeric():
            return "number"
        texts = (self._pl.String, self._pl.Categorical, self._pl.Enum)
        return "text" if dtype in texts or isinstance(dtype, texts) else "other"

    def values(self, frame: Frame, column: str) -> np.ndarray:
        series = frame[column]
        if self.kind(frame, column) in ("number", "whole", "yes_no"):
            return series.cast(self._pl.Float64).fill_null(float("nan")).to_numpy()
        found = np.empty(len(series), dtype=object)
        found[:] = series.to_list()
        return found

    def category_order(self, frame: Frame, column: str) -> list[str] | None:
        """The values of an Enum."""
        dtype = frame.schema[column]
        return list(dtype.categories) if isinstance(dtype, self._pl.Enum) else None

    def take(self, frame: Frame, rows: IntVector) -> Frame:
        return frame[rows]

    def replaced(self, frame: Frame, columns: Mapping[str, np.ndarray]) -> Frame:
        return frame.with_columns([self._series(frame, name, values) for name, values in columns.items()])

    def _series(self, frame: Frame, name: str, values: np.ndarray) -> Any:
        dtype = frame.get_column(name).dtype
        if values.dtype == object:
            return self._pl.Series(name, values.tolist(), dtype=dtype, strict=False)
        series = self._pl.Series(name, values)
        if np.isnan(values).any():
            series = series.fill_nan(None)
        if dtype == self._pl.Boolean:
            return series.cast(self._pl.Boolean)
        whole = dtype.is_integer() and bool((np.isnan(values) | (values == np.round(values))).all())
        return series.cast(dtype) if whole else series

    def side_by_side(self, left: Frame, right: Frame, columns: Sequence[str]) -> Frame:
        found = [(left if name in left.columns else right)[name] for name in columns]
        return self._pl.DataFrame(found)

    def of_matrix(self, matrix: np.ndarray, columns: Sequence[str]) -> Frame:
        return self._pl.DataFrame(matrix, schema=list(columns))

    def of_columns(self, columns: Mapping[str, Sequence[Any]]) -> Frame:
        return self._pl.DataFrame(dict(columns), strict=False)


class PandasFrames:
    """pandas."""

    name = "pandas"

    def __init__(self) -> None:
        import pandas

        self._pd = pandas

    def columns(self, frame: Frame) -> list[str]:
        return [str(name) for name in frame.columns]

    def index(self, frame: Frame) -> tuple[str | None, np.ndarray] | None:
        """The index, unless it only counts the rows."""
        if isinstance(frame.index, self._pd.RangeIndex) and frame.index.name is None:
            return None
        name = None if frame.index.name is None else str(frame.index.name)
        return name, frame.index.to_numpy(dtype=object)

    def kind(self, frame: Frame, column: str) -> ColumnKind:
        dtype, types = frame[column].dtype, self._pd.api.types
        if isinstance(dtype, self._pd.CategoricalDtype):
            return "text" if all(isinstance(value, str) for value in dtype.categories) else "other"
        if types.is_bool_dtype(dtype):
            return "yes_no"
        if types.is_integer_dtype(dtype):
            return "whole"
        if types.is_numeric_dtype(dtype):
            return "number"
        known = frame[column].dropna()
        if types.is_string_dtype(dtype) and all(isinstance(value, str) for value in known):
            return "text"
        yes_no = (
            self._holds_objects(dtype) and len(known) and all(isinstance(value, bool | np.bool_) for value in known)
        )
        return "yes_no" if yes_no else "other"

    def values(self, frame: Frame, column: str) -> np.ndarray:
        series = frame[column]
        if self.kind(frame, column) in ("number", "whole", "yes_no"):
            return series.astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
        found = series.astype(object).to_numpy(dtype=object, copy=True)
        found[series.isna().to_numpy()] = None
        return found

    def category_order(self, frame: Frame, column: str) -> list[str] | None:
        """The values of a categorical column."""
        dtype = frame[column].dtype
        return list(dtype.categories) if isinstance(dtype, self._pd.CategoricalDtype) else None

    def take(self, frame: Frame, rows: IntVector) -> Frame:
        return frame.iloc[rows]

    def replaced(self, frame: Frame, columns: Mapping[str, np.ndarray]) -> Frame:
        return frame.assign(**{name: self._series(frame, name, values) for name, values in columns.items()})

    def _series(self, frame: Frame, name: str, values: np.ndarray) -> Any:
        dtype, missing = frame[name].dtype, self._pd.isna(values)
        if values.dtype == object:
            return self._pd.Series(values, index=frame.index, dtype=dtype)
        if self._pd.api.types.is_bool_dtype(dtype) or self._holds_objects(dtype):
            said = [None if gone else bool(value) for gone, value in zip(missing, values, strict=True)]
            return self._pd.Series(said, index=frame.index, dtype=object if missing.any() else bool)
        whole = self._pd.api.types.is_integer_dtype(dtype) and not missing.any() and (values == np.round(values)).all()
        return self._pd.Series(values.astype(dtype) if whole else values, index=frame.index)

    def side_by_side(self, left: Frame, right: Frame, columns: Sequence[str]) -> Frame:
        found = {name: (left if name in left.columns else right)[name].reset_index(drop=True) for name in columns}
        return self._pd.DataFrame(found)

    def _holds_objects(self, dtype: Any) -> bool:
        return bool(self._pd.api.types.is_object_dtype(dtype))

    def of_matrix(self, matrix: np.ndarray, columns: Sequence[str]) -> Frame:
        return self._pd.DataFrame(matrix, columns=list(columns))

    def of_columns(self, columns: Mapping[str, Sequence[Any]]) -> Frame:
        return self._pd.DataFrame({name: list(values) for name, values in columns.items()})


MOST_VALUES = 50
"""A column of texts with more different values than this is no category."""

Told = Attribute | Mapping[str, Any]
"""An attribute, or the part of it that is not plain: ``{"worse": "high", "unit": "€"}``."""
SchemaLike = Schema | Mapping[str, Any]
"""A schema, or what is told of some attributes by name."""


def inferred_schema(
    library: FrameLibrary, frame: Frame, ids: Collection[str], told: SchemaLike | None, keep: Collection[str] = ()
) -> Schema:
    """The attributes of the items: told ones as told, all others as their columns show them."""
    given = _by_name(told)
    columns = [name for name in library.columns(frame) if name not in ids]
    for name in (*given, *keep):
        if name not in columns:
            raise ConfigError(f"the schema names {name!r}, but items has no such column; it has {', '.join(columns)}")
    found = [_attribute(library, frame, name, given.get(name), name in keep) for name in columns]
    attributes = [attribute for attribute in found if attribute is not None]
    if not attributes:
        raise EmptyDataError(
            "no column of items is an attribute: numbers, yes/no or texts with few values; "
            f"there are {', '.join(columns) or 'none'}"
        )
    return Schema.of(attributes)


def _by_name(told: SchemaLike | None) -> dict[str, Told]:
    if isinstance(told, Schema):
        return {attribute.name: attribute for attribute in told.attributes}
    return dict(told or {})


def _attribute(library: FrameLibrary, frame: Frame, name: str, told: Told | None, kept: bool) -> Attribute | None:
    values = library.values(frame, name)
    if not isinstance(told, Attribute):
        settings = dict(told or {})
        plain = _plain(library, frame, name, values, settled=told is not None or kept)
        if "kind" in settings:
            plain = {"can_be_absent": True} if _missing(values).any() else {}
        if plain is None and told is None:
            return None
        if plain is None:
            raise ConfigError(f"{name} of items is no attribute by itself; say its kind in the schema")
        if "format" in settings:
            plain.pop("step", None)  # the format says how fine the number is
        told = _told(name, {**plain, **settings})
    if kept:
        told = replace(told, kept=True)
    return told.with_range_of(values) if told.is_number else told


def _told(name: str, settings: dict[str, Any]) -> Attribute:
    if isinstance(settings.get("move_costs"), Mapping):
        return replace(_told(name, {**settings, "move_costs": []}), move_costs=settings["move_costs"])
    return Attribute.of_plain({"name": name, **settings})


def _plain(
    library: FrameLibrary, frame: Frame, name: str, values: np.ndarray, *, settled: bool
) -> dict[str, Any] | None:
    """The attribute that a column plainly is, as settings; ``settled`` if somebody has said that it is one."""
    kind = library.kind(frame, name)
    missing = _missing(values)
    known = values[~missing]
    absent = {"can_be_absent": True} if missing.any() else {}
    if kind == "text":
        order = library.category_order(frame, name)
        texts = sorted(set(known)) if order is None else order
        few = len(texts) <= MOST_VALUES and 2 * len(texts) <= max(len(known), 4)
        if settled or order is not None or few:
            return {"kind": "category", "values": tuple(texts), **absent} if len(texts) > (not settled) else None
        return None
    if kind == "other" or not len(known):
        return None
    if kind == "yes_no" or set(np.unique(known).tolist()) == {0.0, 1.0}:
        return {"kind": "yes_no", **absent}
    low, high = float(known.min()), float(known.max())
    if low == high and not settled:
        return None
    step = {"step": 1.0} if kind == "whole" else {}
    return {"kind": "number", "low": low, "high": high, **step, **absent}


def _missing(values: np.ndarray) -> np.ndarray:
    return np.array([value is None for value in values]) if values.dtype == object else np.isnan(values)
