"""A model in an ONNX file, run by onnxruntime."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from counterec.adapters.extras import optional
from counterec.adapters.pair_rows import PairRows
from counterec.adapters.tables import FrameTables
from counterec.adapters.tensor_inputs import Columns, TensorInput, TensorPlan, chosen_output, score_column
from counterec.errors import ConfigError, ModelError

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
