"""Users and items as people name them: by id, items by name, too; a user who was left out is told apart."""

from __future__ import annotations

from pathlib import Path

from counterec import open_run
from tests.cli.files import counterec, json_lines, reviews


def test_an_item_by_its_name(finished: Path) -> None:
    run = open_run(finished)
    row = run.explanations_table(run.methods[0]).filter(user_id="u03").to_dicts()
    named = next(one for one in row if one["item_id"] in run.item_names)
    name = run.item_names[named["item_id"]]
    by_name, by_id = (counterec("show", finished, "--user", "u03", "--item", text) for text in (name, named["item_id"]))
    assert by_name.status == 0, by_name.err
    assert by_name.out == by_id.out
    assert "no item 'Phone'" in counterec("show", finished, "--user", "u03", "--item", "Phone").error


def test_a_user_who_was_left_out(tmp_path: Path) -> None:
    few = [{**row, "user": "passer-by"} for row in reviews()[:3]]
    (tmp_path / "r.jsonl").write_bytes(json_lines([*reviews(), *few]))
    made = counterec("run", tmp_path / "r.jsonl", "--model", "net", "--epochs", 1, "--out", tmp_path / "run", "-q")
    assert made.status == 0, made.err
    for command in (["show"], ["explain"], ["whatif", "--set", "sound=1"], ["show", "--aspect", "sound"]):
        outcome = counterec(command[0], tmp_path / "run", *command[1:], "--user", "passer-by")
        assert "passer-by wrote 3 reviews of these items and was left out (--min-user-reviews 10)" in outcome.error
    assert "no user 'nobody' here" in counterec("show", tmp_path / "run", "--user", "nobody").error


def test_a_folder_that_is_not_there_and_one_that_holds_runs(finished: Path, tmp_path: Path) -> None:
    assert "there is no such folder" in counterec("show", tmp_path / "nowhere").error
    assert f"did you mean {finished}?" in counterec("show", finished.parent).error
