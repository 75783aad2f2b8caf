"""Collect the results of experiments from their run folders: a summary, and the text tables and claims of each.

counterec experiment RUN                       # for each dataset, first
python -m benchmarks.experiment NAME=RUN …     # then
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

METHODS = ("relaxed", "single", "minimal", "complete", "random", "gradient", "shapley", "lime", "efm", "mter", "a2cf")
RESULTS = Path("benchmarks/results/experiment")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where tables, claims and the summary go")
    options = parser.parse_args()
    lines = [
        "# Summary of the experiments",
        "",
        "Made by `python -m benchmarks.experiment` from the reports beside it.",
        "",
    ]
    for given in options.runs:
        name, _, run = given.partition("=")
        for report in sorted((Path(run) / "experiment").glob("*/evaluation.json")):
            kept = options.out / name / report.parent.name
            shutil.rmtree(kept, ignore_errors=True)
            kept.mkdir(parents=True)
            for file in (*sorted((report.parent / "tables").glob("*.txt")), report.parent / "claims.txt"):
                shutil.copy(file, kept)
            found = json.loads(report.read_text(encoding="utf-8"))
            lines += [f"## {name}, protocol {found['protocol']}", "", *summary(found), ""]
    (options.out / "summary.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def summary(found: dict[str, Any]) -> Iterator[str]:
    """The main measures, one row per method; then one line per claim and gap."""
    cells = {(cell["method"], cell["shape"], cell["masked"]): cell for cell in found["cells"]}
    heads: tuple[str, ...] = (
        "method",
        "NDCG@K",
        "F1, single, mask",
        "F1, multi, mask",
        "F_NS, single",
        "F_NS, multi",
        "aspects, multi",
    )
    heads += ("F_NS, transfer, lowest", "valid", "ms")
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for method in METHODS:
        notes = found["methods"].get(method, {})
        if notes.get("unavailable"):
            yield f"| {method} | {notes['unavailable']} |" + " |" * 8
            continue
        single, multi = (cells.get((method, shape, False), {}) for shape in ("single", "multi"))
        masked = [cells.get((method, shape, True), {}).get("f1") for shape in ("single", "multi")]
        values = [notes.get("ranking", {}).get("ndcg"), *masked, single.get("f_ns"), multi.get("f_ns")]
        values += [multi.get("aspects"), lowest(multi), (multi or single).get("valid")]
        yield f"| {method} | {' | '.join(map(shown, values))} | {number(notes.get('milliseconds'))} |"
    yield ""
    for claim in found["claims"]:
        yield f"- **{claim['verdict']}**: {claim['text']}"
    for gap in found["gaps"]:
        yield f"- *gap*: {gap}"


def lowest(cell: dict[str, Any]) -> dict[str, Any] | None:
    there = [sides["f_ns"] for sides in cell.get("elsewhere", {}).values() if sides["f_ns"]["value"] is not None]
    return min(there, key=lambda one: float(one["value"])) if there else None


def shown(measure: dict[str, Any] | None) -> str:
    """A value with its number of cases."""
    return "–" if not measure or measure["value"] is None else f"{measure['value']:.3f} ({measure['cases']:,})"


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    main()
