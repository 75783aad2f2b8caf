"""A check before any work: the counts of a messy file are those that were planted, and everything adds up."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec import make_config
from counterec.data.problems import PROBLEMS
from counterec.pipeline.check import check_settings, check_sources
from tests.cli.files import FORMATS, json_lines, mentions, reviews, write
from tests.data.messy import FAULTS, ROWS, write_messy


def config_for(*paths: Path, **parts: dict[str, object]):
    data = {"sources": [str(path) for path in paths], **parts.pop("data", {})}
    return make_config({"data": data, **parts}, "test")


@pytest.mark.parametrize("seed", [0, 1])
def test_every_count_of_a_messy_file_is_what_was_planted(tmp_path: Path, seed: int) -> None:
    planted = write_messy(tmp_path / "messy.csv", seed).counts
    assert len(FAULTS) >= 20
    report = check_sources(config_for(tmp_path / "messy.csv"))
    reasons = {name: count for name, count in planted.items() if PROBLEMS.get(name, "skipped") == "skipped"}
    foreign = reasons.pop("not English")
    assert dict(report.dropped) == reasons
    assert dict(report.problems) == {
        name: count for name, count in planted.items() if name in PROBLEMS.keys() - reasons
    }
    assert report.not_english == foreign
    assert report.rows == ROWS == report.kept + sum(reasons.values())
    assert (report.users, report.items, report.reviews) == (100, 150, report.kept)
    (file,) = report.files
    assert file.encoding == f"UTF-8, {planted['Latin-1 instead of UTF-8']:,} lines Latin-1"
    assert set(file.look.line_ends.split(" and ")) == {"LF", "CR LF", "CR"}
    assert file.look.dates[0] == "d/m/Y"


@pytest.mark.parametrize("kind", FORMATS)
def test_a_good_file_of_every_format(tmp_path: Path, kind: str) -> None:
    config = config_for(write(tmp_path, kind))
    report = check_sources(config)
    check_settings(config, report)
    assert (report.users, report.items, report.reviews) == (6, 16, 66)
    assert report.rows == report.kept
    assert not report.dropped
    assert not report.problems
    assert {"user", "item"} <= report.files[0].look.columns.keys()


def test_mentions_of_an_earlier_review_and_of_passers_by(tmp_path: Path) -> None:
    rows = mentions()
    more = [{**rows[0], "time": rows[0]["time"] - 1}, {**rows[0], "user": "x"}, {**rows[0], "user": "x", "aspect": "-"}]
    (tmp_path / "m.jsonl").write_bytes(json_lines([*rows, *more]))
    report = check_sources(config_for(tmp_path / "m.jsonl"))
    assert dict(report.dropped) == {
        "no letter or digit in the aspect": 1,
        "an earlier review of the same item": 1,
        "a user with fewer than 10 reviews": 1,
    }
    assert report.kept == len(rows)


def test_lists_that_hold_everything_are_warned_of(tmp_path: Path) -> None:
    """16 items, 11 reviews a user, 5 held out: 10 items compete."""
    (tmp_path / "r.jsonl").write_bytes(json_lines(reviews()))
    assert check_sources(config_for(tmp_path / "r.jsonl", lists={"k": 9})).cautions == ()
    (said,) = check_sources(config_for(tmp_path / "r.jsonl", lists={"k": 10})).cautions
    assert said.startswith("for 6 of 6 users no more than 10 of the 16 items compete for a list of 10")


GERMAN = "Das ist wirklich ein sehr gutes Gerät, und der Klang ist auch nach vielen Wochen noch schön."


@pytest.mark.parametrize(("share", "refused", "warned"), [(0.0, False, False), (0.3, False, True), (1.0, True, False)])
def test_texts_in_another_language(tmp_path: Path, share: float, refused: bool, warned: bool) -> None:
    rows = reviews()
    foreign = [{**row, "text": GERMAN} if at < share * len(rows) else row for at, row in enumerate(rows)]
    (tmp_path / "r.jsonl").write_bytes(json_lines(foreign))
    report = check_sources(config_for(tmp_path / "r.jsonl"))
    assert ("texts are not in English, and aspects are found in English reviews only" in report.refusal) == refused
    assert any("no aspects are looked for in them" in line for line in report.cautions) == warned
