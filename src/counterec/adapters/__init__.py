"""Models as people have them, made into scorers: functions, scikit-learn's way, PyTorch, ONNX.

An adapter is a ``RowModel``: it takes the rows of some pairs and returns a number for each. ``FrameTables`` holds the
rows; ``RowScorer`` puts the two together into a scorer, with every fault named in one line.
"""

from counterec.adapters.models import FunctionModel, RowScorer, SklearnModel
from counterec.adapters.tables import FrameTables
from counterec.adapters.tensors import OnnxModel, TorchModel

__all__ = [
    "FrameTables",
    "FunctionModel",
    "OnnxModel",
    "RowScorer",
    "SklearnModel",
    "TorchModel",
]
