"""What only a whole column can tell: whether 3/4/2020 is in March or in April, whether 0, 1, 2 … are an order and
no times, and where the scale of ratings ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property

from counterec.data.readers.value_parsing import PARTS_OF_A_DATE, is_missing, moment, number, order_number
from counterec.errors import ReadError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST_TIME = (datetime(1990, 1, 1, tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)
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
        default_factory=lambda: (datetime.now(UTC) + timedelta(days=1) - _EPOCH) // timedelta(microseconds=1)
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
        return "order" if _may_be_order(value) and self.is_order else None

    def is_plausible(self, time: int) -> bool:
        """Whether a review may have been written then; an order has no then."""
        if self.dates == "order" or EARLIEST_TIME <= time <= self.latest:
            return True
        return self.dates is None and 0 <= time < EARLIEST_TIME and self.is_order

    @cached_property
    def is_order(self) -> bool:
        """Whether all times of the column are whole numbers from 0 that are too small for times, and not all the same.

        Programs write 0 where they have no time, so one such number among real times is not an order.
        """
        given = (value for value, _ in self.values() if not _is_gap(value))
        first, differ = None, False
        for value in given:
            if not _may_be_order(value):
                return False
            first = order_number(value) if first is None else first
            differ = differ or order_number(value) != first
        return differ

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


def _is_gap(value: object) -> bool:
    return value is None or (isinstance(value, str) and (not value.strip() or is_missing(value)))


def _may_be_order(value: object) -> bool:
    """Whether a value is a whole number from 0 that, in seconds, would be too early for a review."""
    found = order_number(value)
    return found is not None and found * 1_000_000 < EARLIEST_TIME


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
