"""Small ONNX models, made by hand: the known weighted sum, as one matrix or column by column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from onnx import TensorProto, helper, numpy_helper

OPSET = helper.make_opsetid("", 17)


def matrix_model(weights: np.ndarray, double: bool = False) -> bytes:
    """scores = rows · weights, from one input ``rows`` [n, columns]."""
    kind, dtype = (TensorProto.DOUBLE, np.float64) if double else (TensorProto.FLOAT, np.float32)
    column = numpy_helper.from_array(weights.astype(dtype).reshape(-1, 1), "weights")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["rows", "weights"], ["score"])],
        "linear",
        [helper.make_tensor_value_info("rows", kind, ["n", len(weights)])],
        [helper.make_tensor_value_info("score", kind, ["n", 1])],
        [column],
    )
    return _model(graph)


def column_model(weights: np.ndarray, names: Sequence[str]) -> bytes:
    """The same from one input per column [n, 1], and a second output that is no score."""
    nodes = [
        helper.make_node("Concat", list(names), ["rows"], axis=1),
        helper.make_node("MatMul", ["rows", "weights"], ["score"]),
        helper.make_node("Concat", ["score", "score"], ["both"], axis=1),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", 1]) for name in names]
    outputs = [
        helper.make_tensor_value_info("score", TensorProto.FLOAT, ["n", 1]),
        helper.make_tensor_value_info("both", TensorProto.FLOAT, ["n", 2]),
    ]
    column = numpy_helper.from_array(weights.astype(np.float32).reshape(-1, 1), "weights")
    return _model(helper.make_graph(nodes, "columns", inputs, outputs, [column]))


def _model(graph) -> bytes:
    return helper.make_model(graph, opset_imports=[OPSET], ir_version=9).SerializeToString()
