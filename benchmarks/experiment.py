"""Condense the experiments of several run folders into one data file and one page.

    counterec experiment RUN --seeds 3 --models net hybrid    # for each data set, first
    python -m benchmarks.experiment NAME=RUN …                # then

Data sets that were collected before stay, so they can be measured on another day or on another machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

RESULTS = Path("benchmarks/results/experiment.json")
BASELINES = ("efm", "mter", "a2cf")
"""The paper's baselines, which explain lists of their own."""
GOALS = ("relaxed", "minimal", "complete")
SAME_LISTS = ("gradient", "shapley", "lime", "alignment", "alignment_efm", "alignment_a2cf", "frequency", "random")
"""The other methods that explain the model's lists."""
VERDICTS = ("holds", "does not", "cannot tell")
HEAD = """# The paper's experiment

Made by `python -m benchmarks.experiment`; the numbers are in [experiment.json](experiment.json). A report covers one
data set, one model and one protocol: under *full* all items are candidates, under *sampled* those that the paper's
protocol draws. Shares are of all pairs: a pair without an explanation counts as a failure. How to read the measures:
[docs/experiment.md](../../docs/experiment.md).
"""

Row = Mapping[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", metavar="NAME=RUN")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the data file; the page is written beside it")
    options = parser.parse_args()
    results = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {}
    for given in options.runs:
        name, _, run = given.partition("=")
        results[name] = collect(Path(run))
    ordered = dict(sorted(results.items()))
    options.out.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
    options.out.with_suffix(".md").write_text(page(ordered), encoding="utf-8")


def collect(run: Path) -> dict[str, Any]:
    """Return what the page shows of a run's experiment; quick experiments are left out."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    found = sorted((run / "experiment").glob("*/*/evaluation.json"))
    reports = [condense(path.parts[-3], json.loads(path.read_text(encoding="utf-8"))) for path in found]
    return {"commit": commit.stdout.strip(), "hours": hours(run), "reports": reports}


def condense(model: str, report: Row) -> dict[str, Any]:
    """Return one report as the page shows it: a row per method, and a verdict per claim."""
    return {
        "model": model,
        "protocol": report["protocol"],
        "seeds": len(report["seeds"]),
        "users": report["settings"]["users"],
        "methods": {name: row for name in report["methods"] if (row := _method(report, name))},
        "claims": {claim["text"]: claim["verdict"] for claim in report["claims"]},
    }


def _method(report: Row, name: str) -> dict[str, Any]:
    """Return the measures of a method that names several aspects; empty values are left out."""
    notes = report["methods"][name]
    cells = {one["masked"]: one for one in report["cells"] if (one["method"], one["shape"]) == (name, "multi")}
    free, masked = cells.get(False, {}), cells.get(True, {})
    transfer = [one["f_ns_all"] for one in free.get("elsewhere", {}).values() if one["f_ns_all"]["value"] is not None]
    measures = {
        "ndcg": notes.get("ranking", notes).get("ndcg"),
        "f1_masked": masked.get("f1_all"),
        "f_ns": free.get("f_ns_all"),
        "f_ns_transfer": min(transfer, key=lambda one: float(one["value"]), default=None),
        "fidelity": free.get("fidelity"),
        "aspects": free.get("aspects"),
    }
    return {key: _rounded(one) for key, one in measures.items() if one and one["value"] is not None}


def _rounded(measure: Row) -> dict[str, Any]:
    interval = [round(end, 5) for end in measure["interval"]] if measure["interval"] else None
    return {"value": round(measure["value"], 5), "interval": interval, "cases": measure["cases"]}


def hours(run: Path) -> float:
    """Return the hours that the stages of a run's experiment took, quick ones left out."""
    stages = json.loads((run / "manifest.json").read_text(encoding="utf-8"))["stages"].values()
    own = [stage for stage in stages if any(map(_is_of_experiment, stage["outputs"]))]
    return round(sum(stage["seconds"] for stage in own) / 3600, 2)


def _is_of_experiment(file: str) -> bool:
    return file.startswith("experiment/") and not file.startswith("experiment/quick/")


def page(results: Row) -> str:
    """Return the page: the data sets, what comes out, the claims, and the numbers of every report."""
    sections = {
        "Data sets": data_sets(results),
        "In short": in_short(results),
        "The paper's claims": claims(results),
        "The numbers": numbers(results),
    }
    return HEAD + "".join(f"\n## {title}\n\n" + "\n".join(lines) + "\n" for title, lines in sections.items())


def reports(results: Row) -> Iterator[tuple[str, Row]]:
    """Yield every report with its data set."""
    yield from ((name, report) for name, data in results.items() for report in data["reports"])


