"""Parses single values of a file: ids, numbers, times, sentiments, aspects; None for a value that is not one."""

from __future__ import annotations

import math
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


def number(value: object) -> float | None:
    """Return a finite number, which may be written as text."""
    if isinstance(value, bool) or not isinstance(value, _WRITTEN_NUMBERS):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def moment(value: object) -> int | None:
    """Return a time as microseconds since 1970, UTC.

    Numbers are Unix seconds, or milliseconds if too large for seconds. Texts are numbers, ISO 8601 or Amazon's
    "03 13, 2012". A time with a zone is converted; one without is taken as UTC.
    """
    if isinstance(value, str):
        return _moment_of_text(value.strip())
    if isinstance(value, date):
        return _moment_of_date(value)
    seconds = number(value)
    return None if seconds is None else _moment_of_number(seconds)


def _moment_of_number(seconds: float) -> int | None:
    scale = 1_000 if abs(seconds) > _MILLISECONDS_FROM else 1_000_000
    microseconds = round(seconds * scale)
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
def _moment_of_text(text: str) -> int | None:
    seconds = number(text)
    if seconds is not None:
        return _moment_of_number(seconds)
    for parse in (datetime.fromisoformat, lambda text: datetime.strptime(text, "%m %d, %Y")):
        try:
            return _moment_of_date(parse(text))
        except ValueError:
            continue
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
