"""How often a scorer that shows nothing but its scores is asked, for one explanation alone and in a batch of pairs.

Every call is made to take ten milliseconds longer, whatever it asks: so do many models behind a server.

    python -m benchmarks.scorer_calls [--pairs 100] [--models net hybrid] [--no-search] [--out PAGE]
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.problems import Problem, measured, problem_options
from counterec.core.arrays import FloatVector
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.constraints import VALUES, Values
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import Goal
from counterec.core.scorers.protocols import PairBatch, Scorer

CALL = 0.01
"""Seconds that every call takes, whatever it asks."""

GOALS: tuple[Goal, ...] = ("minimal", "single")
"""The goals that ask for scores of their pairs alone."""


class Slow:
    """A scorer behind a wire: no layers, no gradients, and a price for every call."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer, self.aspects_only = scorer, scorer.aspects_only

    def score(self, pairs: PairBatch) -> FloatVector:
        """The scores, after a while."""
        time.sleep(CALL)
        return self._scorer.score(pairs)


def row(asked: Problem, goal: Goal, values: Values, pairs: int) -> str:
    """Calls, rows and time of an explanation alone, and in a batch of all pairs."""
    question, explainer = asked.question(pairs, values=values), CountER(Slow(asked.scorer), goal=goal, budget=Budget())
    started = time.perf_counter()
    alone = [explainer.explain(question.rows(np.array([place]))).spent for place in range(len(question))]
    between = time.perf_counter()
    together = explainer.explain(question)
    ended = time.perf_counter()
    calls, rows = (
        np.array([getattr(spent, name) for spent in alone if spent]) for name in ("total_calls", "total_rows")
    )
    shared = 0 if together.spent is None else together.spent.total_calls
    seconds = 1000 * (between - started) / len(question), 1000 * (ended - between) / len(question)
    return (
        f"| {asked.name} | {goal} | {values} | {calls.mean():.1f} | {calls.max()} | {rows.mean():.0f} | "
        f"{seconds[0]:.0f} ms | {shared / len(question):.2f} | {seconds[1]:.1f} ms | {together.explained.mean():.0%} |"
    )


def table(problems: Iterator[Problem], pairs: int) -> Iterator[str]:
    """One row for every model, goal and kind of values."""
    yield "| model | goal | values | calls alone | most | rows | time | calls in the batch | time | explained |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for asked in problems:
        for goal in GOALS:
            for values in VALUES:
                yield row(asked, goal, values, pairs)


def main() -> None:
    """Measure, and write the page."""
    parser = problem_options(__doc__, "scorer_calls.md")
    parser.set_defaults(pairs=100)
    options = parser.parse_args()
    lines = [f"{options.pairs} pairs; every call takes {1000 * CALL:.0f} ms and what it computes.", ""]
    lines += table(measured(options), options.pairs)
    Path(options.out).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
