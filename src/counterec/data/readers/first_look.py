"""What the beginning of a source shows: its encoding, line ends, columns, and how it writes times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path

from counterec.data.readers.conventions import Conventions, is_day_or_month_first
from counterec.data.readers.encoding import NAMES, decoded_head, encoding_of
from counterec.data.readers.files import first_bytes
from counterec.data.readers.format_detection import container
from counterec.data.readers.problems import Tally
from counterec.data.readers.reader import column_values, records_of
from counterec.data.readers.source import MENTION_COLUMNS, REVIEW_COLUMNS, Source, is_mentions
from counterec.data.readers.value_parsing import PARTS_OF_A_DATE, moment, number

RECORDS_LOOKED_AT = 1_000
BYTES_LOOKED_AT = 1 << 18
ORDER_NUMBERS = "order numbers (0, 1, 2 …), no dates"
_LINE_END = re.compile("\r\n|\n|\r")
_END_NAMES = {"\r\n": "CR LF", "\n": "LF", "\r": "CR"}


@dataclass(frozen=True)
class FirstLook:
    """What the beginning of a source shows."""

    encoding: str
    """UTF-8, UTF-16 or UTF-32; empty if the file is not made of lines."""
    line_ends: str
    columns: Mapping[str, str]
    """Our name of a column → its name in the file, where it has one."""
    dates: tuple[str, ...]
    """The forms of its times, the most frequent first."""


def first_look(source: Source) -> FirstLook:
    """Look at the beginning of a source."""
    first_bytes(source.path)  # an empty file is not a broken one
    records = [record for _, record in islice(records_of(source, Tally()), RECORDS_LOOKED_AT) if record is not None]
    names = {name for record in records for name in record}
    ours = MENTION_COLUMNS if is_mentions(source.format) else REVIEW_COLUMNS
    known = {column: next((name for name in source.fields.names[column] if name in names), None) for column in ours}
    columns = {column: name for column, name in known.items() if name is not None}
    times = [source.fields.value(record, "time") for record in records]
    order = Conventions(source.dates, lambda: column_values(source), str(source.path))
    forms = Counter(form for time in times if (form := _form(time, order)))
    encoding, ends = _lines_of(source.path) if _is_made_of_lines(source) else ("", "")
    return FirstLook(encoding, ends, columns, tuple(form for form, _ in forms.most_common()))


def _is_made_of_lines(source: Source) -> bool:
    return source.format not in ("pickle", "parquet") and container(source.path) != "parquet"


def _lines_of(path: Path) -> tuple[str, str]:
    """Return the encoding and the line ends of the beginning of a file."""
    head = first_bytes(path, BYTES_LOOKED_AT)
    text = decoded_head(head)
    ends = Counter(_LINE_END.findall(text.removesuffix("\r")))  # the last may be half of a CR LF
    return NAMES[encoding_of(head)], " and ".join(_END_NAMES[end] for end, _ in ends.most_common()) or "none"


def _form(value: object, order: Conventions) -> str:
    """Return the name of the form of a time; empty for one that cannot be read."""
    if isinstance(value, date):
        return "dates"
    text = value.strip() if isinstance(value, str) else value
    if number(text) is not None and order.form_of(text) == "order":
        return ORDER_NUMBERS
    if number(text) is not None:
        seconds, scaled = moment(text, "s"), moment(text)
        return "" if scaled is None else "Unix seconds" if seconds == scaled else "Unix milliseconds"
    if not isinstance(text, str):
        return ""
    if (found := PARTS_OF_A_DATE.fullmatch(text)) is not None:
        first = order.dates or (order.day_or_month_first if is_day_or_month_first(text) else "dmy")
        return found["sign"].join("mdY" if first == "mdy" else "dmY")
    if moment(text) is None:
        return ""
    return "ISO 8601" if text[:4].isdecimal() else "m d, Y"
