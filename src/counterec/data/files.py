"""Files as bytes, lines and records, plain or gzip, with every failure turned into a one-line error."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import shutil
import tempfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import polars as pl

from counterec.data.problems import LONGEST_SHOWN, Tally, shown
from counterec.data.source import FORMATS, Fields, Record, Records
from counterec.errors import ReadError

MOST_ROWS = 20_000
MOST_CHARACTERS = 16 << 20
"""The most rows, and the most text, held at once."""
LONGEST_LINE = 128 << 20
"""The most characters of a line; a file with longer ones is not made of lines. It bounds the memory for any file."""

_BUFFER = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_ESCAPED = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as ``surrogateescape`` gives it."""

FAILURES = (OSError, EOFError, zlib.error)
"""What opening and reading a file, plain or gzip, may raise."""


def unreadable(path: Path, error: BaseException, after: str = "") -> ReadError:
    """Return the one-line error for a failure of a file; ``after`` says how far it was read."""
    match error:
        case FileNotFoundError():
            return ReadError(f"{path} does not exist; check the path")
        case IsADirectoryError():
            return ReadError(f"{path} is a folder; name the file in it")
        case PermissionError():
            return ReadError(f"{path} may not be read; check its permissions")
        case EOFError():
            return ReadError(f"{path} is cut off{after}: its data ends early; copy or download it again")
        case gzip.BadGzipFile() | zlib.error():
            return ReadError(f"{path} is damaged{after}: {error}; copy or download it again")
    return ReadError(f"{path} cannot be read{after}: {error}; check the file and its disk")


def is_gzip(path: Path) -> bool:
    """Whether the file is gzip, by its first bytes, since a name can be wrong."""
    with path.open("rb") as file:
        return file.read(2) == _GZIP_MAGIC


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading, decompressing gzip."""
    if is_gzip(path):
        # GzipFile reads lines in Python, a buffer around it in C. Small, since a truncated file loses what it buffers.
        with gzip.open(path) as packed, io.BufferedReader(cast(io.RawIOBase, packed), _BUFFER >> 4) as stream:
            yield stream
    else:
        with path.open("rb", buffering=_BUFFER) as stream:
            yield stream


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Give a file that can be read at any position: the file itself, or a decompressed temporary copy."""
    if not is_gzip(path):
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="counterec-") as copy:
        with opened(path) as stream:
            shutil.copyfileobj(stream, copy, _BUFFER)
        copy.flush()
        yield Path(copy.name)


def first_bytes(path: Path, size: int = 1024) -> bytes:
    """Return the first bytes of a file, decompressed; refuse an empty file."""
    try:
        with opened(path) as stream:
            head = stream.read(size)
    except FAILURES as error:
        raise unreadable(path, error) from None
    if not head:
        raise ReadError(f"{path} is empty; check that it is the right file and was fully written")
    return head


def lines(path: Path, tally: Tally) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, text with its line ending) for each line, holding only one at a time.

    A line ends in LF, CR LF or CR; a file may mix them.
    """
    codec, number = encoding_of(first_bytes(path, LOOKED_AT)), 0
    # What is not UTF-8 comes as lone surrogates, which lead back to its bytes; other codecs know no such way.
    errors = "surrogateescape" if codec == "utf-8" else "replace"
    try:
        with opened(path) as stream, io.TextIOWrapper(stream, codec, errors=errors, newline="") as text:
            for number, line in enumerate(iter(partial(text.readline, LONGEST_LINE), ""), start=1):
                if len(line) >= LONGEST_LINE:
                    raise ReadError(
                        f"{path} line {number} is longer than {LONGEST_LINE >> 20} MB; "
                        "put each record on a line of its own"
                    )
                whole = line if line.isascii() and "\0" not in line else _mended(line, codec, path, number, tally)
                yield number, whole.removeprefix("\ufeff") if number == 1 else whole
    except FAILURES as error:
        raise unreadable(path, error, f" after line {number}") from None


def _mended(line: str, codec: str, path: Path, number: int, tally: Tally) -> str:
    """Return a line without NULs and broken characters, which are counted."""
    where = f"{path.name} line {number}"
    if "\0" in line:
        tally.add("NUL or half a character", where, line)
        line = line.replace("\0", "")
    if codec != "utf-8":
        if "\ufffd" in line:
            tally.add(f"broken {NAMES[codec]}", where, line)
        return line
    escaped = _ESCAPED.search(line)
    if escaped is None:
        return line
    written = line.encode("utf-8", "surrogateescape")
    if is_latin_1(written):
        tally.add("Latin-1 instead of UTF-8", where, written[:LONGEST_SHOWN])
        return written.decode("cp1252")
    around = line[max(0, escaped.start() - 20) : escaped.end() + 20]
    tally.add("broken UTF-8", where, around.encode("utf-8", "surrogateescape"))
    return written.decode(errors="replace")


LOOKED_AT = 1024
"""The bytes at the beginning of a file that show its encoding."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_UTF8_CHARACTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_NOT_LATIN_1 = re.compile(rb"[\x81\x8d\x8f\x90\x9d\xd7\xf7\xfe\xff]")
"""Bytes that Windows' Latin-1 leaves undefined, or that hardly a word has: signs of damage, not of an encoding."""

