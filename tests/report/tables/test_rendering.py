"""A table as text, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from counterec.errors import InvalidValueError
from counterec.report.tables.rendering import comma_separated, escaped, latex, text
from counterec.report.tables.table import Column, Table, TableCell

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
    assert text(SMALL).splitlines() == [
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


def test_latex_is_plain_and_escaped() -> None:
    found = latex(SMALL)
    assert r"relaxed & 12.3 (10.0 to 15.1) $\dagger$ & 1,234 \\" in found
    assert r"a\_b & -- & 5 \\" in found
    assert r"100\% \& more" in found
    assert r"\begin{tabular}{lrr}" in found
    assert "rule" not in found
    assert found.count(r"\begin{") == found.count(r"\end{") == 2


def test_a_latex_table_is_scaled_to_the_page_and_leaves_its_number_to_latex() -> None:
    found = latex(replace(SMALL, title="Table 4. The model's side"))
    assert r"\caption{The model's side}" in found
    assert r"\caption{A small table}" in latex(SMALL)
    assert found.index(r"\setbox0=\hbox{") < found.index(r"\begin{tabular}") < found.index(r"\end{tabular}}%")
    assert r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\box0}\else\box0\fi" in found
    assert found.startswith(r"\begin{table*}")
    assert found.rstrip().endswith(r"\end{table*}")


def test_every_special_character_of_latex_is_escaped() -> None:
    assert escaped("a_b & 5% #1 {x} ~ ^ \\") == (
        r"a\_b \& 5\% \#1 \{x\} \textasciitilde{} \textasciicircum{} \textbackslash{}"
    )


def test_a_row_must_fit() -> None:
    with pytest.raises(InvalidValueError, match="table small: a row of 1 words and 1 cells does not fit"):
        Table("small", "", ("method",), SMALL.columns, ((("relaxed",), (TableCell(1.0),)),))
