"""A printed table, read back: every cell as it was printed."""

from __future__ import annotations

import pytest

from counterec.errors import InvalidValueError
from counterec.report.tables.parsing import parsed
from counterec.report.tables.rendering import shown, text
from counterec.report.tables.table import Column, Table, TableCell

LONG = "a note that is much longer than a line of a table " * 4


def table(*notes: str) -> Table:
    columns = (Column("F1 %", 1), Column("pairs", 0, interval=False))
    rows = (
        (("multi", "relaxed, as published"), (TableCell(61.8, (51.7, 71.3), 43), TableCell(1200.0))),
        (("single", "–"), (TableCell(None, mark="†"), TableCell(None))),
    )
    return Table("t", "Table 3. The user's side", ("aspects", "method"), columns, rows, notes)


def test_every_cell_comes_back_as_it_was_printed() -> None:
    made = table("In parentheses: 95% interval.", LONG.strip())
    found = parsed(text(made))
    assert found.title == made.title
    assert found.head == ("aspects", "method", "F1 %", "pairs")
    assert found.rows == tuple(
        (*words, *(shown(cell, column) for cell, column in zip(cells, made.columns, strict=True)))
        for words, cells in made.rows
    )
    assert found.notes == made.notes


def test_a_table_without_notes() -> None:
    assert parsed(text(table())).notes == ()


@pytest.mark.parametrize("wrong", ["", "no table at all\n", "-----\n"])
def test_what_is_no_table_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidValueError, match="no table begins with"):
        parsed(wrong)


def test_the_tables_of_a_report(report) -> None:
    folder, names = report
    for name in names:
        if name.endswith(".txt") and name.startswith("tables/"):
            found = parsed((folder / name).read_text(encoding="utf-8"))
            assert found.rows
            assert all(len(row) == len(found.head) for row in found.rows)
