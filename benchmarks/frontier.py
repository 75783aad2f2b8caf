"""How necessary a given number of aspects could be in transfer, if they were chosen as well as possible.

    python -m benchmarks.frontier --mentions runs/instruments/mentions.parquet

Every set of an item's aspects that is complete (it flips, is necessary and is sufficient) is judged under the
conditions of ``benchmarks/explainers.py``, fresh candidates and retrained models. Sets are then chosen in two ways. *In
hindsight* knows all verdicts beforehand. A choice of B aspects over all pairs then has at most

    min over μ ≥ 0 of  Σ over pairs of max over sets of (necessary verdicts − μ · aspects)  +  μ · B

necessary verdicts. Over few conditions hindsight fits their noise; over many it comes close to what the best possible
rule could do. *By other trainings* does not know these conditions, but others of the same kind.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import torch

from benchmarks.explainers import SEEDS
from benchmarks.problems import K, Problem, measured, problem_options
from benchmarks.published import Published
from counterec.core.arrays import BoolMatrix, BoolVector, FloatMatrix, FloatVector, IntVector
from counterec.core.evaluation.judge_necessity import stays_without_aspects
from counterec.core.evaluation.transfer import Condition, listed, verdicts_under
from counterec.core.explainers.answer import NamedAspects, Proposal, verified
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Question
from counterec.core.explainers.tolerances import TIED
from counterec.core.scorers.per_user import catalogue_of

MOST = 14
"""Pairs with more movable aspects have too many sets to judge, and are left out."""

SHARES = (0.6, 0.7, 0.8, 0.9)
"""Numbers of aspects, as shares of the published algorithm's."""

PUBLISHED = "the published algorithm"
TABLE = ("| chosen by | aspects | of the published | PN over all conditions |", "|---|---|---|---|")


@dataclass(frozen=True)
class Sets:
    """Sets of aspects, and the row of the question that each belongs to."""

    rows: IntVector
    named: BoolMatrix

    @property
    def sizes(self) -> IntVector:
        return self.named.sum(axis=1)


@dataclass(frozen=True)
class Judged:
    """Under one condition: which rows are in the list, and which sets are necessary there."""

    listed: BoolVector
    necessary: BoolVector


def main() -> None:
    options = parse()
    torch.set_num_threads(1)
    title = "# How necessary a given number of aspects could be in transfer"
    lines = [title, "", "Written by `benchmarks/frontier.py`."]
    for problem in measured(options):
        lines += section(problem, options)
        print("\n".join(lines), flush=True)
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written to {options.out}")


def parse() -> argparse.Namespace:
    parser = problem_options(__doc__, "frontier.md", kinds=("net",))
    parser.add_argument("--others", type=int, default=12, help="other draws and trainings to choose by")
    return parser.parse_args()


def section(problem: Problem, options: argparse.Namespace) -> Iterator[str]:
    question, ways = compared(problem, problem.question(options.pairs))
    sets = complete_sets(problem, question)
    yield from ["", f"## {problem.name}", ""]
    yield (
        f"{problem.data.origin}; {problem.model.described}; the "
        f"{len(question)} pairs of {options.pairs} that both explain and where at most {MOST} "
        f"aspects can move, {len(np.unique(sets.rows))} of them with a complete set; {len(sets.rows):,} complete sets."
    )
    most = int(ways[PUBLISHED].named.sum())
    grounds = [ground for seed in SEEDS for ground in grounds_of(problem, question, seed)]
    judged_conditions = [judged(problem, question, sets, ground) for ground in grounds]
    yield from heading(judged_conditions, f"{len(SEEDS)} draws and {len(SEEDS)} models")
    yield from known(problem, ways, sets, grounds, judged_conditions)
    seeds = range(101, 101 + options.others)
    others = [ground for seed in seeds for ground in grounds_of(problem, question, seed)]
    judged_others = [judged(problem, question, sets, ground) for ground in others]
    value = likely(sets, judged_others)
    for share in SHARES:
        chosen = best_by(value, sets, share * most)
        if chosen is not None:
            hits = sum(int(ground.necessary[chosen].sum()) for ground in judged_conditions)
            name = f"{options.others} other draws and trainings"
            yield table_row(name, int(sets.sizes[chosen].sum()), most, hits / cases_of(judged_conditions))
    yield from heading(judged_others, f"those {options.others} other draws and {options.others} other models")
    yield from known(problem, ways, sets, others, judged_others)


