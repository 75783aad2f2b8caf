"""Lines of JSON or CSV as one stream of records, each with its place in the file.

A record that cannot be read at all is counted in the tally and yielded as None, so that the reader knows of it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from counterec.data.readers.files import LONGEST_LINE, lines
from counterec.data.readers.problems import Tally
from counterec.data.readers.source import Fields, Record

Records = Iterator[tuple[str, Record | None]]

_parse_json = json.JSONDecoder(strict=False).decode  # not strict: a bare tab in a text is no reason to lose it


def json_records(path: Path, tally: Tally, parse: Callable[[str], object] = _parse_json) -> Records:
    """Yield the object on each line that is not blank."""
    for number, line in lines(path, tally):
        if not line.isspace():
            where = f"{path.name} line {number}"
            yield where, _object(line, parse, where, tally)


def _object(line: str, parse: Callable[[str], object], where: str, tally: Tally) -> Record | None:
    try:
        value = parse(line)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        tally.add("not JSON", where, line)
        return None
    if isinstance(value, dict):
        return value
    tally.add("not a JSON object", where, line)
    return None


def csv_records(path: Path, tally: Tally, fields: Fields) -> Records:
    """Yield each row of a CSV under the names of its first line; commas, semicolons or tabs, as that line has them."""
    # The limit belongs to the module, so it is only ever raised: a long review is no broken file.
    csv.field_size_limit(max(LONGEST_LINE, csv.field_size_limit()))
    numbered = lines(path, tally)
    before, first = next(((number, text) for number, text in numbered if not text.isspace()), (0, ""))
    delimiter, header = csv_header(first)
    fields.require(path, header)
    # Strict, since a quote left open would otherwise swallow the rest of the file without a word.
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
    """Return what separates the columns of a table, and their names, from its first line."""
    delimiter = max(",;\t", key=line.count)
    return delimiter, [name.strip() for name in next(csv.reader([line], delimiter=delimiter), [])]
