"""Answers by history of whole runs, checked from the files alone: X from the remaining mentions, by counting."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from safetensors.numpy import load_file

from counterec import make_config, make_run, open_run
from counterec.core.explainers.constraints import Constraints
from counterec.errors import UsageError
from tests.cli.files import mentions, reviews, write_rows
from tests.pipeline.disk_model import DiskModel
from tests.pipeline.tiny import changed

pytestmark = pytest.mark.slow

SETTINGS: dict[str, Any] = {
    "aspects": {"quality": "eq1", "min_mentions": 1},
    "model": {"kind": "hybrid", "hybrid": {"nets": 1}},
    "training": {"hidden": [8, 4], "epochs": 2},
    "lists": {"k": 3},
    "explain": {"methods": ["single"]},
}
LINES = [
    {
        **row,
        "text": f"{row['text']}The battery is great, but the battery is awful. The battery is bad. The price is good.",
    }
    for row in reviews()
]
"""Reviews that speak of one aspect twice in a sentence and in several sentences."""

KINDS: dict[str, dict[str, Any]] = {
    "hybrid": {"aspects": {"most_per_review": 2}},
    "all known": {"split": {"held_out": 0}, "aspects": {"quality": "share"}},
    "mentions": {"aspects": {"min_mentions": 15}},
}


@pytest.fixture(scope="module", params=KINDS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("history")
    rows = mentions() if request.param == "mentions" else LINES
    source = write_rows(place / "rows.jsonl", rows)
    parts = changed({**SETTINGS, "data": {"sources": [str(source)]}}, **KINDS[request.param])
    make_run(make_config(parts, "test"), place / "run")
    return place / "run"


ROUNDING = 2e-7
"""What single precision may add to scores of this size."""


class Files:
    """What X and the scores are made of, read from the files alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = json.loads((folder / "manifest.json").read_text())["config"]
        vocabulary = json.loads(self._of("vocabulary.json").read_text())
        self.users, self.items, self.aspects = (vocabulary[name] for name in ("users", "items", "aspects"))
        self.merged = vocabulary["merged"]
        self.X, self.Y = (
            load_file(self._of("aspects.safetensors"))[name] for name in ("user_attention", "item_quality")
        )
        self.arrays = load_file(self._of("model.safetensors"))
        split = pl.read_parquet(self._of("split.parquet"))
        parts = ["train"] if self.config["split"]["held_out"] else ["train", "validation"]
        self.known = set(split.filter(pl.col("part").is_in(parts)).select("user_id", "item_id").iter_rows())
        self.touched = set(split.filter(pl.col("part") != "test").select("user_id", "item_id").iter_rows())
        self.counts = self._counts(pl.read_parquet(self._of("mentions.parquet")))

    def _of(self, name: str) -> Path:
        return self.folder / name

    def _counts(self, table: pl.DataFrame) -> dict[tuple[str, str], dict[str, int]]:
        """By review: how many sentences speak of each aspect, at most so many as the run counts."""
        places: dict[tuple[str, str], dict[str, set[Any]]] = defaultdict(lambda: defaultdict(set))
        columns = ("user_id", "item_id", "aspect", "sentence")
        for row, (user, item, name, sentence) in enumerate(table.select(columns).iter_rows()):
            aspect = self.merged.get(name, name)
            if (user, item) in self.known and aspect in self.aspects:
                places[user, item][aspect].add(f"row {row}" if sentence is None else sentence)
        most = self.config["aspects"]["most_per_review"] or 10**9
        return {pair: {a: min(most, len(at)) for a, at in said.items()} for pair, said in places.items()}

    def attention(self, user: str, removed: Collection[str], everybody: dict[str, int] | None) -> np.ndarray:
        own = dict.fromkeys(self.aspects, 0)
        for (who, item), said in self.counts.items():
            if who == user and item not in removed:
                for aspect, count in said.items():
                    own[aspect] += count
        return np.array([self._value(own, aspect, everybody) for aspect in self.aspects], dtype=np.float32)

    def _value(self, own: dict[str, int], aspect: str, everybody: dict[str, int] | None) -> float:
        t = own[aspect]
        if everybody is None:
            return 1 + 4 * (2 / (1 + np.exp(-t)) - 1) if t else 0.0
        expected = sum(own.values()) * everybody[aspect] / sum(everybody.values())
        return 1 + 4 * t / (t + 1 + expected) if t else 0.0

    def everybody(self) -> dict[str, int] | None:
        """What everybody said when the model was trained, where that matters."""
        if self.config["aspects"]["quality"] != "share":
            return None
        said: dict[str, int] = dict.fromkeys(self.aspects, 0)
        for counts in self.counts.values():
            for aspect, count in counts.items():
                said[aspect] += count
        return said

    def positions(self, user: str, item: str, removed: Collection[str]) -> range:
        """Where the item may stand without these reviews, by plain arithmetic.

        Of equal scores the smaller number comes first. The run computes in single precision: scores that differ by
        less than it can tell may stand either way.
        """
        number, everybody = self.users.index(user), self.everybody()
        X = self.X.copy()
        X[number] = self.attention(user, removed, everybody)
        model, gone = DiskModel(self.arrays, X), {self.items.index(one) for one in removed}
        scores = {}
        for other, name in enumerate(self.items):
            if (user, name) in self.touched:
                continue
            net = sum(
                model.net_score(n, number, self.Y[other].astype(np.float64).tobytes()) for n in range(len(model.nets))
            )
            past = model.past(number, other) if model.hybrid else {}
            scores[name] = net / len(model.nets) + sum(part for j, part in past.items() if j not in gone)
        own, place = scores[item], self.items.index(item)
        others = {name: score - own for name, score in scores.items() if name != item}
        before = [n for n, by in others.items() if by > ROUNDING or (by == 0 and self.items.index(n) < place)]
        unclear = [n for n, by in others.items() if 0 < abs(by) <= ROUNDING]
        return range(len(before) + 1, len(before) + len(unclear) + 2)


