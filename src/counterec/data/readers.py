"""Read reviews and mentions from many file formats as streams of checked tables, and count every problem."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from typing import TypeVar

import polars as pl

from counterec.data.files import (
    MOST_CHARACTERS,
    MOST_ROWS,
    NAMES,
    container,
    csv_records,
    decoded_head,
    encoding_of,
    fact_records,
    first_bytes,
    json_records,
    parquet_records,
)
from counterec.data.problems import Tally
from counterec.data.source import MENTION_COLUMNS, REVIEW_COLUMNS, Fields, Record, Records, Source, is_mentions
from counterec.data.tables import MENTIONS, REVIEWS, Schema
from counterec.data.values import (
    DATES,
    PARTS_OF_A_DATE,
    Conventions,
    aspect,
    clean,
    identifier,
    is_day_or_month_first,
    is_missing,
    moment,
    number,
    sentiment,
)
from counterec.errors import ReadError

EARLY = 1_000
"""A source that is nearly all unusable is refused after this many rows, without reading the rest."""
ROWS_BETWEEN_NEWS = 500
"""After so many rows, progress is told."""


def read(source: Source, tally: Tally, advance: Callable[[int], None] = lambda _: None) -> Iterator[pl.DataFrame]:
    """Stream a source as frames of bounded size, counting its problems in the tally.

    Reviews have the columns of ``REVIEWS``; mentions have those of ``MENTIONS`` and, last, ``rating``. ``advance`` is
    called with the number of rows just read, more often than a frame is full.
    """
    first_bytes(source.path)
    rows = _rows(source, Tally(parent=tally), advance)
    yield from mention_chunks(rows) if is_mentions(source.format) else review_chunks(rows)


def _rows(source: Source, tally: Tally, advance: Callable[[int], None]) -> Iterator[Row]:
    """Yield every usable row; raise if fewer than half of the rows are usable."""
    rows_of = _converter(source, tally)
    unusable = timeless = 0
    for where, record in records_of(source, tally):
        tally.row()
        rows = [] if record is None else rows_of(where, record)
        yield from rows
        timeless += bool(rows) and rows[0][2] is None
        if not rows:
            unusable += 1
            tally.drop()
        if tally.rows % ROWS_BETWEEN_NEWS == 0:
            advance(ROWS_BETWEEN_NEWS)
        if tally.rows == EARLY and unusable > 0.95 * EARLY:
            raise _too_few(source, tally, unusable)
    advance(tally.rows % ROWS_BETWEEN_NEWS)
    if tally.rows == 0:
        raise ReadError(f"{source.path} has no rows; check that it is the right file and was fully written")
    if unusable > 0.5 * tally.rows:
        raise _too_few(source, tally, unusable)
    _require_named_columns(source, tally, tally.rows - unusable)
    _require_times(source, tally, tally.rows - unusable, timeless)


def records_of(source: Source, tally: Tally) -> Records:
    """Stream the records of a source as its file has them."""
    stored_as = container(source.path) if source.format == "mentions" else source.format
    match stored_as:
        case "csv":
            return csv_records(source.path, tally, source.fields)
        case "parquet":
            return parquet_records(source.path, source.fields)
        case "fact":
            return fact_records(source.path, tally)
    return json_records(source.path, tally)


def column_values(source: Source) -> Iterator[tuple[object, object]]:
    """Yield the time and the rating of every record, for what only the whole column can tell."""
    value = source.fields.value
    for _, record in records_of(source, Tally()):
        if record is not None:
            yield value(record, "time"), value(record, "rating")


def _converter(source: Source, tally: Tally) -> Callable[[str, Record], list[Row]]:
    builder = RowBuilder(
        source.fields, tally, Conventions(source.dates, lambda: column_values(source), str(source.path))
    )
    if not is_mentions(source.format):
        return builder.review_rows
    triples = _paired_triples if source.format == "fact" else _table_triples(source)
    return lambda where, record: builder.mention_rows(where, record, triples(record))


def _table_triples(source: Source) -> Callable[[Record], list[Triple]]:
    value = source.fields.value
    return lambda record: [(value(record, "aspect"), value(record, "opinion"), value(record, "sentiment"))]


def _paired_triples(record: Record) -> list[Triple]:
    pairs = record["pairs"]
    assert isinstance(pairs, list)
    return [(aspect, None, sentiment) for aspect, sentiment in pairs]


def _too_few(source: Source, tally: Tally, unusable: int) -> ReadError:
    return ReadError(
        f"{source.path}: {unusable:,} of {tally.rows:,} rows cannot be used as {source.format}; "
        f"the first at {tally.first_skipped()}; check --format and --columns"
    )


def _require_named_columns(source: Source, tally: Tally, usable: int) -> None:
    """Refuse a column that the caller named and no record has: that is a typo, not a gap in the data."""
    for column, name in source.columns.items():
        if tally.count(f"no {column}") >= usable:
            raise ReadError(f"{source.path}: no record has the {column} as {name!r}; check --columns {column}={name}")
    if not is_mentions(source.format) and tally.count("no text") >= usable:
        names = " or ".join(map(repr, source.fields.names["text"]))
        raise ReadError(
            f"{source.path}: no record has a text under {names}, where opinions are found: pass --columns text=NAME"
        )


def _require_times(source: Source, tally: Tally, usable: int, timeless: int) -> None:
    """Refuse times most of which cannot be read: a split by time would be a guess."""
    for problem in ("time cannot be read", "time out of range"):
        if timeless > 0.5 * usable and tally.count(problem):
            first = tally.problems[problem]
            raise ReadError(
                f"{source.path}: {timeless:,} of {usable:,} rows have no usable time to split the reviews by; "
                f"the first at {first.where}: {problem}, {first.value}; pass --dates {'|'.join(DATES[:-1])}, or "
                "--dates none to let the seed draw the held-out reviews"
            )


Value = TypeVar("Value")
Row = tuple[str | int | float | None, ...]
Triple = tuple[object, object, object]
"""(aspect, opinion, sentiment) as they are in the file."""


@dataclass(frozen=True)
class RowBuilder:
    """Makes rows from the records of one source; a record that gives no row is counted in the tally."""

    fields: Fields
    tally: Tally
    conventions: Conventions

    def review_rows(self, where: str, record: Record) -> list[Row]:
        """Return the one row of a review, in the order of ``REVIEWS``; no row if the user or item is missing."""
        user = self._id("user", where, record)
        item = None if user is None else self._id("item", where, record)  # one reason is enough to leave out a row
        if user is None or item is None:
            return []
        time, rating = self._time(where, record), self._rating(where, record)
        text = self._optional("text", "text is not text", identifier, where, record)
        return [(user, item, time, rating, text)]

    def mention_rows(self, where: str, record: Record, triples: list[Triple]) -> list[Row]:
        """Return one row (user, item, time, aspect, opinion, sentiment, rating) per valid mention."""
        user = self._id("user", where, record)
        item = None if user is None else self._id("item", where, record)  # one reason is enough to leave out a row
        if user is None or item is None:
            return []
        named = self.fields.required  # mentions need a time or rating only if the caller names its column
        time, rating = self._time(where, record, "time" in named), self._rating(where, record, "rating" in named)
        found = [self._mention(triple, where) for triple in triples]
        if not found:
            self.tally.add("no mention", where, record)
        return [(user, item, time, *mention, rating) for mention in found if mention is not None]

    def _mention(self, triple: Triple, where: str) -> tuple[str, str | None, int] | None:
        name = aspect(self._clean(triple[0], where))
        if name is None:
            self.tally.add("no letter or digit in the aspect", where, triple[0])
            return None
        polarity = sentiment(triple[2])
        if polarity is None:
            self.tally.add("sentiment is neither +1 nor -1", where, triple[2])
            return None
        return name, identifier(self._clean(triple[1], where)), polarity

    def _id(self, column: str, where: str, record: Record) -> str | None:
        found = identifier(self._value(column, where, record))
        if found is None:
            self.tally.add(f"no {column}", where, record)
        return found

    def _time(self, where: str, record: Record, expected: bool = True) -> int | None:
        if self.conventions.without_times:
            return None
        found = self._optional("time", "time cannot be read", self.conventions.moment, where, record, expected)
        if found is None or self.conventions.is_plausible(found):
            return found
        self.tally.add("time out of range", where, self.fields.value(record, "time"))
        return None

    def _rating(self, where: str, record: Record, expected: bool = True) -> float | None:
        found = self._optional("rating", "rating is not a number", number, where, record, expected)
        if found is None or self.conventions.is_on_scale(found):
            return found
        self.tally.add("rating off the scale", where, self.fields.value(record, "rating"))
        return None

    def _optional(
        self,
        column: str,
        problem: str,
        parse: Callable[[object], Value | None],
        where: str,
        record: Record,
        expected: bool = True,
    ) -> Value | None:
        """Return an optional value; count it if it is expected but missing, or cannot be parsed."""
        raw = self._value(column, where, record)
        if isinstance(raw, str) and is_missing(raw):
            raw = None
        found = None if raw is None else parse(raw)
        if raw is None and expected:
            self.tally.add(f"no {column}", where, record)
        elif raw is not None and found is None:
            self.tally.add(problem, where, raw)
        return found

    def _value(self, column: str, where: str, record: Record) -> object:
        return self._clean(self.fields.value(record, column), where)

    def _clean(self, raw: object, where: str) -> object:
        """Return a text without characters that no table can store, None if it is blank; other values unchanged."""
        if isinstance(raw, bytes):
            return self._clean(raw.decode(errors="replace"), where)
        if not isinstance(raw, str):
            return raw
        text = clean(raw)
        if text is not raw:
            self.tally.add("NUL or half a character", where, raw)
        return None if not text or text.isspace() else text


MENTION_ROWS: Schema = {**MENTIONS, "rating": pl.Float64()}
"""The columns of a source of mentions: the mention, and the rating of its review."""

_MENTION_VALUES = ("user_id", "item_id", "time", "aspect", "opinion", "sentiment", "rating")


def review_chunks(rows: Iterable[Row]) -> Iterator[pl.DataFrame]:
    return (_frame(chunk, tuple(REVIEWS), REVIEWS) for chunk in _chunks(rows))


def mention_chunks(rows: Iterable[Row]) -> Iterator[pl.DataFrame]:
    return (_frame(chunk, _MENTION_VALUES, MENTION_ROWS) for chunk in _chunks(rows))


def _chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Cut by rows and by characters, so that neither many rows nor long texts fill up memory."""
    chunk: list[Row] = []
    characters = 0
    for row in rows:
        chunk.append(row)
        characters += sum(len(value) for value in row if isinstance(value, str))
        if len(chunk) >= MOST_ROWS or characters >= MOST_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _frame(rows: list[Row], columns: tuple[str, ...], schema: Schema) -> pl.DataFrame:
    """Make a frame column by column; columns that the rows lack are null."""
    values = dict(zip(columns, zip(*rows, strict=True), strict=True))
    nothing = (None,) * len(rows)
    return pl.DataFrame([_series(name, values.get(name, nothing), dtype) for name, dtype in schema.items()])


