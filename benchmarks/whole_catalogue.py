"""How long each goal takes for one pair where every item of a catalogue is a candidate, on one thread.

    counterec run SOURCE --out RUN --until fit     # for each model, first
    python -m benchmarks.whole_catalogue NAME=RUN … --out benchmarks/results/whole_catalogue.md

The lists of some users, evenly picked, are made and explained with any value (*continuous*) and with the values that
reviews can give (*reachable*), as one question; the time is the median of three.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from benchmarks.machine import load_average, machine
from counterec.core.explainers.constraints import Constraints, Values
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.ranking import rank
from counterec.run import Run, open_run

VALUES: tuple[Values, ...] = ("continuous", "reachable")
REPEATS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN")
    parser.add_argument("--users", type=int, default=100, help="the users whose lists are explained, evenly picked")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/whole_catalogue.md"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    sections = []
    for given in options.runs:
        name, _, folder = given.partition("=")
        sections += ["", *section(name, open_run(Path(folder)), options.users)]
    written = f"Written by `benchmarks/whole_catalogue.py` on {machine()}, one thread; {load_average()}."
    lines = ["# Every item a candidate", "", written, *sections]
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def section(name: str, run: Run, users: int) -> Iterator[str]:
    """Yield what one run's model takes."""
    space, everyone = run.space, len(run.space.users)
    some = np.linspace(0, everyone - 1, min(users, everyone)).astype(np.int64)
    lists = rank(run.scorer, space, run.candidates, run.config.lists.k, some)
    yield f"## {name}"
    yield ""
    yield (
        f"Model *{run.config.model.kind}*; {len(space.items):,} items, {len(space.aspects):,} aspects; "
        f"{len(lists.pairs()[0]):,} pairs of {len(some):,} users."
    )
    yield ""
    yield "| goal | values | explained | aspects | ms per pair |\n|---|---|---|---|---|"
    for goal in GOALS:
        for values in VALUES:
            question = why(space, lists, constraints=Constraints(values=values))
            explainer = CountER(run.scorer, goal, telling=values == "reachable")
            answers, seconds = explainer.explain(question), []
            for _ in range(REPEATS):
                started = time.perf_counter()
                answers = explainer.explain(question)
                seconds.append(time.perf_counter() - started)
            named = answers.named().named[answers.explained].sum(axis=1)
            taken = float(np.median(seconds)) / len(question) * 1e3
            yield f"| {goal} | {values} | {answers.explained.mean():.1%} | {named.mean():.2f} | {taken:.2f} |"


if __name__ == "__main__":
    main()
