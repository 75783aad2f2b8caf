"""Which mentions count: once a sentence, under ranked names; and other people's, for Y."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from safetensors.numpy import load_file

from counterec import make_config, make_run
from counterec.experiment.plan import experiment_stages, list_cells
from counterec.pipeline.aspect_choice import COLUMNS, Learned, counted_once, rank_aspects
from counterec.pipeline.engine import add_stages
from counterec.pipeline.stage import SilentReporter
from counterec.run import Run
from counterec.wording import sentence
from tests import naive
from tests.pipeline.tiny import SETTINGS, changed


def mentions_of(*rows: tuple[str, str, str, int | None, int]) -> pl.DataFrame:
    """User, item, aspect, sentence and sentiment."""
    table = pl.DataFrame(
        rows, schema=["user_id", "item_id", "aspect", "sentence", "sentiment"], orient="row", infer_schema_length=None
    )
    return table.with_columns(pl.col("sentence").cast(pl.Int64), pl.col("sentiment").cast(pl.Int8))


class TestCounting:
    def counted(self, most: int | None, *said: tuple[int | None, int]) -> list[int]:
        table = mentions_of(*(("u", "i", "bed", sentence, sentiment) for sentence, sentiment in said))
        return counted_once(table, most)["sentiment"].to_list()

    def test_once_a_sentence_by_the_majority_or_the_last(self) -> None:
        assert self.counted(None, (0, 1), (0, 1), (0, -1), (1, -1)) == [1, -1]
        assert self.counted(None, (0, 1), (0, -1)) == [-1]

    def test_at_most_so_many_times_a_review(self) -> None:
        assert self.counted(2, (0, 1), (1, -1), (2, -1), (3, 1)) == [1, -1]

    def test_what_was_brought_without_sentences_counts_one_by_one(self) -> None:
        assert self.counted(None, (None, 1), (None, 1), (None, -1)) == [1, 1, -1]
        assert self.counted(2, (None, 1), (None, 1), (None, -1)) == [1, 1]


def learned(*rows: tuple[str, str, str, int | None, int], texts: tuple[str, ...] = ()) -> Learned:
    """Mentions, and the texts that they are found in: mention n is in review n, from the first such word on."""
    table = mentions_of(*rows)
    empty = [name for name in COLUMNS if name not in table.columns]
    table = table.with_columns(pl.lit(None, pl.String if name == "opinion" else pl.Int64).alias(name) for name in empty)
    reviews = pl.DataFrame({"text": texts}, schema={"text": pl.String})
    return Learned(table, reviews.lazy())


def test_names_that_the_user_brings_stay_as_they_are() -> None:
    """As in published mentions whose aspects are numbered: nothing is merged, renamed or left out."""
    names = [*map(str, range(28)), "thing", "life", "battery life"]
    training = learned(*((f"u{n}", f"i{n}", names[n % 31], None, 1) for n in range(310)))
    found = rank_aspects(training, None, 5, as_given=True)
    assert set(found.ranked) == set(names)
    assert found.counted_as == {}


def test_an_aspect_is_called_what_reviewers_write() -> None:
    texts = ("The beds were soft.", "Great beds!", "A bed.", *["These bikes are fine."] * 5)
    rows = [("u", f"i{n}", name, 0, 1) for n, name in enumerate(["bed"] * 3 + ["bike"] * 5)]
    brought = learned(*rows, texts=texts)
    places = [(4, 8), (6, 10), (2, 5), *[(6, 11)] * 5]
    mentions = brought.mentions.with_columns(
        review=pl.int_range(len(texts)),
        start=pl.Series([start for start, _ in places]),
        end=pl.Series([end for _, end in places]),
    )
    found = rank_aspects(Learned(mentions, brought.reviews), None, 1, as_given=False)
    assert found.ranked == ("beds",), "a word that reviewers call 'these' is the item itself"
    assert found.counted_as == {"bed": "beds"}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve users with eight reviews each, and as many with two."""
    random, rows = np.random.default_rng(0), []
    words = {1: ("great", "good", "superb"), -1: ("bad", "poor", "terrible")}
    for user in range(24):
        for n in range(8 if user < 12 else 2):
            said = [(aspect, int(random.choice([-1, 1]))) for aspect in ("battery", "screen", "camera", "price")]
            text = " ".join(f"The {aspect} is {random.choice(words[sign])}." for aspect, sign in said)
            item = f"item {(user * 3 + n * 5) % 14:02d}" if n or user < 12 else f"only {user}"
            rows.append(
                {"user_id": f"user {user:02d}", "item_id": item, "time": 1_400_000_000 + n, "rating": 3, "text": text}
            )
    path = tmp_path_factory.mktemp("source") / "reviews.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def made(source: Path, folder: Path, **aspects: Any) -> Run:
    settings = {
        "data": {"sources": [str(source)], "min_user_reviews": 8},
        "aspects": {"quality": "eq1", **aspects},
        "training": {"hidden": [8, 4], "epochs": 2},
        "explain": {"methods": ["single"]},
    }
    return make_run(make_config(settings, "test"), folder)


