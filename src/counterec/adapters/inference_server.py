"""A model behind an Open Inference Protocol v2 endpoint (KServe, Triton, Seldon, MLServer …), over HTTP.

The model's metadata say which tensors it takes; each call is one ``POST …/infer`` with all rows.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from counterec.adapters.pair_rows import PairRows
from counterec.adapters.tables import FrameTables
from counterec.adapters.tensor_inputs import Columns, TensorInput, TensorPlan, chosen_output, score_column
from counterec.errors import ConfigError, InvalidValueError, ModelError

DTYPES: dict[str, np.dtype[Any]] = {
    "BOOL": np.dtype(np.bool_),
    "INT8": np.dtype(np.int8),
    "INT16": np.dtype(np.int16),
    "INT32": np.dtype(np.int32),
    "INT64": np.dtype(np.int64),
    "FP32": np.dtype(np.float32),
    "FP64": np.dtype(np.float64),
    "BYTES": np.dtype(object),
}
"""The protocol's types that JSON can carry."""


@dataclass(frozen=True)
class InferenceServerModel:
    """The address of a model: ``http://host:8080/v2/models/ranker``, with ``/versions/3`` where it has versions."""

    url: str
    inputs: Columns | None = None
    """By the name of an input, its columns; None: found by the names."""
    output: str | None = None
    """The output that is the score; None where there is one."""
    column: int | None = None
    """Which of its columns, where it has several."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Further headers, such as one that says who asks."""
    timeout: float = 30.0
    """Seconds to wait for an answer."""

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "/v2/models/" not in parts.path:
            raise ConfigError(f"{self.url!r} is no model's address; write http://host:8080/v2/models/NAME")

    @property
    def said(self) -> str:
        """The address."""
        return self.url

    def predict(self, rows: PairRows) -> Any:
        """Ask the server once for all rows."""
        plan = self._plan(rows.tables)
        request = {
            "inputs": [self._tensor(each, plan, rows) for each in plan.inputs],
            "outputs": [{"name": self._output}],
        }
        answer = self._asked("POST", "/infer", request)
        for found in answer.get("outputs", ()):
            if found.get("name") == self._output:
                return score_column(_array(found), self.column, self.said)
        raise InvalidValueError(f"{self.said} answered without the output {self._output!r}")

    def _tensor(self, each: TensorInput, plan: TensorPlan, rows: PairRows) -> dict[str, Any]:
        found = plan.arrays(rows)[each.name]
        missing = [value is None for value in found.ravel()] if found.dtype.kind == "O" else _is_nan(found)
        if np.any(missing):
            raise InvalidValueError(
                f"{self.said} takes JSON, which has no word for an absent value, and the input {each.name!r} has one; "
                "give every item a value"
            )
        return {
            "name": each.name,
            "shape": list(found.shape),
            "datatype": next(name for name, dtype in DTYPES.items() if dtype == each.dtype),
            "data": found.ravel().tolist(),
        }

    @cached_property
    def _metadata(self) -> dict[str, Any]:
        return self._asked("GET", "", None)

    @cached_property
    def _output(self) -> str:
        return chosen_output([each["name"] for each in self._metadata.get("outputs", ())], self.output, self.said)

    @cached_property
    def _plans(self) -> dict[int, TensorPlan]:
        return {}

    def _plan(self, tables: FrameTables) -> TensorPlan:
        if id(tables) not in self._plans:
            found = [self._input(each) for each in self._metadata.get("inputs", ())]
            self._plans[id(tables)] = TensorPlan.of(found, self.inputs, tables, self.said)
        return self._plans[id(tables)]

    def _input(self, each: Mapping[str, Any]) -> TensorInput:
        if each["datatype"] not in DTYPES:
            raise ConfigError(
                f"the input {each['name']!r} of {self.said} is {each['datatype']}, which JSON cannot carry"
            )
        shape = tuple(size if size > 0 else None for size in map(int, each["shape"]))
        return TensorInput(each["name"], DTYPES[each["datatype"]], shape)

    def _asked(self, method: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        """The JSON object that the server answers with; every failure is one line."""
        try:
            status, text = self._connection.answer(method, path, None if body is None else json.dumps(body))
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            raise ModelError(f"{self.said} cannot be reached ({reason}); is the server running?") from None
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if status != http.HTTPStatus.OK:
            said = answer.get("error") if isinstance(answer, dict) else None
            raise ModelError(f"{self.said} answered {status}: {said or 'without a word of why'}")
        if not isinstance(answer, dict):
            raise InvalidValueError(f"{self.said} answered with what is no JSON object; is it an inference server?")
        return answer

    @cached_property
    def _connection(self) -> _Connection:
        return _Connection(self.url, self.timeout, {"Content-Type": "application/json", **self.headers})


class _Connection:
    """One connection that is kept open, and opened again where the server has closed it."""

    def __init__(self, url: str, timeout: float, headers: Mapping[str, str]) -> None:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        assert parts.hostname is not None
        self._http = kind(parts.hostname, parts.port, timeout=timeout)
        self._path, self._headers, self._lock = parts.path.rstrip("/"), dict(headers), Lock()

    def __del__(self) -> None:
        self._http.close()

    def answer(self, method: str, path: str, body: str | None) -> tuple[int, str]:
        """The status and the text of the answer."""
        with self._lock:
            try:
                return self._once(method, path, body)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                self._http.close()  # an idle connection that the server has closed
                return self._once(method, path, body)
            except Exception:
                self._http.close()
                raise

    def _once(self, method: str, path: str, body: str | None) -> tuple[int, str]:
        self._http.request(method, self._path + path, body, self._headers)
        response = self._http.getresponse()
        return response.status, response.read().decode("utf-8", "replace")


def _is_nan(found: np.ndarray) -> np.ndarray:
    return np.isnan(found) if found.dtype.kind == "f" else np.zeros(found.shape, dtype=bool)


def _array(found: Mapping[str, Any]) -> np.ndarray:
    data, shape = np.asarray(found.get("data"), dtype=np.float64), found.get("shape", [-1])
    return data.reshape(shape) if data.size == np.prod(shape) else data.ravel()
