"""Bad inputs, each tried by ``counterec check``, and the table of ``docs/data.md`` that says what happens.

``PYTHONPATH=src python -m tests.cli.bad_inputs`` writes the table anew.
"""

from __future__ import annotations

import gzip
import os
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from counterec.data.problems import PROBLEMS
from tests.cli.files import Record, counterec, json_lines, mentions, reviews

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
_UNUSUAL = re.compile("[^ -~×�…]+")
"""Characters that random bytes happen to make: a page need not show them."""
BEGIN, END = "<!-- bad inputs: begin -->", "<!-- bad inputs: end -->"

Files = dict[str, bytes]


def table(rows: Sequence[Record], header: str = "user,item,text,time,rating", end: str = "\n") -> bytes:
    """Reviews as a CSV table; its columns are in the order of the first row."""
    lines = [header, *(",".join(str(value) for value in row.values()) for row in rows)]
    return (end.join(lines) + end).encode()


def plain(**changes: Callable[[int], Any]) -> list[Record]:
    """Good reviews in the order of columns, with other values as a function of the row number."""
    rows = []
    for number, row in enumerate(reviews()):
        ordered = {name: row[name] for name in ("user", "item", "text", "time", "rating")}
        rows.append({**ordered, **{name: change(number) for name, change in changes.items()}})
    return rows


def at(place: int, value: Any, usual: str) -> Callable[[int], Any]:
    """This value in one row, and the usual one elsewhere."""
    return lambda number: value if number == place else reviews()[number][usual]


def _damaged(line: int, change: Callable[[bytes], bytes]) -> bytes:
    lines = table(plain()).splitlines(keepends=True)
    lines[line] = change(lines[line])
    return b"".join(lines)


