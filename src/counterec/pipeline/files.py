"""Files of a run folder: written beside and renamed into place, and identified by their checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from counterec.errors import StoreError


def sha256(path: Path) -> str:
    """The checksum of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn an operating-system error while writing into one line that says where and what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(f"{folder}: cannot be written ({reason}); choose another folder with --out") from None


def write_json(path: Path, value: Any) -> None:
    """Write JSON so that a reader sees the old file or the new one, never a part of it."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    beside = beside_of(path)
    # A path on disk may hold bytes that are not UTF-8; written as JSON escapes they come back as they were.
    beside.write_bytes(text.encode("utf-8", "backslashreplace"))
    beside.replace(path)


def beside_of(path: Path) -> Path:
    """Where a file is written before it is renamed into place."""
    return path.with_name(f".{path.name}.partial")


def read_json(path: Path, what_to_do: str = "delete it and run again") -> Any:
    """Read JSON; a damaged file is an error in one line."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise StoreError(f"{path}: damaged, it is not JSON ({error}); {what_to_do}") from None
