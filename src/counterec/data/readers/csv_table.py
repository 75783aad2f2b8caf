"""CSV tables as a stream of records."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from counterec.data.readers.files import LONGEST_LINE, lines
from counterec.data.readers.problems import Tally, shown
from counterec.data.readers.source import Fields, Records
from counterec.errors import ReadError

MOST_LINES_OF_A_ROW = 500
"""A quote that is still open after so many lines was never meant to be. It bounds what has to be read again."""

NO_ROW, OPEN_QUOTE = "not a row of this table", "quote that is not closed"


def csv_records(path: Path, tally: Tally, fields: Fields) -> Records:
    """Yield each row under the names of the first line, which also shows the delimiter: a comma, semicolon or tab."""
    # The limit is global to the csv module, so it is only ever raised: a long review is not a broken file.
    csv.field_size_limit(max(LONGEST_LINE, csv.field_size_limit()))
    numbered = lines(path, tally)
    first = next((text for _, text in numbered if not text.isspace()), "")
    delimiter, header = csv_header(first, path)
    fields.require(path, header)
    table = _Table(numbered, delimiter, len(header))
    for number, row, problem in table.rows():
        where = f"{path.name} line {number}"
        if problem:
            tally.add(problem, where, row[0])
            yield where, None
        else:
            yield where, dict(zip(header, row, strict=True))


def csv_header(line: str, path: Path) -> tuple[str, list[str]]:
    """Return the delimiter and the column names of a table, from its first line."""
    delimiter = max(",;\t", key=line.count)
    line = line.replace("\r", " ")  # the csv module raises on a lone carriage return
    try:
        return delimiter, [name.strip() for name in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error as error:
        raise ReadError(f"{path}: its first line names no columns ({error}), {shown(line)}; check --format") from None


class _Table:
    """The rows of a table, read again from the next line where a quote swallows what follows it.

    Strict parsing notices most quotes that nobody closed: the next one is then followed by neither a delimiter nor an
    end of line. Only the line with the open quote is lost; the lines after it are read as rows of their own.
    """

    def __init__(self, numbered: Iterator[tuple[int, str]], delimiter: str, width: int) -> None:
        self._numbered, self._delimiter, self._width = numbered, delimiter, width
        self._again: list[tuple[int, str]] = []
        """Lines to read again, the next one last."""
        self._taken: list[tuple[int, str]] = []
        """The lines of the current row."""

    def rows(self) -> Iterator[tuple[int, list[str], str]]:
        """Yield the number of the first line, the cells and the problem of each row; if it has one, the line."""
        reader = self._reader()
        while True:
            self._taken = []
            try:
                row, problem = next(reader), ""
            except StopIteration:
                return
            except csv.Error as error:
                opened = len(self._taken) > 1 or str(error).startswith("unexpected end")
                row, problem = [], OPEN_QUOTE if opened else NO_ROW
            if not problem and not row:
                continue  # a blank line
            if not problem and self._swallows_rows():
                problem = OPEN_QUOTE
            elif not problem and len(row) != self._width:
                problem = NO_ROW
            number, text = self._taken[0]
            if problem == OPEN_QUOTE:
                self._again += reversed(self._taken[1:])
                reader = self._reader()
            yield number, [text] if problem else row, problem

    def _reader(self) -> Iterator[list[str]]:
        return csv.reader(self._lines(), delimiter=self._delimiter, strict=True)

    def _lines(self) -> Iterator[str]:
        while len(self._taken) < MOST_LINES_OF_A_ROW:
            line = self._again.pop() if self._again else next(self._numbered, None)
            if line is None:
                return
            self._taken.append(line)
            yield line[1]

    def _swallows_rows(self) -> bool:
        """Whether a row of several lines holds whole rows: each line after its first has all cells by itself."""
        return len(self._taken) > 1 and all(self._is_row(text) for _, text in self._taken[1:])

    def _is_row(self, line: str) -> bool:
        cells = next(csv.reader([line.rstrip("\r\n")], delimiter=self._delimiter), [])
        return self._width > 2 and len(cells) == self._width
