"""New arrivals: nothing is trained again, nothing is counted twice, and nothing that is held out comes in."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from filelock import FileLock
from safetensors.numpy import load_file

from counterec import make_config, make_run, open_run
from counterec.core.opinions import quality
from counterec.core.space import attention
from counterec.errors import ReadError, StoreError, UsageError
from counterec.pipeline import hybrid_model, models
from counterec.pipeline.models import ModelKind
from counterec.pipeline.stages import rank as rank_module
from counterec.pipeline.update_plan import NewArrivals
from counterec.run import update_run
from counterec.wording import reason, sentence
from tests.cli.files import counterec, mentions, reviews, write_rows
from tests.pipeline.tiny import Recorder, changed, contents

pytestmark = pytest.mark.slow


def review(user: str, item: str, text: str) -> dict[str, Any]:
    return {"user": user, "item": item, "text": text, "rating": 4, "time": 1_600_000_000}


NEW = [
    review("u02", "i99", "The battery is great. The price is awful."),
    review("anna", "i99", "The battery is excellent."),
    review("anna", "i03", "The screen is terrible."),
]
LISTS = "recommendations.parquet"
LATER = [review("zoe", "i03", "The camera is great.")]


def settings(source: Path, **parts: Any) -> dict[str, Any]:
    plain = {
        "data": {"sources": [str(source)]},
        "aspects": {"quality": "eq1", "attention": "eq1", "min_mentions": 1},
        "model": {"kind": "hybrid", "hybrid": {"nets": 1, "explained_users": 1}},
        "training": {"hidden": [8, 4], "epochs": 2},
        "explain": {"methods": ["minimal", "single"]},
    }
    return changed(plain, **parts)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a collaborative part; to be read, not written."""
    folder = tmp_path_factory.mktemp("trained")
    source = write_rows(folder / "reviews.jsonl", reviews())
    make_run(make_config(settings(source), "test"), folder / "run")
    return folder / "run"


@pytest.fixture
def run(trained: Path, tmp_path: Path) -> Path:
    return shutil.copytree(trained, tmp_path / "run")


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "new.jsonl", NEW)


def bring(folder: Path, *sources: Path, **more: Any) -> Recorder:
    recorder = Recorder()
    update_run(folder, NewArrivals(sources, **more), recorder)
    return recorder


