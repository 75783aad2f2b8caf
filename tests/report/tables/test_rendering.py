"""A table as text and CSV."""

from __future__ import annotations

import csv
import io

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