def test_x_is_what_the_reviews_hold(folder: Path) -> None:
    files = Files(folder)
    for number, user in enumerate(files.users):
        np.testing.assert_allclose(files.X[number], files.attention(user, (), files.everybody()), atol=1e-5)


def test_every_answer_holds_by_the_files(folder: Path) -> None:
    run, files = open_run(folder), Files(folder)
    table = run.explain(by="history")
    assert len(table) == len(run.space.users) * 3
    for row in table.iter_rows(named=True):
        assert row["position"] in files.positions(row["user_id"], row["item_id"], ())
        assert {(row["user_id"], item) for item in row["reviews"]} <= files.known
        after = files.positions(row["user_id"], row["item_id"], row["reviews"])
        if row["status"] == "explained":
            assert row["position_after"] in after
            assert row["position_after"] > 3
            assert row["proof"] in ("smallest", "irreducible")
        record = run.history_record(row)
        assert record.explained == (row["status"] == "explained")
    assert (table["status"] == "explained").any()


def test_both_gives_the_answer_that_names_fewer(folder: Path) -> None:
    run = open_run(folder)
    tables = [run.explain(by=by).to_dicts() for by in ("aspects", "history", "both")]
    for aspects, history, chosen in zip(*tables, strict=True):
        sizes = [
            len(row[names]) if row["status"] == "explained" else 99
            for row, names in ((aspects, "aspects"), (history, "reviews"))
        ]
        assert chosen["by"] == ("history" if sizes[1] < sizes[0] else "aspects")
        own = history if chosen["by"] == "history" else aspects
        assert {name: chosen[name] for name in own if name in chosen} == own


class TestRefusals:
    def test_bad_questions(self, tiny_run: Path) -> None:
        run = open_run(tiny_run)
        user = run.space.users.texts[0]
        with pytest.raises(UsageError, match="unknown by 'magic'; use one of aspects, history, both"):
            run.explain(user, by="magic")
        with pytest.raises(UsageError, match="by history, only why can be answered, not why_not"):
            run.explain(user, run.space.items.texts[0], question="why_not", by="history")
        with pytest.raises(UsageError, match="goals and constraints do not apply"):
            run.explain(user, by="history", constraints=Constraints(most=1))

    def test_a_scorer_of_ones_own_that_says_nothing_of_the_past(self, tiny_run: Path) -> None:
        class Own:
            aspects_only = False

            def score(self, pairs):
                return pairs.item_quality.sum(axis=1) + pairs.users

        with pytest.raises(UsageError, match="Own does not say what it takes from a user's past reviews"):
            open_run(tiny_run, scorer=Own()).explain(by="history")