NAMES = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32",
}
"""Codec → the name that people know."""


def encoding_of(head: bytes) -> str:
    """Return the codec of a file: by its byte order mark, or UTF-16 by its NULs; else UTF-8.

    In UTF-16 every Latin letter has a NUL beside it: after it in the little-endian form, before it in the other.
    """
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return codec
    even, odd = head[0::2], head[1::2]
    if odd and odd.count(0) > 0.4 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if odd and even.count(0) > 0.4 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return "utf-8"


def is_latin_1(line: bytes) -> bool:
    """Whether a line that is not UTF-8 can be Latin-1: nothing in it is UTF-8, and every byte is a character."""
    return not _UTF8_CHARACTER.search(line) and not _NOT_LATIN_1.search(line)


def decoded_head(head: bytes) -> str:
    """Return the first bytes of a file as text, without a byte order mark; what is broken is replaced."""
    return head.decode(encoding_of(head), errors="replace").removeprefix("\ufeff")


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


FACT_LINE = re.compile(r"[^,]+,[^,]+,[^,]+,\s*\S+ +[+-]?1(\s+\S+ +[+-]?1)*\s*")


def fact_records(path: Path, tally: Tally) -> Records:
    """Yield each line as user, item, rating and the list of its (aspect, sentiment) pairs."""
    for number, line in lines(path, tally):
        if line.isspace():
            continue
        where = f"{path.name} line {number}"
        parts = line.split(",")
        words = parts[-1].split()
        if len(parts) == 4 and len(words) % 2 == 0:
            pairs = list(zip(words[::2], words[1::2], strict=True))
            yield where, {"user": parts[0], "item": parts[1], "rating": parts[2], "pairs": pairs}
        else:
            tally.add("not a line of user,item,rating,aspect sentiment …", where, line)
            yield where, None


@contextmanager
def scanned(path: Path) -> Iterator[pl.LazyFrame]:
    """Give a Parquet file as a lazy table; any failure while it is in use counts as an unreadable file."""
    try:
        with unpacked(path) as plain:
            yield pl.scan_parquet(plain)
    except FAILURES as error:
        raise unreadable(path, error) from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = str(error).splitlines()[0]
        raise ReadError(f"{path} is not a readable Parquet file: {reason}; copy or download it again") from None


def parquet_records(path: Path, fields: Fields) -> Records:
    """Yield each row of a Parquet file, with only the columns that may be needed."""
    with scanned(path) as table:
        found = table.collect_schema().names()
        fields.require(path, found)
        for number, record in enumerate(_sliced(table.select(fields.present(found))), start=1):
            yield f"{path.name} row {number}", record


def _sliced(table: pl.LazyFrame) -> Iterator[Record]:
    """Read a table in slices of bounded size; Polars' own batches hold several row groups of any size at once."""
    start, size = 0, 1_000
    while (part := table.slice(start, size).collect()).height:
        yield from part.iter_rows(named=True)
        start += part.height
        # Next, as many rows of this size as fill a chunk.
        fitting = part.height * MOST_CHARACTERS // max(1, int(part.estimated_size()))
        size = min(max(1, fitting), MOST_ROWS)


_LINES_LOOKED_AT = 20
"""The first line may be broken. If all of these are, the format is not guessed."""


def guess_format(path: Path) -> str:
    """Return the format of a file; raise an error that asks for it if it is unclear."""
    endings = {suffix.lower() for suffix in path.suffixes}
    if container(path) == "parquet":
        return "mentions" if _are_mentions(_parquet_columns(path)) else "parquet"
    beginnings = [line for _, line in islice(lines(path, Tally()), _LINES_LOOKED_AT) if not line.isspace()]
    if endings & {".csv", ".tsv"} and beginnings:
        return "mentions" if _are_mentions(csv_header(beginnings[0], path)[1]) else "csv"
    for line in beginnings:
        if FACT_LINE.fullmatch(line):
            return "fact"
        if (keys := _json_keys(line)) is not None:
            return _json_format(keys)
    first = shown(beginnings[0]) if beginnings else "blank"
    raise ReadError(f"{path}: its format is unclear, it begins with {first}; pass --format {'|'.join(FORMATS)}")


def container(path: Path) -> str:
    """Return how a table is stored: ``parquet``, ``jsonl`` or, if neither, ``csv``."""
    head = first_bytes(path)
    if head.startswith(b"PAR1"):
        return "parquet"
    return "jsonl" if decoded_head(head).lstrip().startswith("{") else "csv"


def _json_format(keys: Collection[str]) -> str:
    if {"reviewerID", "asin"} <= set(keys):
        return "amazon"
    if {"review_id", "user_id", "business_id", "stars"} <= set(keys):
        return "yelp"
    return "mentions" if _are_mentions(keys) else "jsonl"


def _json_keys(line: str) -> Collection[str] | None:
    try:
        value = json.loads(line, strict=False)
    except (ValueError, RecursionError):
        return None
    return value.keys() if isinstance(value, dict) else None


def _parquet_columns(path: Path) -> list[str]:
    with scanned(path) as table:
        return table.collect_schema().names()


def _are_mentions(columns: Collection[str]) -> bool:
    return {"aspect", "sentiment"} <= set(columns)
