"""A messy table of 3,000 rows: reviews with faults of many kinds planted by a seed, and how many of each."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROWS = 3_000
USERS, PER_USER = 100, 28
PASSERS_BY = 20
"""Users with three reviews each."""
AGAIN = EARLIER = 70
"""Rows that repeat another, and rows that an own later review replaces."""
HEADER = "user,item,text,time,rating"
GERMAN = "Das ist ein sehr gutes Telefon und der Akku ist auch nach zwei Tagen noch nicht leer"

Row = dict[str, str]


@dataclass(frozen=True)
class Fault:
    """A way to spoil a row: its values, or the line that they make."""

    name: str
    counted_as: str
    """The reason or problem under which a check counts it."""
    spoil: Callable[[Row], Row] = lambda row: row
    line: Callable[[str], bytes] = lambda line: line.encode()


def _with(**values: str) -> Callable[[Row], Row]:
    return lambda row: {**row, **values}


FAULTS = (
    Fault("no user", "no user", _with(user="")),
    Fault("a blank user and no item", "no user", _with(user=" ", item="")),
    Fault("no item", "no item", _with(item="")),
    Fault("text NULL", "no text", _with(text="NULL")),
    Fault("text N/A", "no text", _with(text="N/A")),
    Fault("text nan", "no text", _with(text="nan")),
    Fault("no text", "no text", _with(text="")),
    Fault("rating 11", "rating off the scale", _with(rating="11")),
    Fault("rating -3", "rating off the scale", _with(rating="-3")),
    Fault("rating in words", "rating is not a number", _with(rating="five stars")),
    Fault("no rating", "no rating", _with(rating="")),
    Fault("time in 2099", "time out of range", _with(time="1/2/2099")),
    Fault("time 0", "time out of range", _with(time="0")),
    Fault("time in words", "time cannot be read", _with(time="last May")),
    Fault("no such day", "time cannot be read", _with(time="31/2/2020")),
    Fault("no time", "no time", _with(time="")),
    Fault("open quote", "quote that is not closed", line=lambda line: line.replace(",The", ',"The').encode()),
    Fault("too few cells", "not a row of this table", line=lambda line: line.rsplit(",", 1)[0].encode()),
    Fault("too many cells", "not a row of this table", line=lambda line: f"{line},1".encode()),
    Fault("quote in the middle", "not a row of this table", line=lambda line: f'"{line[:3]}"{line[3:]}'.encode()),
    Fault("Latin-1", "Latin-1 instead of UTF-8", line=lambda line: line.replace("The", "Thé").encode("latin-1")),
    Fault("broken UTF-8", "broken UTF-8", line=lambda line: line.encode().replace(b"The", b"Th\xff\xfe")),
    Fault("NUL", "NUL or half a character", line=lambda line: line.encode().replace(b"The", b"T\0he")),
    Fault("German", "not English", _with(text=GERMAN)),
)


@dataclass(frozen=True)
class Planted:
    """What is in the file: rows by the name under which a check counts them."""

    counts: dict[str, int] = field(default_factory=dict)


def write_messy(path: Path, seed: int = 0) -> Planted:
    """Write the table; return how many faults of each kind were planted."""
    rng = np.random.default_rng(seed)
    base = [_row(f"u{user:03d}", f"i{item:03d}", day) for user in range(USERS) for day, item in _items(rng)]
    order = rng.permutation(len(base))
    planted = Planted({"the same review again": AGAIN, "an earlier review of the same item": EARLIER})
    lines: dict[int, bytes] = {number: _line(row).encode() for number, row in enumerate(base)}
    used = AGAIN + EARLIER  # rows that are repeated or replaced stay whole
    for fault in FAULTS:
        count = int(rng.integers(3, 12))
        for number in order[used : used + count]:
            lines[number] = fault.line(_line(fault.spoil(base[number])))
        used += count
        planted.counts[fault.counted_as] = planted.counts.get(fault.counted_as, 0) + count
    again = [_line(base[number]).encode() for number in order[:AGAIN]]
    earlier = [_line({**base[number], "time": "1/1/2000"}).encode() for number in order[AGAIN : AGAIN + EARLIER]]
    few = [_line(_row(f"p{user:02d}", f"i{day:03d}", day)).encode() for user in range(PASSERS_BY) for day in range(3)]
    planted.counts["a user with fewer than 10 reviews"] = len(few)
    everything = [*lines.values(), *again, *earlier, *few]
    assert len(everything) == ROWS
    ends = rng.choice([b"\n", b"\r\n", b"\r", b"\n\n"], ROWS)  # mixed, and some blank lines
    mixed = [everything[number] + bytes(end) for number, end in zip(rng.permutation(ROWS), ends, strict=True)]
    path.write_bytes(HEADER.encode() + b"\n" + b"".join(mixed))
    return planted


def _items(rng: np.random.Generator) -> list[tuple[int, int]]:
    return list(enumerate(rng.choice(150, PER_USER, replace=False)))


def _row(user: str, item: str, day: int) -> Row:
    text = f"The battery of {user} is great and the screen is good"
    return {"user": user, "item": item, "text": text, "time": f"{day + 1}/3/2020", "rating": str(day % 5 + 1)}


def _line(row: Row) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(row.values())
    return text.getvalue()
