"""``counterec report``: one HTML file, where it is wanted."""

from __future__ import annotations

from pathlib import Path

from tests.cli.files import counterec


def test_into_the_run_folder_by_default(own_run: Path) -> None:
    outcome = counterec("report", own_run)
    assert outcome.status == 0, outcome.err
    assert outcome.out == f"The report is in {own_run / 'report.html'}\n"
    assert (own_run / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_elsewhere_without_text(tiny_run: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "shown.html"
    outcome = counterec("report", tiny_run, "--out", target, "--no-text")
    assert outcome.status == 0, outcome.err
    shown = target.read_text(encoding="utf-8")
    assert "U0004" not in shown
    assert not (tiny_run / "report.html").exists()


def test_what_goes_wrong_is_one_line(tmp_path: Path) -> None:
    assert "not a run folder" in counterec("report", tmp_path / "nowhere").error
