"""Files as bytes and lines, plain or gzip, with every failure turned into a one-line error."""

from __future__ import annotations

import gzip
import io
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from counterec.data.readers.encoding import LOOKED_AT, NAMES, encoding_of, is_latin_1
from counterec.data.readers.problems import LONGEST_SHOWN, Tally
from counterec.errors import ReadError

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
