"""An explainer and a metric of another package: installed, measured beside ours, and left out in one line if broken."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counterec import open_run
from counterec.errors import PluginError, UsageError
from counterec.pipeline import code_digest
from counterec.pipeline.experiment_settings import ExperimentSettings
from tests import naive
from tests.packages import write_package
from tests.pipeline.disk import Disk
from tests.pipeline.tiny import Recorder

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin_package"
BROKEN = {
    "counterec.explainers": {
        "raises": "broken_methods:Raises",
        "for_one": "broken_methods:FailsForOne",
        "outside": "broken_methods:Outside",
        "names": "broken_methods:Names",
        "relaxed": "broken_methods:Names",
        "gone": "no_such_module:Gone",
    },
    "counterec.metrics": {
        "short": "broken_methods:short",
        "infinite": "broken_methods:infinite",
        "gone": "no_such:gone",
    },
}
MODULE = '''
import dataclasses
import numpy as np
from counterec import CountER, NamedAspects

class Raises:
    def __init__(self, scorer):
        raise RuntimeError("the licence has ended")

class FailsForOne:
    shape = "single"
    def __init__(self, scorer):
        self.own = CountER(scorer, goal="single")
    def explain(self, question):
        if 4 in question.users:
            raise RuntimeError("not this one")
        return self.own.explain(question)

class Outside:
    """Leaves the bounds: it makes everything better."""
    def __init__(self, scorer):
        self.own = CountER(scorer)
    def explain(self, question):
        found = self.own.explain(question)
        return dataclasses.replace(found, delta=found.delta + 1, status=found.status * 0 + 3)

class Names:
    """Names the aspect that the item is best at, of every pair."""
    shape = "single"
    def __init__(self, scorer):
        pass
    def explain(self, question):
        quality = question.space.item_quality[question.items]
        named = quality == quality.max(axis=1, keepdims=True)
        return NamedAspects(question.users, question.items, named, named * quality)

def short(pairs):
    return np.zeros(3)

def infinite(pairs):
    return np.full(len(pairs.named), np.inf)
'''
SMALL = ExperimentSettings(
    protocols=("full",), baselines=(), lambdas=(100.0,), alphas=(0.2,), detail_users=5, sweep_users=2
)


def with_plugins(explainers: tuple[str, ...], metrics: tuple[str, ...]) -> ExperimentSettings:
    return ExperimentSettings(**{**vars(SMALL), "explainers": explainers, "metrics": metrics})


EVERYTHING = with_plugins(("favourites", "raises", "for_one", "outside", "names"), ("familiarity", "short", "infinite"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, installed as a person would, and a package of broken things."""
    folder, source = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("source") / "package"
    shutil.copytree(EXAMPLE, source)  # building leaves nothing in the checkout
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check")
    command = [sys.executable, "-m", "pip", "install", *offline, "--target", str(folder), str(source)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return write_package(folder, "broken-methods", BROKEN, {"broken_methods.py": MODULE}, version="0.3")


@pytest.fixture(scope="module", autouse=True)
def _on_the_path(site: Path):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        code_digest.code_digest.cache_clear()
        yield
    code_digest.code_digest.cache_clear()


@pytest.fixture(scope="module")
def measured(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Recorder]:
    folder, recorder = shutil.copytree(tiny_run, tmp_path_factory.mktemp("plugged") / "run"), Recorder()
    open_run(folder).experiment(EVERYTHING, recorder)
    return folder, recorder


@pytest.fixture(scope="module")
def rows(measured) -> pl.DataFrame:
    return pl.read_parquet(measured[0] / "experiment" / "net" / "full" / "0" / "rows.parquet")


def test_every_answer_of_the_example_flips_by_plain_arithmetic(measured, rows: pl.DataFrame) -> None:
    disk, run = Disk(measured[0]), open_run(measured[0])
    explained = rows.filter(pl.col("method") == "favourites", ~pl.col("masked"), "explained")
    assert len(explained) > 50
    for row in explained.to_dicts():
        user, item = run.space.users.number(row["user_id"]), run.space.items.number(row["item_id"])
        quality = run.space.item_quality[item].copy()
        quality[run.space.aspects.numbers(row["aspects"])] = 0
        after = naive.net_score(disk.net, run.space.user_attention[user], quality)
        assert after < disk.lists[row["user_id"]]["score"][5]


def test_it_stands_in_the_tables_beside_ours(measured) -> None:
    tables = measured[0] / "experiment" / "net" / "full" / "tables"
    for name in ("table2-fidelity", "table3-user-side", "table4-model-side", "table4-transfer", "table5-further"):
        text = (tables / f"{name}.txt").read_text()
        assert "favourites" in text, name
    assert "names" not in (tables / "table2-fidelity.csv").read_text()  # it proposes no change
    further = (tables / "table5-further.txt").read_text()
    assert "familiarity" in further.splitlines()[2]
    assert "favourites: from the package favourite-aspects 1.0." in further


def test_the_metric_is_the_share_of_named_aspects_that_the_user_mentions(measured, rows: pl.DataFrame) -> None:
    folder, run = measured[0], open_run(measured[0])
    found = pl.read_parquet(folder / "experiment" / "net" / "full" / "0" / "metrics.parquet")
    asked = rows.filter("joint", "explained")
    joined = asked.join(found, on=["method", "shape", "masked", "user_id", "item_id"])
    assert len(joined) == len(asked) == len(found)
    assert set(found["metric"]) == {"familiarity"}
    for row in joined.to_dicts():
        attention = run.space.user_attention[run.space.users.number(row["user_id"])]
        cared = attention[run.space.aspects.numbers(row["aspects"])] > 0
        assert row["value"] == pytest.approx(cared.mean())
    report = json.loads((folder / "experiment" / "net" / "full" / "evaluation.json").read_text())
    for cell in report["cells"]:
        own = joined.filter(
            pl.col("method") == cell["method"], pl.col("shape") == cell["shape"], pl.col("masked") == cell["masked"]
        )
        if len(own):
            assert cell["metrics"]["familiarity"]["value"] == pytest.approx(own["value"].mean())
            assert cell["metrics"]["familiarity"]["cases"] == len(own)


def test_what_is_broken_is_left_out_in_one_line_that_names_the_package(measured) -> None:
    folder, recorder = measured
    lines = {line.split()[0]: line for line in recorder.warnings if "is left out" in line}
    said = "of the package broken-methods 0.3"
    assert set(lines) == {"raises", "outside", "the"}
    assert "RuntimeError: the licence has ended" in lines["raises"]
    assert "a solver left the bounds of the change" in lines["outside"]
    metrics = [line for line in recorder.warnings if line.startswith("the metric")]
    assert any("the metric short is left out" in line and "has shape (3,)" in line for line in metrics)
    assert any("the metric infinite is left out" in line and "returned inf" in line for line in metrics)
    assert all(said in line and "\n" not in line for line in [*lines.values(), *metrics])
    gaps = json.loads((folder / "experiment" / "net" / "full" / "evaluation.json").read_text())["gaps"]
    assert [gap for gap in gaps if gap.startswith("metric short is missing")]
    assert [gap for gap in gaps if gap.startswith("raises is missing")]


def test_a_user_it_fails_for_is_lost_and_nobody_else(measured, rows: pl.DataFrame) -> None:
    folder, run = measured[0], open_run(measured[0])
    lost = run.space.users.texts[4]
    ours, theirs = (
        rows.filter(pl.col("method") == method, ~pl.col("masked")).sort("user_id", "item_id")
        for method in ("single", "for_one")
    )
    assert not theirs.filter(pl.col("user_id") == lost)["explained"].any()
    same = ours.filter(pl.col("user_id") != lost), theirs.filter(pl.col("user_id") != lost)
    assert same[0]["user_id"].to_list() == same[1]["user_id"].to_list()
    assert same[1]["explained"].sum() > 20
    notes = json.loads((folder / "experiment" / "net" / "full" / "0" / "methods.json").read_text())["for_one"]
    assert notes["failures"] == [f"user {lost}{end}: RuntimeError: not this one" for end in ("", " with the mask")]


def test_the_mask_holds_for_what_is_only_named(rows: pl.DataFrame, measured) -> None:
    run = open_run(measured[0])
    for row in rows.filter(pl.col("method") == "names", "masked", "explained").to_dicts():
        attention = run.space.user_attention[run.space.users.number(row["user_id"])]
        assert (attention[run.space.aspects.numbers(row["aspects"])] > 0).all()


def test_the_version_of_the_package_belongs_to_the_keys(measured, site: Path, tmp_path: Path, monkeypatch) -> None:
    folder = shutil.copytree(measured[0], tmp_path / "run")
    stages = open_run(folder).manifest.stages
    assert stages["net full 0: measure favourites"].code["favourite_aspects"] == "favourite-aspects 1.0"
    assert stages["net full 0: metrics"].code["favourite_aspects"] == "favourite-aspects 1.0"
    assert "favourite_aspects" not in stages["net full 0: measure minimal"].code
    true_digest = code_digest.code_digest

    def bumped(name: str) -> str:
        return "favourite-aspects 1.1" if name == "favourite_aspects" else true_digest(name)

    monkeypatch.setattr("counterec.pipeline.engine.code_digest", bumped)
    recorder = Recorder()
    open_run(folder).experiment(EVERYTHING, recorder)
    made = {name.removeprefix("net full 0: ") for name in recorder.made}
    assert {"measure favourites", "metrics"} <= made
    assert not made & {"measure minimal", "measure attributions and rules", "measure names", "rank", "sweep"}


def test_names_that_cannot_be_used_are_refused_before_any_work(own_run: Path) -> None:
    run = open_run(own_run)
    with pytest.raises(UsageError, match="no explainer 'magic'; there are favourites, for_one"):
        run.experiment(with_plugins(("magic",), ()))
    with pytest.raises(UsageError, match="no metric 'magic'"):
        run.experiment(with_plugins((), ("magic",)))
    with pytest.raises(PluginError, match=r"'relaxed' of the package .* has the name of a method of our"):
        run.experiment(with_plugins(("relaxed",), ()))
    for settings in (with_plugins(("gone",), ()), with_plugins((), ("gone",))):
        with pytest.raises(PluginError, match=r"'gone' of the package broken-methods 0.3 does not work \(Module"):
            run.experiment(settings)
    assert not (own_run / "experiment").exists()


def test_what_is_said_of_a_plugin_is_not_believed(measured, rows: pl.DataFrame) -> None:
    proofs = rows.filter(pl.col("method").is_in(["for_one", "favourites"]), "explained")["proof"]
    assert set(proofs) == {"found"}
    assert np.isfinite(rows.filter(pl.col("method") == "favourites", "explained")["strength"].to_numpy()).all()
