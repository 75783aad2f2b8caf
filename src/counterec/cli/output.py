"""Where results go: standard output, or a file named by ``--out``; progress and errors go to standard error."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from counterec.errors import StoreError, UsageError

if TYPE_CHECKING:
    import polars as pl

out = Console()
err = Console(stderr=True)


def print_json(value: Any) -> None:
    """Print a value for machines: texts as they are or, where the stream cannot carry them, escaped."""
    text = json.dumps(value, indent=2, default=_time_as_text, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2, default=_time_as_text)
    print_line(text)


def _time_as_text(value: Any) -> str:
    if isinstance(value, datetime):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def print_path(path: Path | None) -> None:
    """Print where a result was written, if it was."""
    if path is not None:
        print_line(str(path))


def print_line(text: str) -> None:
    """Print a line as it is, neither wrapped nor coloured."""
    sys.stdout.write(text + "\n")


TABLES = (".csv", ".jsonl", ".parquet")
"""The endings of a table: CSV with lists as JSON in their cells, JSON lines, Parquet."""


def checked_file(path: Path, endings: tuple[str, ...] = TABLES) -> Path:
    """Return a path that can be written, before any work is done for it."""
    if path.is_dir():
        raise StoreError(f"{path}: cannot be written (it is a folder); name another file with --out")
    if path.suffix.lower() not in endings:
        *others, last = endings
        named = f"{', '.join(others)} or {last}" if others else last
        raise UsageError(f"--out {path}: name a {named} file")
    if not path.parent.is_dir():
        why = f"there is no folder {path.parent}, and none is made"
        raise StoreError(f"{path}: cannot be written ({why}); name another file with --out")
    return path


def write_rows(table: pl.DataFrame, path: Path) -> None:
    """Write a table in the form of its ending."""
    from counterec.pipeline.files import beside_of

    beside = beside_of(path)
    try:
        _write(table, beside, path.suffix.lower())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        reason = str(error).splitlines()[0] or error.strerror
        raise StoreError(f"{path}: cannot be written ({reason}); name another file with --out") from None


def _write(table: pl.DataFrame, path: Path, ending: str) -> None:
    from counterec.pipeline import files

    if ending == ".csv":
        _without_lists(table).write_csv(path)
    elif ending == ".jsonl":
        table.write_ndjson(path)
    else:
        files.write_table(table, path)


def _without_lists(table: pl.DataFrame) -> pl.DataFrame:
    """A table in which each list is its JSON: a cell of a CSV file has one value."""
    import polars as pl

    nested = [name for name, kind in table.schema.items() if kind.is_nested()]
    texts = {name: [_as_json(value) for value in table[name].to_list()] for name in nested}
    return table.with_columns(pl.Series(name, values, dtype=pl.String) for name, values in texts.items())


def _as_json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)
