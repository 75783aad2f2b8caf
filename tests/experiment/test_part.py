"""An experiment in parts: side by side or one by one, cut short and gone on with, it is the same experiment."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from counterec import open_run
from counterec.errors import DataError
from counterec.experiment.plan import (
    cell_config,
    experiment_stages,
    experiment_tasks,
    list_cells,
)
from counterec.pipeline.config import NET_AS_PUBLISHED, ExperimentSettings
from counterec.pipeline.engine import add_stages
from tests.pipeline.tiny import Recorder

SMALL = ExperimentSettings(
    quick=True,
    users=5,
    protocols=("sampled",),
    seeds=2,
    baselines=(),
    lambdas=(100.0,),
    alphas=(0.2,),
    detail_users=2,
    sweep_users=1,
)
"""Two cells of five users each."""


def experiment(folder: Path, **how: Any) -> tuple[Recorder, dict[str, Path]]:
    recorder = Recorder()
    return recorder, open_run(folder).experiment(SMALL, recorder, **how)


def tables(folder: Path) -> dict[str, bytes]:
    """Everything that was measured, except times."""
    found = (folder / "experiment").glob("**/*.parquet")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def one_by_one(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(tiny_run, tmp_path_factory.mktemp("part") / "run")
    _, reports = experiment(folder)
    assert reports == {"quick/net/sampled": folder / "experiment/quick/net/sampled"}
    return folder


@pytest.mark.slow
def test_side_by_side_is_the_same(one_by_one: Path, own_run: Path) -> None:
    recorder, reports = experiment(own_run, at_once=2)
    assert list(reports) == ["quick/net/sampled"]
    assert tables(own_run) == tables(one_by_one)
    assert "quick net sampled 1: join" in recorder.made
    again, _ = experiment(own_run, at_once=2)
    assert again.made == []


@pytest.mark.slow
def test_without_time_nothing_is_begun_and_a_cell_that_stands_is_taken(one_by_one: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(one_by_one, tmp_path / "run")
    for file in (folder / "experiment/quick/net/sampled/1/rows").glob("*"):
        file.unlink()
    for at_once in (1, 2):
        recorder, reports = experiment(folder, at_once=at_once, minutes=0)
        assert (recorder.made, reports) == ([], {})
    recorder, reports = experiment(folder)
    assert list(reports) == ["quick/net/sampled"]
    assert {name.split(":")[0] for name in recorder.made} - {"quick net sampled"} == {"quick net sampled 1"}
    assert tables(folder) == tables(one_by_one)


def test_lists_of_some_users_and_of_all_take_turns_in_one_folder(own_run: Path) -> None:
    config = open_run(own_run).config
    for users in (0, 5, 0):
        settings = ExperimentSettings(protocols=("full",), baselines=(), users=users)
        stages = experiment_stages(config.model_copy(update={"experiment": settings}))
        read = [stage for stage in stages if stage.name.endswith((": rank", ": explain single"))]
        add_stages(own_run, config.model_dump(mode="json"), read, Recorder())
        lists = own_run / "experiment/net/full/0/recommendations.parquet"
        assert pl.read_parquet(lists)["user_id"].n_unique() == (users or 30)


@pytest.mark.slow
def test_a_task_that_fails_is_named_and_the_others_are_done(one_by_one: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(one_by_one, tmp_path / "run")
    rows = folder / "experiment/quick/net/sampled"
    (rows / "0/rows.parquet").write_bytes(b"something else")
    (rows / "1/rows.parquet").unlink()
    with pytest.raises(DataError, match=r"quick net sampled 0 failed, and the rest went on: StoreError: .*changed"):
        experiment(folder, at_once=2)
    assert (rows / "1/rows.parquet").is_file()


def test_models_protocols_and_seeds_are_crossed_and_what_they_share_is_done_once(tiny_run: Path) -> None:
    config = open_run(tiny_run).config
    settings = ExperimentSettings(models=("net", "hybrid"), seeds=2, baselines=("a2cf",))
    config = config.model_copy(update={"experiment": settings})
    assert len(list_cells(config)) == 8
    tasks = {task.name: task for task in experiment_tasks(config)}
    first = config.seed
    shared = {f"{name} {seed}" for name in ("net", "hybrid", "baselines") for seed in (first, first + 1)}
    shared.remove(f"net {first}")  # it is the run's net
    assert set(tasks) == shared | {cell.name for cell in list_cells(config)}
    needed = {f"{name} {seed}" for name in ("hybrid", "baselines") for seed in (first, first + 1)}
    assert set(tasks[f"hybrid sampled {first}"].after) == needed, "the next seed is the same trained again"
    assert set(tasks[f"hybrid sampled {first + 1}"].after) == {f"hybrid {first + 1}", f"baselines {first + 1}"}
    names = [stage.name for task in tasks.values() for stage in task.stages]
    outputs = [stage.place(file) for task in tasks.values() for stage in task.stages for file in stage.outputs]
    assert len(set(names)) == len(names)
    assert len(set(outputs)) == len(outputs)


def test_what_is_trained_again_is_the_next_seed_or_after_the_last_a_training_of_its_own(tiny_run: Path) -> None:
    config = open_run(tiny_run).config
    settings = ExperimentSettings(models=("hybrid",), protocols=("full",), seeds=2, baselines=("a2cf",))
    first, last = list_cells(config.model_copy(update={"experiment": settings}))
    assert first.place("model-again.safetensors") == last.place("model.safetensors")
    assert last.place("model-again.safetensors") == f"experiment/hybrid/trained/{last.seed}/model-again.safetensors"


def test_the_net_as_published_is_trained_as_the_paper_says_whatever_the_run_does(tiny_run: Path) -> None:
    config = open_run(tiny_run).config
    config = config.model_copy(update={"experiment": ExperimentSettings(models=(NET_AS_PUBLISHED, "net"))})
    published, own = (cell_config(config, list_cells(config)[row]) for row in (0, -1))
    assert (published.model.kind, published.training.as_published) == ("net", True)
    assert published.training.hidden == config.training.hidden
    assert own.training == config.training
    assert not any(cell.uses_the_runs_model for cell in list_cells(config) if cell.model == NET_AS_PUBLISHED)
