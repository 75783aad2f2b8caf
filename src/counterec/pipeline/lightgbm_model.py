"""The model kind *lightgbm*: trees trained elsewhere, stored as LightGBM's text with the rows they look at."""

from __future__ import annotations

from counterec.adapters.extras import optional
from counterec.adapters.row_scorer import RowScorer
from counterec.adapters.scikit_learn import SklearnModel
from counterec.core.space import AspectSpace
from counterec.errors import ModelError
from counterec.pipeline.models import Arrays, ModelKind
from counterec.pipeline.row_archive import RowArchive


def load_lightgbm(arrays: Arrays, space: AspectSpace, device: str) -> RowScorer:
    """The trees in their text."""
    del device
    archive, lightgbm = RowArchive.of(arrays), optional("lightgbm", "lightgbm")
    try:
        booster = lightgbm.Booster(model_str=archive.file.decode())
    except (lightgbm.basic.LightGBMError, UnicodeDecodeError) as error:
        raise ModelError(f"the file is no text of LightGBM's ({error}); save one by booster.save_model(path)") from None
    return RowScorer(SklearnModel(booster, archive.settings.get("columns")), archive.tables(space))


KIND = ModelKind(
    "lightgbm", load_lightgbm, code=("counterec.adapters", "counterec.core", "counterec.pipeline.row_archive")
)
