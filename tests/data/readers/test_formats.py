"""Every format: what is read from it, and how it is recognized."""

from __future__ import annotations

import gzip
from datetime import datetime

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from counterec.data.files import guess_format
from counterec.data.problems import Tally
from counterec.data.readers import MENTION_ROWS, MOST_ROWS, read, read_item_names
from counterec.data.source import FORMATS, Source, is_mentions
from counterec.data.tables import REVIEWS
from counterec.errors import ConfigError, ReadError

AMAZON = {
    "reviewerID": "A1",
    "asin": "B1",
    "reviewText": "Good strings.",
    "overall": 5.0,
    "unixReviewTime": 1_331_596_800,
    "reviewTime": "03 13, 2012",
}
YELP = {
    "review_id": "r",
    "user_id": "A1",
    "business_id": "B1",
    "text": "Good strings.",
    "stars": 5,
    "date": "2012-03-13 00:00:00",
}
PLAIN = {"user": "A1", "item": "B1", "text": "Good strings.", "rating": 5, "date": "2012-03-13"}
MENTION = {"user": "A1", "item": "B1", "aspect": "battery", "opinion": "good", "sentiment": 1}

GOOD_STRINGS = pl.DataFrame([("A1", "B1", datetime(2012, 3, 13), 5.0, "Good strings.")], dict(REVIEWS), orient="row")


def mentions_frame(*rows: tuple[object, ...]) -> pl.DataFrame:
    values = [
        (user, item, time, *mention, None, None, None, None, None, None, rating)
        for user, item, time, *mention, rating in rows
    ]
    return pl.DataFrame(values, dict(MENTION_ROWS), orient="row")


ONE_MENTION = mentions_frame(("A1", "B1", None, "battery", "good", 1, None))


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize(("format", "record"), [("amazon", AMAZON), ("yelp", YELP), ("jsonl", PLAIN)])
def test_reviews_as_json_lines(write, read_all, format, record, ending) -> None:
    path = write(f"reviews.json{ending}", [record])
    frame, tally = read_all(path, format)
    assert guess_format(path) == format
    assert_frame_equal(frame, GOOD_STRINGS)
    assert tally.as_dict() == {"rows": 1, "problems": {}}


def test_amazon_of_2018_without_unix_time_and_with_more_fields(write, read_all) -> None:
    record = {key: value for key, value in AMAZON.items() if key != "unixReviewTime"}
    frame, _ = read_all(write("r.json", [{**record, "vote": "3", "style": {"Size:": "L"}, "verified": True}]), "amazon")
    assert_frame_equal(frame, GOOD_STRINGS)


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_reviews_as_csv(write, read_all, delimiter, ending) -> None:
    rows = [["user_id", "item_id", "review", "stars", "timestamp"], ["A1", "B1", "Good strings.", "5", "1331596800"]]
    path = write(f"reviews.csv{ending}", "".join(delimiter.join(row) + "\r\n" for row in rows))
    assert guess_format(path) == "csv"
    assert_frame_equal(read_all(path, "csv")[0], GOOD_STRINGS)


@pytest.mark.parametrize("packed", [False, True])
def test_reviews_as_parquet(tmp_path, read_all, packed) -> None:
    path = tmp_path / "reviews.parquet"
    pl.DataFrame(
        {
            "user": [12, None],
            "item": [7.0, 8.0],
            "other": [[1], [2]],
            "text": [b"Good", b"Bad"],
            "time": [datetime(2012, 3, 13), None],
            "rating": pl.Series(["5", "1"], dtype=pl.Categorical()),
        }
    ).write_parquet(path)
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes()))
    assert guess_format(path) == "parquet"
    frame, tally = read_all(path, "parquet")
    assert frame.rows() == [("12", "7", datetime(2012, 3, 13), 5.0, "Good")]
    assert dict(frame.schema) == dict(REVIEWS)
    assert tally.problems["no user"].where == "reviews.parquet row 2"


def test_columns_under_names_that_the_caller_gives(write, read_all) -> None:
    path = write("r.csv", "who,what,user,body\nA1,B1,someone else,Good\n")
    frame, _ = read_all(path, "csv", user="who", item="what", text="body")
    assert frame.select("user_id", "item_id", "text").rows() == [("A1", "B1", "Good")]


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_a_column_that_the_caller_names_must_exist(write, read_all, format) -> None:
    path = write("r.csv", "user,item\nA1,B1\n") if format == "csv" else write("r.jsonl", [PLAIN, {"item": "no user"}])
    with pytest.raises(ReadError, match=r"'body'.*--columns text="):
        read_all(path, format, text="body")


def test_a_table_without_a_user_column_names_those_it_has(write, read_all) -> None:
    path = write("r.csv", "who,item,text\nA1,B1,Good\n")
    with pytest.raises(
        ReadError, match="for the user; its columns are 'who', 'item', 'text': pass --columns user=NAME"
    ):
        read_all(path, "csv")


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "csv.gz", "jsonl.gz"])
def test_mentions_as_a_table(tmp_path, write, read_all, kind) -> None:
    if kind == "parquet":
        path = tmp_path / "mentions.parquet"
        pl.DataFrame([MENTION]).write_parquet(path)
    else:
        header_and_row = ",".join(MENTION) + "\n" + ",".join(map(str, MENTION.values())) + "\n"
        path = write(f"mentions.{kind}", header_and_row if kind.startswith("csv") else [MENTION])
    assert guess_format(path) == "mentions"
    frame, tally = read_all(path, "mentions")
    assert_frame_equal(frame, ONE_MENTION)
    assert tally.problems == {}


