"""Files as people have them: encodings, line ends, dates, ratings, gaps."""

from __future__ import annotations

from datetime import datetime

import pytest

from counterec.data.files import guess_format
from counterec.data.problems import Tally
from counterec.data.readers import read
from counterec.data.source import Source
from counterec.errors import ConfigError, ReadError

ROWS = [
    "user,item,text,time,rating",
    "Zoë,B1,très bon,2020-01-02,5",
    "A2,B2,good,2020-01-03,4",
    "A3,B3,bad,2020-01-04,1",
]


def table(*times: object, rating: object = 5) -> str:
    """A table with these times, one per row."""
    return "user,item,text,time,rating\n" + "".join(
        f"A{number},B1,good,{time},{rating}\n" for number, time in enumerate(times)
    )


def counts(tally: Tally) -> dict[str, int]:
    return {name: problem.count for name, problem in tally.problems.items()}


class TestEncodings:
    @pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
    @pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
    def test_every_encoding_and_line_end_gives_the_same_rows(self, write, read_all, codec, ends) -> None:
        path = write("r.csv", (ends.join(ROWS) + ends).encode(codec))
        assert guess_format(path) == "csv"
        frame, tally = read_all(path, "csv")
        assert frame["user_id"].to_list() == ["Zoë", "A2", "A3"]
        assert frame["text"].to_list() == ["très bon", "good", "bad"]
        assert frame["time"].to_list() == [datetime(2020, 1, day) for day in (2, 3, 4)]
        assert counts(tally) == {}

    @pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
    def test_json_lines_and_fact_too(self, write, read_all, codec) -> None:
        record = '{"user": "Zoë", "item": "B1", "text": "bon", "time": "2020-01-02", "rating": 3}'
        path = write("r.json", f"{record}\r{record}\r\n{record}\n".encode(codec))
        assert guess_format(path) == "jsonl"
        assert read_all(path, "jsonl")[0].height == 3
        path = write("t.txt", "1,0,4,1 1\r2,0,4,1 1\r\n".encode(codec))
        assert guess_format(path) == "fact"
        assert read_all(path, "fact")[0].height == 2

    def test_latin_1_is_read_and_counted_line_by_line(self, write, read_all) -> None:
        frame, tally = read_all(write("r.csv", "\n".join(ROWS).encode("latin-1")), "csv")
        assert frame["user_id"].to_list() == ["Zoë", "A2", "A3"]
        assert counts(tally) == {"Latin-1 instead of UTF-8": 1}
        assert tally.warnings()[0].startswith(
            "1 × Latin-1 instead of UTF-8 (read as Latin-1); the first at r.csv line 2"
        )

    def test_a_line_that_holds_utf8_as_well_is_broken(self, write, read_all) -> None:
        content = "\n".join(ROWS).encode().replace(b"bon", b"b\xe9n")
        frame, tally = read_all(write("r.csv", content), "csv")
        assert frame["text"][0] == "très b�n"
        assert counts(tally) == {"broken UTF-8": 1}


class TestDates:
    @pytest.mark.parametrize(
        ("settles", "month"), [("13/1/2020", 4), ("1/13/2020", 3), ("13-1-2020", 4), ("1/13/2020 1:05 PM", 3)]
    )
    def test_one_value_settles_the_column(self, write, read_all, settles, month) -> None:
        frame, tally = read_all(write("r.csv", table("3/4/2020", "3/4/2020", settles)), "csv")
        assert frame["time"][0] == datetime(2020, month, 7 - month)
        assert counts(tally) == {}

    @pytest.mark.parametrize("times", [("3/4/2020", "4/5/2020"), ("3/4/2020", "13/1/2020", "1/13/2020")])
    def test_a_column_that_does_not_settle_it(self, write, times) -> None:
        path = write("r.csv", table(*times))
        with pytest.raises(ReadError, match=r"'3/4/2020', may begin .*: pass --dates dmy or --dates mdy") as caught:
            list(read(Source(path, "csv"), Tally()))
        assert str(path) in str(caught.value)
        (frame,) = read(Source(path, "csv", dates="mdy"), Tally())
        assert frame["time"][0] == datetime(2020, 3, 4)
        (frame,) = read(Source(path, "csv", dates="dmy"), Tally())
        assert frame["time"][0] == datetime(2020, 4, 3)

    def test_what_may_be_asked_for(self, write) -> None:
        path = write("r.csv", table("1577836800", "1577836801", "1577836802", "2020-01-01"))
        tally = Tally()
        (frame,) = read(Source(path, "csv", dates="s"), tally)
        assert frame["time"].null_count() == tally.count("time cannot be read") == 1
        (frame,) = read(Source(path, "csv", dates="none"), tally := Tally())
        assert frame["time"].null_count() == 4
        assert counts(tally) == {}
        with pytest.raises(ConfigError, match="unknown form of dates 'ymd'; choose one of dmy, mdy, iso, s, ms, none"):
            Source(path, "csv", dates="ymd")

    def test_times_out_of_range(self, write, read_all) -> None:
        times = ["2099-01-01", "0", "1989-12-31", "1990-01-01", *["2020-01-01"] * 5]
        frame, tally = read_all(write("r.csv", table(*times)), "csv")
        assert frame["time"].null_count() == 3
        assert counts(tally) == {"time out of range": 3}
        assert tally.problems["time out of range"].value == "'2099-01-01'"


class TestValues:
    def test_ratings_off_the_scale(self, write, read_all) -> None:
        rows = table(*["2020-01-01"] * 40) + "A,B,good,2020-01-01,11\nA,B,good,2020-01-01,-1\n"
        frame, tally = read_all(write("r.csv", rows), "csv")
        assert frame["rating"].null_count() == 2
        assert counts(tally) == {"rating off the scale": 2}
        assert tally.problems["rating off the scale"].value == "'11'"

    @pytest.mark.parametrize(("usual", "off"), [(9, 11), (88, 101)])
    def test_the_column_shows_its_scale(self, write, read_all, usual, off) -> None:
        rows = table(*["2020-01-01"] * 40, rating=usual) + f"A,B,good,2020-01-01,{off}\nA,B,good,2020-01-01,3\n"
        frame, tally = read_all(write("r.csv", rows), "csv")
        assert frame["rating"].to_list() == [usual] * 40 + [None, 3]
        assert counts(tally) == {"rating off the scale": 1}

    def test_all_missing_columns_are_named_at_once(self, write, read_all) -> None:
        with pytest.raises(
            ReadError, match=r"for the user, and no column .* for the text; its columns are 'who', 'item'"
        ):
            read_all(write("r.csv", "who,item\nA,B\n"), "csv")
        with pytest.raises(ReadError, match=r"pass --columns user=NAME,item=NAME,aspect=NAME$"):
            read_all(write("m.csv", "sentiment\n1\n"), "mentions")

    def test_a_row_has_one_reason_to_be_left_out(self, write, read_all) -> None:
        _, tally = read_all(write("r.csv", "user,item,text\n,,x\nA,,x\nA,B,x\nA,C,x\n"), "csv")
        assert tally.dropped == {"no user": 1, "no item": 1}
        assert tally.rows == 4
