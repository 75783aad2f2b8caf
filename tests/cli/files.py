"""Small source files in every format, and the command line called in this process."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl

from counterec.cli.main import main

Record = dict[str, Any]
DAY = 86_400
FIRST = 1_499_990_400  # a midnight: Amazon's written times know days alone
ASPECTS = ("battery", "screen", "camera", "price")
OPINIONS = {1: ("great", "excellent"), -1: ("terrible", "awful")}


def mentions(users: int = 6, per_user: int = 11, items: int = 16) -> list[Record]:
    """What some users think of some items: two aspects per review."""
    random = np.random.default_rng(0)
    rows = []
    for user in range(users):
        for day, item in enumerate(random.choice(items, per_user, replace=False)):
            for aspect in random.choice(len(ASPECTS), 2, replace=False):
                sentiment = 1 if (aspect + item) % 3 else -1
                rows.append(
                    {
                        "user": f"u{user:02d}",
                        "item": f"i{item:02d}",
                        "aspect": ASPECTS[aspect],
                        "opinion": OPINIONS[sentiment][day % 2],
                        "sentiment": sentiment,
                        "time": FIRST + day * DAY,
                    }
                )
    return rows


def reviews(users: int = 6, per_user: int = 11, items: int = 16) -> list[Record]:
    """The same in words: user, item, text, rating, time."""
    rows: dict[tuple[str, str], Record] = {}
    for mention in mentions(users, per_user, items):
        sentence = f"The {mention['aspect']} is {mention['opinion']}. "
        key = (mention["user"], mention["item"])
        row = rows.setdefault(key, {"user": key[0], "item": key[1], "text": "", "rating": 3, "time": mention["time"]})
        row["text"] += sentence
        row["rating"] += mention["sentiment"]
    return list(rows.values())


def json_lines(records: Sequence[Record]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _renamed(names: dict[str, str], **more: Any) -> bytes:
    return json_lines([{**{names[key]: row[key] for key in names}, **more} for row in reviews()])


AMAZON = {"user": "reviewerID", "item": "asin", "text": "reviewText", "rating": "overall"}


def amazon_2014() -> bytes:
    """With both times, as the files of 2014 have them."""
    return _renamed({**AMAZON, "time": "unixReviewTime"}, reviewerName="J", helpful=[0, 0], summary="s")


def amazon_2018() -> bytes:
    """With a written time alone and more fields, as the files of 2018 may have them."""
    rows = [json.loads(line) for line in _renamed({**AMAZON, "time": "reviewTime"}).splitlines()]
    for row in rows:
        row["reviewTime"] = datetime.fromtimestamp(row["reviewTime"], UTC).strftime("%m %d, %Y")
        row |= {"verified": True, "vote": "2", "style": {"Color:": "Black"}, "image": ["x.jpg"]}
    return json_lines(rows)


def yelp() -> bytes:
    names = {"user": "user_id", "item": "business_id", "text": "text", "rating": "stars", "time": "date"}
    rows = [json.loads(line) for line in _renamed(names, review_id="r", useful=0, funny=0, cool=0).splitlines()]
    for row in rows:
        row["date"] = datetime.fromtimestamp(row["date"], UTC).strftime("%Y-%m-%d %H:%M:%S")
    return json_lines(rows)


def _table(records: Sequence[Record], kind: str) -> bytes:
    buffer = io.BytesIO()
    frame = pl.DataFrame(records)
    frame.write_csv(buffer) if kind == "csv" else frame.write_parquet(buffer)
    return buffer.getvalue()


def fact() -> bytes:
    lines = []
    for row in mentions():
        aspect = ASPECTS.index(row["aspect"])
        lines.append(f"{int(row['user'][1:])},{int(row['item'][1:])},4,{aspect} {row['sentiment']}\n")
    return "".join(lines).encode()


FORMATS: dict[str, tuple[str, str, Callable[[], bytes]]] = {
    "amazon-2014": ("reviews.json", "amazon", amazon_2014),
    "amazon-2018": ("reviews.json", "amazon", amazon_2018),
    "yelp": ("review.json", "yelp", yelp),
    "jsonl": ("reviews.jsonl", "jsonl", lambda: json_lines(reviews())),
    "csv": ("reviews.csv", "csv", lambda: _table(reviews(), "csv")),
    "parquet": ("reviews.parquet", "parquet", lambda: _table(reviews(), "parquet")),
    "mentions-csv": ("mentions.csv", "mentions", lambda: _table(mentions(), "csv")),
    "mentions-jsonl": ("mentions.jsonl", "mentions", lambda: json_lines(mentions())),
    "mentions-parquet": ("mentions.parquet", "mentions", lambda: _table(mentions(), "parquet")),
    "fact": ("train.txt", "fact", fact),
}
"""Name of the file, its format, its content."""


def write(folder: Path, kind: str, packed: bool = False) -> Path:
    """Write the file of a kind into a folder."""
    name, _, content = FORMATS[kind]
    path = folder / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(content()) if packed else content())
    return path


def write_rows(path: Path, rows: Sequence[Record]) -> Path:
    """Write records as JSON lines."""
    path.write_bytes(json_lines(rows))
    return path


@dataclass(frozen=True)
class Outcome:
    """Exit status and output of the command line."""

    status: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """The output with every line break and run of spaces as one space."""
        return " ".join(self.out.split())

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def warnings(self) -> list[str]:
        return [line for line in self.err.splitlines() if line.startswith("warning: ")]

    @property
    def error(self) -> str:
        """The one line that says what went wrong, after nothing but progress and warnings."""
        lines = self.err.splitlines()
        assert lines, "nothing was printed"
        assert lines[-1].startswith("error: "), self.err
        assert all(line.startswith(("✓ ", "warning: ")) for line in lines[:-1]), self.err
        assert self.out == ""
        return lines[-1].removeprefix("error: ")


def counterec(*args: object) -> Outcome:
    """Call the command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    status: Any = 0
    argv = ["counterec", *map(str, args)]
    with patch.object(sys, "argv", argv), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
    return Outcome(status, out.getvalue(), err.getvalue())
