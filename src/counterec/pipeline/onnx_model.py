"""The model kind *onnx*: a model trained elsewhere, stored as its ONNX file with the rows it looks at."""

from __future__ import annotations

from counterec.adapters.onnx import OnnxModel
from counterec.adapters.row_scorer import RowScorer
from counterec.core.space import AspectSpace
from counterec.pipeline.models import Arrays, ModelKind
from counterec.pipeline.row_archive import RowArchive


def load_onnx(arrays: Arrays, space: AspectSpace, device: str) -> RowScorer:
    """The model in its file."""
    del device  # onnxruntime runs where it runs
    archive = RowArchive.of(arrays)
    settings = {name: archive.settings[name] for name in ("inputs", "output", "column") if name in archive.settings}
    return RowScorer(OnnxModel(archive.file, **settings), archive.tables(space))


KIND = ModelKind("onnx", load_onnx, code=("counterec.adapters", "counterec.core", "counterec.pipeline.row_archive"))
