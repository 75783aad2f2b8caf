"""Collect the results of experiments from their run folders: tables, figures, claims and numbers, and a summary of all.

counterec experiment RUN --seeds 3 --models net hybrid    # for each dataset, first
python -m benchmarks.experiment NAME=RUN …     # then

What was collected of other data sets stays, so that these can be measured on another day, or on another machine.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.reading_sections.places import NUMBERS, places
from counterec.pipeline.files import write_json

METHODS = (
    *("relaxed", "single", "minimal", "complete", "random", "gradient", "shapley", "lime"),
    *("alignment", "alignment_efm", "alignment_a2cf", "frequency", "efm", "mter", "a2cf"),
)
F1, F_NS = ("f1", "f1_all"), ("f_ns", "f_ns_all")
RESULTS = Path("benchmarks/results/experiment")
HOURS = "hours.json"
"""What the experiment of a data set took, beside its reports."""
HEAD = (
    "Made by `python -m benchmarks.experiment` from the reports beside it. In parentheses: the number of cases.",
    "ms: per explanation, measured while other cells were measured beside it; quiet times are in",
    "[explainers.md](../explainers.md).",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where tables, figures, claims and the summary go")
    options = parser.parse_args()
    for given in options.runs:
        name, _, run = given.partition("=")
        collect_run(Path(run), options.out / name)
    lines = ["# Summary of the experiments", "", *HEAD, "", *time_taken(options.out), ""]
    for place in places(options.out):
        lines += [f"## {place.data}, model {place.model}, protocol {place.protocol}", "", *summary(place.found), ""]
    (options.out / "summary.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def collect_run(run: Path, kept: Path) -> None:
    """Collect every report of a run's experiment; quick ones lie a folder deeper and are left out."""
    for report in sorted((run / "experiment").glob("*/*/evaluation.json")):
        model, protocol = report.parts[-3:-1]
        collect(report.parent, kept / model / protocol)
    write_json(kept / HOURS, hours(run))


def collect(report: Path, kept: Path) -> None:
    """Copy what people read of a report, and all its numbers, in place of what was collected before."""
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for file in (*report.glob("tables/*.txt"), *report.glob("figures/*.svg"), report / "claims.txt"):
        shutil.copy(file, kept)
    content = (report / "evaluation.json").read_bytes()
    (kept / NUMBERS).write_bytes(gzip.compress(content, mtime=0))  # the same bytes for the same numbers


def time_taken(results: Path) -> Iterator[str]:
    """The hours of every data set, and of all of them."""
    taken = hours_by_data(results)
    yield "Hours of work, trainings included: the sum of what the stages took, several of which run at a time."
    yield ""
    yield from (f"- {name}: {each:.1f}" for name, each in taken.items())
    yield f"- all data sets: {sum(taken.values()):.1f}"


def hours_by_data(results: Path) -> dict[str, float]:
    """What the experiment of each data set took that was collected."""
    return {
        path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(results.glob(f"*/{HOURS}"))
    }


def hours(run: Path) -> float:
    """The sum of what the stages of a run's experiment took; those of a quick one do not count."""
    stages = json.loads((run / "manifest.json").read_text(encoding="utf-8"))["stages"]
    own = [stage for stage in stages.values() if _of_an_experiment(stage["outputs"])]
    return float(sum(stage["seconds"] for stage in own)) / 3600


def _of_an_experiment(outputs: dict[str, str]) -> bool:
    return any(file.startswith("experiment/") and not file.startswith("experiment/quick/") for file in outputs)


def summary(found: Mapping[str, Any]) -> Iterator[str]:
    """The main measures, one row per method, each of the explained pairs and of all; then claims, bounds and gaps."""
    cells = {(cell["method"], cell["shape"], cell["masked"]): cell for cell in found["cells"]}
    orders = {one["method"]: one for one in found["orders"]}
    heads: tuple[str, ...] = ("method", "NDCG@K", "F1, single, mask", "of all", "F1, multi, mask", "of all")
    heads += ("F_NS, single", "of all", "F_NS, multi", "of all", "aspects, multi")
    heads += ("F_NS, transfer, lowest", "of all")
    heads += ("valid", "of all", "POS@K", "DEL", "INS", "ms")
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for method in (name for name in METHODS if name in found["methods"]):
        notes = found["methods"][method]
        if notes.get("unavailable"):
            yield f"| {method} | {notes['unavailable']} |" + " |" * (len(heads) - 2)
            continue
        single, multi = (cells.get((method, shape, False), {}) for shape in ("single", "multi"))
        masked = [cells.get((method, shape, True), {}).get(name) for shape in ("single", "multi") for name in F1]
        model = [cell.get(name) for cell in (single, multi) for name in F_NS]
        values = [notes.get("ranking", {}).get("ndcg"), *masked, *model]
        values += [multi.get("aspects"), *(lowest(multi, name) for name in F_NS)]
        values += [(multi or single).get(name) for name in ("valid", "valid_all")]
        values += [orders.get(method, {}).get(name) for name in ("in_list", "deleted", "inserted")]
        yield f"| {method} | {' | '.join(map(shown, values))} | {number(notes.get('milliseconds'))} |"
    yield ""
    for claim in found["claims"]:
        yield f"- **{claim['verdict']}**: {claim['text']}"
    for cell in found["fresh_seeds"]["cells"]:
        sides = ", ".join(f"{name} {shown(cell[name])}" for name in (*F1, *F_NS))
        yield f"- {cell['method']}, {cell['shape']}, {'with' if cell['masked'] else 'without'} the mask: {sides}"
    for mask, bounds in found["hindsight"].items():
        yield f"- best F1 in hindsight, {mask}: " + ", ".join(f"{name} {shown(one)}" for name, one in bounds.items())
    for one in found["retraining"]:
        told = {name: shown(value) for name, value in one.items() if isinstance(value, dict)}
        yield f"- another training, {one['method']}: " + ", ".join(f"{name} {value}" for name, value in told.items())
    for one in found["history"]["explained"]:
        told = {name: shown(value) for name, value in one.items() if isinstance(value, dict)}
        yield f"- explained by {one['by']}: " + ", ".join(f"{name} {value}" for name, value in told.items())
    for gap in found["gaps"]:
        yield f"- *gap*: {gap}"


def lowest(cell: dict[str, Any], measure: str) -> dict[str, Any] | None:
    """The lowest of this measure under other conditions."""
    there = [sides[measure] for sides in cell.get("elsewhere", {}).values() if sides[measure]["value"] is not None]
    return min(there, key=lambda one: float(one["value"])) if there else None


def shown(measure: dict[str, Any] | None) -> str:
    """A value with its number of cases."""
    return "–" if not measure or measure["value"] is None else f"{measure['value']:.3f} ({measure['cases']:,})"


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    main()
