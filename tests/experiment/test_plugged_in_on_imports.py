"""An explainer and a metric of another package beside ours, on a model that was trained elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from counterec import Run
from tests.adapters import hotels
from tests.cli.files import counterec
from tests.packages import write_package

lightgbm = pytest.importorskip("lightgbm")
pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin_package" / "favourite_aspects"
POINTS = {
    "counterec.explainers": {"favourites": "favourite_explainer:Favourites"},
    "counterec.metrics": {"familiarity": "favourite_metric:familiarity"},
}


def test_they_stand_in_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {f"favourite_{name}.py": (EXAMPLE / f"{name}.py").read_text() for name in ("explainer", "metric")}
    monkeypatch.syspath_prepend(str(write_package(tmp_path / "site", "favourite-aspects", POINTS, modules)))
    rows = hotels.training_rows("pandas")
    made = lightgbm.LGBMRegressor(n_estimators=10, num_leaves=7, verbose=-1, n_jobs=1)
    model = made.fit(rows, hotels.training_scores(rows)).booster_
    Run.create(tmp_path / "run", model, hotels.guests(), hotels.hotels(), k=3)
    outcome = counterec("experiment", tmp_path / "run", "--explainer", "favourites", "--metric", "familiarity")
    assert outcome.status == 0, outcome.err
    folder = tmp_path / "run" / "experiment" / "lightgbm" / "full"
    found = pl.read_parquet(folder / "0" / "rows.parquet").filter(pl.col("method") == "favourites")
    assert found["explained"].sum() > 0
    further = (folder / "tables" / "table5-further.txt").read_text()
    assert "familiarity" in further
    assert "favourites" in further
    cells = json.loads((folder / "evaluation.json").read_text())["cells"]
    assert any(cell["metrics"]["familiarity"]["value"] is not None for cell in cells if cell["method"] == "minimal")
