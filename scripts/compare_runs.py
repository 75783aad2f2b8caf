"""What differs between two run folders, row for row: tables, arrays and JSON, but no times.

    python scripts/compare_runs.py RUN OTHER [--within 1e-4]

Prints one line for each thing that differs and ends with status 1 if anything does. Of the manifest, how long stages
took and when they ended do not count, nor do the checksums of files, which are compared themselves.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counterec.pipeline.files import load_tensors

TIMES = {"seconds", "ended", "sha256", "fingerprint", "inputs", "outputs", "versions", "milliseconds"}
"""Keys of JSON files that are not compared."""
MOST_ROWS = 3
"""So many rows that differ are shown."""


def differences(run: Path, other: Path, within: float = 0.0) -> Iterator[str]:
    """One line for each thing that differs; numbers may differ by ``within``."""
    ours, theirs = _files(run), _files(other)
    yield from (f"{file}: only in {run}" for file in sorted(ours - theirs))
    yield from (f"{file}: only in {other}" for file in sorted(theirs - ours))
    for file in sorted(ours & theirs):
        yield from (f"{file}: {line}" for line in _file_differences(run / file, other / file, within))


def _files(run: Path) -> set[str]:
    found = (path.relative_to(run) for path in run.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if not path.parts[0].startswith(".")}


def _file_differences(ours: Path, theirs: Path, within: float) -> Iterator[str]:
    if ours.read_bytes() == theirs.read_bytes():
        return
    if ours.suffix == ".parquet":
        yield from _table_differences(pl.read_parquet(ours), pl.read_parquet(theirs), within)
    elif ours.suffix == ".safetensors":
        yield from _array_differences(load_tensors(ours), load_tensors(theirs), within)
    elif ours.suffix == ".json":
        yield from _value_differences(json.loads(ours.read_text()), json.loads(theirs.read_text()), within)
    else:
        yield "the bytes differ"


def _table_differences(ours: pl.DataFrame, theirs: pl.DataFrame, within: float) -> Iterator[str]:
    if ours.schema != theirs.schema:
        yield f"other columns: {dict(ours.schema)} and {dict(theirs.schema)}"
        return
    if len(ours) != len(theirs):
        yield f"{len(ours):,} rows and {len(theirs):,}"
        return
    for name in ours.columns:
        pairs = zip(ours[name].to_list(), theirs[name].to_list(), strict=True)
        rows = [row for row, (one, two) in enumerate(pairs) if not _alike(one, two, within)]
        if rows:
            some = ", ".join(f"row {row}: {ours[name][row]!r} and {theirs[name][row]!r}" for row in rows[:MOST_ROWS])
            yield f"{name} differs in {len(rows):,} of {len(ours):,} rows: {some}"


def _array_differences(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], within: float) -> Iterator[str]:
    for name in sorted(ours.keys() ^ theirs.keys()):
        yield f"{name} is in one alone"
    for name in sorted(ours.keys() & theirs.keys()):
        one, two = ours[name], theirs[name]
        if one.shape != two.shape or one.dtype != two.dtype:
            yield f"{name}: {one.dtype}{list(one.shape)} and {two.dtype}{list(two.shape)}"
        elif not np.allclose(one, two, rtol=0, atol=within, equal_nan=True):
            gap = np.abs(one.astype(np.float64) - two)
            yield f"{name} differs in {int((gap > within).sum()):,} of {one.size:,} places, by up to {np.nanmax(gap):g}"


def _value_differences(ours: Any, theirs: Any, within: float, place: str = "") -> Iterator[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted((ours.keys() | theirs.keys()) - TIMES):
            inner = f"{place}.{key}" if place else key
            if key not in ours or key not in theirs:
                yield f"{inner} is in one alone"
            else:
                yield from _value_differences(ours[key], theirs[key], within, inner)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for number, (one, two) in enumerate(zip(ours, theirs, strict=True)):
            yield from _value_differences(one, two, within, f"{place}[{number}]")
    elif not _alike(ours, theirs, within):
        yield f"{place}: {ours!r} and {theirs!r}"


def _alike(one: Any, two: Any, within: float) -> bool:
    if isinstance(one, float) and isinstance(two, float):
        return one == two or abs(one - two) <= within or (one != one and two != two)
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return all(_alike(*both, within) for both in zip(one, two, strict=True))
    return bool(one == two)


def main(arguments: list[str] | None = None) -> int:
    """Print what differs; return 1 if anything does."""
    parser = argparse.ArgumentParser(description="What differs between two run folders.")
    parser.add_argument("run", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("--within", type=float, default=0.0, help="numbers may differ by this much")
    asked = parser.parse_args(arguments)
    found = list(differences(asked.run, asked.other, asked.within))
    for line in found or ["nothing differs"]:
        print(line)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