def heading(judged_conditions: list[Judged], where: str) -> list[str]:
    return ["", f"{cases_of(judged_conditions)} pairs in the lists of {where}:", "", *TABLE]


def known(
    problem: Problem,
    ways: dict[str, NamedAspects],
    sets: Sets,
    grounds: list[Condition],
    judged_conditions: list[Judged],
) -> Iterator[str]:
    """What the methods reach under some conditions, and the most that can be reached there."""
    most, cases = int(ways[PUBLISHED].named.sum()), cases_of(judged_conditions)
    for name, named in ways.items():
        hits = sum(int(verdicts_under(problem.space, named, ground).necessary.sum()) for ground in grounds)
        yield table_row(name, int(named.named.sum()), most, hits / cases)
    for share in SHARES:
        yield table_row("hindsight, at most", share * most, most, bound(sets, judged_conditions, share * most) / cases)


def cases_of(judged_conditions: list[Judged]) -> int:
    return sum(int(ground.listed.sum()) for ground in judged_conditions)


def compared(problem: Problem, question: Question) -> tuple[Question, dict[str, NamedAspects]]:
    """The pairs that the published algorithm and *complete* both explain, if few aspects can move; what each names."""
    published = verified(
        problem.scorer, question, Proposal.of(Published().all_at_once(problem.differentiable, question))
    )
    complete = CountER(problem.scorer, goal="complete", telling=False, reserve=problem.data.reserve).explain(question)
    few = question.movable.sum(axis=1) <= MOST
    rows = np.flatnonzero(published.explained & complete.explained & few)
    ways = {PUBLISHED: published, "*complete*": complete}
    return question.rows(rows), {name: answers.rows(rows).named() for name, answers in ways.items()}


def table_row(name: str, aspects: float, most: int, rate: float) -> str:
    return f"| {name} | {aspects:.0f} | {aspects / most:.1%} | {rate:.3f} |"


def complete_sets(problem: Problem, question: Question) -> Sets:
    """The sets that flip and, in the pair's own list, are necessary and sufficient."""
    sets = every_set(question)
    here = Condition("here", problem.scorer, problem.lists, K)
    holds = judged(problem, question, sets, here).necessary & sufficient(problem, question, sets, here)
    held = Sets(sets.rows[holds], sets.named[holds])
    asked = question.rows(held.rows)
    flips = asked.crossed(problem.scorer.score(asked.changed(np.where(held.named, asked.lowest, 0))))
    return Sets(held.rows[flips], held.named[flips])


def every_set(question: Question) -> Sets:
    """All sets of the aspects that each pair can move."""
    rows, named = [], []
    for row, movable in enumerate(question.movable):
        aspects = np.flatnonzero(movable)
        for size in range(1, len(aspects) + 1):
            chosen = np.array(list(combinations(aspects.tolist(), size)))
            flags = np.zeros((len(chosen), len(movable)), dtype=bool)
            np.put_along_axis(flags, chosen, True, axis=1)
            rows.append(np.full(len(chosen), row))
            named.append(flags)
    return Sets(np.concatenate(rows), np.concatenate(named))


def grounds_of(problem: Problem, question: Question, seed: int) -> Iterator[Condition]:
    """Fresh candidates, and a retrained model."""
    yield from problem.fresh("fresh candidates", problem.scorer, pairs_of(question), seed)
    yield problem.retrained(seed)


def pairs_of(question: Question) -> NamedAspects:
    """The pairs of the question, each with all aspects that can move."""
    return NamedAspects(question.users, question.items, question.movable, np.abs(question.lowest))


def judged(problem: Problem, question: Question, sets: Sets, ground: Condition) -> Judged:
    """Judge every set where its item is in the list; a tie counts for it."""
    inside = listed(pairs_of(question), ground)
    necessary = np.zeros(len(sets.rows), dtype=bool)
    for part, world, own in worlds(problem, question, sets, ground, np.flatnonzero(inside), keep=False):
        necessary[part] = (world >= own - tied(own)).sum(axis=0) >= ground.k
    return Judged(inside, necessary)