def data_sets(results: Row) -> Iterator[str]:
    yield "| data | models | protocols | users explained per seed, at most | hours | recorded at commit |"
    yield "|---|---|---|---|---|---|"
    for name, data in results.items():
        models, protocols = ({report[key] for report in data["reports"]} for key in ("model", "protocol"))
        users = max(report["users"] for report in data["reports"])
        cells = (", ".join(sorted(models)), ", ".join(sorted(protocols)), users, f"{data['hours']:.1f}")
        yield f"| {name} | {' | '.join(map(str, cells))} | `{data['commit']}` |"


def in_short(results: Row) -> Iterator[str]:
    """Say how *complete* and the best goals compare with the other methods."""
    found = [report["methods"] for _, report in reports(results)]
    for key, label in (("f_ns", "F_NS"), ("f_ns_transfer", "lowest F_NS in transfer")):
        there = [methods for methods in found if key in methods.get("complete", {})]
        ahead = sum(_best(one, ("complete",), key)[1] > _best(one, SAME_LISTS, key)[1] for one in there)
        share = f"{ahead} of {len(there)} reports"
        yield f"- *complete* has a higher {label} than every other method on the same lists in {share}."
    there = [methods for methods in found if any("f1_masked" in methods.get(name, {}) for name in BASELINES)]
    ahead = sum(_best(one, GOALS, "f1_masked")[1] >= _best(one, BASELINES, "f1_masked")[1] for one in there)
    yield (
        f"- By masked F1 the best of our goals is at least as high as the best baseline in {ahead} of {len(there)} "
        "reports, each in its own lists."
    )


def _best(methods: Row, names: tuple[str, ...], key: str) -> tuple[str, float]:
    """Return the best of some methods by a measure, and its value."""
    known = [(name, methods[name][key]["value"]) for name in names if key in methods.get(name, {})]
    return max(known, key=lambda entry: entry[1], default=("", float("-inf")))


def claims(results: Row) -> Iterator[str]:
    """List the claims with the number of reports per verdict and model."""
    verdicts = [
        (text, report["model"], verdict) for _, report in reports(results) for text, verdict in report["claims"].items()
    ]
    models = sorted({model for _, model, _ in verdicts})
    yield f"Number of reports by verdict: {', '.join(VERDICTS)}."
    yield ""
    yield f"| claim | {' | '.join(f'`{model}`' for model in models)} |"
    yield "|---" * (len(models) + 1) + "|"
    for text in dict.fromkeys(text for text, *_ in verdicts):
        counts = Counter((model, verdict) for said, model, verdict in verdicts if said == text)
        cells = (", ".join(str(counts[model, verdict]) for verdict in VERDICTS) for model in models)
        yield f"| {text} | {' | '.join(cells)} |"


def numbers(results: Row) -> Iterator[str]:
    """Show one row per report; EFM, MTER and A2CF explain their own lists."""
    yield "F_NS without the mask and F1 with it, by methods that name several aspects. *Transfer*: the lowest F_NS of"
    yield f"*complete* under other conditions. *Other*: the best of {', '.join(SAME_LISTS)},"
    yield "which explain the same lists. EFM, MTER and A2CF explain their own."
    columns = ("relaxed", "minimal", "complete", "transfer", "other", "EFM", "A2CF")
    heads = ("data, model, protocol", "seeds", "NDCG@K", "popularity", *(f"F_NS {name}" for name in columns))
    heads += ("F1 relaxed", "F1 complete", "F1 other", "F1 best baseline")
    yield ""
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for name, group in groupby(reports(results), key=lambda entry: entry[0]):
        for _, report in group:
            methods = report["methods"]
            f_ns = [_value(methods, one, "f_ns") for one in GOALS]
            f_ns += [_value(methods, "complete", "f_ns_transfer"), _named(methods, SAME_LISTS, "f_ns")]
            f_ns += [_value(methods, one, "f_ns") for one in ("efm", "a2cf")]
            f1 = [_value(methods, one, "f1_masked") for one in ("relaxed", "complete")]
            f1 += [_named(methods, names, "f1_masked") for names in (SAME_LISTS, BASELINES)]
            ndcg = [_value(methods, one, "ndcg") for one in ("relaxed", "popularity")]
            place = f"{name}, {report['model']}, {report['protocol']}"
            yield f"| {place} | {report['seeds']} | {' | '.join([*ndcg, *f_ns, *f1])} |"


def _value(methods: Row, name: str, key: str) -> str:
    found = methods.get(name, {}).get(key)
    return f"{found['value']:.3f}" if found else "–"


def _named(methods: Row, names: tuple[str, ...], key: str) -> str:
    name, value = _best(methods, names, key)
    return f"{name} {value:.3f}" if name else "–"


if __name__ == "__main__":
    main()
