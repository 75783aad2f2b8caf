"""Whatever bytes a file holds, every reader gives rows or a one-line error, and every row is accounted for."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from counterec.data.files import guess_format
from counterec.data.problems import PROBLEMS, Tally
from counterec.data.readers import first_look, read
from counterec.data.source import FORMATS, Source, is_mentions
from counterec.errors import CounterecError

BOUNDED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
REVIEW = {"user": "A1", "item": "B1", "text": 'Good, "very" good', "time": "13/1/2020", "rating": 5}
MENTION = {"user": "A1", "item": "B1", "aspect": "battery", "sentiment": 1, "time": "2020-01-13"}


def as_csv(record: dict[str, object], order: list[str], end: str = "\n", rows: int = 12) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, order, lineterminator=end)
    writer.writeheader()
    writer.writerows([record] * rows)
    return text.getvalue().encode()


def as_parquet(record: dict[str, object]) -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame([record] * 12).write_parquet(buffer)
    return buffer.getvalue()


AMAZON = {"reviewerID": "A", "asin": "B", "reviewText": "x", "overall": 4, "reviewTime": "03 13, 2012"}
YELP = {"user_id": "A", "business_id": "B", "text": "x", "stars": 4, "date": "2012-03-13", "review_id": "r"}
WHOLE = {
    "amazon": (json.dumps(AMAZON) + "\n").encode() * 12,
    "yelp": (json.dumps(YELP) + "\n").encode() * 12,
    "jsonl": (json.dumps(REVIEW) + "\n").encode() * 12,
    "csv": as_csv(REVIEW, list(REVIEW)),
    "parquet": as_parquet(REVIEW),
    "mentions": as_csv(MENTION, list(MENTION)),
    "fact": b"1,0,4,1 1 2 -1\n" * 12,
}


def refusal(work: Callable[[], object]) -> str:
    """The message of the error that refuses this work; empty if none does. Any other error is a failure."""
    try:
        work()
    except CounterecError as error:
        return str(error)
    return ""


def read_or_refused(path: Path, format: str) -> int | str:
    """Read a file in every way that a check does: the number of usable rows, or a one-line error."""
    source, tally, frames = Source(path, format), Tally(), list[pl.DataFrame]()
    refused = [
        refusal(lambda: guess_format(path)),
        refusal(lambda: frames.extend(read(source, tally))) or refusal(lambda: first_look(source)),
    ]
    assert all(not message or message.isprintable() for message in refused)
    assert set(tally.problems) | set(tally.dropped) <= set(PROBLEMS)
    if refused[1]:
        return refused[1]
    rows = sum(frame.height for frame in frames)
    if not is_mentions(format):  # a line of fact has several mentions
        assert tally.rows == rows + sum(tally.dropped.values())
    return rows


def test_there_is_a_sample_of_every_format(tmp_path) -> None:
    assert set(WHOLE) == set(FORMATS)
    for format, data in WHOLE.items():
        (tmp_path / format).write_bytes(data)
        assert read_or_refused(tmp_path / format, format) == (24 if format == "fact" else 12)


@pytest.mark.parametrize("format", FORMATS)
@BOUNDED
@given(data=st.binary(min_size=1, max_size=300), packed=st.booleans())
def test_random_bytes(tmp_path, format, data, packed) -> None:
    path = tmp_path / "random"
    path.write_bytes(gzip.compress(data) if packed else data)
    read_or_refused(path, format)


@pytest.mark.parametrize("format", FORMATS)
@BOUNDED
@given(cut=st.floats(0.01, 1), noise=st.binary(max_size=20), packed=st.booleans())
def test_files_that_are_cut_off_and_go_on_with_noise(tmp_path, format, cut, noise, packed) -> None:
    data = gzip.compress(WHOLE[format]) if packed else WHOLE[format]
    path = tmp_path / "cut"
    path.write_bytes(data[: max(1, int(cut * len(data)))] + noise)
    read_or_refused(path, format)


TEXTS = st.text(st.sampled_from("ab\",;\t\r\n'é�/1."), max_size=12)


@BOUNDED
@given(lines=st.lists(TEXTS, max_size=12), codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be"]))
def test_tables_of_quotes_delimiters_and_line_ends(tmp_path, lines, codec) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(("user,item,text,time,rating\nA,B,x,,\n" + "\n".join(lines)).encode(codec))
    read_or_refused(path, "csv")


@BOUNDED
@given(
    order=st.permutations(list(REVIEW)),
    ends=st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=13, max_size=13),
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"]),
)
def test_shuffled_columns_and_mixed_line_ends_change_nothing(tmp_path, order, ends, codec) -> None:
    lines = as_csv(REVIEW, order).decode().splitlines()
    path = tmp_path / "r.csv"
    path.write_bytes("".join(line + end for line, end in zip(lines, ends, strict=True)).encode(codec))
    assert guess_format(path) == "csv"
    tally = Tally()
    (frame,) = read(Source(path, "csv"), tally)
    assert frame.select("user_id", "item_id", "text", "rating").unique().rows() == [("A1", "B1", REVIEW["text"], 5.0)]
    assert frame.height == 12
    assert tally.problems == {}


@BOUNDED
@given(
    rows=st.lists(
        st.tuples(TEXTS.filter(lambda text: "\r" not in text), st.sampled_from(["", '"'])), min_size=8, max_size=30
    )
)
def test_an_open_quote_loses_its_own_row_alone(tmp_path, rows) -> None:
    """Of rows on one line each, only those with an open quote may be lost."""
    plain = [(text.replace('"', "").replace("\n", " ").replace(",", " "), quote) for text, quote in rows]
    content = "".join(f"A{number},B,{quote}x{text}\n" for number, (text, quote) in enumerate(plain))
    whole = [f"A{number}" for number, (_, quote) in enumerate(plain) if not quote]
    path = tmp_path / "r.csv"
    path.write_text("user,item,text\n" + content, newline="")
    if 2 * len(whole) >= len(rows):
        (frame,) = read(Source(path, "csv"), Tally())
        assert frame["user_id"].to_list() == whole
