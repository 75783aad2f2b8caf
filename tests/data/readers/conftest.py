"""Fixtures that write and read small files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from counterec.data.problems import Tally
from counterec.data.readers import read
from counterec.data.source import Source

Write = Callable[[str, "bytes | str | Iterable[dict[str, Any]]"], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write bytes, text or records (as JSON lines) to a file of this name, compressed if it ends in .gz."""

    def write(name: str, content: bytes | str | Iterable[dict[str, Any]]) -> Path:
        if not isinstance(content, bytes | str):
            content = "".join(json.dumps(record) + "\n" for record in content)
        data = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


@pytest.fixture
def read_all() -> Callable[..., tuple[pl.DataFrame, Tally]]:
    """Read a whole source into one frame."""

    def read_all(path: Path, format: str, **columns: str) -> tuple[pl.DataFrame, Tally]:
        tally = Tally()
        return pl.concat(list(read(Source(path, format, columns), tally))), tally

    return read_all
