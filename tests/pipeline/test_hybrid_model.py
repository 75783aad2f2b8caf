"""The model kind hybrid: how it lies on disk, what was chosen for it, and how NumPy alone re-scores it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from safetensors.numpy import load_file

from counterec import make_config, make_run, open_run
from counterec.core.scorers.collaborative import NAMES
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.settings import HybridSettings
from counterec.errors import InvalidValueError
from counterec.experiment.plan import cell_config, experiment_stages, list_cells
from counterec.pipeline.hybrid_model import load_hybrid, train_hybrid
from counterec.pipeline.models import TrainingData
from counterec.pipeline.stages.model import fit_stage
from tests.pipeline.tiny import SETTINGS, again, changed

pytestmark = pytest.mark.slow

HYBRID = changed(
    SETTINGS,
    model={"kind": "hybrid"},
    training={"epochs": 2},
    explain={"methods": ["minimal"]},
)


@pytest.fixture(scope="module")
def hybrid_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hybrid") / "run"
    make_run(make_config(HYBRID, "test"), folder)
    return folder


def numpy_score(folder: Path, user_id: str, item_id: str, changes: dict[str, float] | None = None) -> float:
    """A score from the files alone, as the reference says."""
    space, model = load_file(folder / "aspects.safetensors"), load_file(folder / "model.safetensors")
    names = json.loads((folder / "vocabulary.json").read_text())
    user, item = names["users"].index(user_id), names["items"].index(item_id)
    x, y = space["user_attention"][user], space["item_quality"][item].copy()
    for aspect, value in (changes or {}).items():
        y[names["aspects"].index(aspect)] = value
    nets = json.loads((folder / "model.json").read_text())["nets"]
    logits = []
    for number in range(nets):
        net = {name.removeprefix(f"net.{number}."): array for name, array in model.items()}
        hidden = np.maximum(net["hidden1.weight"] @ np.concatenate([x, y]) + net["hidden1.bias"], 0)
        hidden = np.maximum(net["hidden2.weight"] @ hidden + net["hidden2.bias"], 0)
        logits.append((net["output.weight"] @ hidden + net["output.bias"])[0])
    related = 0.0
    past = model["history.items"][model["history.indptr"][user] : model["history.indptr"][user + 1]]
    for j in past:
        row = slice(model["item_to_item.indptr"][j], model["item_to_item.indptr"][j + 1])
        related += model["item_to_item.values"][row][model["item_to_item.indices"][row] == item].sum()
    return float(np.mean(logits) + model["user_weight"][user] * related)


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

    def test_some_offset_counts(self, hybrid_run: Path) -> None:
        assert json.loads((hybrid_run / "model.json").read_text())["weight"] > 0
        assert load_file(hybrid_run / "model.safetensors")["user_weight"].all()

    def test_numpy_alone_gives_the_scores_of_the_lists(self, hybrid_run: Path) -> None:
        rows = pl.read_parquet(hybrid_run / "recommendations.parquet")
        for row in rows.gather_every(7).to_dicts():
            assert numpy_score(hybrid_run, row["user_id"], row["item_id"]) == pytest.approx(row["score"], abs=1e-4)

    def test_numpy_alone_confirms_every_explanation(self, hybrid_run: Path) -> None:
        explained = 0
        for row in pl.read_parquet(hybrid_run / "explanations" / "minimal.parquet").gather_every(3).to_dicts():
            if row["status"] == "explained":
                changes = dict(zip(row["aspects"], row["after"], strict=True))
                assert numpy_score(hybrid_run, row["user_id"], row["item_id"], changes) < row["target"]
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

    def test_nothing_runs_again_where_nothing_changed(self, hybrid_run: Path) -> None:
        assert again(hybrid_run, HYBRID).made == []


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


class TestExperiment:
    def test_it_judges_the_net(self) -> None:
        config = make_config(HYBRID, "test")
        (cell, *_) = list_cells(config)
        assert not cell.uses_the_runs_model
        assert cell_config(config, cell).model.kind == "net"
        assert "net 0: fit" in {stage.name for stage in experiment_stages(config)}

    def test_unless_another_kind_is_named(self) -> None:
        config = make_config(changed(HYBRID, experiment={"models": ["hybrid"]}), "test")
        (cell, *_) = list_cells(config)
        assert cell.uses_the_runs_model
        assert cell_config(config, cell).model.kind == "hybrid"


@pytest.mark.parametrize(("kind", "matters"), [("hybrid", True), ("net", False)])
def test_the_length_of_a_list_matters_to_the_hybrid_alone(kind: str, matters: bool) -> None:
    config = make_config(changed(HYBRID, model={"kind": kind}), "test")
    assert ("lists.k" in fit_stage(config).settings) == matters


def test_it_is_the_default_of_a_run() -> None:
    settings = {name: part for name, part in SETTINGS.items() if name != "model"}
    assert make_config(settings, "test").model.kind == "hybrid"


def test_every_epoch_of_every_net_is_reported_and_was_expected(hybrid_run: Path) -> None:
    run, advanced, expected = open_run(hybrid_run), [], []
    parts, settings = run.interactions, make_config(HYBRID, "test").training
    data = TrainingData(run.space, parts["train"], parts["validation"], settings, seed=0, advance=advanced.append)
    train_hybrid(replace(data, expect=expected.append))
    assert advanced == [1] * settings.most_epochs * data.hybrid.nets
    assert expected == [sum(advanced)]