def _series(name: str, values: tuple[object, ...], dtype: pl.DataType) -> pl.Series:
    if isinstance(dtype, pl.Datetime):  # times come as microseconds
        return pl.Series(name, values, dtype=pl.Int64()).cast(dtype)
    return pl.Series(name, values, dtype=dtype)


RECORDS_LOOKED_AT = 1_000
BYTES_LOOKED_AT = 1 << 18
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
    first_bytes(source.path)  # an empty file is not a broken one
    records = [record for _, record in islice(records_of(source, Tally()), RECORDS_LOOKED_AT) if record is not None]
    names = {name for record in records for name in record}
    ours = MENTION_COLUMNS if is_mentions(source.format) else REVIEW_COLUMNS
    known = {column: next((name for name in source.fields.names[column] if name in names), None) for column in ours}
    columns = {column: name for column, name in known.items() if name is not None}
    times = [source.fields.value(record, "time") for record in records]
    conventions = Conventions(source.dates, lambda: column_values(source), str(source.path))
    forms = Counter(form for time in times if (form := _form(time, conventions)))
    encoding, ends = _lines_of(source.path) if _is_made_of_lines(source) else ("", "")
    return FirstLook(encoding, ends, columns, tuple(form for form, _ in forms.most_common()))


def _is_made_of_lines(source: Source) -> bool:
    return source.format != "parquet" and container(source.path) != "parquet"