def sufficient(problem: Problem, question: Question, sets: Sets, ground: Condition) -> BoolVector:
    """Which sets are, where all items are in the list; a tie counts for them. None is where an item stays anyway."""
    found = np.zeros(len(sets.rows), dtype=bool)
    for part, world, own in worlds(problem, question, sets, ground, np.arange(len(question)), keep=True):
        found[part] = (world > own + tied(own)).sum(axis=0) < ground.k
    of_lists = ground.ranking.candidates, ground.k, question.users, question.items
    return found & ~stays_without_aspects(ground.scorer, problem.space, *of_lists)[sets.rows]


def worlds(
    problem: Problem, question: Question, sets: Sets, ground: Condition, rows: IntVector, keep: bool
) -> Iterator[tuple[slice, FloatMatrix, FloatVector]]:
    """The sets of each row, with the scores of its rivals (down) and item without each set (across), or with it only.

    A rival loses or keeps only what it has of a set, so many sets change it in the same way and are scored once.
    """
    ends = np.searchsorted(sets.rows, np.arange(len(question) + 1))
    catalogue = catalogue_of(ground.scorer, problem.space)
    for row in rows:
        view = catalogue.for_user(int(question.users[row]))
        scores = view.scores_with_only_each if keep else view.scores_without_each
        part, aspects = slice(ends[row], ends[row + 1]), np.flatnonzero(question.movable[row])
        chosen, item = sets.named[part][:, aspects], question.items[row]
        rivals = np.setdiff1d(ground.ranking.candidates.of(int(question.users[row])), [item])
        digits = 1 << np.arange(len(aspects))
        has = problem.space.item_quality[np.ix_(rivals, aspects)] != problem.space.scale.absent[aspects]
        moved = (has @ digits)[:, None] & (chosen @ digits)
        keys, place = np.unique(moved + (np.arange(len(rivals)) << len(aspects))[:, None], return_inverse=True)
        of_rivals = scores(rivals[keys >> len(aspects)], aspects, (keys[:, None] & digits) > 0)
        yield part, of_rivals[place.reshape(moved.shape)], scores(np.full(len(chosen), item), aspects, chosen)


def tied(scores: FloatVector) -> FloatVector:
    return TIED * np.maximum(1, np.abs(scores))


def bound(sets: Sets, judged_conditions: list[Judged], budget: float) -> float:
    """No choice of sets with ``budget`` aspects in all has more necessary verdicts than this over all conditions."""
    verdicts = sum(ground.necessary.astype(np.int64) for ground in judged_conditions)
    least = np.inf
    for price in np.linspace(0, len(judged_conditions), 10 * len(judged_conditions) + 1):
        best = np.zeros(len(judged_conditions[0].listed))
        np.maximum.at(best, sets.rows, verdicts - price * sets.sizes)
        least = min(least, float(best.sum() + price * budget))
    return least


def likely(sets: Sets, others: list[Judged]) -> FloatVector:
    """How often each set is necessary, where its item is in the list."""
    necessary = sum(ground.necessary.astype(np.float64) for ground in others)
    asked = sum(ground.listed[sets.rows].astype(np.float64) for ground in others)
    return necessary / np.maximum(asked, 1)


def best_by(value: FloatVector, sets: Sets, budget: float) -> IntVector | None:
    """For each pair the set with the highest value minus a price per aspect, at the lowest price that meets the budget.

    None if even the smallest sets exceed it.
    """

    def at(price: float) -> IntVector:
        order = np.lexsort((sets.sizes, -(value - price * sets.sizes), sets.rows))
        return order[np.unique(sets.rows[order], return_index=True)[1]]

    low, high = 0.0, 2.0
    for _ in range(30):
        price = (low + high) / 2
        low, high = (price, high) if sets.sizes[at(price)].sum() > budget else (low, price)
    chosen = at(high)
    return chosen if sets.sizes[chosen].sum() <= budget else None


if __name__ == "__main__":
    main()
