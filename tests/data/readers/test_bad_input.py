"""Broken files: what is skipped and counted, and what is refused in one line."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from counterec.data import files as files_module
from counterec.data.files import guess_format
from counterec.data.problems import LONGEST_SHOWN, PROBLEMS, Tally, shown
from counterec.data.readers import read
from counterec.data.source import FORMATS, Source
from counterec.errors import CounterecError, ReadError

GOOD = {"user": "A1", "item": "B1", "text": "Good.", "rating": 5, "time": 1_500_000_000}


def refusal(path: Path, format: str) -> str:
    """Read a source that must be refused; return the one-line message."""
    with pytest.raises(ReadError) as caught:
        list(read(Source(path, format), Tally()))
    message = str(caught.value)
    assert message.isprintable()
    assert str(path) in message
    return message


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ["empty", "empty.gz"])
def test_an_empty_file(write, format, name) -> None:
    path = write(name, b"")
    assert "is empty; check" in refusal(path, format)
    with pytest.raises(ReadError, match="is empty"):
        guess_format(path)


@pytest.mark.parametrize(("format", "content"), [("jsonl", "\n \n"), ("fact", "\n"), ("csv", "user,item,text\n")])
def test_a_file_without_rows(write, format, content) -> None:
    assert "has no rows; check" in refusal(write("r", content), format)


@pytest.mark.parametrize("format", FORMATS)
def test_a_truncated_gzip(tmp_path, format) -> None:
    path = tmp_path / "r.gz"
    path.write_bytes(gzip.compress(os.urandom(5000))[:3000])
    assert "is cut off" in refusal(path, format)


def test_a_truncated_gzip_names_the_last_line_it_could_read(tmp_path) -> None:
    records = [{**GOOD, "user": str(number), "text": os.urandom(20).hex()} for number in range(5000)]
    whole = gzip.compress("".join(json.dumps(record) + "\n" for record in records).encode())
    path = tmp_path / "r.json.gz"
    path.write_bytes(whole[: len(whole) // 2])
    message = refusal(path, "jsonl")
    after = int(message.split("after line ")[1].split(":")[0])
    assert 2000 < after < 3000
    assert "copy or download it again" in message


def test_lines_that_are_not_json_are_skipped_and_counted(write, read_all) -> None:
    good = json.dumps(GOOD)
    path = write("r.json", f"{good}\nnot json\n{good}\n[1, 2]\n\n{good}\n{'[' * 100_000}\n{good}\n")
    frame, tally = read_all(path, "jsonl")
    assert frame.height == 4
    assert tally.rows == 7
    assert tally.as_dict()["problems"] == {
        "not JSON": {"count": 2, "done": "skipped", "where": "r.json line 2", "value": "'not json\\n'"},
        "not a JSON object": {"count": 1, "done": "skipped", "where": "r.json line 4", "value": "'[1, 2]\\n'"},
    }
    assert tally.warnings()[0] == "2 × not JSON (skipped); the first at r.json line 2: 'not json\\n'"


def test_a_source_that_is_mostly_unusable_is_refused(write) -> None:
    message = refusal(write("r.json", f"{json.dumps(GOOD)}\n\nnot json\nnor this\n"), "jsonl")
    assert "2 of 3 rows cannot be used as jsonl; the first at r.json line 3: not JSON, 'not json\\n'" in message
    assert message.endswith("check --format and --columns")


def test_a_source_that_is_unusable_from_the_start_is_refused_early(write) -> None:
    path = write("r.json", "not json\n" * 5000)
    tally = Tally()
    with pytest.raises(ReadError, match="1,000 of 1,000 rows"):
        list(read(Source(path, "jsonl"), tally))
    assert tally.rows == 1000


def test_a_bad_source_is_judged_by_itself_not_with_the_good_ones_before_it(write) -> None:
    tally = Tally()
    list(read(Source(write("good.json", [GOOD] * 10), "jsonl"), tally))
    with pytest.raises(ReadError, match=r"bad\.json line 1"):
        list(read(Source(write("bad.json", "no\nno\n"), "jsonl"), tally))
    assert tally.rows == 12


def test_missing_fields(write, read_all) -> None:
    records = [
        GOOD,
        GOOD,
        GOOD,
        {"item": "B1"},
        {"user": " ", "item": "B1"},
        {"user": "A1"},
        {"user": "A2", "item": "B2"},
    ]
    frame, tally = read_all(write("r.json", records), "jsonl")
    assert frame.height == 4
    assert frame.row(3) == ("A2", "B2", None, None, None)
    assert {name: problem.count for name, problem in tally.problems.items()} == {
        "no user": 2,
        "no item": 1,
        "no time": 1,
        "no rating": 1,
        "no text": 1,
    }
    assert tally.problems["no user"].where == "r.json line 4"


def test_a_rating_that_is_text_and_a_time_that_is_not_one(write, read_all) -> None:
    records = [{**GOOD, "rating": "five stars", "time": "long ago"}, {**GOOD, "rating": "4"}, {**GOOD, "rating": True}]
    frame, tally = read_all(write("r.json", records), "jsonl")
    assert frame["rating"].to_list() == [None, 4.0, None]
    assert frame["time"].null_count() == 1
    assert tally.count("rating is not a number") == 2
    assert tally.problems["rating is not a number"].value == "'five stars'"
    assert tally.problems["time cannot be read"].value == "'long ago'"


def test_an_endless_line_is_refused_before_it_fills_up_memory(write, monkeypatch) -> None:
    monkeypatch.setattr(files_module, "LONGEST_LINE", 1 << 20)
    assert "line 2 is longer than 1 MB; put each record" in refusal(write("r.json", "\n" + " " * (2 << 20)), "jsonl")


def test_nul_bytes_and_broken_utf8(write, read_all) -> None:
    line = b'{"user": "A\x00\xff1", "item": "B\\u0000\\ud8001", "text": "Gut\xe9 \\ud83d\\ude00"}\n'
    frame, tally = read_all(write("r.json", line), "jsonl")
    assert frame.select("user_id", "item_id", "text").row(0) == ("A�1", "B1", "Gut� 😀")
    assert tally.count("NUL or half a character") == 2
    assert tally.count("broken UTF-8") == 1
    assert tally.problems["broken UTF-8"].where == "r.json line 1"


def test_rows_of_a_csv_that_do_not_fit_are_counted_and_the_next_ones_read(write, read_all) -> None:
    rows = [
        'A1,B1,"two\nlines"',
        "A2,B2",
        'A3,"B"3,x',
        "A4,B4,y",
        "",
        "A5,B5,z",
        'A6,B6,"open',
        "A7,B7,read all the same",
    ]
    frame, tally = read_all(write("r.csv", "user,item,text\n" + "\n".join(rows)), "csv")
    assert frame["user_id"].to_list() == ["A1", "A4", "A5", "A7"]
    assert frame["text"].to_list() == ["two\nlines", "y", "z", "read all the same"]
    assert tally.rows == 7
    assert tally.count("not a row of this table") == 2
    assert tally.count("quote that is not closed") == 1
    assert tally.dropped == {"not a row of this table": 2, "quote that is not closed": 1}
    assert tally.problems["not a row of this table"].where == "r.csv line 4"


@pytest.mark.parametrize(
    "after",
    [
        ["A2,B2,plain"],
        ['A2,B2,"quoted"', 'A3,B3,"also, quoted"'],
        ["A2,B2,plain", 'A3,B3,12"'],  # closes the quote by chance, and makes a row of three cells
        [f"A{number},B,plain" for number in range(2, 1200)],
    ],
)
def test_an_open_quote_loses_its_own_line_and_no_other(write, read_all, after) -> None:
    path = write("r.csv", "\n".join(["user,item,text", "A0,B0,x", 'A1,B1,"open', *after]) + "\n")
    frame, tally = read_all(path, "csv")
    assert frame["user_id"].to_list() == ["A0", *(row.split(",")[0] for row in after)]
    assert {
        name: problem.count for name, problem in tally.problems.items() if name not in ("no time", "no rating")
    } == {"quote that is not closed": 1}
    problem = tally.problems["quote that is not closed"]
    assert (problem.where, problem.value) == ("r.csv line 3", "'A1,B1,\"open\\n'")


def test_broken_lines_of_fact(write, read_all) -> None:
    content = "1,0,4,1 1 2 -1\n1,0,4,1 1 2\n1,0,4\n2,0,4,\n3,0,4,5 0 6 1\n4,0,bad,7 1\n5,0,5,8 1\n"
    frame, tally = read_all(write("t.txt", content), "fact")
    assert frame.select("user_id", "aspect").rows() == [("1", "1"), ("1", "2"), ("3", "6"), ("4", "7"), ("5", "8")]
    assert {name: problem.count for name, problem in tally.problems.items()} == {
        "not a line of user,item,rating,aspect sentiment …": 2,
        "no mention": 1,
        "sentiment is neither +1 nor -1": 1,
        "rating is not a number": 1,
    }


def test_a_file_that_is_not_parquet_is_refused(write) -> None:
    assert "is not a readable Parquet file" in refusal(write("r.parquet", b"PAR1 and then nothing"), "parquet")
    with pytest.raises(ReadError, match="is not a readable Parquet file"):
        guess_format(write("r.parquet", b"PAR1 and then nothing"))


def outcome(path: Path, format: str, tally: Tally) -> str:
    """Read a source; return its number of rows, or the message of the error."""
    try:
        rows = sum(chunk.height for chunk in read(Source(path, format), tally))
    except CounterecError as error:
        return str(error)
    assert rows > 0
    return f"{rows} rows"


SAMPLES = {
    "jsonl": "".join(json.dumps({**GOOD, "user": number}) + "\n" for number in range(20)).encode(),
    "csv": b"user,item,text\n" + b'A1,B1,"Good"\n' * 20,
    "fact": b"1,0,4,1 1 2 -1\n" * 20,
}


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(SAMPLES)), st.integers(0), st.binary(max_size=4), st.booleans())
def test_damage_anywhere_gives_rows_or_a_one_line_error(tmp_path, format, place, damage, packed) -> None:
    data = gzip.compress(SAMPLES[format]) if packed else SAMPLES[format]
    place %= len(data)
    path = tmp_path / "damaged"
    path.write_bytes(data[:place] + damage + data[place + 2 :])
    tally = Tally()
    assert outcome(path, format, tally).isprintable()
    assert all(warning.isprintable() for warning in tally.warnings())
    assert set(tally.problems) <= set(PROBLEMS)
    assert json.loads(json.dumps(tally.as_dict())) == tally.as_dict()


@given(st.recursive(st.text() | st.binary() | st.integers() | st.floats() | st.none(), st.lists))
def test_a_shown_value_is_short_and_on_one_line(value: object) -> None:
    text = shown(value)
    assert text.isprintable()
    assert len(text) <= LONGEST_SHOWN * 10 + 4  # every character may need an escape
