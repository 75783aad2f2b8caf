"""What commands write: quiet everywhere, JSON alike everywhere, files by their ending, and tables that fit."""

from __future__ import annotations

import io
import json
from pathlib import Path
from unittest.mock import patch

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from counterec import open_run
from counterec.cli import output as streams
from counterec.cli.output import print_json, write_rows
from tests.cli.conftest import USER
from tests.cli.files import counterec

QUESTIONS = {
    "show": (),
    "whatif": ("--user", USER, "--set"),
    "explain": ("--user", USER),
}


def asked(run: Path, command: str) -> tuple[object, ...]:
    """A question that the run can answer."""
    opened = open_run(run)
    aspect = opened.space.aspects.texts[0]
    if command == "whatif":
        item = opened.recommendations.of_user(opened.space.users.number(USER)).items[0, 0]
        return (command, run, *QUESTIONS[command], f"{aspect}=1", "--item", opened.space.items.texts[item])
    return (command, run, *QUESTIONS[command])


def test_a_quiet_question_prints_nothing(tiny_run: Path) -> None:
    outcome = counterec(*asked(tiny_run, "explain"), "-q")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")


def test_json_is_the_same_whether_quiet_or_not(tiny_run: Path) -> None:
    loud, quiet = (counterec(*asked(tiny_run, "explain"), "--json", *more) for more in ((), ("-q",)))
    assert loud.status == 0, loud.err
    assert loud.json == quiet.json


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_json_stays_json_where_the_terminal_cannot_show_it(encoding: str) -> None:
    raw = io.BytesIO()
    with patch("sys.stdout", io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace")) as stream:
        print_json({"name": "Größe → 大\udc80"})
        stream.flush()
        assert json.loads(raw.getvalue()) == {"name": "Größe → 大\udc80"}


class TestFiles:
    """``--out FILE``."""

    def test_the_ending_decides(self, tiny_run: Path, tmp_path: Path) -> None:
        for name in ("rows.parquet", "rows.csv", "rows.jsonl"):
            assert counterec("explain", tiny_run, "--user", USER, "--out", tmp_path / name).status == 0
        whole = pl.read_parquet(tmp_path / "rows.parquet")
        lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
        assert [line["aspects"] for line in lines] == whole["aspects"].to_list()
        cells = pl.read_csv(tmp_path / "rows.csv", infer_schema=False)
        assert cells.columns == whole.columns
        assert [json.loads(cell) for cell in cells["aspects"]] == whole["aspects"].to_list()
        assert cells["item_id"].to_list() == whole["item_id"].to_list()

    def test_lists_of_any_depth_and_missing_ones(self, tmp_path: Path) -> None:
        table = pl.DataFrame({"a": [["ü", None], None, []], "b": [1, None, 3]})
        for name in ("t.parquet", "t.jsonl"):
            write_rows(table, tmp_path / name)
        write_rows(table, tmp_path / "t.csv")
        assert_frame_equal(pl.read_parquet(tmp_path / "t.parquet"), table)
        assert_frame_equal(pl.read_ndjson(tmp_path / "t.jsonl"), table)
        assert (tmp_path / "t.csv").read_text() == 'a,b\n"[""ü"", null]",1\n,\n[],3\n'

    def test_a_folder_that_is_not_there_is_not_made(self, tiny_run: Path, source: Path, tmp_path: Path) -> None:
        nowhere = tmp_path / "no" / "such"
        for args in (
            ("explain", tiny_run, "--user", USER, "--out", nowhere / "x.csv"),
            ("extract", source, "--out", nowhere / "x.parquet"),
        ):
            outcome = counterec(*args)
            assert outcome.status == 1
            assert f"(there is no folder {nowhere}, and none is made); name another file" in outcome.error
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["show", "explain", "whatif"])
@pytest.mark.parametrize("width", [60, 80])
def test_tables_are_readable_at_60_columns(
    tiny_run: Path, command: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams.out, "width", width)
    outcome = counterec(*asked(tiny_run, command))
    lines = outcome.out.splitlines()
    assert lines
    assert max(map(len, lines)) <= width
    assert "…" not in outcome.out, "nothing is cut off"
