"""``counterec stats``: the paper's Table 1 for the data of a run. The manifest has all of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from counterec.cli.options import Json, Quiet, RunFolder
from counterec.cli.streams import out, print_json

if TYPE_CHECKING:
    from counterec.pipeline.manifest import Manifest

COUNTED = ("users", "items", "reviews", "aspects")


def stats(folder: RunFolder, quiet: Quiet = False, as_json: Json = False) -> None:
    """Print the statistics of a run's data: the paper's Table 1."""
    from counterec.pipeline.manifest import Manifest

    manifest = Manifest.load(folder)
    if as_json:
        print_json(statistics_json(folder, manifest))
    elif not quiet:
        out.print(statistics_table(folder, manifest))


def statistics_json(folder: Path, manifest: Manifest) -> dict[str, Any]:
    """Return the statistics, and under ``expected`` those that a published dataset is said to have."""
    from counterec.pipeline.manifest import statistics

    dataset = manifest.config.get("dataset") or {}
    expected = {"expected": dataset["statistics"]} if dataset.get("statistics") else {}
    return {**statistics(folder, manifest), **expected}


def statistics_table(folder: Path, manifest: Manifest) -> Table:
    """Return the statistics as a table, with a second row for those that a published dataset is said to have."""
    found = statistics_json(folder, manifest)
    if "expected" not in found:
        table = Table(title="Data", title_justify="left")
        rows = [_cells(found)]
    else:
        name = manifest.config["dataset"]["name"]
        table = Table("", title=Text(f"Data · {name}"), title_justify="left")
        rows = [["this run", *_cells(found)], ["expected", *_cells(found["expected"])]]
    for heading in (*COUNTED, "density"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def _cells(numbers: Mapping[str, Any]) -> list[str]:
    return [*(f"{numbers[name]:,}" for name in COUNTED), f"{numbers['density']:.3%}"]
