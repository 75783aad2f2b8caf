"""Turns a record of a file into rows of our tables, and counts its problems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from counterec.data.readers.conventions import Conventions
from counterec.data.readers.problems import Tally
from counterec.data.readers.source import Fields, Record
from counterec.data.readers.value_parsing import aspect, clean, identifier, is_missing, number, sentiment

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
