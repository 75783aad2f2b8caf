"""``counterec show``: a user's list and its explanations, for people and for machines."""

from __future__ import annotations

from pathlib import Path

from counterec import open_run
from tests.cli.files import counterec, json_lines, reviews


def test_the_list_and_a_sentence_for_each_item(finished: Path) -> None:
    outcome = counterec("show", finished, "--user", "u03")
    assert outcome.status == 0
    assert outcome.err == ""
    assert "The list of u03" in outcome.out
    run = open_run(finished)
    lists, space = run.recommendations, run.space
    row = space.users.number("u03")
    for item, score in zip(lists.items[row], lists.scores[row], strict=True):
        assert space.items.texts[item] in outcome.out
        assert f"{score:.4f}" in outcome.out
    assert "below" in outcome.out
    for position in range(1, 6):
        assert f"\n{position}. " in outcome.out


def test_changes_as_a_table(finished: Path) -> None:
    table = open_run(finished).explanations_table("relaxed").filter(status="explained")
    row = table.to_dicts()[0]
    pair = ("--user", row["user_id"], "--item", row["item_id"])
    outcome = counterec("show", finished, *pair, "--method", "relaxed")
    assert "would not be recommended." in outcome.text
    for word in ("aspect", "before", "after", row["aspects"][0], f"{row['before'][0]:.2f}"):
        assert word in outcome.out


def test_names_where_a_person_reads_and_ids_where_there_are_none(finished: Path) -> None:
    items, text = [], ""
    for user in ("u00", "u01", "u02"):
        items += counterec("show", finished, "--user", user, "--json").json["items"]
        text += counterec("show", finished, "--user", user).text
    named, nameless = (next(item for item in items if bool(item["name"]) is wanted) for wanted in (True, False))
    assert named["name"] in text, "names are shown as they are, not taken for markup"
    assert nameless["item_id"] in text
    for item in items:
        number = int(item["item_id"][1:])
        assert item["name"] == (f"Phone [b]{number}[/b]" if number % 2 == 0 else None)
        assert (item["name"] or item["item_id"]) in item["sentence"]


def test_another_method(finished: Path) -> None:
    found = counterec("show", finished, "--method", "single", "--json").json
    assert {item["goal"] for item in found["items"]} == {"single"}
    outcome = counterec("show", finished, "--method", "magic")
    assert outcome.status == 2
    assert f"no explanations by 'magic'; there are {', '.join(open_run(finished).methods)}" in outcome.error


def test_ids_that_look_like_markup_or_are_very_long(tmp_path: Path, quickly) -> None:
    rows = [{**row, "user": f"[/red]{row['user']}", "item": f"[bold]{row['item']}:star:"} for row in reviews()]
    long = "x" * 120
    rows = [{**row, "item": row["item"].replace("i0", long)} for row in rows]
    (tmp_path / "r.jsonl").write_bytes(json_lines(rows))
    summary = quickly(tmp_path / "r.jsonl", "--k", 9)
    assert summary.status == 0, summary.err
    outcome = counterec("show", tmp_path / "run", "--user", "[/red]u01")
    assert outcome.status == 0
    assert "The list of [/red]u01" in outcome.out
    shown = "".join(outcome.out.split()).replace("│", "")
    items = counterec("show", tmp_path / "run", "--user", "[/red]u01", "--json").json["items"]
    assert {long in item["item_id"] for item in items} == {True, False}
    for item in items:
        if long in item["item_id"]:
            assert outcome.out.count("x") >= 2 * len(long), "a long id is folded, not cut off"
        else:
            assert shown.count(item["item_id"]) >= 3, "in the table as name and as id, and in the sentence"
