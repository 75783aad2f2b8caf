"""Models as people have them, made into scorers: functions, scikit-learn's way, PyTorch, ONNX.

An adapter is a ``RowModel``: it takes the rows of some pairs and returns a number for each. ``FrameTables`` holds the
rows; ``RowScorer`` puts the two together into a scorer, with every fault named in one line.
"""

from counterec.adapters.function import FunctionModel
from counterec.adapters.onnx import OnnxModel
from counterec.adapters.row_scorer import RowModel, RowScorer, row_model
from counterec.adapters.scikit_learn import SklearnModel
from counterec.adapters.tables import FrameTables
from counterec.adapters.torch_module import TorchModel

__all__ = [
    "FrameTables",
    "FunctionModel",
    "OnnxModel",
    "RowModel",
    "RowScorer",
    "SklearnModel",
    "TorchModel",
    "row_model",
]
