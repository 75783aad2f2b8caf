"""``counterec experiment``: from a run or a config to tables, figures and claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec.experiment.plan import QUICK as QUICK_SIZES
from counterec.pipeline.config import ExperimentSettings
from counterec.run import Run
from tests.cli.files import counterec

pytestmark = pytest.mark.slow

QUICK = """
[data]
world = {users = 24, items = 40, aspects = 6, min_reviews = 12}
[dataset]
name = "Phones of our own"
page = "https://example.org/phones"
[training]
hidden = [12, 6]
epochs = 3
[explain]
methods = ["single"]
[experiment]
protocols = ["sampled"]
baselines = ["a2cf"]
lambdas = [100]
alphas = [0.2, 0.9]
sweep_users = 5
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of an experiment that was started from a config file."""
    folder = tmp_path_factory.mktemp("experiment")
    (folder / "quick.toml").write_text(QUICK)
    outcome = counterec("experiment", folder / "quick.toml", "--out", folder / "run", "--quiet")
    assert outcome.status == 0, outcome.err
    assert outcome.out.strip() == str(folder / "run" / "experiment" / "net" / "sampled")
    return folder / "run"


def test_everything_is_written(made: Path) -> None:
    report = made / "experiment" / "net" / "sampled"
    tables = {path.name.split(".")[0] for path in (report / "tables").iterdir()}
    assert {"table1-statistics", "table2-fidelity", "table3-user-side", "table4-model-side"} <= tables
    for ending in ("txt", "csv"):
        assert len(list((report / "tables").glob(f"*.{ending}"))) == len(tables)
    for letter in "abcde":
        assert list((report / "figures").glob(f"figure2{letter}-*.svg"))
        assert list((report / "figures").glob(f"figure2{letter}-*.png"))
    assert not (made / "experiment" / "net" / "full").exists()


def test_it_is_printed_and_not_made_again(made: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in made.glob("experiment/net/sampled/0/**/*") if path.is_file()}
    outcome = counterec("experiment", made)
    assert outcome.status == 0, outcome.err
    assert {path: path.stat().st_mtime_ns for path in before} == before
    for words in (
        "Protocol sampled, model net",
        "Table 4. The model's side",
        "a2cf",
        "shapley",
        "2.79 aspects on average",
    ):
        assert words in outcome.out


def test_several_models_follow_one_option_and_the_time_may_be_up_at_once(made: Path) -> None:
    outcome = counterec("experiment", made, "--models", "net", "hybrid", "--most-minutes", "0", "--processes", "1")
    assert outcome.status == 0, outcome.err
    assert (
        "the time was up before all was measured: net/sampled, hybrid/sampled; the same command goes on" in outcome.err
    )


def test_bounds_go_before_those_that_the_run_folder_keeps(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ExperimentSettings] = []
    monkeypatch.setattr(Run, "experiment", lambda self, settings, *_, **__: asked.append(settings) or {})
    for options in ((), ("--users", "7"), ("--quick",), ("--quick", "--users", "7")):
        assert counterec("experiment", made, *options).status == 0
    found = [(one.users, one.sweep_users) for one in asked]
    assert found == [(0, 5), (7, 5), (QUICK_SIZES["users"], 20), (7, 20)]
