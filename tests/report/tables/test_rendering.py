"""A table as text and CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest

from counterec.errors import InvalidValueError
from counterec.report.table import Column, ShownTable, Table, TableCell, comma_separated

SMALL = Table(
    "small",
    "A small table",
    ("method",),
    (Column("F1 %", 1), Column("pairs", 0, interval=False)),
    (
        (("relaxed",), (TableCell(12.34, (10.0, 15.06), 7, "†"), TableCell(1234.0))),
        (("a_b",), (TableCell(None), TableCell(5.0))),
    ),
    ("100% & more",),
)


def test_text() -> None:
    assert ShownTable.of(SMALL).text().splitlines() == [
        "A small table",
        "",
        "method                    F1 %  pairs",
        "-------  ---------------------  -----",
        "relaxed  12.3 (10.0 to 15.1) †  1,234",
        "a_b                          –      5",
        "",
        "* 100% & more",
    ]


def test_csv_has_interval_cases_and_mark_in_columns_of_their_own() -> None:
    heads, relaxed, other = csv.reader(io.StringIO(comma_separated(SMALL)))
    assert heads == ["method", "F1 %", "F1 % low", "F1 % high", "F1 % cases", "F1 % mark", "pairs"]
    assert relaxed == ["relaxed", "12.34", "10", "15.06", "7", "†", "1234"]
    assert other == ["a_b", "", "", "", "", "", "5"]


def test_a_row_must_fit() -> None:
    with pytest.raises(InvalidValueError, match="table small: a row of 1 words and 1 cells does not fit"):
        Table("small", "", ("method",), SMALL.columns, ((("relaxed",), (TableCell(1.0),)),))


NARROW = ShownTable.of(
    Table(
        "table2",
        "Table 2. Fidelity",
        ("aspects", "method"),
        (Column("fidelity %", 1), Column("pairs", 0), Column("paper")),
        (
            (("single", "single"), (TableCell(87.3, (82.7, 92.0)), TableCell(150), TableCell(74.26))),
            (("multi", "relaxed, as published"), (TableCell(0.7, (0.0, 2.0)), TableCell(1150), TableCell(None))),
        ),
        ("In parentheses: an interval, by bootstrap over users.",),
    )
)


def test_a_table_that_is_too_wide_is_cut_below_its_words_and_notes_are_wrapped() -> None:
    assert NARROW.text(42).splitlines() == [
        "Table 2. Fidelity",
        "",
        "aspects  method                 fidelity %",
        "-------  ------------  -------------------",
        "single   single        87.3 (82.7 to 92.0)",
        "multi    relaxed, as      0.7 (0.0 to 2.0)",
        "         published",
        "",
        "aspects  method        pairs  paper",
        "-------  ------------  -----  -----",
        "single   single          150  74.26",
        "multi    relaxed, as   1,150      –",
        "         published",
        "",
        "* In parentheses: an interval, by",
        "  bootstrap over users.",
    ]


@pytest.mark.parametrize("width", [40, 50, 60, 66])
def test_no_line_is_longer_and_no_value_is_lost(width: int) -> None:
    cut = NARROW.text(width)
    assert max(map(len, cut.splitlines())) <= width
    for value in ("87.3 (82.7 to 92.0)", "74.26", "1,150", "fidelity %", "paper", "–", "pairs"):
        assert value in cut


def test_a_table_that_fits_is_not_cut() -> None:
    assert NARROW.text(200) == NARROW.text()


def test_a_shown_table_survives_json() -> None:
    assert ShownTable.from_dict(json.loads(json.dumps(vars(NARROW)))) == NARROW
