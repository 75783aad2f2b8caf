"""CSV tables as a stream of records."""

from __future__ import annotations

import csv
from pathlib import Path

from counterec.data.readers.files import LONGEST_LINE, lines
from counterec.data.readers.problems import Tally
from counterec.data.readers.source import Fields, Records


def csv_records(path: Path, tally: Tally, fields: Fields) -> Records:
    """Yield each row under the names of the first line, which also shows the delimiter: a comma, semicolon or tab."""
    # The limit is global to the csv module, so it is only ever raised: a long review is not a broken file.
    csv.field_size_limit(max(LONGEST_LINE, csv.field_size_limit()))
    numbered = lines(path, tally)
    before, first = next(((number, text) for number, text in numbered if not text.isspace()), (0, ""))
    delimiter, header = csv_header(first)
    fields.require(path, header)
    # Strict, since an unclosed quote would otherwise swallow the rest of the file silently.
    reader = csv.reader((text for _, text in numbered), delimiter=delimiter, strict=True)
    while True:
        where = f"{path.name} line {before + reader.line_num + 1}"
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            tally.add("not a row of this table", where, f"{error} at line {before + reader.line_num}")
            yield where, None
            continue
        if len(row) == len(header):
            yield where, dict(zip(header, row, strict=True))
        elif row:
            tally.add("not a row of this table", where, row)
            yield where, None


def csv_header(line: str) -> tuple[str, list[str]]:
    """Return the delimiter and the column names of a table, from its first line."""
    delimiter = max(",;\t", key=line.count)
    line = line.replace("\r", " ")  # the csv module raises on a lone carriage return
    return delimiter, [name.strip() for name in next(csv.reader([line], delimiter=delimiter), [])]
