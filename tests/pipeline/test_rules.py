"""Rules of lists in a run: tables in, lists by them, explanations that hold under them; and rankers that are code."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counterec import make_config, make_run, open_run, sentence
from counterec.cli.plugins import listed
from counterec.core.rankers.at_most_per_group import AtMostPerGroup
from counterec.core.rankers.first_k import FIRST_K
from counterec.errors import ConfigError, PluginError, ReadError, StoreError, UsageError
from counterec.pipeline import layout
from counterec.pipeline.config import load_config
from counterec.pipeline.manifest import Manifest
from counterec.pipeline.rankers import own_ranker
from tests import naive
from tests.packages import write_package
from tests.pipeline.tiny import SETTINGS, Recorder, again, changed

pytestmark = pytest.mark.slow


def brand_of(item_id: str) -> str:
    return f"brand {sum(map(ord, item_id)) % 4}"


def one_per_brand(space) -> AtMostPerGroup:
    """A ranker that is code: a factory, called with the aspect space."""
    names = sorted({brand_of(item) for item in space.items.texts})
    return AtMostPerGroup([names.index(brand_of(item)) for item in space.items.texts], 1)


@pytest.fixture(scope="module")
def tables(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    run = make_run(make_config(SETTINGS, "test"), folder / "plain")
    items, users = run.space.items.texts, run.space.users.texts
    pl.DataFrame({"item": [*items, "unknown"], "group": [*map(brand_of, items), "x"]}).write_csv(folder / "brands.csv")
    pl.DataFrame({"item": items[:5], "boost": [0.1, 0.2, -0.1, 0.0, 0.05]}).write_csv(folder / "boosts.csv")
    first = [run.space.items.texts[item] for item in run.recommendations.items[:, 0]]
    pl.DataFrame({"user": users, "item": first}).write_parquet(folder / "seen.parquet")
    return folder


@pytest.fixture(scope="module")
def settings(tables: Path):
    rules = {"at_most_per_group": 1, "groups": str(tables / "brands.csv"), "boosts": str(tables / "boosts.csv")}
    rules |= {"seen": str(tables / "seen.parquet"), "k": 3}
    return changed(SETTINGS, lists=rules, explain={"methods": ["minimal", "complete"]})


@pytest.fixture(scope="module")
def ruled(settings, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ruled") / "run"
    recorder = again(folder, settings)
    assert "rules" in recorder.made
    assert any("1 of 61 rows name a item" in warning for warning in recorder.warnings)
    return open_run(folder)


def plain_ranker(run, tables: Path) -> naive.PlainRanker:
    items, users = run.space.items.texts, run.space.users.texts
    names = sorted({brand_of(item) for item in items})
    boosts = dict(pl.read_csv(tables / "boosts.csv").iter_rows())
    seen = {
        users.index(user): {items.index(item)} for user, item in pl.read_parquet(tables / "seen.parquet").iter_rows()
    }
    cap = naive.capped([names.index(brand_of(item)) for item in items], 1)
    return naive.unseen(seen, naive.boosted([boosts.get(item, 0.0) for item in items], cap))


def test_lists_are_those_of_the_rules(ruled, tables):
    rule, scorer = plain_ranker(ruled, tables), ruled.scorer
    lists = ruled.recommendations
    for row, user in enumerate(lists.users.tolist()):
        items = ruled.candidates.of(user)
        scores = naive_scores(ruled, scorer, user, items)
        assert [item for item in lists.items[row, :3].tolist() if item >= 0] == rule(
            user, items.tolist(), scores.tolist(), 3
        )


def naive_scores(run, scorer, user, items):
    from counterec.core.scorers.protocols import PairBatch

    return scorer.score(PairBatch.of(run.space, np.full(len(items), user), items))


def test_every_explanation_takes_its_item_off_the_list(ruled):
    table = ruled.explanations_table("minimal")
    explained = table.filter(pl.col("status") == "explained")
    assert len(explained) > 20
    assert explained["looked_at"].min() > 3
    for row in explained.head(30).iter_rows(named=True):
        change = dict(zip(row["aspects"], row["after"], strict=True))
        found = ruled.what_if(row["user_id"], {row["item_id"]: change})
        item = ruled.space.items.number(row["item_id"])
        assert item in found.left
        record = ruled.record(row)
        assert record.position_after > 3
        assert "would not be recommended" in sentence(record)
        if record.instead is not None:
            assert record.instead in {ruled.item_name(ruled.space.items.texts[entered]) for entered in found.entered}


def test_complete_answers_are_measured_elsewhere_too(ruled):
    assert ruled.evaluation["explanations"]["complete"]["elsewhere"]["k=4"]["pn"]["cases"] > 0


def test_questions_follow_the_rules(ruled, tables):
    user = ruled.space.users.texts[0]
    seen = dict(pl.read_parquet(tables / "seen.parquet").iter_rows())[user]
    (row,) = ruled.explain(user, seen, question="why_not").iter_rows(named=True)
    assert (row["status"], row["target"]) == ("cannot_flip", None)
    assert sentence(ruled.record(row)).startswith("It is proven that no allowed change")
    items = ruled.recommendations.items[0]
    first, second = (ruled.space.items.texts[item] for item in items[:2])
    (row,) = ruled.explain(user, first, question="why_rather", versus=second).iter_rows(named=True)
    assert row["status"] in ("explained", "cannot_flip", "not_found")
    ruled.record(row)
    assert len(ruled.explain(user, goal="complete")) == (items[:3] >= 0).sum()


def test_nothing_runs_again_unless_a_rule_changes(ruled, settings):
    assert again(ruled.path, settings).made == []
    capped = changed(settings, lists={"at_most_per_group": 2})
    assert again(ruled.path, capped).made[:2] == ["rules", "rank"]
    assert again(ruled.path, settings).made[:2] == ["rules", "rank"]


def test_a_config_names_tables_beside_it(tables):
    (tables / "run.toml").write_text(
        "[data]\nworld = {}\n[lists]\nat_most_per_group = 2\ngroups = 'brands.csv'\n", encoding="utf-8"
    )
    assert load_config(tables / "run.toml").lists.groups == tables / "brands.csv"


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ({"at_most_per_group": 2}, "needs the other"),
        ({"groups": "brands.csv"}, "needs the other"),
        ({"at_most_per_group": 0, "groups": "brands.csv"}, "at_most_per_group"),
        ({"at_most_per_group": 2, "groups": "brands.csv", "ranker": "a:b"}, "give one of the two"),
    ],
)
def test_half_a_rule_is_refused(lists, said):
    with pytest.raises(ConfigError, match=said):
        make_config(changed(SETTINGS, lists=lists), "test")


@pytest.mark.parametrize(
    ("rule", "text", "said"),
    [
        ("groups", "item,brand\nA,x\n", "no column 'group'"),
        ("groups", "item,group\nA,x\nA,y\n", "several groups"),
        ("groups", "item,group\nA,\n", "empty cell"),
        ("boosts", "item,boost\nA,much\n", "boosts by 'much'"),
        ("boosts", "item,boost\nA,1\nA,2\n", "several boosts"),
        ("seen", None, "cannot be read"),
    ],
)
def test_a_bad_table_is_an_error_in_one_line(tables, tmp_path, rule, text, said):
    path = tmp_path / "rule.csv"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    lists = {rule: str(path)} | ({"at_most_per_group": 1} if rule == "groups" else {})
    with pytest.raises(ReadError, match=said):
        make_run(make_config(changed(SETTINGS, lists=lists), "test"), tables / "plain", Recorder())


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("own") / "run"
    code = "tests.pipeline.test_rules:one_per_brand"
    again(folder, changed(SETTINGS, lists={"ranker": code}, explain={"methods": ["single"]}))
    return folder


class TestOwnRankers:
    def test_the_folder_does_not_name_the_code(self, folder):
        manifest = (folder / layout.MANIFEST).read_text(encoding="utf-8")
        assert json.loads(manifest)["config"]["lists"]["ranker"] == "given"
        assert "one_per_brand" not in manifest

    def test_it_opens_with_the_ranker_and_not_without(self, folder):
        with pytest.raises(UsageError, match=r"open_run\(folder, ranker=...\)"):
            _ = open_run(folder).recommendations
        ranker = one_per_brand(open_run(folder).space)
        run = open_run(folder, ranker=ranker)
        listed = pl.read_parquet(folder / layout.RECOMMENDATIONS).filter(pl.col("position") <= 5)
        for user, items in listed.group_by("user_id"):
            brands = [brand_of(item) for item in items["item_id"]]
            assert len(set(brands)) == len(brands), user
        assert run.explain(run.space.users.texts[0])["status"].to_list()

    def test_a_folder_that_names_code_is_refused(self, folder, tmp_path):
        manifest = Manifest.load(folder)
        lists = {**manifest.config["lists"], "ranker": "os:getcwd"}
        forged = Manifest({**manifest.config, "lists": lists}, manifest.stages)
        forged.save(tmp_path)
        with pytest.raises(StoreError, match="names code to run"):
            _ = open_run(tmp_path).config

    @pytest.mark.parametrize("name", ["nobodys", "no.such.module:made", "tests.pipeline.test_rules:gone"])
    def test_what_does_not_exist_is_named(self, name):
        with pytest.raises(UsageError, match=name):
            own_ranker(name, None)

    def test_a_package_may_bring_a_ranker(self, tmp_path, monkeypatch):
        made = (
            "from counterec.core.rankers.first_k import FIRST_K\ndef made(space): return FIRST_K\ndef bad(space): 1 / 0"
        )
        points = {"counterec.rankers": {"brought": "brings_rules:made", "broken": "brings_rules:bad"}}
        monkeypatch.syspath_prepend(write_package(tmp_path, "brings-rules", points, {"brings_rules.py": made}))
        assert own_ranker("brought", None) is FIRST_K
        assert [(one["name"], one["loads"]) for one in listed()] == [("broken", True), ("brought", True)]
        with pytest.raises(PluginError, match=r"package brings-rules .* does not work"):
            own_ranker("broken", None)

    def test_what_is_no_factory_is_refused(self):
        with pytest.raises(UsageError, match="is no function"):
            own_ranker("tests.pipeline.test_rules:SETTINGS", None)