@pytest.fixture(scope="module")
def updated(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An updated run; to be read, not written. It also has a user and an item that nobody has reviewed."""
    folder = tmp_path_factory.mktemp("updated")
    shutil.copytree(trained, folder / "run")
    source, users = write_rows(folder / "new.jsonl", NEW), folder / "users.txt"
    users.write_text("nobody\nu01\n\nnobody\n")
    items = folder / "items.csv"
    items.write_text("id,name\na98,Brand New Phone\ni99,Phone Ninety-Nine\n")
    bring(folder / "run", source, users=users, items=items)
    return folder / "run"


class TestWhatStays:
    def test_what_was_trained_is_not_touched(self, trained: Path, updated: Path) -> None:
        before, after = contents(trained), contents(updated)
        assert {name: after[name] for name in before} == before
        assert all(name.startswith(("updated/", "updates/")) for name in after.keys() - before.keys())

    def test_the_aspects_and_the_nets_are_the_same(self, trained: Path, updated: Path) -> None:
        assert open_run(updated).space.aspects == open_run(trained).space.aspects
        before, after = load_file(trained / "model.safetensors"), load_file(updated / "updated" / "model.safetensors")
        nets = [name for name in before if name.startswith("net.")]
        assert len(nets) == 6
        for name in nets:
            np.testing.assert_array_equal(after[name], before[name])

    def test_offsets_are_those_of_the_training_and_0_for_whoever_is_new(self, trained: Path, updated: Path) -> None:
        old, now = open_run(trained), open_run(updated)
        nonzero = 0
        for user in now.space.users.texts:
            for item in now.space.items.texts:
                pair = np.array([now.space.users.number(user)]), np.array([now.space.items.number(item)])
                (found,) = now.scorer.offset(*pair)
                if user in old.space.users and item in old.space.items:
                    before = np.array([old.space.users.number(user)]), np.array([old.space.items.number(item)])
                    assert found == old.scorer.offset(*before)[0]
                    nonzero += found != 0
                else:
                    assert found == 0
        assert nonzero > 20

    def test_a_pair_that_nothing_new_concerns_keeps_its_score(self, trained: Path, updated: Path) -> None:
        then, now = (
            {(row["user_id"], row["item_id"]): row["score"] for row in open_run(folder).table(LISTS).to_dicts()}
            for folder in (trained, updated)
        )
        same = {(user, item) for user, item in then.keys() & now.keys() if user != "u02" and item != "i03"}
        assert len(same) >= 10
        for pair in same:
            assert now[pair] == pytest.approx(then[pair], abs=1e-5)


class TestXAndY:
    def test_they_are_those_of_all_known_reviews_by_plain_counting(self, updated: Path) -> None:
        run = open_run(updated)
        known = run.aspect_mentions.join(run.split.filter(part="train"), on=["user_id", "item_id"], how="semi")
        for which, texts, matrix in (
            ("user_id", run.space.users.texts, run.space.user_attention),
            ("item_id", run.space.items.texts, run.space.item_quality),
        ):
            for row, text in enumerate(texts):
                for column, aspect in enumerate(run.space.aspects.texts):
                    said = known.filter(pl.col(which) == text, pl.col("aspect") == aspect)["sentiment"]
                    expected = attention(len(said)) if which == "user_id" else quality(len(said), said.sum())
                    assert matrix[row, column] == pytest.approx(float(expected), abs=1e-6)

    def test_the_new_ones_are_there(self, updated: Path) -> None:
        run = open_run(updated)
        assert {"anna", "nobody"} < set(run.space.users.texts)
        assert {"a98", "i99"} < set(run.space.items.texts)
        assert run.item_name("a98") == "Brand New Phone"
        battery = run.space.aspects.number("battery")
        assert run.space.user_attention[run.space.users.number("anna"), battery] > 1
        assert run.space.item_quality[run.space.items.number("i99"), battery] > 4
        known = run.recommendations.items[run.recommendations.rows_of(np.array([run.space.users.number("u02")]))]
        assert run.space.items.number("i99") not in known  # they have it

    def test_a_sentence_is_found_again(self, updated: Path) -> None:
        outcome = counterec("evidence", updated, "--item", "i99", "--aspect", "battery")
        assert "The battery is great" in outcome.text
        assert "The battery is excellent" in outcome.text

    def test_the_statistics_are_of_the_updated_run(self, updated: Path) -> None:
        assert counterec("stats", updated, "--json").json["reviews"] == 66 + 3
        assert open_run(updated).statistics["users"] == 8


class TestNothingTwice:
    def test_a_file_with_everything_brings_only_what_is_new(self, trained: Path, run: Path, tmp_path: Path) -> None:
        everything = write_rows(tmp_path / "everything.jsonl", [*reviews(), *NEW, NEW[0]])
        recorder = bring(run, everything)
        assert "66 reviews of an item that the user has reviewed before (known; left out)" in recorder.warnings
        counts = open_run(run).manifest.stages["update 1: read"].counts
        assert (counts["reviews_read"], counts["already_known"], counts["reviews_added"]) == (70, 66, 3)
        old, now = open_run(trained), open_run(run)
        for user in ("u00", "u01", "u03"):
            then = old.space.user_attention[old.space.users.number(user)]
            np.testing.assert_array_equal(now.space.user_attention[now.space.users.number(user)], then)

    def test_held_out_reviews_stay_held_out(self, trained: Path, updated: Path) -> None:
        old, now = open_run(trained), open_run(updated)
        parts = now.split.join(old.split, on=["user_id", "item_id"], how="left", suffix="_old")
        assert parts.filter(pl.col("part_old").is_not_null(), pl.col("part") != pl.col("part_old")).is_empty()
        assert set(parts.filter(pl.col("part_old").is_null())["part"]) == {"train"}
        assert (now.split["part"] == "test").sum() == (old.split["part"] == "test").sum() == 30

    def test_a_second_update_adds_to_the_first_as_one_of_both_would(
        self, run: Path, trained: Path, tmp_path: Path
    ) -> None:
        first, second = write_rows(tmp_path / "1.jsonl", NEW), write_rows(tmp_path / "2.jsonl", [*LATER, NEW[1]])
        bring(run, first)
        assert bring(run, second).warnings[-1].startswith("1 reviews of an item that the user has reviewed before")
        first.unlink()
        second.unlink()  # they are not needed any more
        at_once = shutil.copytree(trained, tmp_path / "at_once")
        bring(at_once, write_rows(tmp_path / "both.jsonl", [*LATER, *NEW]))
        one, other = open_run(run), open_run(at_once)
        assert one.space.users == other.space.users
        np.testing.assert_array_equal(one.space.user_attention, other.space.user_attention)
        np.testing.assert_array_equal(one.space.item_quality, other.space.item_quality)
        assert one.split.equals(other.split)
        for name in ("recommendations.parquet", "heads.safetensors", "explanations/minimal.parquet"):
            assert (run / "updated" / name).read_bytes() == (at_once / "updated" / name).read_bytes()
        assert one.manifest.stages["update"].counts["updates"] == 2
        assert one.manifest.stages["update"].counts["reviews_added"] == 4

    def test_other_peoples_reviews_that_count_already_are_known(self, tmp_path: Path) -> None:
        few = [review("few", "i03", "The screen is great.")]
        source = write_rows(tmp_path / "reviews.jsonl", [*reviews(), *few])
        parts = settings(source, aspects={"everybody": True}, explain={"methods": ["single"]}, model={"kind": "net"})
        make_run(make_config(parts, "test"), tmp_path / "run")
        bring(tmp_path / "run", write_rows(tmp_path / "again.jsonl", few))
        now = open_run(tmp_path / "run")
        assert now.manifest.stages["update 1: read"].counts["already_known"] == 1
        np.testing.assert_array_equal(now.space.item_quality, open_run(tmp_path / "run").space.item_quality)
        assert "few" not in now.space.users


class TestLikeARun:
    def test_repeating_it_makes_nothing(self, run: Path, new: Path) -> None:
        made = bring(run, new).made
        assert made == [
            *("update 1: read", "update 1: extract", "update", "updated: rank"),
            *("updated: explain minimal", "updated: explain single"),
        ]
        assert bring(run, new).made == []
        assert bring(run).made == []

    def test_one_that_was_cut_short_is_gone_on_with(self, run: Path, new: Path, tmp_path: Path, monkeypatch) -> None:
        whole = shutil.copytree(run, tmp_path / "whole")
        bring(whole, new)
        with monkeypatch.context() as patch:
            patch.setattr(rank_module.Ranking, "with_member_lists", _fails)
            with pytest.raises(RuntimeError, match="the lights went out"):
                bring(run, new)
        run_now = open_run(run)
        assert "anna" in run_now.space.users
        with pytest.raises(StoreError, match="the last update was cut short; go on with counterec update"):
            _ = run_now.recommendations
        assert "the last update was cut short" in counterec("show", run).error
        assert "cut short" in counterec("bundle", run, "--out", tmp_path / "no.zip").error
        new.unlink()
        assert bring(run).made == ["updated: rank", "updated: explain minimal", "updated: explain single"]
        assert contents(run) == contents(whole)

    def test_a_second_one_that_was_cut_short_never_mixes_old_and_new(self, run: Path, new: Path, monkeypatch) -> None:
        bring(run, new)
        later = write_rows(new.parent / "later.jsonl", LATER)
        with monkeypatch.context() as patch:
            patch.setattr(rank_module.Ranking, "with_member_lists", _fails)
            with pytest.raises(RuntimeError):
                bring(run, later)
        with pytest.raises(StoreError, match="cut short"):
            _ = open_run(run).explanations("minimal")
        bring(run, later)
        assert "zoe" in set(open_run(run).explanations_table("minimal")["user_id"])

    def test_a_file_that_cannot_be_read_leaves_the_run_as_it_was(self, run: Path, new: Path, tmp_path: Path) -> None:
        bring(run, new)
        before, manifest = contents(run), (run / "manifest.json").read_bytes()
        with pytest.raises(ReadError, match=r"nowhere\.jsonl"):
            bring(run, tmp_path / "nowhere.jsonl")
        (tmp_path / "broken.jsonl").write_text("neither\nfish\n")
        with pytest.raises(ReadError):
            bring(run, tmp_path / "broken.jsonl")
        assert contents(run) == before
        assert json.loads((run / "manifest.json").read_bytes())["stages"] == json.loads(manifest)["stages"]
        assert len(open_run(run).explanations("minimal"))

    def test_one_process_at_a_time(self, run: Path, new: Path) -> None:
        with FileLock(run / ".lock"), pytest.raises(StoreError, match="another process is writing here"):
            bring(run, new)

    def test_a_file_that_was_changed_is_noticed(self, run: Path, new: Path) -> None:
        bring(run, new)
        (run / "updated" / "vocabulary.json").write_text("{}")
        with pytest.raises(StoreError, match=r"updated/vocabulary\.json: changed since it was written"):
            _ = open_run(run).space

    def test_running_again_keeps_it_while_nothing_it_was_made_from_changes(self, run: Path, new: Path) -> None:
        bring(run, new)
        config = open_run(run).config
        recorder = Recorder()
        make_run(config, run, recorder)
        assert recorder.made == []
        assert "anna" in open_run(run).space.users
        assert bring(run).made == []
        other = config.model_copy(update={"seed": 1})
        make_run(other, run, recorder)
        assert "anna" not in open_run(run).space.users
        new.unlink()
        assert bring(run).made[:2] == ["update", "updated: rank"]  # what was brought stays, for another model too
        assert "anna" in open_run(run).space.users

    def test_one_more_method_is_for_the_updated_run_too(self, run: Path, new: Path) -> None:
        bring(run, new)
        more = open_run(run).with_method("relaxed")
        assert "anna" in set(more.explanations_table("relaxed")["user_id"])
        assert (run / "explanations" / "relaxed.parquet").is_file()
        assert bring(run).made == []

    def test_the_manifest_says_what_was_added_and_when_it_was_trained(self, trained: Path, updated: Path) -> None:
        stages = open_run(updated).manifest.stages
        counts = stages["update"].counts
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", counts["trained"])
        assert counts["trained"] == open_run(trained).manifest.stages["fit"].ended
        added = {name: counts[name] for name in ("reviews_added", "users_added", "items_added", "mentions_added")}
        assert added == {"reviews_added": 3, "users_added": 2, "items_added": 2, "mentions_added": 4}
        assert (counts["users_without_history"], counts["items_without_history"]) == (1, 1)

    def test_a_bundle_holds_it_without_a_word_of_a_review(self, updated: Path, tmp_path: Path) -> None:
        assert counterec("bundle", updated, "--out", tmp_path / "run.zip").status == 0
        archive = zipfile.ZipFile(tmp_path / "run.zip")
        names = archive.namelist()
        assert {"updated/aspects.safetensors", "updated/model.safetensors", "updated/recommendations.parquet"} <= {
            *names
        }
        assert {"updated/explanations/minimal.parquet", "updated/vocabulary.json", "updated/split.parquet"} <= {*names}
        assert not [name for name in names if "reviews" in name or "mentions" in name or name.startswith("updates/")]
        assert "counterec update again, with new.jsonl (sha256 " in archive.read("README.txt").decode()
        assert not [name for name in names if b"terrible" in archive.read(name)]


class TestWithoutHistory:
    def test_rows_say_so(self, updated: Path) -> None:
        rows = open_run(updated).explanations_table("minimal")
        stored = pl.read_parquet(updated / "updated" / "explanations" / "minimal.parquet")
        assert stored["without_history"].to_list() == rows["without_history"].to_list()
        assert set(rows.filter(pl.col("user_id") == "nobody")["without_history"]) <= {"user", "both"}
        others = rows.filter(pl.col("user_id") != "nobody", pl.col("item_id") != "a98")
        assert others["without_history"].null_count() == len(others) > 20

    def test_a_run_that_was_not_updated_has_no_such_column(self, trained: Path) -> None:
        assert "without_history" not in open_run(trained).explanations_table("minimal").columns
        assert "without_history" not in open_run(trained).explain("u00").columns

    def test_sentences_say_so(self, updated: Path) -> None:
        run = open_run(updated)
        for user, item in (("nobody", "a98"), ("nobody", "i00"), ("u00", "a98"), ("u00", "i99")):
            if not run.candidates.contain(run.space.users.number(user), run.space.items.number(item)):
                continue
            listed = run.explain(user)["item_id"].to_list()
            question = "why" if item in listed else "why_not"
            (row,) = run.explain(user, item, question=question).to_dicts()
            record = run.record(row)
            said = sentence(record)
            assert ("Nothing is known of this user yet" in said) == (user == "nobody")
            assert ("Nothing is known of Brand New Phone yet" in said) == (item == "a98")
            assert ("We do not know yet" in reason(record)) == (user == "nobody")
            marks = {"user": user == "nobody", "item": item == "a98", "both": user == "nobody" and item == "a98"}
            assert row["without_history"] is None or marks[row["without_history"]]
            assert bool(row["without_history"]) == (user == "nobody" or item == "a98")

    def test_show_says_so_in_print_and_in_json(self, updated: Path) -> None:
        shown = counterec("show", updated, "--user", "nobody")
        assert shown.status == 0, shown.err
        assert "Nothing is known of this user yet" in shown.text
        found = counterec("show", updated, "--user", "nobody", "--json").json
        assert {item["without_history"] for item in found["items"]} <= {"user", "both"}
        assert all("Nothing is known of this user yet" in item["sentence"] for item in found["items"])
        assert "Nothing is known of this user" not in counterec("show", updated, "--user", "anna").text


class TestOtherRuns:
    def test_one_that_holds_nothing_out(self, tmp_path: Path, new: Path) -> None:
        source = write_rows(tmp_path / "reviews.jsonl", reviews())
        parts = settings(source, split={"held_out": 0}, explain={"methods": ["single"]}, aspects={"quality": "share"})
        parts = changed(parts, aspects={"attention": "relative"}, lists={"k": 3})
        make_run(make_config(parts, "test"), tmp_path / "run")
        then = open_run(tmp_path / "run")
        bring(tmp_path / "run", new)
        now = open_run(tmp_path / "run")
        for user in set(then.space.users.texts) - {"u02"}:
            before = then.space.user_attention[then.space.users.number(user)]
            np.testing.assert_array_equal(now.space.user_attention[now.space.users.number(user)], before)
        assert len(now.explanations("single"))

    def test_one_that_was_made_from_mentions(self, tmp_path: Path, new: Path) -> None:
        source = write_rows(tmp_path / "mentions.jsonl", mentions())
        parts = settings(source, model={"kind": "net"}, explain={"methods": ["single"]})
        make_run(make_config(parts, "test"), tmp_path / "run")
        said = [{**mentions()[0], "user": "anna", "item": "i99", "aspect": "battery", "sentiment": 1}]
        bring(tmp_path / "run", write_rows(tmp_path / "more.jsonl", said), format="mentions")
        run = open_run(tmp_path / "run")
        assert run.space.user_attention[run.space.users.number("anna"), run.space.aspects.number("battery")] > 1
        with pytest.raises(UsageError, match=r"new\.jsonl: this run was made from mentions; bring mentions"):
            bring(tmp_path / "run", new)

    def test_what_cannot_be_updated_says_why(self, run: Path, tmp_path: Path, new: Path) -> None:
        with pytest.raises(UsageError, match="nothing is new: name a file of reviews"):
            bring(run)
        source = write_rows(tmp_path / "reviews.jsonl", reviews())
        sampled = settings(
            source, lists={"protocol": "sampled"}, explain={"methods": ["single"]}, model={"kind": "net"}
        )
        make_run(make_config(sampled, "test"), tmp_path / "sampled")
        with pytest.raises(UsageError, match="a run with the protocol sampled is a measurement"):
            bring(tmp_path / "sampled", new)

    def test_a_kind_of_model_that_does_not_say_how(self, run: Path, new: Path, monkeypatch) -> None:
        kind = hybrid_model.KIND
        monkeypatch.setitem(models._registered, "hybrid", ModelKind("hybrid", kind.load, kind.train))
        with pytest.raises(UsageError, match="'hybrid' does not say how it is used with more users and items"):
            bring(run, new)


class TestCommand:
    def test_it_says_what_it_did(self, run: Path, new: Path, tmp_path: Path) -> None:
        outcome = counterec("update", run, new)
        assert outcome.status == 0, outcome.err
        assert "update 1: 3 reviews read, 3 new, 0 known or repeated" in outcome.text
        assert "since the training: 3 reviews, 1 users and 1 items added" in outcome.text
        assert "on 66 reviews, and was not trained again" in outcome.text
        assert counterec("update", run, new, "--quiet").out == f"{run}\n"
        found = counterec("update", run, new, "--json").json
        assert found["each_update"] == [
            {"reviews_read": 3, "earlier_reviews_dropped": 0, "already_known": 0, "reviews_added": 3}
        ]
        assert "not a run folder" in counterec("update", tmp_path / "nowhere", new).error


def _fails(*args: object, **more: object) -> None:
    raise RuntimeError("the lights went out")
