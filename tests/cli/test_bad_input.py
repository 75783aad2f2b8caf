"""Every kind of bad input: one line naming file, line and value, or a count in the manifest and a warning."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from counterec import open_run
from tests.cli.files import FIRST, FORMATS, Outcome, Record, counterec, json_lines, mentions, reviews, write

pytestmark = pytest.mark.slow


@pytest.fixture
def refused(tmp_path: Path, quickly) -> Callable[..., str]:
    """Run on a file with this content, which must be refused; return the error message."""

    def refused(name: str, content: bytes, *options: object, status: int = 1) -> str:
        path = tmp_path / name
        path.write_bytes(content)
        outcome: Outcome = quickly(path, *options)
        assert outcome.status == status
        message = outcome.error
        assert message.isprintable()
        assert nothing_is_in_place(tmp_path / "run")
        return message

    return refused


def nothing_is_in_place(run: Path) -> bool:
    """Whether a run folder holds nothing that could be taken for a result."""
    return {path.name for path in run.glob("*")} <= {"manifest.json", ".partial"}


@pytest.fixture
def accepted(tmp_path: Path, quickly) -> Callable[..., tuple[dict[str, Any], list[str]]]:
    """Run on a file with this content; return the counts of the manifest and the warnings."""

    def accepted(name: str, content: bytes, *options: object) -> tuple[dict[str, Any], list[str]]:
        path = tmp_path / name
        path.write_bytes(content)
        outcome: Outcome = quickly(path, "--quiet", *options)
        assert outcome.status == 0, outcome.err
        stages = json.loads((tmp_path / "run" / "manifest.json").read_text())["stages"]
        warned = [line.removeprefix("warning: ") for line in outcome.warnings]
        assert [line for stage in stages.values() for line in stage["warnings"]] == warned
        counts = stages["read"]["counts"]
        counts["problems"] = {name: problem["count"] for name, problem in counts["problems"].items()}
        return {**counts, **stages["split"]["counts"]}, warned

    return accepted


def spoiled(*places: int, **values: Any) -> list[Record]:
    """Good reviews, a few of them with other values."""
    rows = reviews()
    for place in places:
        rows[place] = {**rows[place], **values}
    return rows


class TestFiles:
    @pytest.mark.parametrize("named", [False, True], ids=["guessed", "named"])
    @pytest.mark.parametrize("kind", FORMATS)
    def test_empty(self, refused, tmp_path, kind: str, named: bool) -> None:
        name, format_, _ = FORMATS[kind]
        options = ["--format", format_] if named else []
        assert f"{tmp_path / name} is empty; check" in refused(name, b"", *options)

    def test_blank(self, refused) -> None:
        assert "has no rows" in refused("r.json", b"\n\n", "--format", "jsonl")

    @pytest.mark.parametrize("kind", ["jsonl", "csv", "fact", "parquet"])
    def test_truncated_gzip(self, refused, tmp_path, kind: str) -> None:
        name, format_, content = FORMATS[kind]
        packed = gzip.compress(content())
        message = refused(f"{name}.gz", packed[: len(packed) * 2 // 3], "--format", format_)
        assert f"{tmp_path / name}.gz is cut off" in message
        assert "copy or download it again" in message

    def test_missing(self, tmp_path: Path, quickly) -> None:
        for options in ([], ["--format", "csv"]):
            outcome = quickly(tmp_path / "none.json", *options)
            assert outcome.status == 1
            assert str(tmp_path / "none.json") in outcome.error
            assert "check the path" in outcome.error

    def test_folder(self, tmp_path: Path, quickly) -> None:
        for options in ([], ["--format", "csv"]):
            outcome = quickly(tmp_path, *options)
            assert outcome.status == 1
            assert str(tmp_path) in outcome.error

    def test_what_cannot_be_guessed(self, refused) -> None:
        message = refused("r.txt", b"Dear diary\n")
        assert "'Dear diary\\n'" in message
        assert "pass --format" in message

    def test_an_item_file_that_names_nothing(self, source: Path, tmp_path: Path, quickly) -> None:
        (tmp_path / "names.csv").write_text("id,price\ni00,5\n")
        outcome = quickly(source, "--items", tmp_path / "names.csv")
        assert outcome.status == 1
        assert f"{tmp_path / 'names.csv'} has no column 'name' or 'title'" in outcome.error

    def test_an_item_file_that_names_other_items(self, source: Path, tmp_path: Path, quickly) -> None:
        (tmp_path / "names.csv").write_text("id,name\nB00X,A phone\n")
        outcome = quickly(source, "--items", tmp_path / "names.csv", "--quiet")
        assert outcome.status == 0
        warning = f"warning: {tmp_path / 'names.csv'} names none of the 16 items: its ids are others, such as 'B00X'"
        assert warning in outcome.warnings
        assert open_run(tmp_path / "run").manifest.stages["build"].counts["items_named"] == 0

    def test_an_item_file_that_is_not_there(self, source: Path, tmp_path: Path, quickly) -> None:
        outcome = quickly(source, "--items", tmp_path / "names.csv")
        assert outcome.status == 1
        assert str(tmp_path / "names.csv") in outcome.error


class TestLines:
    def test_no_json_at_all(self, refused, tmp_path) -> None:
        message = refused("r.json", b"{'user': 1}\n" * 20, "--format", "jsonl")
        assert f"{tmp_path / 'r.json'}: 20 of 20 rows cannot be used as jsonl" in message
        assert "r.json line 1: not JSON, \"{'user': 1}\\n\"; check --format" in message

    def test_some_that_are_no_json(self, accepted) -> None:
        counts, warnings = accepted("r.json", json_lines(reviews()) + b'{"user": "u1", \n[]\n')
        assert counts["problems"] == {"not JSON": 1, "not a JSON object": 1}
        assert warnings[0].startswith("1 × not JSON (skipped); the first at r.json line 67: ")

    def test_missing_fields(self, accepted) -> None:
        rows = [*reviews(), {"item": "i1"}, {"user": "u00"}, {"user": "u00", "item": "i99", "time": FIRST}]
        counts, warnings = accepted("r.json", json_lines(rows))
        assert counts["problems"] == {"no user": 1, "no item": 1, "no rating": 1, "no text": 1}
        assert counts["reviews"] == 67
        assert any("no user (skipped); the first at r.json line 67" in warning for warning in warnings)

    def test_a_table_without_its_columns(self, refused, tmp_path) -> None:
        message = refused("r.csv", b"name,item,text\nu,i,good\n")
        assert message.startswith(f"{tmp_path / 'r.csv'} has no column 'user' or 'user_id'")
        assert message.endswith("its columns are 'name', 'item', 'text': pass --columns user=NAME")

    def test_a_rating_that_is_text(self, accepted) -> None:
        counts, warnings = accepted("r.json", json_lines(spoiled(3, 5, rating="five stars")))
        assert counts["problems"] == {"rating is not a number": 2}
        assert warnings[0] == "2 × rating is not a number (left empty); the first at r.json line 4: 'five stars'"

    def test_times_missing_for_some(self, accepted) -> None:
        counts, warnings = accepted("r.json", json_lines(spoiled(0, 1, 2, time=None)))
        assert counts["problems"] == {"no time": 3}
        assert (counts["order"], counts["rows_without_time"]) == ("time", 3)
        assert "3 reviews have no time and count as the earliest of their user" in warnings

    def test_times_missing_for_all(self, accepted) -> None:
        counts, warnings = accepted("r.json", json_lines([{**row, "time": ""} for row in reviews()]))
        assert counts["order"] == "seeded draw"
        assert "no review has a time: the held-out reviews were drawn by the seed" in warnings

    def test_a_time_that_cannot_be_read(self, accepted) -> None:
        counts, warnings = accepted("r.json", json_lines(spoiled(7, time="long ago")))
        assert counts["problems"] == {"time cannot be read": 1}
        assert warnings[0].endswith("the first at r.json line 8: 'long ago'")

    def test_duplicate_rows(self, accepted) -> None:
        rows = reviews()
        counts, warnings = accepted("r.json", json_lines([*rows, *rows[:4], {**rows[5], "time": 1}]))
        assert (counts["reviews_read"], counts["earlier_reviews_dropped"], counts["reviews"]) == (71, 5, 66)
        assert "5 earlier reviews of an item by the same user (dropped)" in warnings

    def test_a_user_with_one_review(self, accepted) -> None:
        counts, warnings = accepted("r.json", json_lines([*reviews(), {**reviews()[0], "user": "passer-by"}]))
        assert (counts["users_read"], counts["users_dropped"], counts["users"]) == (7, 1, 6)
        assert "1 of 7 users have fewer than 10 reviews (left out; --min-user-reviews)" in warnings

    def test_a_review_of_ten_megabytes(self, accepted, tmp_path) -> None:
        text = "The battery is great. " + "blah" * 50 * 50_000 + " The screen is awful."
        counts, _ = accepted("r.json", json_lines(spoiled(0, text=text)))
        assert counts["problems"] == {}
        longest = open_run(tmp_path / "run").reviews["text"].str.len_chars().max()
        assert longest == len(text) > 10_000_000

    def test_nul_bytes_and_broken_utf8(self, accepted, tmp_path) -> None:
        lines = json_lines(reviews()).splitlines(keepends=True)
        lines[2] = lines[2].replace(b"The", b"Th\xff\xfe", 1)
        lines[4] = lines[4].replace(b'"u0', b'"\\u0000u0', 1)
        lines[6] = lines[6].replace(b"The", b"\x00The", 1)
        counts, warnings = accepted("r.json", b"".join(lines))
        assert counts["problems"] == {"NUL or half a character": 2, "broken UTF-8": 1}
        assert any(warning.startswith("1 × broken UTF-8") and "r.json line 3" in warning for warning in warnings)
        assert counts["users"] == 6
        texts = "".join(open_run(tmp_path / "run").reviews["text"])
        assert "\0" not in texts
        assert "�" in texts


class TestThresholds:
    def test_no_user_left(self, refused) -> None:
        message = refused("r.json", json_lines(reviews()), "--min-user-reviews", 20)
        assert "no user is left with --min-user-reviews 20" in message
        assert message.endswith("the most active of 6 users has 11 reviews; try --min-user-reviews 11")

    def test_what_it_says_would_pass_does(self, source: Path, quickly) -> None:
        assert quickly(source, "--min-user-reviews", 11, "--quiet").status == 0

    def test_nobody_could_be_left(self, refused) -> None:
        message = refused("r.json", json_lines(reviews(per_user=3)))
        assert "has 3, and the split needs 7 per user; add more reviews" in message

    def test_no_training_review(self, refused) -> None:
        message = refused("r.json", json_lines(reviews()), "--min-user-reviews", 6, status=2)
        assert "--min-user-reviews 6 leaves users no training review" in message
        assert message.endswith("pass 7 or more")

    def test_too_few_items_to_sample(self, source: Path, tmp_path: Path, quickly) -> None:
        outcome = quickly(source, "--protocol", "sampled", "--quiet")
        assert "6 of 6 users have fewer than 100 items to sample; they get all" in outcome.err
        counts = open_run(tmp_path / "run").manifest.stages["candidates"].counts
        assert counts == {"candidates": 6 * (5 + 16 - 11), "users_short_of_negatives": 6}

    def test_no_aspect_left(self, source: Path, quickly) -> None:
        outcome = quickly(source, more="[aspects]\nmin_mentions = 1000\n")
        assert outcome.status == 1
        assert "no aspect has 1000 mentions in the training part (the most frequent has " in outcome.error
        assert "lower aspects.min_mentions = 1000" in outcome.error

    def test_no_opinion_in_any_text(self, tmp_path: Path, quickly) -> None:
        path = tmp_path / "r.json"
        path.write_bytes(json_lines([{**row, "text": "Lorem ipsum"} for row in reviews()]))
        outcome = quickly(path)
        assert outcome.status == 1
        assert "no opinion on any aspect was found" in outcome.error


class TestMentions:
    def test_empty_and_punctuation_only_aspects(self, accepted) -> None:
        rows = mentions()
        for place, aspect in ((0, ""), (2, "  "), (4, "--!")):
            rows[place]["aspect"] = aspect
        counts, warnings = accepted("m.jsonl", json_lines(rows))
        assert counts["problems"] == {"no letter or digit in the aspect": 3}
        assert warnings[0].startswith("3 × no letter or digit in the aspect (skipped); the first at m.jsonl line 1: ")

    def test_a_sentiment_that_is_none(self, accepted) -> None:
        rows = mentions()
        rows[1]["sentiment"] = 0
        counts, warnings = accepted("m.jsonl", json_lines(rows))
        assert counts["problems"] == {"sentiment is neither +1 nor -1": 1}
        assert warnings[0].endswith("m.jsonl line 2: 0")

    def test_a_broken_line_of_fact(self, accepted) -> None:
        counts, warnings = accepted("t.txt", FORMATS["fact"][2]() + b"1,2,3,4\n")
        assert sum(counts["problems"].values()) == 1
        assert "t.txt line 133" in warnings[0]


class TestRunFolder:
    @pytest.mark.parametrize("file", ["aspects.safetensors", "explanations/relaxed-masked.parquet", "manifest.json"])
    def test_a_changed_byte(self, own_run: Path, file: str) -> None:
        data = bytearray((own_run / file).read_bytes())
        data[len(data) // 2] ^= 1
        (own_run / file).write_bytes(data)
        outcome = counterec("show", own_run)
        assert outcome.status == 1
        assert outcome.error.startswith(f"{own_run / file}: ")

    def test_a_changed_byte_stops_the_next_run_too(self, source: Path, tmp_path: Path, quickly) -> None:
        quickly(source, "--quiet")
        with (tmp_path / "run" / "split.parquet").open("r+b") as file:
            file.seek(100)
            file.write(b"?")
        outcome = quickly(source)
        assert outcome.status == 1
        assert f"{tmp_path / 'run' / 'split.parquet'}: changed since it was written" in outcome.error

    @pytest.mark.parametrize("where", ["file", "file/run", "full"])
    def test_an_output_folder_that_cannot_be_written(self, source: Path, tmp_path: Path, where: str) -> None:
        (tmp_path / "file").write_text("precious")
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "thesis.tex").write_text("precious")
        outcome = counterec("run", source, "--out", tmp_path / where)
        assert outcome.status == 1
        assert outcome.error.startswith(f"{tmp_path / where}: ")
        assert outcome.error.endswith("with --out")
        assert (tmp_path / "file").read_text() == (tmp_path / "full" / "thesis.tex").read_text() == "precious"

    def test_no_run_folder(self, tmp_path: Path) -> None:
        for command in ("show", "report"):
            outcome = counterec(command, tmp_path)
            assert outcome.status == 1
            assert "not a run folder (it has no manifest.json); make one with counterec run" in outcome.error

    def test_a_run_that_failed_leaves_a_folder_that_the_next_may_use(self, source: Path, tmp_path, quickly) -> None:
        assert quickly(source, more="[aspects]\nmin_mentions = 1000\n").status == 1
        for command in ("show", "report"):
            outcome = counterec(command, tmp_path / "run")
            assert outcome.status == 1
            assert "the last run was cut short; run it again" in outcome.error
        again = quickly(source)
        assert again.status == 0
        assert again.err.count("unchanged") == 3  # read, split, extract


def test_the_files_these_tests_spoil_are_good(tmp_path: Path, accepted) -> None:
    counts, _ = accepted("r.json", json_lines(reviews()))
    assert counts["problems"] == {}
    assert counts["earlier_reviews_dropped"] == counts["users_dropped"] == 0
    assert write(tmp_path, "jsonl").read_bytes() == json_lines(reviews())
