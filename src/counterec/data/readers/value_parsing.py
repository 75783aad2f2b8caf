"""Parses single values of a file: ids, numbers, times, sentiments, aspects; None for a value that is not one."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType

_EPOCH = datetime(1970, 1, 1)
_EARLIEST = (datetime.min - _EPOCH) // timedelta(microseconds=1)
_LATEST = (datetime.max - _EPOCH) // timedelta(microseconds=1)

_WRITTEN_NUMBERS = (float, int, str, Decimal)

_MILLISECONDS_FROM = 1e11
"""A timestamp above this is in milliseconds: in seconds it would be past the year 5000."""

DATES = ("dmy", "mdy", "iso", "s", "ms", "order", "none")
"""How times may be written: day first, month first, ISO 8601, Unix seconds, milliseconds; *order*: whole numbers
from 0 that only say what came first; *none*: do without them."""
_WRITTEN = ("dmy", "mdy", "iso")

PARTS_OF_A_DATE = re.compile(
    r"(?P<first>\d{1,2})\s*(?P<sign>[./-])\s*(?P<second>\d{1,2})\s*(?P=sign)\s*(?P<year>\d{4})"
    r"(?:[,T\s]\s*(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second_>\d\d)(?:\.\d+)?)?\s*(?P<half>[AaPp][Mm])?)?",
    re.ASCII,
)
"""A date as two numbers and a year, and perhaps a time of day."""

_MISSING = frozenset({"null", "n/a", "nan", "none", "<na>", "#n/a"})
"""What programs write where there is no value."""

_SENTIMENTS: Mapping[str, int] = MappingProxyType(
    {"1": 1, "+1": 1, "positive": 1, "pos": 1, "-1": -1, "negative": -1, "neg": -1}
)


def clean(text: str) -> str:
    """Return the text without NULs and lone surrogates, which no table can store; the same object if it has none."""
    if "\0" in text:
        text = text.replace("\0", "")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="ignore").decode()
    return text


def is_missing(text: str) -> bool:
    """Whether a text only says that there is none: ``NULL``, ``N/A``, ``nan``, ``None``."""
    return len(text) <= 8 and text.strip().casefold() in _MISSING


def identifier(value: object) -> str | None:
    """Return an id as text: stripped, and without the ``.0`` that whole numbers get in a column with gaps."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool):
        return None
    if isinstance(value, float | Decimal):
        if not math.isfinite(value):
            return None
        value = int(value) if value == int(value) else str(value)
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 128 else None
    return value if isinstance(value, str) else None


_DECIMAL_COMMA = re.compile(r"\s*\d+,\d{1,2}\s*")
"""One or two digits after it: three would be thousands."""


def number(value: object) -> float | None:
    """Return a finite number, which may be written as text, also with a decimal comma: “3,5”."""
    if isinstance(value, bool) or not isinstance(value, _WRITTEN_NUMBERS):
        return None
    if isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value):
        value = value.replace(",", ".")
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def order_number(value: object) -> int | None:
    """Return a whole number from 0, which may be written as text: it says what came first, but not when."""
    found = number(value)
    return int(found) if found is not None and found.is_integer() and 0 <= found <= _LATEST else None


def moment(value: object, dates: str | None = None) -> int | None:
    """Return a time as microseconds since 1970, UTC; by *order*, the n-th is n microseconds after it.

    Numbers are Unix seconds, or milliseconds if too large for seconds. Texts are numbers, ISO 8601, Amazon's
    "03 13, 2012" or "13.3.2012"; "13/3/2012" and "3/13/2012" are told apart by ``dates``, one of ``DATES``, which also
    excludes every other form. A time with a zone is converted; one without is taken as UTC.
    """
    if dates == "none":
        return None
    if dates == "order":
        return order_number(value)
    if isinstance(value, str):
        return _moment_of_text(value.strip(), dates)
    if isinstance(value, date):
        return _moment_of_date(value)
    seconds = number(value)
    return None if seconds is None or dates in _WRITTEN else _moment_of_number(seconds, dates)


def _moment_of_number(seconds: float, dates: str | None) -> int | None:
    in_milliseconds = dates == "ms" if dates in ("s", "ms") else abs(seconds) > _MILLISECONDS_FROM
    microseconds = round(seconds * (1_000 if in_milliseconds else 1_000_000))
    return microseconds if _EARLIEST <= microseconds <= _LATEST else None


def _moment_of_date(value: date) -> int | None:
    time = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    if time.tzinfo is not None:
        try:
            time = time.astimezone(UTC).replace(tzinfo=None)
        except OverflowError:  # the first or last representable day, moved past the end by its zone
            return None
    return (time - _EPOCH) // timedelta(microseconds=1)


@lru_cache(maxsize=1 << 16)  # dates repeat
def _moment_of_text(text: str, dates: str | None) -> int | None:
    seconds = number(text)
    if seconds is not None:
        return None if dates in _WRITTEN else _moment_of_number(seconds, dates)
    if dates in ("s", "ms"):
        return None
    if dates not in ("dmy", "mdy"):
        for parse in (datetime.fromisoformat, lambda text: datetime.strptime(text, "%m %d, %Y")):
            try:
                return _moment_of_date(parse(text))
            except ValueError:
                continue
    return None if dates == "iso" else _moment_of_parts(text, dates)


def _moment_of_parts(text: str, dates: str | None) -> int | None:
    """Return the time of a date made of numbers; between slashes, only if ``dates`` says which one is the day."""
    found = PARTS_OF_A_DATE.fullmatch(text)
    if found is None or (dates is None and found["sign"] != "."):
        return None
    day, month = int(found["first"]), int(found["second"])
    if dates == "mdy":
        day, month = month, day
    hour = int(found["hour"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"].lower() == "pm" else 0)
    try:
        return _moment_of_date(
            datetime(int(found["year"]), month, day, hour, int(found["minute"] or 0), int(found["second_"] or 0))
        )
    except ValueError:
        return None


def sentiment(value: object) -> int | None:
    """Return +1 or -1, from a number or a word."""
    if isinstance(value, str):
        value = _SENTIMENTS.get(value.strip().lower(), value)
    found = number(value)
    return int(found) if found in (1.0, -1.0) else None


def aspect(value: object) -> str | None:
    """Return the name of an aspect, which needs at least one letter or digit."""
    name = identifier(value)
    return name if name is not None and any(map(str.isalnum, name)) else None
