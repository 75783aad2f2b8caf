"""The named tensors that a model in ONNX, or behind a server, takes: which columns each is made of, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from counterec.adapters.pair_rows import PairRows
from counterec.adapters.tables import FrameTables
from counterec.errors import ConfigError

Columns = Mapping[str, Sequence[str] | str]
"""By the name of an input: its columns, or the one column that it is."""


@dataclass(frozen=True)
class TensorInput:
    """One input of a model, as the model describes it."""

    name: str
    dtype: np.dtype
    shape: tuple[int | None, ...]
    """None where any size is allowed, as the number of rows is."""

    @property
    def width(self) -> int | None:
        """How many columns it takes; None if it does not say."""
        return self.shape[1] if len(self.shape) > 1 else 1


@dataclass(frozen=True)
class TensorPlan:
    """Which columns make each input."""

    inputs: tuple[TensorInput, ...]
    columns: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, inputs: Sequence[TensorInput], told: Columns | None, tables: FrameTables, model: str) -> TensorPlan:
        """As told; else an input with a column's name is that column, and a single input takes all columns."""
        if told is not None:
            return cls._told(inputs, told, tables, model)
        if len(inputs) == 1 and inputs[0].name not in tables.features:
            (only,) = inputs
            if only.width not in (None, len(tables.features)):
                raise ConfigError(
                    f"the input {only.name!r} of {model} takes {only.width} columns, and there are "
                    f"{len(tables.features)}: {', '.join(tables.features)}; name its columns: "
                    f"inputs={{{only.name!r}: […]}}"
                )
            return cls((only,), (tuple(tables.features),))
        for each in inputs:
            if each.name not in tables.features:
                raise ConfigError(
                    f"{model} takes an input {each.name!r}, which is no column of users or items; name its columns: "
                    f"inputs={{{each.name!r}: […]}}"
                )
        return cls(tuple(inputs), tuple((each.name,) for each in inputs))

    @classmethod
    def _told(cls, inputs: Sequence[TensorInput], told: Columns, tables: FrameTables, model: str) -> TensorPlan:
        names = [each.name for each in inputs]
        for name in sorted({*told} ^ {*names}):
            raise ConfigError(
                f"{model} takes the inputs {', '.join(names)}, and inputs= names {', '.join(told)}: {name}?"
            )
        columns = [(told[name],) if isinstance(told[name], str) else tuple(told[name]) for name in names]
        for each, some in zip(inputs, columns, strict=True):
            for column in some:
                tables.side_of(str(column))
            if each.width not in (None, len(some)):
                raise ConfigError(f"the input {each.name!r} of {model} takes {each.width} columns, not {len(some)}")
        return cls(tuple(inputs), tuple(tuple(map(str, some)) for some in columns))

    def arrays(self, rows: PairRows) -> dict[str, np.ndarray]:
        """Every input for these rows."""
        return {each.name: self._array(each, some, rows) for each, some in zip(self.inputs, self.columns, strict=True)}

    def _array(self, each: TensorInput, columns: tuple[str, ...], rows: PairRows) -> np.ndarray:
        if each.dtype.kind == "O":
            found = np.stack([rows.column(name) for name in columns], axis=1).astype(object)
        else:
            found = rows.matrix(columns).astype(each.dtype)
        return found[:, 0] if len(each.shape) == 1 else found


def chosen_output(names: Sequence[str], told: str | None, model: str) -> str:
    """The output that is the score."""
    if told is not None and told not in names:
        raise ConfigError(f"{model} has no output {told!r}; there are {', '.join(names)}")
    if told is None and len(names) != 1:
        raise ConfigError(f"{model} has the outputs {', '.join(names)}; say which is the score: output=…")
    return told or names[0]


def score_column(found: np.ndarray, column: int | None, model: str) -> np.ndarray:
    """One number per row of an output that may have several columns."""
    if column is not None:
        if found.ndim != 2 or not 0 <= column < found.shape[1]:
            raise ConfigError(f"{model} returned the shape {found.shape}, which has no column {column}")
        return found[:, column]
    if found.ndim == 2 and found.shape[1] > 1:
        raise ConfigError(f"{model} returned {found.shape[1]} columns; say which is the score: column=…")
    return found