GOOD = table(plain())
CASES: dict[str, tuple[Files, list[str]]] = {
    "UTF-16": ({"r.csv": GOOD.decode().encode("utf-16")}, []),
    "UTF-8 with a byte order mark": ({"r.csv": b"\xef\xbb\xbf" + GOOD}, []),
    "Latin-1 in one line": ({"r.csv": _damaged(3, lambda line: line.replace(b"The", b"Th\xe9", 1))}, []),
    "broken UTF-8": ({"r.csv": _damaged(3, lambda line: line.replace(b"The", b"Th\xff", 1))}, []),
    "NUL in a text": ({"r.csv": _damaged(3, lambda line: line.replace(b"The", b"T\0he", 1))}, []),
    "line ends CR": ({"r.csv": table(plain(), end="\r")}, []),
    "line ends CR LF": ({"r.csv": table(plain(), end="\r\n")}, []),
    "a quote that is not closed": ({"r.csv": _damaged(3, lambda line: line.replace(b",The", b',"The', 1))}, []),
    "a row with too many cells": ({"r.csv": _damaged(3, lambda line: line.replace(b",The", b",,The", 1))}, []),
    "random bytes, named .csv": ({"r.csv": random.Random(0).randbytes(5_000)}, []),
    "random bytes, named .json": ({"r.json": random.Random(1).randbytes(5_000)}, []),
    "dates as 13.1.2020": ({"r.csv": table(plain(time=lambda n: f"{n % 28 + 1}.1.2020"))}, []),
    "dates as 1/13/2020": ({"r.csv": table(plain(time=lambda n: f"1/{n % 28 + 1}/2020"))}, []),
    "dates as 1/2/2020, no day above 12": ({"r.csv": table(plain(time=lambda n: f"1/{n % 12 + 1}/2020"))}, []),
    "the same with `--dates mdy`": ({"r.csv": table(plain(time=lambda n: f"1/{n % 12 + 1}/2020"))}, ["--dates", "mdy"]),
    "`--dates ymd`": ({"r.csv": GOOD}, ["--dates", "ymd"]),
    "dates in words": ({"r.csv": table(plain(time=lambda n: "last May"))}, []),
    "milliseconds": ({"r.csv": table(plain(time=lambda n: 1_500_000_000_000 + n))}, []),
    "a time in 2099": ({"r.csv": table(plain(time=at(3, "2099-01-01", "time")))}, []),
    "a time of 0": ({"r.csv": table(plain(time=at(3, 0, "time")))}, []),
    "times 0, 1, 2 …": ({"r.csv": table(plain(time=lambda n: n))}, []),
    "all times 0": ({"r.csv": table(plain(time=lambda n: 0))}, []),
    "a rating of 11": ({"r.csv": table(plain(rating=at(3, 11, "rating")))}, []),
    "a rating in words": ({"r.csv": table(plain(rating=at(3, "five", "rating")))}, []),
    "a text `NULL`": ({"r.csv": table(plain(text=at(3, "NULL", "text")))}, []),
    "a text `N/A`": ({"r.csv": table(plain(text=at(3, "N/A", "text")))}, []),
    "a text of a hundred thousand words": ({"r.csv": table(plain(text=at(3, "bad battery " * 50_000, "text")))}, []),
    "no column of texts": ({"r.csv": table([{"u": r["user"], "i": r["item"]} for r in plain()], "user,item")}, []),
    "several columns missing": ({"r.csv": table(plain(), "who,what,body,time,rating")}, []),
    "JSON without texts": ({"r.json": json_lines([{"user": r["user"], "item": r["item"]} for r in plain()])}, []),
    "a column name with a comma": (
        {"r.csv": table(plain(), 'user,item,"Review, in full",time,rating')},
        ["--columns", "text=Review, in full"],
    ),
    "a column that is not there": ({"r.csv": GOOD}, ["--columns", "text=body"]),
    "an unknown column": ({"r.csv": GOOD}, ["--columns", "colour=body"]),
    "a row without a user": ({"r.csv": table(plain(user=at(3, "", "user")))}, []),
    "the same row twice": ({"r.csv": GOOD + GOOD.splitlines(keepends=True)[1]}, []),
    "an empty file": ({"r.csv": b""}, []),
    "column names and no rows": ({"r.csv": GOOD.splitlines(keepends=True)[0]}, []),
    "a file that is not there": ({}, ["r.csv"]),
    "a folder": ({}, ["."]),
    "gzip that is cut off": ({"r.csv.gz": gzip.compress(GOOD)[:200]}, []),
    "a letter": ({"r.txt": b"Dear diary,\nI read today.\n"}, []),
    "most lines not JSON": ({"r.jsonl": b'{"user": "u", "item": "i", "text": "t"}\n' + b"oops\n" * 9}, []),
    "Parquet that is none": ({"r.parquet": b"PAR1 and then nothing"}, []),
    "`--format xml`": ({"r.csv": GOOD}, ["--format", "xml"]),
    "too few reviews per user": ({"r.json": json_lines(reviews(per_user=3))}, []),
    "reviews and mentions together": ({"m.jsonl": json_lines(mentions()), "r.csv": GOOD}, []),
    "`--items` that is not there": ({"r.csv": GOOD}, ["--items", "nofile.csv"]),
    "own words that are not there": ({"r.csv": GOOD, "c.toml": b'[aspects]\nwords = "nofile.toml"\n'}, []),
    "a list longer than the catalogue": ({"r.csv": GOOD, "c.toml": b"[lists]\nk = 1000\n"}, []),
    "a kept aspect that no mention has": (
        {"m.jsonl": json_lines(mentions()), "c.toml": b'[explain.constraints]\nkeep = ["colour"]\n'},
        [],
    ),
    "a file and its config": ({"r.csv": GOOD, "c.toml": b"[data]\nmin_user_reviews = 11\n"}, []),
    "two config files": ({"b.toml": b"", "c.toml": b""}, []),
}
"""What is tried → the files, and options or further sources. Files are the sources; a config is one of them."""


def happens(files: Files, options: list[str], folder: Path) -> str:
    """Check the files and say what happens: the error, or the rows that are kept and what was counted."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    before = Path.cwd()
    os.chdir(folder)
    try:
        outcome = counterec("check", *files, *options, "--json")
    finally:
        os.chdir(before)
    if outcome.status:
        line = outcome.err.splitlines()[-1]
        assert line.startswith("error: "), outcome.err
        return line.removeprefix("error: ").replace(f"{folder}/", "")
    found = outcome.json
    counted = [f"{count} × {reason} (dropped)" for reason, count in found["dropped"].items()]
    counted += [f"{count} × {problem} ({PROBLEMS[problem]})" for problem, count in found["problems"].items()]
    return f"{found['kept']} of {found['rows']} rows kept{'; ' * bool(counted)}{', '.join(counted)}"


def lines(folder: Path) -> Iterator[str]:
    """The table, line by line; each case has a folder of its own."""
    yield from ("| tried | what happens |", "|---|---|")
    for number, (tried, (files, options)) in enumerate(CASES.items()):
        place = folder / str(number)
        place.mkdir()
        said = _UNUSUAL.sub("…", happens(files, options, place)).replace("|", "\\|").replace("<", "&lt;")
        yield f"| {tried} | {said} |"


def page_with(rows: Sequence[str], page: str) -> str:
    """Return the page with this table between its marks."""
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    return f"{before}{BEGIN}\n\n" + "\n".join(rows) + f"\n\n{END}{after}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        PAGE.write_text(page_with(list(lines(Path(work))), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