def test_other_people_s_reviews_count_for_y_alone(source: Path, tmp_path: Path) -> None:
    users, everybody = made(source, tmp_path / "users", everybody=False), made(source, tmp_path / "everybody")
    assert everybody.space.users == users.space.users
    assert everybody.space.items == users.space.items, "the catalogue stays the same"
    assert everybody.split.equals(users.split)
    np.testing.assert_array_equal(everybody.space.user_attention, users.space.user_attention)
    others = everybody.table("mentions_others.parquet")
    assert set(others["user_id"]).isdisjoint(users.space.users.texts), "no held-out review is among them"
    assert set(others["item_id"]) <= set(users.space.items.texts)
    counted = counted_once(others, 3)
    before, after = (run.space.opinions.item_praises + run.space.opinions.item_complaints for run in (users, everybody))
    assert (after - before).sum() == len(counted) > 0
    ranking = everybody.evaluation["ranking"]
    assert {"popularity", "popularity_with_others"} <= set(ranking)
    assert "popularity_with_others" not in users.evaluation["ranking"]
    counts = everybody.manifest.stages["read"].counts
    assert counts["reviews_of_others"] == len(everybody.table("reviews_others.parquet"))


@pytest.fixture(scope="module")
def shares(tmp_path_factory: pytest.TempPathFactory) -> Run:
    aspects, methods = {"quality": "share"}, ["single", "minimal"]
    settings = changed(SETTINGS, aspects=aspects, explain={"methods": methods})
    return make_run(make_config(settings, "test"), tmp_path_factory.mktemp("shares") / "run")


def test_shares_of_praise_are_those_of_plain_arithmetic(shares: Run) -> None:
    arrays = load_file(shares.path / "aspects.safetensors")
    praises, complaints = arrays["opinions.item_praises"], arrays["opinions.item_complaints"]
    mean = praises.sum(axis=0) / (praises + complaints).sum(axis=0)
    expected = 1 + 4 * (praises + 5 * mean) / (praises + complaints + 5)
    np.testing.assert_allclose(arrays["item_quality"], np.where(praises + complaints, expected, 0), rtol=1e-6)


def test_answers_lead_to_what_more_opinions_give(shares: Run) -> None:
    space = shares.space
    plain = naive.Shares(space.opinions.item_praises, space.opinions.item_complaints, space.scale.shares.mean)
    seen = 0
    for method in ("single", "minimal"):
        for row in shares.explanations_table(method).filter(pl.col("values") == "reachable").to_dicts():
            item = space.items.number(row["item_id"])
            for aspect, after, balance in zip(row["aspects"], row["after"], row["balance_after"], strict=True):
                assert plain.balances(item, space.aspects.number(aspect), 5.0)[float(np.float32(after))] == balance
                seen += 1
            if row["status"] == "explained":
                assert "more complaint" in sentence(shares.record(row))
    assert seen > 50


def test_an_experiment_has_x_and_y_of_equation_one(shares: Run) -> None:
    """Where the run has others, they are made anew in the folder of the experiment, and so is the model."""
    stages = {stage.name: stage for stage in experiment_stages(shares.config)}
    build = stages["experiment: build"]
    add_stages(shares.path, shares.config.model_dump(mode="json"), [build], SilentReporter())
    own, run = (load_file(shares.path / place / "aspects.safetensors") for place in ("experiment", "."))
    balance = own["opinions.item_praises"].astype(float) - own["opinions.item_complaints"]
    expected = np.where(own["item_quality"], 1 + 4 / (1 + np.exp(-balance)), 0)
    np.testing.assert_allclose(own["item_quality"], expected, rtol=1e-6)
    assert (own["item_quality"] != run["item_quality"]).any()
    cell = list_cells(shares.config)[0]
    assert cell.own_space
    assert not cell.uses_the_runs_model
    assert {stage.place("aspects.safetensors") for stage in stages.values()} == {"experiment/aspects.safetensors"}
    plain = {stage.name for stage in experiment_stages(make_config(SETTINGS, "test"))}
    assert "experiment: build" not in plain
