"""A model in an ONNX file, explained as it is."""

import numpy as np
import polars as pl
from onnx import TensorProto, helper, numpy_helper

import counterec
from counterec.adapters import OnnxModel

weights = numpy_helper.from_array(np.array([[0.02], [-0.01], [-0.5], [1.0]], dtype=np.float32), "weights")
graph = helper.make_graph(
    [helper.make_node("MatMul", ["rows", "weights"], ["score"])],
    "rooms",
    [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["pairs", 4])],
    [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["pairs", 1])],
    [weights],
)
made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
model = OnnxModel(made.SerializeToString())  # or the path of a file

rooms = pl.DataFrame({"item_id": ["A", "B", "C", "D"], "rent": [610, 700, 540, 480], "noise": [1.5, 0.5, 3.0, 2.5]})
rooms.insert_column(3, pl.Series("balcony", [True, True, False, False]))
tenants = pl.DataFrame({"user_id": ["Ada"], "income": [2100]})  # a column per input: income, rent, noise, balcony
print(*counterec.explain(model, tenants, rooms, k=2)["sentence"], sep="\n")
