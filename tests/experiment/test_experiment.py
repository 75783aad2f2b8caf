"""The experiment on a tiny run: every row checked by plain arithmetic, every gap named, nothing made twice."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from counterec import make_config, open_run
from counterec.baselines import BASELINES
from counterec.baselines.base import BaselineData, Fitted
from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.explainers import counter
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace
from counterec.errors import BaselineUnavailableError
from counterec.experiment.plan import experiment_stages
from counterec.pipeline.config import ExperimentSettings
from counterec.pipeline.engine import add_stages
from tests import naive
from tests.pipeline.disk import Disk
from tests.pipeline.tiny import SETTINGS, Recorder, changed

pytestmark = pytest.mark.slow

COUNTERFACTUAL = ("relaxed", "single", "minimal", "complete")
RULES = ("alignment", "alignment_a2cf", "frequency")
"""What EFM predicts is not there: it cannot be fitted."""
K = 5


class Aligned:
    """A baseline that anyone can follow: the aspect space itself, ranked and explained by alignment."""

    name = "a2cf"

    def fitted(self, data: BaselineData, seed: int) -> Fitted:
        return self.restored(data.space, {})

    def restored(self, space: AspectSpace, arrays: Mapping[str, np.ndarray]) -> Fitted:
        return Fitted(
            name=self.name,
            space=space,
            scorer=AlignmentScorer(),
            model_side=True,
            weights=lambda users, items: space.user_attention[users] * space.item_quality[items],
            arrays=arrays,
        )


class Unavailable:
    name = "efm"

    def fitted(self, data: BaselineData, seed: int) -> Fitted:
        raise BaselineUnavailableError("Cornac is not installed")


class Broken:
    name = "mter"

    def fitted(self, data: BaselineData, seed: int) -> Fitted:
        raise RuntimeError("the tensor fell apart")


SMALL = ExperimentSettings(lambdas=(100.0,), alphas=(0.2, 0.9), detail_users=20, sweep_users=6)


@pytest.fixture(scope="module", autouse=True)
def _stand_ins() -> Iterator[None]:
    """The real baselines have tests of their own."""
    before = dict(BASELINES)
    BASELINES.update(a2cf=Aligned, efm=Unavailable, mter=Broken)
    yield
    BASELINES.update(before)


def experiment(folder: Path, settings: ExperimentSettings = SMALL) -> Recorder:
    recorder, config = Recorder(), open_run(folder).config
    stages = experiment_stages(config.model_copy(update={"experiment": settings}))
    add_stages(folder, config.model_dump(mode="json"), stages, recorder)
    return recorder


@pytest.fixture(scope="module")
def finished(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Recorder]:
    folder = shutil.copytree(tiny_run, tmp_path_factory.mktemp("experiment") / "run")
    return folder, experiment(folder)


@pytest.fixture(params=["full", "sampled"])
def cell(request: pytest.FixtureRequest, finished: tuple[Path, Recorder]) -> Path:
    return finished[0] / "experiment" / "net" / request.param / "0"


def rows(cell: Path) -> pl.DataFrame:
    return pl.read_parquet(cell / "rows.parquet")


def as_disk(cell: Path, tmp_path: Path) -> Disk:
    """The cell as a run folder of its own."""
    run = cell.parents[3]
    for file in ("vocabulary.json", "aspects.safetensors", "split.parquet"):
        shutil.copy(run / file, tmp_path)
    shutil.copy(run / "model.safetensors", tmp_path)
    shutil.copy(cell / "recommendations.parquet", tmp_path)
    if (cell / "candidates.parquet").exists():
        shutil.copy(cell / "candidates.parquet", tmp_path)
    return Disk(tmp_path)


def test_every_method_has_every_cell(cell: Path) -> None:
    found = set(rows(cell).select("method", "shape", "masked").unique().rows())
    both = [(shape, masked) for shape in ("single", "multi") for masked in (False, True)]
    expected = {(method, *each) for method in (*ATTRIBUTIONS, *RULES, "a2cf") for each in both}
    expected |= {("single", "single", masked) for masked in (False, True)}
    expected |= {(goal, "multi", masked) for goal in COUNTERFACTUAL if goal != "single" for masked in (False, True)}
    assert found == expected


def test_every_recommended_pair_has_a_row_in_every_cell(cell: Path) -> None:
    table = pl.read_parquet(cell / "recommendations.parquet").filter(pl.col("position") <= K)
    recommended = set(table.select("user_id", "item_id", "position").cast({"position": pl.Int64}).rows())
    for (method, *_), part in rows(cell).group_by("method", "shape", "masked"):
        if method != "a2cf":
            assert sorted(part.select("user_id", "item_id", "position").rows()) == sorted(recommended)


def test_verdicts_are_what_plain_arithmetic_says(cell: Path, tmp_path: Path) -> None:
    disk, checked = as_disk(cell, tmp_path), 0
    for row in rows(cell).filter(pl.col("method") != "a2cf").sample(250, seed=1).iter_rows(named=True):
        if not row["explained"]:
            assert row["necessary"] is None
            continue
        named = np.isin(disk.aspects, row["aspects"])
        pair = disk.pair("why", row["user_id"], row["item_id"], K)
        assert pair.necessary(named) in (row["necessary"], None)
        assert pair.sufficient(named) in (row["sufficient"], None)
        checked += 1
    assert checked > 100


def test_precision_and_recall_are_of_the_praised_aspects(cell: Path) -> None:
    run = cell.parents[3]
    mentions = pl.read_parquet(run / "mentions.parquet").filter(pl.col("sentiment") > 0)
    test = set(
        pl.read_parquet(run / "split.parquet").filter(pl.col("part") == "test").select("user_id", "item_id").rows()
    )
    known = json.loads((run / "vocabulary.json").read_text())["aspects"]
    praised: dict[tuple[str, str], set[str]] = {}
    for user, item, aspect in mentions.select("user_id", "item_id", "aspect").rows():
        if aspect in known:
            praised.setdefault((user, item), set()).add(aspect)
    for row in rows(cell).iter_rows(named=True):
        pair = (row["user_id"], row["item_id"])
        truth, said = praised.get(pair, set()) if pair in test else set(), set(row["aspects"])
        assert row["in_test"] == (pair in test)
        assert row["praised"] == len(truth)
        if truth and said:
            assert row["precision"] == pytest.approx(len(truth & said) / len(said))
            assert row["recall"] == pytest.approx(len(truth & said) / len(truth))
        else:
            assert row["precision"] is row["recall"] is row["f1"] is None


def test_the_others_name_as_many_aspects_as_counter(cell: Path) -> None:
    multi = rows(cell).filter(pl.col("shape") == "multi")
    for masked in (False, True):
        part = multi.filter(pl.col("masked") == masked)
        told = {
            (r["user_id"], r["item_id"]): r["aspects"] for r in part.filter(pl.col("method") == "relaxed").to_dicts()
        }
        others = part.filter(~pl.col("method").is_in(COUNTERFACTUAL))
        usual = max(1, round(np.mean([len(aspects) for aspects in told.values() if aspects])))
        for row in others.iter_rows(named=True):
            wanted = told.get((row["user_id"], row["item_id"]), [])
            assert row["joint"] == bool(wanted)
            assert len(row["aspects"]) <= (len(wanted) or usual)
            if row["method"] == "random" and not masked and wanted:
                assert len(row["aspects"]) == len(wanted)


def test_the_mask_holds_where_it_is_on_and_always_for_own_lists(cell: Path, tmp_path: Path) -> None:
    disk = as_disk(cell, tmp_path)
    kept = rows(cell).filter(pl.col("masked") | (pl.col("method") == "a2cf"))
    free = 0
    for row in kept.iter_rows(named=True):
        cares = disk.attention(row["user_id"])
        assert all(cares[disk.aspects.index(aspect)] != 0 for aspect in row["aspects"])
    for row in rows(cell).filter(~pl.col("masked") & (pl.col("method") == "random")).iter_rows(named=True):
        free += any(disk.attention(row["user_id"])[disk.aspects.index(aspect)] == 0 for aspect in row["aspects"])
    assert free > 0


def test_a_list_of_its_own_is_judged_by_its_own_scores(cell: Path, tmp_path: Path) -> None:
    disk = as_disk(cell, tmp_path)
    for row in rows(cell).filter(pl.col("method") == "a2cf").sample(60, seed=2).iter_rows(named=True):
        user, item, own = row["user_id"], disk.items.index(row["item_id"]), disk.candidates[row["user_id"]]
        scores = disk.Y[own].astype(np.float64) @ disk.attention(user).astype(np.float64)
        assert naive.order(np.round(scores, 4), own).index(item) < K + 1
        if row["explained"]:
            named = np.isin(disk.aspects, row["aspects"])
            left = np.where(named, 0, disk.Y[own]).astype(np.float64) @ disk.attention(user).astype(np.float64)
            mine = left[own.tolist().index(item)]
            ahead, near = (left > mine + 1e-4).sum(), (np.abs(left - mine) <= 1e-4).sum() - 1
            assert (row["necessary"] == (ahead >= K)) or near


class TestGaps:
    def test_are_named_and_the_rest_is_there(self, finished: tuple[Path, Recorder]) -> None:
        folder, recorder = finished
        notes = json.loads((folder / "experiment/net/full/0/methods.json").read_text())
        assert notes["efm"]["unavailable"] == "Cornac is not installed"
        assert notes["mter"]["unavailable"] == "it failed: RuntimeError: the tensor fell apart"
        assert any("efm is left out: Cornac is not installed" in warning for warning in recorder.warnings)
        assert set(rows(folder / "experiment/net/full/0")["method"]) >= {"a2cf", "relaxed", "lime"}

    def test_a_method_that_fails_for_one_user_loses_that_user(
        self, own_run: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Fragile:
            name = "gradient"

            def weights(self, scorer: Any, space: Any, users: Any, items: Any, seed: int) -> np.ndarray:
                if (users == 3).any():
                    raise ValueError("not this one")
                return space.item_quality[items]

        monkeypatch.setitem(ATTRIBUTIONS, "gradient", Fragile())
        one = ExperimentSettings(
            protocols=("full",), baselines=(), lambdas=(100.0,), alphas=(0.2,), sweep_users=2, detail_users=4
        )
        experiment(own_run, one)
        cell = own_run / "experiment/net/full/0"
        user = open_run(own_run).space.users.texts[3]
        assert json.loads((cell / "methods.json").read_text())["gradient"]["failures"] == [
            f"user {user}: ValueError: not this one"
        ]
        found = rows(cell).filter(pl.col("method") == "gradient", pl.col("shape") == "single", ~pl.col("masked"))
        assert not found.filter(pl.col("user_id") == user)["explained"].any()
        assert found.filter(pl.col("user_id") != user)["explained"].all()

    def test_counter_failing_for_everybody_is_an_error(self, own_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: Any) -> Any:
            raise ValueError("not anyone")

        monkeypatch.setattr(counter, "minimal", broken)
        with pytest.raises(ValueError, match="not anyone"):
            experiment(own_run, ExperimentSettings(protocols=("full",), baselines=()))


class TestTheRunsOwnWay:
    """What is explained again is asked as the run asks."""

    def test_constraints_and_gamma_hold_for_other_lists_and_other_lambdas(
        self, own_run: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[Any] = []
        sound = counter.CountER.explain

        def listening(self: Any, question: Any, *rest: Any) -> Any:
            asked.append(question.lowest)
            return sound(self, question, *rest)

        monkeypatch.setattr(counter.CountER, "explain", listening)
        aspects = open_run(own_run).space.aspects
        explain = {"constraints": {"keep": [aspects.texts[2]]}, "relaxed": {"gamma": 3.0}}
        fixed = changed(SETTINGS, explain=explain)
        one = ExperimentSettings(
            protocols=("full",), baselines=(), lambdas=(100.0,), alphas=(0.2,), sweep_users=2, detail_users=4
        )
        stages = experiment_stages(make_config(fixed, "fixed").model_copy(update={"experiment": one}))
        add_stages(own_run, fixed, stages, Recorder())
        assert asked
        for lowest in asked:
            assert not lowest[:, 2].any()
            assert lowest.any()
        cell = own_run / "experiment/net/full/0"
        for found in (rows(cell), pl.read_parquet(cell / "sweep.parquet")):
            changes = found.filter(pl.col("complexity").is_not_null())
            expected = changes["l2"] + 3.0 * changes["aspects"].list.len()  # γ of the configuration
            assert changes["complexity"].to_list() == pytest.approx(expected.to_list(), rel=1e-5)
            assert len(changes)


class TestAgain:
    def test_nothing_is_made_twice(self, finished: tuple[Path, Recorder]) -> None:
        folder, first = finished
        assert first.made
        recorder = experiment(folder)
        assert recorder.made == []
        assert recorder.skipped == [*first.made]

    def test_the_net_is_the_run_s_and_the_one_trained_again_is_shared_by_the_protocols(
        self, finished: tuple[Path, Recorder]
    ) -> None:
        made = finished[1].made
        assert [stage for stage in made if stage.endswith(("fit", "fit again"))] == ["net 0: fit again"]

    def test_goes_on_where_it_was_cut_short(self, own_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def cut(*_: Any) -> None:
            raise KeyboardInterrupt

        one = ExperimentSettings(
            protocols=("full",), baselines=(), lambdas=(100.0,), alphas=(0.2,), sweep_users=2, detail_users=4
        )
        with monkeypatch.context() as patch:
            patch.setattr("counterec.experiment.studies.verdicts_together", cut)
            with pytest.raises(KeyboardInterrupt):
                experiment(own_run, one)
        recorder = experiment(own_run, one)
        left = ("transfer", "sweep", "join")
        assert recorder.made == [f"net full 0: {stage}" for stage in left]


@pytest.fixture(scope="module")
def two_seeds(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(tiny_run, tmp_path_factory.mktemp("seeds") / "run")
    two = ExperimentSettings(
        protocols=("sampled",), seeds=2, baselines=(), lambdas=(100.0,), alphas=(0.2,), sweep_users=2, detail_users=4
    )
    experiment(folder, two)
    return folder


def test_a_second_seed_is_another_net(two_seeds: Path) -> None:
    first, second = (rows(two_seeds / f"experiment/net/sampled/{seed}") for seed in (0, 1))
    assert set(second["seed"]) == {1}
    assert (two_seeds / "experiment/net/trained/1/model.safetensors").read_bytes() != (
        two_seeds / "model.safetensors"
    ).read_bytes()
    there = two_seeds / "experiment/net/trained"
    trained = {str(file.relative_to(there)) for file in there.glob("*/*.safetensors")}
    assert trained == {"1/model.safetensors", "1/model-again.safetensors"}, "seed 0: the run's net, and the next seed's"
    assert first["item_id"].to_list() != second["item_id"].to_list()


def test_the_reading_that_ignores_sentiment_knows_more(finished: tuple[Path, Recorder], tmp_path: Path) -> None:
    folder = shutil.copytree(finished[0], tmp_path / "run")
    settings = ExperimentSettings(
        protocols=("full",), ground_truth="all", lambdas=(100.0,), alphas=(0.2, 0.9), sweep_users=6
    )
    experiment(folder, settings)
    praised, mentioned = (rows(where / "experiment/net/full/0")["praised"].sum() for where in (finished[0], folder))
    assert mentioned > praised


class TestElsewhere:
    def test_only_what_is_listed_there_counts(self, cell: Path) -> None:
        found = pl.read_parquet(cell / "elsewhere.parquet")
        grounds = {"k=4", "k=6", "trained again"} | ({"fresh candidates"} if cell.parent.name == "sampled" else set())
        assert set(found["ground"]) == grounds
        shorter = found.filter(pl.col("ground") == "k=4", pl.col("method") == "complete")
        table = rows(cell).filter(pl.col("method") == "complete", ~pl.col("masked"), pl.col("position") <= K - 1)
        listed, explained = (
            set(part.select("user_id", "item_id").rows()) for part in (table, table.filter("explained"))
        )
        assert set(shorter.select("user_id", "item_id").rows()) <= listed
        judged = shorter.filter(pl.col("necessary").is_not_null())
        assert set(judged.select("user_id", "item_id").rows()) <= explained


def test_every_list_is_measured_beside_popularity_and_chance(finished: tuple[Path, Recorder]) -> None:
    notes = json.loads((finished[0] / "experiment/net/full/0/methods.json").read_text())
    own = json.loads((finished[0] / "evaluation.json").read_text())["ranking"]  # the same seed and protocol
    assert notes["relaxed"]["ranking"] == notes["lime"]["ranking"] == own["recommender"]
    assert notes["popularity"]["ranking"] == own["popularity"]
    assert notes["a2cf"]["ranking"] not in (own["recommender"], own["popularity"])


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"protocols": ()}, "at least one protocol"),
        ({"protocols": ("pager",)}, "unknown protocol"),
        ({"baselines": ("svd",)}, "unknown baseline"),
        ({"seeds": 0}, "seeds is 0"),
        ({"ground_truth": "some"}, "positive or all"),
        ({"lambdas": (0.0,)}, r"lambdas is \(0.0,\); every number"),
        ({"sweep_users": 0}, "sweep_users is 0"),
    ],
)
def test_settings_that_cannot_be(bad: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ExperimentSettings(**bad)
