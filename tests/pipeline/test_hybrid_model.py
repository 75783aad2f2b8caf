"""The model kind hybrid: how it lies on disk, what was chosen for it, and how NumPy alone re-scores it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from safetensors.numpy import load_file

from counterec import make_config, make_run, open_run
from counterec.core.scorers.collaborative import NAMES
from counterec.core.scorers.hybrid import HybridScorer
from counterec.errors import InvalidValueError
from counterec.experiment.plan import cell_config, experiment_stages, list_cells
from counterec.pipeline.hybrid_model import load_hybrid, train_hybrid
from counterec.pipeline.models import TrainingData
from counterec.pipeline.stages.fit import fit_stage
from counterec.report.figure_data import can_draw
from tests.cli.conftest import counterec
from tests.pipeline.tiny import SETTINGS, again, changed

pytestmark = pytest.mark.slow

HYBRID = changed(
    SETTINGS,
    model={"kind": "hybrid", "hybrid": {"min_explainable": 0.5, "front_users": 5}},
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

    def test_a_bundle_carries_all_of_it(self, hybrid_run: Path, tmp_path: Path) -> None:
        assert counterec("bundle", hybrid_run, "--out", tmp_path / "bundle.zip").status == 0
        with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
            archive.extractall(tmp_path / "bundle")
            assert "front.json" in archive.namelist()
        row = pl.read_parquet(tmp_path / "bundle" / "recommendations.parquet").row(0, named=True)
        assert numpy_score(tmp_path / "bundle", row["user_id"], row["item_id"]) == pytest.approx(row["score"], abs=1e-4)

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
    def test_the_manifest_has_the_front_and_what_was_chosen(self, hybrid_run: Path) -> None:
        counts = open_run(hybrid_run).manifest.stages["fit"].counts
        allowed = [point for point in counts["front"] if point["leaving"] >= 0.5]
        best = max(point["ndcg"] for point in allowed)
        (chosen,) = (point for point in allowed if point["weight"] == counts["weight"])
        assert counts["validation_ndcg"] == chosen["ndcg"] <= best
        assert counts["explainable"] == chosen["leaving"]
        assert counts["price_of_limit"] == max(point["ndcg"] for point in counts["front"]) - best
        assert len(counts["nets"]) == 3
        assert {"regularisations", "popularity_ndcg", "nets_validation_ndcg", "explainable"} <= set(counts)

    def test_the_front_also_counts_short_answers_and_is_drawn(self, hybrid_run: Path) -> None:
        front = json.loads((hybrid_run / "front.json").read_text())
        assert front["users_asked"] == 5
        assert [point["weight"] for point in front["points"]] == [0, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 4]
        assert all(0 <= point["short_answers"] <= 1 for point in front["points"])
        assert (hybrid_run / "figures" / "front.svg").is_file() == can_draw()

    def test_final_lists_are_reported_beside(self, hybrid_run: Path) -> None:
        run = open_run(hybrid_run)
        lists = run.recommendations
        rows, _, items = lists.pairs()
        left = [
            numpy_score(
                hybrid_run,
                run.space.users.texts[lists.users[row]],
                run.space.items.texts[item],
                dict.fromkeys(run.space.aspects.texts, 0.0),
            )
            < lists.target[row]
            for row, item in zip(rows.tolist(), items.tolist(), strict=True)
        ]
        measured = run.evaluation["lists"]["leave_without_aspects"]
        assert (measured["value"], measured["cases"]) == (pytest.approx(np.mean(left)), len(left))

    def test_without_a_validation_part_the_stated_defaults_count(self, tmp_path: Path) -> None:
        again(tmp_path / "run", changed(HYBRID, split={"validation": 0}, explain={"methods": ["single"]}))
        run = open_run(tmp_path / "run")
        described = json.loads((tmp_path / "run" / "model.json").read_text())
        assert (described["weight"], described["regularisation"], described["kept"]) == (0.3, 100, 300)
        assert "front" not in run.manifest.stages
        assert run.scorer is not None

    def test_a_limit_that_no_weight_keeps_is_said(self, tmp_path: Path) -> None:
        recorder = again(
            tmp_path / "run", changed(HYBRID, model={"kind": "hybrid", "hybrid": {"min_explainable": 1.0}})
        )
        front = open_run(tmp_path / "run").manifest.stages["fit"].counts["front"]
        said = any("leave their lists when all their aspects are absent" in line for line in recorder.warnings)
        assert said == all(point["leaving"] < 1 for point in front)


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
