"""Values of a file: ids, numbers, times, sentiments and aspects, alone and as their whole column writes them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cached_property, lru_cache
from types import MappingProxyType

from counterec.errors import ReadError

_EPOCH = datetime(1970, 1, 1)
_EARLIEST = (datetime.min - _EPOCH) // timedelta(microseconds=1)
_LATEST = (datetime.max - _EPOCH) // timedelta(microseconds=1)

_WRITTEN_NUMBERS = (float, int, str, Decimal)

_MILLISECONDS_FROM = 1e11
"""A timestamp above this is in milliseconds: in seconds it would be past the year 5000."""

DATES = ("dmy", "mdy", "iso", "s", "ms", "none")
"""How times may be written: day first, month first, ISO 8601, Unix seconds, milliseconds; *none*: do without
them."""
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


def moment(value: object, dates: str | None = None) -> int | None:
    """Return a time as microseconds since 1970, UTC.

    Numbers are Unix seconds, or milliseconds if too large for seconds. Texts are numbers, ISO 8601, Amazon's
    "03 13, 2012" or "13.3.2012"; "13/3/2012" and "3/13/2012" are told apart by ``dates``, one of ``DATES``, which also
    excludes every other form. A time with a zone is converted; one without is taken as UTC.
    """
    if dates == "none":
        return None
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


_UTC_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST_TIME = (datetime(1990, 1, 1, tzinfo=UTC) - _UTC_EPOCH) // timedelta(microseconds=1)
"""No review on the web is older. Programs write 1970 where they have no time."""

SCALES = (5.0, 10.0, 100.0)
"""The tops of usual rating scales; the bottom is 0 or 1."""
ON_SCALE = 0.95
"""A scale holds at least this share of the ratings; the others are off the scale."""


@dataclass(frozen=True)
class Conventions:
    """How one source writes times and ratings. Its columns are read once more, but only where a value is in doubt."""

    dates: str | None
    """One of ``DATES`` if the caller said it."""
    values: Callable[[], Iterable[tuple[object, object]]]
    """Reads the times and ratings of all records."""
    name: str
    latest: int = field(
        default_factory=lambda: (datetime.now(UTC) + timedelta(days=1) - _UTC_EPOCH) // timedelta(microseconds=1)
    )
    """Later times lie in the future, wherever the reviewer lives."""

    @property
    def without_times(self) -> bool:
        """Whether the caller wants to do without times."""
        return self.dates == "none"

    def moment(self, value: object) -> int | None:
        """Return a time as microseconds since 1970, in the form that the column has."""
        return moment(value, self.form_of(value))

    def form_of(self, value: object) -> str | None:
        """Return which of ``DATES`` a time is to be read as; None if it shows that by itself."""
        if self.dates is not None:
            return self.dates
        if isinstance(value, str) and is_day_or_month_first(value):
            return self.day_or_month_first
        return None

    def is_plausible(self, time: int) -> bool:
        """Whether a review may have been written then."""
        return EARLIEST_TIME <= time <= self.latest

    def is_on_scale(self, rating: float) -> bool:
        """Whether a rating lies on the scale of this column."""
        return 0 <= rating <= SCALES[0] or 0 <= rating <= self.top_rating

    @cached_property
    def top_rating(self) -> float:
        """The smallest usual scale that holds nearly all ratings; without limit if none does."""
        ratings = [found for _, value in self.values() if (found := number(value)) is not None]
        fitting = (top for top in SCALES if sum(0 <= rating <= top for rating in ratings) >= ON_SCALE * len(ratings))
        return next(fitting, float("inf"))

    @cached_property
    def day_or_month_first(self) -> str:
        """``dmy`` or ``mdy``: a number above 12 is a day. Refused if no value has one, or if values disagree."""
        first: Counter[str] = Counter()
        example = ""
        for value, _ in self.values():
            if isinstance(value, str) and is_day_or_month_first(value):
                example = example or value.strip()
                first[_settled(value)] += 1
        if bool(first["dmy"]) == bool(first["mdy"]):
            why = "they disagree" if first["dmy"] else "none of them settles it"
            raise ReadError(
                f"{self.name}: its dates, such as {example!r}, may begin with the day or the month, and {why}: "
                "pass --dates dmy or --dates mdy"
            )
        return "dmy" if first["dmy"] else "mdy"


def is_day_or_month_first(text: str) -> bool:
    """Whether a text is a date such as 3/4/2020, which may be in March or in April."""
    found = PARTS_OF_A_DATE.fullmatch(text.strip())
    return found is not None and found["sign"] != "."


def _settled(text: str) -> str:
    """Return which order a date shows: ``dmy``, ``mdy``, or "" if it may be both or neither."""
    found = PARTS_OF_A_DATE.fullmatch(text.strip())
    assert found is not None
    first, second = int(found["first"]), int(found["second"])
    if first > 12 >= second:
        return "dmy"
    return "mdy" if second > 12 >= first else ""
