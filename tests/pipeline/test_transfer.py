"""The second figure of complete: by hand on a tiny world, and re-established from the files of run folders."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from safetensors.numpy import load_file

from counterec import make_config, make_run, open_run
from counterec.core.candidates import Candidates
from counterec.core.evaluation.transfer import (
    Condition,
    fresh_conditions,
    listed,
    transfer,
)
from counterec.core.explainers.answer import NamedAspects
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.scorers.training import train
from counterec.randomness import generator
from tests import naive
from tests.pipeline.disk import Disk
from tests.pipeline.tiny import METHODS, SETTINGS, Recorder, again, changed, contents
from tests.worlds import figure_one

pytestmark = pytest.mark.slow

A, B, C, D = range(4)
BATTERY, PRICE, SCREEN = range(3)


class ByPrice:
    """Another model of the same items: what counts is the price."""

    aspects_only = True

    def score(self, pairs: PairBatch) -> np.ndarray:
        return pairs.item_quality[:, PRICE]


class TestByHand:
    """The paper's first figure: A 42, B 37.5, C 35.7, D 35.4.

    Without battery: D 30.4, C 28.2, B 27.5, A 27. Without screen: A 24, B 17.5, D 17, C 16.5. With battery alone: A 15,
    B 10, C 7.5, D 5. With screen alone: B 20, C 19.2, D 18.4, A 18. By price: D 4, A and C 3, B 2.5.
    """

    space = figure_one()
    everything = Candidates.without(4, [[]])

    def named(self) -> NamedAspects:
        """A by its battery, B by its screen, D by its price; C by nothing."""
        named = np.zeros((4, 3), dtype=bool)
        named[[0, 1, 2], [BATTERY, SCREEN, PRICE]] = True
        return NamedAspects([0, 0, 0, 0], [A, B, D, C], named, named.astype(float))

    def ground(self, k: int, scorer: Scorer | None = None, candidates: Candidates | None = None) -> Condition:
        scorer, candidates = scorer or AlignmentScorer(), candidates or self.everything
        return Condition("there", scorer, rank(scorer, self.space, candidates, 3), k)

    def measured(self, ground: Condition) -> tuple[int, float | None, float | None]:
        found = transfer(self.space, self.named(), [ground])["there"]
        assert found.pn.cases == found.ps.cases == found.f_ns.cases
        return found.pn.cases, found.pn.value, found.ps.value

    def test_a_list_of_one(self) -> None:
        """A alone: necessary, as D is first without battery; sufficient, as A is with battery alone."""
        assert self.measured(self.ground(1)) == (1, 1.0, 1.0)

    def test_a_list_of_two(self) -> None:
        """B joins: not necessary, second without screen; sufficient, first with screen alone."""
        assert self.measured(self.ground(2)) == (2, 0.5, 1.0)

    def test_another_model(self) -> None:
        """D alone is in its list: without price all are equal and A is first; with price alone nothing changes."""
        assert self.measured(self.ground(1, ByPrice())) == (1, 1.0, 1.0)
        found = transfer(self.space, self.named(), [self.ground(1, ByPrice())])["there"]
        assert found.ties["pn"] == (0.0, 1.0), "all are equal without price: the bounds must say so"

    def test_other_candidates(self) -> None:
        """Of B and D, B is first, also without screen."""
        assert self.measured(self.ground(1, candidates=Candidates.exactly(4, [[B, D]]))) == (1, 0.0, 1.0)

    def test_of_an_old_list_one_item_at_a_time_meets_fresh_candidates(self) -> None:
        """A and B were listed together; D is drawn. Without each other, either is ahead of D."""
        drawn, named = Candidates.exactly(4, [[D]]), self.named()
        both = np.flatnonzero(np.isin(named.items, [A, B]))
        pair = NamedAspects(named.users[both], named.items[both], named.named[both], named.weight[both])
        grounds = list(fresh_conditions("fresh", AlignmentScorer(), self.space, drawn, pair, 1, 1))
        assert [ground.ranking.candidates.of(0).tolist() for ground in grounds] == [
            sorted([int(item), D]) for item in pair.items
        ]
        assert transfer(self.space, pair, grounds)["fresh"].pn.cases == 2
        assert [listed(pair, ground).sum() for ground in grounds] == [1, 1]


@dataclass(frozen=True)
class Made:
    """A run that complete was added to, and what was made for it."""

    folder: Path
    made: list[str]
    k: int
    protocol: str
    seed: int
    negatives: int = 100


@pytest.fixture(scope="module")
def full(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = shutil.copytree(tiny_run, tmp_path_factory.mktemp("elsewhere") / "full")
    recorder = Recorder()
    open_run(folder).with_method("complete", recorder)
    return Made(folder, recorder.made, 5, "full", 0)


SAMPLED = changed(
    SETTINGS,
    lists={"protocol": "sampled", "negatives": 12, "k": 2},
    training={"learning_rate": 0.1},
    explain={"methods": ["complete-masked", "single"]},
    seed=4,
)


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder, recorder = tmp_path_factory.mktemp("elsewhere") / "sampled", Recorder()
    make_run(make_config(SAMPLED, "test"), folder)
    open_run(folder).with_method("complete", recorder)
    return Made(folder, recorder.made, 2, "sampled", 4, 12)


@pytest.fixture(params=["full", "sampled"])
def made(request: pytest.FixtureRequest) -> Made:
    found: Made = request.getfixturevalue(request.param)
    return found


def evaluation(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "evaluation.json").read_text())["explanations"]
    return found


def test_complete_has_a_second_figure_and_no_other_method_has(made: Made) -> None:
    found = evaluation(made.folder)
    others = {"full": set(METHODS), "sampled": {"complete-masked", "single"}}[made.protocol]
    assert set(found) == {"complete"} | others
    for method, sides in found.items():
        assert ("elsewhere" in sides) == method.startswith("complete")
    grounds = ["k=1", "k=3"] if made.k == 2 else ["k=4", "k=6"]
    fresh = ["fresh candidates"] if made.protocol == "sampled" else []
    for method in found:
        if method.startswith("complete"):
            assert list(found[method]["elsewhere"]) == [*grounds, "trained again", *fresh]
            written = json.loads((made.folder / "elsewhere" / f"{method}.json").read_text())
            assert found[method]["elsewhere"] == written
    files = {path.name for path in (made.folder / "elsewhere").iterdir()}
    assert files == {f"{method}.json" for method in found if method.startswith("complete")}


def test_only_what_it_takes_is_made(full: Made, sampled: Made) -> None:
    assert full.made == ["explain complete", "fit again", "transfer complete", "evaluate"]
    assert sampled.made == ["explain complete", "transfer complete", "evaluate"], "the second net was there already"


def test_a_second_time_nothing_is_left_to_do(made: Made) -> None:
    before, recorder = contents(made.folder), Recorder()
    run = open_run(made.folder).with_method("complete", recorder)
    assert recorder.made == []
    assert recorder.skipped == ["explain complete", "fit again", "transfer complete", "evaluate"]
    assert contents(made.folder) == before
    assert run.methods.count("complete") == 1


def test_with_it_or_from_the_start_is_the_same(full: Made, tmp_path: Path) -> None:
    folder = shutil.copytree(full.folder, tmp_path / "run")
    recorder = again(folder, changed(SETTINGS, explain={"methods": [*METHODS, "complete"]}))
    assert recorder.made == []
    recorder = again(folder)
    assert "transfer complete" not in recorder.skipped + recorder.made
    assert not list(folder.glob("elsewhere/*"))
    assert not (folder / "model-again.safetensors").exists()


def test_another_seed_and_nothing_else_makes_the_second_net(made: Made) -> None:
    run = open_run(made.folder)
    parts = run.interactions
    outcome = train(run.space, parts["train"], parts["validation"], run.config.training, made.seed + 1)
    first, second = (load_file(made.folder / f"{name}.safetensors") for name in ("model", "model-again"))
    assert first.keys() == second.keys()
    for name, array in outcome.weights.named().items():
        np.testing.assert_array_equal(second[name], array)
    assert any((first[name] != second[name]).any() for name in first)


@dataclass(frozen=True)
class Elsewhere:
    """A ground in plain arithmetic."""

    net: naive.Arrays
    candidates: dict[str, np.ndarray]
    k: int


def grounds_of(made: Made, disk: Disk) -> Iterator[tuple[str, Elsewhere]]:
    for k in (made.k - 1, made.k + 1):
        yield f"k={k}", Elsewhere(disk.net, disk.candidates, k)
    yield "trained again", Elsewhere(load_file(made.folder / "model-again.safetensors"), disk.candidates, made.k)
    if made.protocol == "sampled":
        yield "fresh candidates", Elsewhere(disk.net, fresh_candidates(made, disk), made.k)


def fresh_candidates(made: Made, disk: Disk) -> dict[str, np.ndarray]:
    """The held-out items and others drawn by the next seed; an item that is explained joins them by itself."""
    split, found = pl.read_parquet(made.folder / "split.parquet"), {}
    for user in disk.users:
        own = split.filter(user_id=user)
        touched = [disk.items.index(item) for item in own["item_id"]]
        free = np.setdiff1d(np.arange(len(disk.items)), touched)
        random = generator(made.seed + 1, "sampled candidates", user)
        drawn = random.choice(free, min(made.negatives, len(free)), replace=False)
        kept = own.filter(part="test")["item_id"].to_list()
        found[user] = np.union1d(drawn, [disk.items.index(item) for item in kept])
    return found


@pytest.mark.parametrize(
    ("which", "method"), [("full", "complete"), ("sampled", "complete"), ("sampled", "complete-masked")]
)
def test_every_figure_by_plain_arithmetic(request: pytest.FixtureRequest, which: str, method: str) -> None:
    """Ranked by hand there, before and after aspects are taken away; near ties may go either way."""
    made: Made = request.getfixturevalue(which)
    disk = Disk(made.folder)
    rows = disk.methods[method].filter(pl.col("status") == "explained", pl.col("values") != "unreviewed").to_dicts()
    found = evaluation(made.folder)[method]
    assert found["model"]["pn"]["cases"] == len(rows) > 20
    left_out = 0
    for name, ground in grounds_of(made, disk):
        score, noise = naive.net_of(ground.net, disk.X), naive.net_noise(ground.net, disk.X)
        tally: dict[str, list[bool | None]] = {"pn": [], "ps": []}
        unsure = 0
        for row in rows:
            user, item = disk.users.index(row["user_id"]), disk.items.index(row["item_id"])
            rivals, named = ground.candidates[row["user_id"]], np.isin(disk.aspects, row["aspects"])
            assert item in rivals or name == "fresh candidates"
            rivals = np.union1d(rivals, item)
            at = (score, disk.Y, user, rivals, item, ground.k)
            there, without, alone = (
                naive.stays(*at, kept, noise=noise(user), aspects_only=True)
                for kept in (np.ones_like(named), ~named, named)
            )
            unsure += there is None
            if there:
                tally["pn"].append(None if without is None else not without)
                tally["ps"].append(alone)
        measured = found["elsewhere"][name]
        for measure, verdicts in tally.items():
            doubts = unsure + verdicts.count(None)
            assert doubts <= len(rows) / 20, "too many near ties to tell"
            assert abs(measured[measure]["cases"] - len(verdicts)) <= unsure
            stated = (measured[measure]["value"] or 0) * measured[measure]["cases"]
            assert abs(stated - verdicts.count(True)) <= doubts + 1e-6
        left_out += len(rows) - len(tally["pn"])
        if name == f"k={made.k + 1}":
            assert len(tally["pn"]) == len(rows), "a longer list holds all of a shorter one"
    assert left_out > 10, "too few pairs are elsewhere outside the list for this to mean anything"


class TestHeads:
    """The kept beginning of each ranking is the true one, and spares work without changing a verdict."""

    def check(self, folder: Path, k: int, length: int) -> None:
        disk, heads = Disk(folder), load_file(folder / "heads.safetensors")
        assert heads["users"].tolist() == list(range(len(disk.users)))
        assert heads["items"].shape == heads["scores"].shape == (len(disk.users), length)
        for user, items, scores in zip(disk.users, heads["items"], heads["scores"], strict=True):
            own, right = disk.candidates[user], dict(zip(disk.candidates[user], disk.scores[user], strict=True))
            count = min(length, len(own))
            ranked = naive.order(disk.scores[user], own)[:count]
            assert (items[count:] == -1).all()
            assert np.isnan(scores[count:]).all()
            assert len(set(items[:count].tolist())) == count
            for item, rightful, score in zip(items[:count].tolist(), ranked, scores[:count], strict=True):
                assert abs(score - right[item]) < 1e-4
                assert item == rightful or abs(right[item] - right[rightful]) < 1e-4
            listed = disk.lists[user]
            first = [disk.items[item] for item in items[: k + 1] if item >= 0]
            assert first == listed["item_id"].to_list()
            assert scores[: len(first)].tolist() == listed["score"].to_list()

    def test_longer_than_the_candidates(self, made: Made) -> None:
        self.check(made.folder, made.k, 100)
