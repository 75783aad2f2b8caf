"""Models that take tensors: a torch module, with gradients so that every goal works, and an ONNX file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from counterec.adapters.models import PairRows, RowScorer
from counterec.adapters.tables import FrameTables, Side
from counterec.core.scorers.base import PairBatch
from counterec.errors import ConfigError, ModelError, UsageError

if TYPE_CHECKING:
    from torch import Tensor


def optional(module: str, extra: str) -> Any:
    """The module, or an error that says which extra brings it."""
    try:
        return import_module(module)
    except ImportError:
        raise UsageError(
            f"{module} is not installed; it comes with the extra {extra}: pip install 'counterec[{extra}]'"
        ) from None


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


DTYPES: dict[str, np.dtype[Any]] = {
    "tensor(float)": np.dtype(np.float32),
    "tensor(double)": np.dtype(np.float64),
    "tensor(int64)": np.dtype(np.int64),
    "tensor(int32)": np.dtype(np.int32),
    "tensor(bool)": np.dtype(np.bool_),
    "tensor(string)": np.dtype(object),
}


@dataclass(frozen=True)
class OnnxModel:
    """The file's path, or its bytes. An input that is named like a column is that column; see ``TensorPlan``."""

    model: str | Path | bytes = field(repr=False)
    inputs: Columns | None = None
    """By the name of an input, its columns; None: found by the names."""
    output: str | None = None
    """The output that is the score; None where there is one."""
    column: int | None = None
    """Which of its columns, where it has several."""
    threads: int = 1
    """Threads of one call."""

    @property
    def said(self) -> str:
        """The file, as people know it."""
        return "the ONNX model" if isinstance(self.model, bytes) else f"the ONNX model {Path(self.model).name}"

    def predict(self, rows: PairRows) -> Any:
        """Run the session."""
        arrays = self._plan(rows.tables).arrays(rows)
        (found,) = self._session.run([self._output], arrays)
        return score_column(np.asarray(found), self.column, self.said)

    @cached_property
    def _session(self) -> Any:
        runtime = optional("onnxruntime", "onnx")
        options = runtime.SessionOptions()
        options.log_severity_level = 3  # errors come as exceptions
        options.intra_op_num_threads = self.threads
        given = self.model if isinstance(self.model, bytes) else str(self.model)
        try:
            return runtime.InferenceSession(given, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            reason = " ".join(str(error).split())
            raise ModelError(f"{self.said} cannot be loaded ({reason}); give the path of an ONNX file") from None

    @cached_property
    def _output(self) -> str:
        return chosen_output([each.name for each in self._session.get_outputs()], self.output, self.said)

    @cached_property
    def _plans(self) -> dict[int, TensorPlan]:
        return {}

    def _plan(self, tables: FrameTables) -> TensorPlan:
        if id(tables) not in self._plans:
            found = [self._input(each) for each in self._session.get_inputs()]
            self._plans[id(tables)] = TensorPlan.of(found, self.inputs, tables, self.said)
        return self._plans[id(tables)]

    def _input(self, each: Any) -> TensorInput:
        if each.type not in DTYPES:
            raise ConfigError(f"the input {each.name!r} of {self.said} is a {each.type}; known are {', '.join(DTYPES)}")
        shape = tuple(size if isinstance(size, int) and size > 0 else None for size in each.shape)
        return TensorInput(each.name, DTYPES[each.type], shape)


Inputs = Mapping[str, Sequence[str] | str]


@dataclass(frozen=True)
class TorchModel:
    """A module, in the state it is given in: call ``eval()`` first, or dropout makes its scores change.

    With ``inputs``, forward is called by name: an input that is one column, given by its name, is a vector of it (of
    integers, where the column is whole), one that is a list of columns is a matrix of floats. Without, forward gets two
    matrices: all columns of the users' rows, then all of the items'. Categories are given by their place among
    their values, what is absent as NaN.
    """

    module: Any
    inputs: Inputs | None = None

    @property
    def said(self) -> str:
        """The module's class."""
        return type(self.module).__name__

    def predict(self, rows: PairRows) -> Any:
        """Call the module."""
        return self.scorer(rows.tables).score(rows.pairs)

    def scorer(self, tables: FrameTables) -> TorchScorer:
        """The module as a scorer with gradients."""
        return TorchScorer(self, tables)


@dataclass(frozen=True)
class TorchScorer(RowScorer):
    """Scores pairs by a module; the same numbers also as tensors with gradients."""

    model: TorchModel

    def _asked(self, pairs: PairBatch) -> Any:
        import torch

        device = self._device
        with torch.inference_mode():
            quality = torch.as_tensor(np.array(pairs.item_quality), device=device)
            users, items = (torch.as_tensor(np.array(each), device=device) for each in (pairs.users, pairs.items))
            try:
                found = self._called(users, items, quality)
            except (RuntimeError, IndexError, TypeError, ValueError) as error:
                raise self._raised(pairs, error) from error
        return self._checked(found, pairs)

    def score_tensor(self, users: Tensor, items: Tensor, user_attention: Tensor, item_quality: Tensor) -> Tensor:
        """The scores with gradients; the attention that was made up for the users plays no part."""
        del user_attention
        found = self._called(users, items, item_quality)
        return found.reshape(len(users)) if found.numel() == len(users) else found

    def _called(self, users: Tensor, items: Tensor, quality: Tensor) -> Any:
        module, inputs = self.model.module, self.model.inputs
        if inputs is None:
            sides = (self.tables.users, self.tables.items)
            return module(*(self._matrix(side.features, users, items, quality) for side in sides))
        return module(**{name: self._input(columns, users, items, quality) for name, columns in inputs.items()})

    def _input(self, columns: Sequence[str] | str, users: Tensor, items: Tensor, quality: Tensor) -> Tensor:
        if isinstance(columns, str):
            column = self._column(columns, users, items, quality)
            return column.long() if columns in self._whole else column
        return self._matrix(columns, users, items, quality)

    def _matrix(self, columns: Sequence[str], users: Tensor, items: Tensor, quality: Tensor) -> Tensor:
        import torch

        found = [self._column(name, users, items, quality) for name in columns]
        return torch.stack(found, dim=1) if found else quality.new_empty((len(users), 0))

    def _column(self, name: str, users: Tensor, items: Tensor, quality: Tensor) -> Tensor:
        """A column of the frame, or the attribute that is asked about."""
        if name not in self.tables.aspect_of:
            side = self.tables.side_of(name)
            return self._tensor(side, name)[users if side is self.tables.users else items]
        aspect = self.tables.aspect_of[name]
        column, absent = quality[:, aspect], float(self.tables.space.scale.absent[aspect])
        return column.where(column != absent, float("nan")) if self.tables.schema[aspect].can_be_absent else column

    def _tensor(self, side: Side, name: str) -> Tensor:
        import torch

        if name not in self._tensors:
            values = side.numbers(name)
            if values is None:
                raise ConfigError(f"{name} of {side.what}s holds no numbers; name the columns by inputs= of TorchModel")
            self._tensors[name] = torch.as_tensor(np.array(values), dtype=torch.float32, device=self._device)
        return self._tensors[name]

    @cached_property
    def _tensors(self) -> dict[str, Tensor]:
        return {}

    @cached_property
    def _whole(self) -> frozenset[str]:
        """The columns that hold whole numbers, or places of categories."""
        sides = (self.tables.users, self.tables.items)
        columns = [(side, name) for side in sides for name in side.columns]
        whole = {name for side, name in columns if side.library.kind(side.frame, name) == "whole"}
        return frozenset(whole | {each.name for each in self.tables.schema.attributes if each.kind == "category"})

    @cached_property
    def _device(self) -> Any:
        import torch

        weights = next(iter(self.model.module.parameters()), None)
        return torch.device("cpu") if weights is None else weights.device
