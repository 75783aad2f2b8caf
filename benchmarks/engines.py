"""One run made by one process, by two, in shards that are merged, and by Ray: does anything differ, row for row?

    python -m benchmarks.engines NAME=SOURCE … [--model hybrid] [--goals minimal complete] [--shards 4] --work WORK

Each way makes the whole run in a folder of its own, and is compared with the first, file by file, by
``scripts/compare_runs.py``, which names whatever differs. Each shard works in a folder of its own, as jobs without a
common disk do. A way that is finished is not made again.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
from scripts.compare_runs import differences

from benchmarks.pages import machine, page_of, with_section
from counterec import make_config, make_run, open_run
from counterec.pipeline.config import RunConfig
from counterec.pipeline.manifest import Manifest
from counterec.pipeline.stage import Shard
from counterec.run import Run
from counterec.shards import make_share, merge_shares

PAGE = Path("benchmarks/results/engines.md")
HEADING = """# One run, made in four ways

By `python -m benchmarks.engines` ([how to run it again](../README.md)). Each way made the whole run anew, trainings
included. Every file is compared with that of the first way: tables row for row, arrays number for number, without any
tolerance. Of the manifest, times and checksums do not count: the files themselves are compared.
"""
MADE = "made"
"""A file that says that a way is finished."""

Way = Callable[[RunConfig, Path], None]
"""Makes a run in a folder."""


def main() -> None:
    options = parse()
    ways = ways_of(options.shards)
    for given in options.runs:
        name, _, source = given.partition("=")
        settings = {
            "data": {"sources": [str(Path(source).resolve())]},
            "model": {"kind": options.model},
            "explain": {"methods": options.goals},
        }
        config = make_config(settings, "engines")
        folders = {
            way: made(make, config, options.work / name / str(at)) for at, (way, make) in enumerate(ways.items())
        }
        body = "\n".join([f"{machine()}.", "", *section(folders)])
        page = with_section(HEADING, page_of(options.out), f"{name}, {options.model}", body)
        options.out.write_text(page, encoding="utf-8")
        print(body)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=SOURCE")
    parser.add_argument("--model", default="hybrid")
    parser.add_argument("--goals", nargs="+", default=["minimal", "complete"])
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--work", type=Path, default=Path("runs/engines"))
    parser.add_argument("--out", type=Path, default=PAGE)
    return parser.parse_args()


def ways_of(shards: int) -> dict[str, Way]:
    """How a run can be made; the first is what the others are compared with."""

    def by_one(config: RunConfig, folder: Path) -> None:
        make_run(config, folder)

    def by_two(config: RunConfig, folder: Path) -> None:
        make_run(config, folder, processes=2)

    def by_ray(config: RunConfig, folder: Path) -> None:
        make_run(config, folder, processes=2, engine="ray")

    def by_shards(config: RunConfig, folder: Path) -> None:
        make_in_shards(config, folder, shards)

    return {
        "one process": by_one,
        "two processes": by_two,
        f"{shards} shards, merged": by_shards,
        "Ray on two cores": by_ray,
    }


def make_in_shards(config: RunConfig, folder: Path, count: int) -> None:
    """Round by round: every shard makes its pieces in a copy of what was merged before, then all are merged."""
    folders = [folder, *(folder.with_name(f"{folder.name}-{number}") for number in range(1, count))]
    while True:
        for number, own in enumerate(folders):
            make_share(config, own, Shard(number, count))
        merged = merge_shares(folders)
        for copy in folders[1:]:
            shutil.rmtree(copy)
        if isinstance(merged, Run):
            return
        for copy in folders[1:]:
            shutil.copytree(folder, copy)


def made(make: Way, config: RunConfig, place: Path) -> Path:
    """Make a run in this place, unless it was finished before, and return the place."""
    if not (place / MADE).exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        make(config, place / "run")
        (place / MADE).touch()
    return place


def section(places: dict[str, Path]) -> Iterator[str]:
    """What was compared, one row per way, and every difference."""
    first, *others = places.items()
    yield described(first[1] / "run")
    yield ""
    yield f"| way | files compared | differences from {first[0]} |\n|---|---|---|"
    found = {way: list(differences(place / "run", first[1] / "run")) for way, place in others}
    for way, place in others:
        yield f"| {way} | {files(place / 'run')} | {len(found[way])} |"
    yield ""
    yield from told(found)


def told(found: dict[str, list[str]]) -> Iterator[str]:
    """Every difference, or that there is none."""
    if not any(found.values()):
        yield "Nothing differs."
    for way, lines in found.items():
        yield from (f"- {way}: {line}" for line in lines)


def described(folder: Path) -> str:
    """How large the run is."""
    counts = {name: record.counts for name, record in Manifest.load(folder).stages.items()}["build"]
    run, rows = open_run(folder), _rows(folder)
    return (
        f"{counts['users']:,} users, {counts['items']:,} items, {counts['aspects']:,} aspects, model "
        f"*{run.config.model.kind}*; {rows:,} rows of tables in each run."
    )


def _rows(folder: Path) -> int:
    return sum(pl.scan_parquet(file).select(pl.len()).collect().item() for file in folder.rglob("*.parquet"))


def files(folder: Path) -> int:
    """How many files a run has."""
    return sum(path.is_file() for path in folder.rglob("*"))


if __name__ == "__main__":
    main()
