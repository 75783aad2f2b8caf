"""The pickle format common in this field, read without running any code in it."""

from __future__ import annotations

import pickle
from pathlib import Path

from counterec.data.readers.files import FAILURES, opened, unreadable
from counterec.data.readers.problems import Tally, shown
from counterec.data.readers.source import Records
from counterec.errors import ReadError


class _PlainUnpickler(pickle.Unpickler):
    """Loads plain containers, strings and numbers only; refuses to look up any class or function."""

    def find_class(self, module: str, name: str) -> object:
        raise _RefusedError(f"{module}.{name}")

    def persistent_load(self, pid: object) -> object:
        raise _RefusedError(f"the persistent object {shown(pid)}")


class _RefusedError(Exception):
    """The pickle contains more than plain data."""


def pickle_records(path: Path, tally: Tally) -> Records:
    """Yield the dicts of a pickled list. This is the one format that cannot be read in parts."""
    for number, record in enumerate(_loaded(path), start=1):
        where = f"{path.name} record {number}"
        if isinstance(record, dict):
            yield where, record
        else:
            tally.add("not a dict", where, record)
            yield where, None


def _loaded(path: Path) -> list[object]:
    try:
        with opened(path) as stream:
            value = _PlainUnpickler(stream, encoding="utf-8", errors="replace").load()
    except _RefusedError as refused:
        raise ReadError(
            f"{path}: refuses to load {refused}; only plain containers, strings and numbers are read: "
            "do not open this file with pickle unless you trust it"
        ) from None
    except FAILURES as error:
        raise unreadable(path, error) from None
    except Exception as error:  # a damaged pickle raises whatever its bytes happen to spell
        raise ReadError(f"{path} is not a readable pickle: {shown(str(error))}; copy it again") from None
    if not isinstance(value, list):
        kind = type(value).__name__
        raise ReadError(f"{path} holds a {kind}, {shown(value)}; expected a list of dicts user, item, rating, template")
    return value