def _lines_of(path: Path) -> tuple[str, str]:
    """Return the encoding and the line ends of the beginning of a file."""
    head = first_bytes(path, BYTES_LOOKED_AT)
    text = decoded_head(head)
    ends = Counter(_LINE_END.findall(text.removesuffix("\r")))  # the last may be half of a CR LF
    return NAMES[encoding_of(head)], " and ".join(_END_NAMES[end] for end, _ in ends.most_common()) or "none"


def _form(value: object, conventions: Conventions) -> str:
    """Return the name of the form of a time; empty for one that cannot be read."""
    if isinstance(value, date):
        return "dates"
    text = value.strip() if isinstance(value, str) else value
    if number(text) is not None:
        seconds, scaled = moment(text, "s"), moment(text)
        return "" if scaled is None else "Unix seconds" if seconds == scaled else "Unix milliseconds"
    if not isinstance(text, str):
        return ""
    if (found := PARTS_OF_A_DATE.fullmatch(text)) is not None:
        first = conventions.dates or (conventions.day_or_month_first if is_day_or_month_first(text) else "dmy")
        return found["sign"].join("mdY" if first == "mdy" else "dmY")
    if moment(text) is None:
        return ""
    return "ISO 8601" if text[:4].isdecimal() else "m d, Y"


