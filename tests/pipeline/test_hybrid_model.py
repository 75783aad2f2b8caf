"""The model kind hybrid: how it lies on disk, what was chosen for it, and how NumPy alone re-scores it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from safetensors.numpy import load_file

from counterec import make_config, open_run
from counterec.core.scorers.collaborative import NAMES
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.settings import HybridSettings
from counterec.errors import InvalidValueError
from counterec.pipeline.hybrid_model import load_hybrid, train_hybrid
from counterec.pipeline.models import TrainingData
from tests.pipeline.disk import Disk
from tests.pipeline.disk_model import DiskModel
from tests.pipeline.tiny import HYBRID, again, changed

pytestmark = pytest.mark.slow


def score(folder: Path, row: dict[str, Any], changes: dict[str, float]) -> float:
    """A score from the files alone, as the reference says."""
    disk = Disk(folder)
    user, item = disk.users.index(row["user_id"]), disk.items.index(row["item_id"])
    quality = disk.Y[item].copy()
    for aspect, value in changes.items():
        quality[disk.aspects.index(aspect)] = value
    return DiskModel(disk.net, disk.X).score(user, item, quality)


class TestOnDisk:
    def test_the_folder_says_what_it_holds(self, hybrid_run: Path) -> None:
        description = json.loads((hybrid_run / "model.json").read_text())
        assert (description["kind"], description["nets"], description["hidden"]) == ("hybrid", 3, [16, 8])
        names = set(load_file(hybrid_run / "model.safetensors"))
        assert {"net.0.hidden1.weight", "net.2.output.bias", *NAMES} <= names
        assert len(names) == 3 * 6 + len(NAMES)
        scorer = open_run(hybrid_run).scorer
        assert isinstance(scorer, HybridScorer)
        assert len(scorer.members) == 3

    def test_numpy_alone_gives_the_scores_of_the_lists(self, hybrid_run: Path) -> None:
        rows = pl.read_parquet(hybrid_run / "recommendations.parquet")
        for row in rows.gather_every(7).to_dicts():
            assert score(hybrid_run, row, {}) == pytest.approx(row["score"], abs=1e-4)

    def test_numpy_alone_confirms_every_explanation(self, hybrid_run: Path) -> None:
        explained = 0
        for row in pl.read_parquet(hybrid_run / "explanations" / "minimal.parquet").gather_every(3).to_dicts():
            if row["status"] == "explained":
                changes = dict(zip(row["aspects"], row["after"], strict=True))
                assert score(hybrid_run, row, changes) < row["target"]
                explained += 1
        assert explained > 0

    def test_arrays_that_are_no_hybrid_are_refused(self, hybrid_run: Path) -> None:
        space = open_run(hybrid_run).space
        arrays = load_file(hybrid_run / "model.safetensors")
        without_nets = {name: array for name, array in arrays.items() if not name.startswith("net.")}
        with pytest.raises(InvalidValueError, match=r"names begin with net\.0"):
            load_hybrid(without_nets, space, "cpu")
        with pytest.raises(InvalidValueError, match="a collaborative part has the arrays"):
            load_hybrid({name: array for name, array in arrays.items() if name != "user_weight"}, space, "cpu")


class TestChoice:
    def test_the_manifest_has_every_weight_and_what_was_chosen(self, hybrid_run: Path) -> None:
        counts = open_run(hybrid_run).manifest.stages["fit"].counts
        tried = counts["weights"]
        assert [point["weight"] for point in tried] == list(HybridSettings().weights)
        (chosen,) = (point for point in tried if point["weight"] == counts["weight"])
        assert counts["validation_ndcg"] == chosen["ndcg"] <= max(point["ndcg"] for point in tried)
        assert counts["short_reasons"] == chosen["short"]
        assert len(counts["nets"]) == 3
        assert {"regularisations", "popularity_ndcg", "nets_validation_ndcg"} <= set(counts)

    def test_short_reasons_are_those_of_the_table(self, hybrid_run: Path) -> None:
        """Recommended items that leave at values reviews can give; rows that make aspects unreviewed are others."""
        table = pl.read_parquet(hybrid_run / "explanations" / "minimal.parquet")
        found = table.filter((pl.col("status") == "explained") & (pl.col("values") == "reachable"))
        measured = open_run(hybrid_run).evaluation["lists"]["short_reasons"]
        assert list(measured) == ["1", "2", "3"]
        for most, share in measured.items():
            few = found.filter(pl.col("aspects").list.len() <= int(most))
            assert (share["value"], share["cases"]) == (pytest.approx(len(few) / len(table)), len(table))

    def test_without_a_validation_part_the_stated_defaults_count(self, tmp_path: Path) -> None:
        again(tmp_path / "run", changed(HYBRID, split={"validation": 0}, explain={"methods": ["single"]}))
        run = open_run(tmp_path / "run")
        described = json.loads((tmp_path / "run" / "model.json").read_text())
        assert (described["weight"], described["regularisation"], described["kept"]) == (0.2, 100, 300)
        assert "weights" not in described
        assert run.scorer is not None


def test_every_epoch_of_every_net_is_reported_and_was_expected(hybrid_run: Path) -> None:
    run, advanced, expected = open_run(hybrid_run), [], []
    parts, settings = run.interactions, make_config(HYBRID, "test").training
    data = TrainingData(run.space, parts["train"], parts["validation"], settings, seed=0, advance=advanced.append)
    train_hybrid(replace(data, expect=expected.append))
    assert advanced == [1] * settings.most_epochs * data.hybrid.nets
    assert expected == [sum(advanced)]
