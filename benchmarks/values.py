"""What possible values, unreviewed aspects and telling aspects cost and bring, on finished runs.

    python -m benchmarks.values demo=RUN instruments=RUN phones=RUN hotels=RUN --out benchmarks/results/values.md

Every list of a run is explained by each goal with any value (*continuous*), with values that reviews can give alone
(*reachable*), and with aspects that may also become unreviewed. The two kinds of answers are counted by themselves.
Then *minimal* and *single* name telling aspects, or the smallest change. Settings are the defaults. A run may hold any
model, and values made from opinions by Eq. 1 or as shares of praise.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.counted_values import CountedValues
from counterec.core.evaluation.quality import user_side
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.opinions import quality
from counterec.core.praise_shares import WEIGHT
from counterec.core.space import AspectSpace
from counterec.run import Run, open_run

VALUES = {
    "continuous": Constraints(values="continuous"),
    "reachable": Constraints(unreviewed_beyond="never"),
    "with unreviewed": Constraints(),
}
POOR = 2.0
"""An aspect that starts below this is bad already: nobody would give it as the reason."""
SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
SINGLE = 1e-6
"""What single precision can add to a value between 1 and 5."""


@dataclass(frozen=True)
class Timed:
    """Answers, and the time per pair."""

    question: Question
    answers: Explanations
    milliseconds: float

    @property
    def unreviewed(self) -> BoolVector:
        """Which explanations make aspects unreviewed."""
        absent = (self.question.after(self.answers.delta) == self.question.space.scale.absent) & self.named
        return absent.any(axis=1)

    @property
    def named(self) -> np.ndarray:
        """The aspects that explanations change."""
        return self.answers.named().named


def main() -> None:
    options = parse()
    torch.set_num_threads(1)
    lines = [*heading()]
    for text in options.runs:
        name, _, folder = text.partition("=")
        run = open_run(Path(folder))
        lines += ["", *values_section(name, run, options), "", *telling_section(run, options.users)]
        print("\n".join(lines), flush=True)
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN")
    parser.add_argument("--users", type=int, default=300, help="at most this many users per run, evenly picked")
    parser.add_argument("--complete-users", type=int, default=60, help="the same for *complete*")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/values.md"))
    return parser.parse_args()


def heading() -> Iterator[str]:
    yield "# Possible values, unreviewed aspects and telling aspects"
    yield ""
    yield "Written by `benchmarks/values.py`. *Possible*: the share of changed values that a number of opinions gives,"
    yield "or that stand for no opinion at all, recomputed from the opinions by the run's rule. *Unreviewed* answers"
    yield "make aspects unreviewed; their numbers are never mixed with those of the others. Times are for one thread."


def explained(run: Run, goal: Goal, constraints: Constraints, users: int, telling: bool = True) -> Timed:
    """The lists of some users of a run, evenly picked, explained."""
    everyone = len(run.recommendations.users)
    lists = run.recommendations.rows(np.linspace(0, everyone - 1, min(users, everyone)).astype(np.int64))
    question = why(run.space, lists, constraints=constraints)
    explainer = CountER(run.scorer, goal=goal, telling=telling, reserve=run.reserve)
    explainer.explain(question.rows(slice(0, 50)))
    started = time.perf_counter()
    answers = explainer.explain(question)
    return Timed(question, answers, (time.perf_counter() - started) / max(1, len(question)) * 1e3)


def values_section(name: str, run: Run, options: argparse.Namespace) -> Iterator[str]:
    space = run.space
    yield f"## {name}"
    yield ""
    yield (
        f"Model *{run.config.model.kind}*; {len(space.users):,} users, {len(space.items):,} items, "
        f"{len(space.aspects):,} aspects, their values {made_from(space)}; lists of {run.recommendations.k}; "
        f"at most {options.users} users, {options.complete_users} by *complete*."
    )
    yield ""
    yield "| goal | values | pairs | explained | aspects | by unreviewed | aspects there | possible | ms per pair |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for goal in GOALS:
        users = options.complete_users if goal == "complete" else options.users
        for masked in (False, True):
            for values, constraints in VALUES.items():
                found = explained(run, goal, replace(constraints, masked=masked), users)
                yield values_row(f"{goal}{', masked' if masked else ''}", values, found)


def made_from(space: AspectSpace) -> str:
    """What Y was made from."""
    if space.scale.shares is not None:
        return "shares of praise"
    return "by Eq. 1" if space.scale.ladder is not None else "given"


def values_row(goal: str, values: str, found: Timed) -> str:
    gone = found.unreviewed & (values != "continuous")
    kept, sizes = found.answers.explained & ~gone, np.count_nonzero(found.named, axis=1)
    cells = [
        goal,
        values,
        f"{len(sizes):,}",
        f"{kept.mean():.1%}",
        mean(sizes[kept]),
        f"{gone.mean():.1%}" if values == "with unreviewed" else "",
        mean(sizes[gone]) if gone.any() else "",
        f"{possible(found):.1%}",
        f"{found.milliseconds:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def possible(found: Timed) -> float:
    """The share of changed values that are absent, or that opinions can give; 1 where any value is possible."""
    rows, aspects = np.nonzero(found.named)
    space, after = found.question.space, found.question.after(found.answers.delta)[rows, aspects]
    if not len(after) or space.counted_values is None:
        return 1.0
    places = found.question.items[rows], aspects
    absent = after == space.scale.absent[aspects]
    return float((absent | (on_a_rung(space.counted_values, *places, after) & counted(space, *places, after))).mean())


def on_a_rung(values: CountedValues, items: IntVector, aspects: IntVector, after: FloatVector) -> BoolVector:
    """Whether the space itself has each value among those that opinions can give there."""
    below, upto = (values.search(items, aspects, after, side) for side in SIDES)
    return below < upto


def counted(space: AspectSpace, items: IntVector, aspects: IntVector, after: FloatVector) -> BoolVector:
    """Whether some whole number of opinions gives each value, by the formula of the rule and nothing else.

    By Eq. 1 that is a balance. A share of praise p among t opinions falls by k complaints more: k is solved for,
    rounded, and put in again.
    """
    high, opinions = float(space.scale.high[0]), space.opinions
    if space.scale.shares is None or opinions is None:
        given = quality(np.ones(401), np.arange(-200, 201), high)
        return np.isin(after, given.astype(np.float32))
    praises, complaints = (counts.astype(np.float64) for counts in (opinions.item_praises, opinions.item_complaints))
    total = praises.sum(axis=0) + complaints.sum(axis=0)
    mean_share = np.where(total > 0, praises.sum(axis=0) / np.maximum(total, 1), 0.5)[aspects]
    drawn = praises[items, aspects] + WEIGHT * mean_share
    opinions_now = praises[items, aspects] + complaints[items, aspects] + WEIGHT
    more = np.round((high - 1) * drawn / (after - 1.0) - opinions_now)
    return (more >= 0) & np.isclose(after, 1 + (high - 1) * drawn / (opinions_now + more), rtol=0, atol=SINGLE)


def telling_section(run: Run, users: int) -> Iterator[str]:
    truth = run.ground_truth()
    yield "| goal | named | explained | aspects | F1 | cases | an aspect starts below 2 | ms per pair |"
    yield "|---|---|---|---|---|---|---|---|"
    for goal in ("minimal", "single"):
        for masked in (False, True):
            for telling in (False, True):
                one_kind = Constraints(masked=masked, unreviewed_beyond="never")
                found = explained(run, goal, one_kind, users, telling)
                f1 = user_side(found.answers.named(), truth).f1
                known = found.answers.explained
                before = run.space.item_quality[found.question.items]
                poor = ((before < POOR) & found.named).any(axis=1)[known]
                score = "–" if f1.value is None else f"{f1.value:.3f}"
                if f1.interval is not None:
                    score += f" ({f1.interval[0]:.3f}–{f1.interval[1]:.3f})"
                cells = [
                    f"{goal}{', masked' if masked else ''}",
                    "telling aspects" if telling else "the smallest change",
                    f"{known.mean():.1%}",
                    mean(np.count_nonzero(found.named, axis=1)[known]),
                    score,
                    str(f1.cases),
                    f"{poor.mean():.1%}" if len(poor) else "–",
                    f"{found.milliseconds:.2f}",
                ]
                yield f"| {' | '.join(cells)} |"


def mean(numbers: np.ndarray) -> str:
    return f"{numbers.mean():.2f}" if len(numbers) else "–"


if __name__ == "__main__":
    main()