_ITEM_FIELDS = Fields(
    {
        "item": ("id", "item", "item_id", "asin", "business_id"),
        "name": ("name", "title"),
    },
    required=frozenset({"item", "name"}),
)


def read_item_names(path: Path, tally: Tally) -> dict[str, str]:
    """Return the names of items in a CSV, JSON lines or Parquet file; if an item has several, the last."""
    names = {}
    for where, record in _item_records(path, tally):
        tally.row()
        if record is None:
            continue
        item, name = (_one_line(_ITEM_FIELDS.value(record, column)) for column in ("item", "name"))
        if item is None:
            tally.add("no item", where, record)
        elif name is not None:
            names[item] = name
    if not names:
        tried = ", ".join("|".join(_ITEM_FIELDS.names[column]) for column in ("item", "name"))
        raise ReadError(f"{path} names no item; it needs the columns {tried}")
    return names


def _item_records(path: Path, tally: Tally) -> Records:
    match container(path):
        case "parquet":
            return parquet_records(path, _ITEM_FIELDS)
        case "csv":
            return csv_records(path, tally, _ITEM_FIELDS)
    return json_records(path, tally, _parse_item)


def _parse_item(line: str) -> object:
    """Parse a line of JSON, or a Python literal: Amazon's metadata of 2014 has single quotes."""
    try:
        return json.loads(line, strict=False)
    except ValueError:
        return ast.literal_eval(line.strip())


def _one_line(value: object) -> str | None:
    """Return an id or a name on one line."""
    text = identifier(clean(value) if isinstance(value, str) else value)
    return None if text is None else " ".join(text.split())