def test_mentions_with_time_and_rating_and_without_opinion(write, read_all) -> None:
    path = write("m.csv", "user,item,aspect,sentiment,time,rating\nA1,B1,screen,negative,2012-03-13,2\n")
    frame, _ = read_all(path, "mentions")
    assert_frame_equal(frame, mentions_frame(("A1", "B1", datetime(2012, 3, 13), "screen", None, -1, 2.0)))


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_the_lines_of_fact(write, read_all, ending) -> None:
    path = write(f"train.txt{ending}", "1,0,4,1 1 2 -1\n\n13,2,5,7 1\n")
    assert guess_format(path) == "fact"
    frame, tally = read_all(path, "fact")
    expected = mentions_frame(
        ("1", "0", None, "1", None, 1, 4.0),
        ("1", "0", None, "2", None, -1, 4.0),
        ("13", "2", None, "7", None, 1, 5.0),
    )
    assert_frame_equal(frame, expected)
    assert tally.as_dict() == {"rows": 2, "problems": {}}


def test_which_formats_contain_mentions() -> None:
    assert [format for format in FORMATS if is_mentions(format)] == ["mentions", "fact"]


def test_gzip_is_recognized_by_its_bytes_not_its_name(tmp_path, read_all) -> None:
    path = tmp_path / "reviews.json"
    path.write_bytes(gzip.compress(b'{"user": "A1", "item": "B1", "text": "x"}\n'))
    assert guess_format(path) == "jsonl"
    assert read_all(path, "jsonl")[0].height == 1


def test_guessing_looks_past_a_broken_first_line(write) -> None:
    assert guess_format(write("r.json", "oops\n" + '{"reviewerID": "A", "asin": "B"}\n')) == "amazon"


@pytest.mark.parametrize("content", ["user and item\n", "[1, 2]\n", "\n\n", "1,2,3\n"])
def test_an_unclear_format_is_asked_for(write, content) -> None:
    with pytest.raises(ReadError, match=r"format is unclear.*pass --format"):
        guess_format(write("reviews.txt", content))


def test_a_source_checks_itself(tmp_path) -> None:
    with pytest.raises(ConfigError, match="unknown format 'xml'; choose one of amazon"):
        Source(tmp_path, "xml")
    with pytest.raises(ConfigError, match="unknown column 'name'"):
        Source(tmp_path, "csv", {"name": "x"})
    with pytest.raises(ConfigError, match="no named columns"):
        Source(tmp_path, "fact", {"user": "x"})


def test_chunks_are_bounded_by_rows_and_nothing_is_lost_between_them(write) -> None:
    count = MOST_ROWS * 2 + 5
    path = write("r.jsonl", ({"user": number, "item": "B1", "text": "x"} for number in range(count)))
    chunks = list(read(Source(path, "jsonl"), Tally()))
    assert [chunk.height for chunk in chunks] == [MOST_ROWS, MOST_ROWS, 5]
    assert pl.concat(chunks)["user_id"].to_list() == [str(number) for number in range(count)]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_chunks_are_bounded_by_text(tmp_path, kind) -> None:
    text = "word " * 200_000
    frame = pl.DataFrame({"user": range(40), "item": "B1", "text": text})
    path = tmp_path / f"r.{kind}"
    {"jsonl": frame.write_ndjson, "csv": frame.write_csv, "parquet": frame.write_parquet}[kind](path)
    chunks = list(read(Source(path, kind), Tally()))
    assert max(chunk["text"].str.len_chars().sum() for chunk in chunks) < 18_000_000
    assert sum(chunk.height for chunk in chunks) == 40


def test_a_large_parquet_is_read_in_slices_in_order(tmp_path, read_all) -> None:
    path = tmp_path / "r.parquet"
    pl.DataFrame({"user": range(50_000), "item": "B1", "text": "x"}).write_parquet(path, row_group_size=7_000)
    frame, tally = read_all(path, "parquet")
    assert frame["user_id"].cast(pl.Int64).to_list() == list(range(50_000))
    assert tally.rows == 50_000


NAMES = {"B1": "Blue strings", "B2": "A pick"}


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("n.csv", "id,name\nB1,old\nB1,Blue strings\nB2, A pick \nB3,\n"),
        ("n.csv", "price,business_id,title\n1,B1,Blue strings\n2,B2,A pick\n"),
        ("n.json", '{"asin": "B1", "title": "Blue\\n strings"}\n{"asin": "B2", "title": "A pick"}\n{"asin": "B3"}\n'),
        ("n.json", "{'asin': 'B1', 'title': \"Blue strings\"}\n{'asin': 'B2', 'title': 'A pick'}\n"),
    ],
)
def test_item_names(write, name, content, ending) -> None:
    tally = Tally()
    assert read_item_names(write(name + ending, content), tally) == NAMES
    assert tally.problems == {}


def test_item_names_from_parquet_with_numbers_for_ids(tmp_path) -> None:
    path = tmp_path / "names.parquet"
    pl.DataFrame({"item_id": [1, 2, None], "name": ["a", None, "c"]}).write_parquet(path)
    tally = Tally()
    assert read_item_names(path, tally) == {"1": "a"}
    assert tally.count("no item") == 1


@pytest.mark.parametrize("content", ["id,price\nB1,5\n", '{"id": "B1"}\n', "{'id': __import__('os')}\n"])
def test_a_file_that_names_no_item_is_refused(write, content) -> None:
    with pytest.raises(ReadError, match=r"name"):
        read_item_names(write("names", content), Tally())
