"""The explainers against the published algorithm: speed and quality, measured in one run on one thread.

    python -m benchmarks.explainers --mentions runs/instruments/mentions.parquet --out benchmarks/results/explainers.md

Every kind of model is trained as a run trains it, and explained by the published algorithm and by every goal. Times
are wall clock, from a question to its verified answers. Proofs and the final re-scoring are included. The answers take
any value and change least, as the published ones do; beside them, *reachable* has the default settings.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import torch

from benchmarks.pages import load_average, machine
from benchmarks.problems import Problem, measured, phones, problem, problem_options
from benchmarks.published import Published
from counterec.core.evaluation.judge_necessity import ModelSide
from counterec.core.evaluation.transfer import Condition, transfer
from counterec.core.explainers.answer import Explanations, Proof, Proposal, verified
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.settings import TrainingSettings
from counterec.synthetic.world import CELL_PHONES

SETTINGS = (Published(lam=200, alpha=0.05), Published(lam=100, alpha=0.2))


@dataclass(frozen=True)
class Timed:
    """A method's answers, and the time per pair."""

    name: str
    answers: Explanations
    milliseconds: float


@dataclass(frozen=True)
class Compared:
    """The answers to one question about one problem: the published algorithm's, and those of our goals."""

    problem: Problem
    question: Question
    alone: int
    """The pairs that the reference solved one at a time."""
    references: list[tuple[Timed, Timed]]
    ours: dict[str, Timed]

    @property
    def reference(self) -> Timed:
        """What all times are held against."""
        return self.references[0][0]

    @property
    def title(self) -> str:
        """The data, the model, and whether there is a mask."""
        return f"{self.problem.name}{', masked' if self.question.constraints.masked else ''}"


def main() -> None:
    options = parse()
    torch.set_num_threads(1)
    everything: list[Compared] = []
    sections: list[str] = []
    for asked in measured(options):
        for masked in (False, True):
            everything.append(compared(asked, options, masked))
            sections += section(everything[-1], options)
            print("\n".join(sections[-40:]), flush=True)
    lines = [*heading(), "", *overview(everything), *sections, *growth(options.models)]
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"written to {options.out}")


def parse() -> argparse.Namespace:
    parser = problem_options(__doc__, "explainers.md")
    parser.add_argument("--reference-pairs", type=int, default=300, help="those the reference solves one at a time")
    parser.add_argument("--masked-reference-pairs", type=int, default=60, help="the same, with the mask")
    return parser.parse_args()


def heading() -> Iterator[str]:
    yield "# Explainers against the published algorithm"
    yield ""
    yield f"{machine()}, NumPy {np.__version__}, one thread; {load_average()}."
    yield "Written by `benchmarks/explainers.py`."


def overview(everything: list[Compared]) -> Iterator[str]:
    """What each model is, and how many times as fast as the published algorithm each goal is on it."""
    yield "How many times as fast as the published algorithm on the same model and the same pairs:"
    yield ""
    yield f"| data: model | validation NDCG | {SETTINGS[0].label}, ms per pair | {' | '.join(GOALS)} |"
    yield "|---|---|---|" + "---|" * len(GOALS)
    for found in everything:
        ndcg, slow = found.problem.model.validation_ndcg, found.reference.milliseconds
        times = " | ".join(f"{slow / found.ours[goal].milliseconds:,.0f}" for goal in GOALS)
        yield f"| {found.title} | {ndcg:.4f} | {slow:.1f} | {times} |"


def compared(asked: Problem, options: argparse.Namespace, masked: bool) -> Compared:
    question = asked.question(options.pairs, masked=masked)
    alone = min(options.masked_reference_pairs if masked else options.reference_pairs, len(question))
    references = [timed_reference(asked, question, setting, alone) for setting in SETTINGS]
    return Compared(asked, question, alone, references, {goal: timed(asked, question, goal) for goal in GOALS})


def section(found: Compared, options: argparse.Namespace) -> Iterator[str]:
    asked, question = found.problem, found.question
    masked, space, movable = question.constraints.masked, asked.space, question.movable.sum(axis=1)
    yield from ["", f"## {found.title}", ""]
    yield (
        f"{asked.data.origin}; {len(space.users)} users, {len(space.items)} items, {len(space.aspects)} aspects; "
        f"{len(question)} pairs, {movable.mean():.1f} movable aspects per pair (at most "
        f"{movable.max()}); the reference solved {found.alone} of them one at a time."
    )
    yield from ["", f"The model, *{asked.model.kind}*: {asked.model.described}.", ""]
    yield (
        "| method | ms per pair | times as fast | fidelity | aspects | ‖Δ‖₂ | ‖Δ‖₂+‖Δ‖₁, jointly explained | "
        "the reference's there |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for way in (way for both in found.references for way in both):
        yield row(way, found.reference)
    for way in (*found.ours.values(), *reachable(asked, options.pairs, masked), *unproven(asked, question)):
        yield row(way, found.reference)
    yield ""
    yield from quality(found)
    if not masked:
        yield from model_sides(found)


def timed_reference(problem: Problem, question: Question, setting: Published, alone: int) -> tuple[Timed, Timed]:
    """The reference one pair at a time, to time it; and as one batch from the same starts, for the answers to all."""
    part = question.rows(slice(0, alone))
    started = time.perf_counter()
    setting.one_at_a_time(problem.differentiable, part)
    slow = (time.perf_counter() - started) / len(part) * 1e3
    started = time.perf_counter()
    delta = setting.all_at_once(problem.differentiable, question)
    batched = (time.perf_counter() - started) / len(question) * 1e3
    answers = verified(problem.scorer, question, Proposal.of(delta))
    return Timed(setting.label, answers, slow), Timed(f"{setting.label}, as one batch", answers, batched)


def timed(problem: Problem, question: Question, goal: Goal, repeats: int = 5, **settings: MinimalSettings) -> Timed:
    """The median time of several runs, after one to warm up."""
    telling = question.constraints.values == "reachable"
    explainer = CountER(problem.scorer, goal, telling, reserve=problem.data.reserve, **settings)  # type: ignore[arg-type]
    answers, seconds = explainer.explain(question), []
    for _ in range(repeats):
        started = time.perf_counter()
        answers = explainer.explain(question)
        seconds.append(time.perf_counter() - started)
    return Timed(goal, answers, float(np.median(seconds)) / len(question) * 1e3)


def reachable(problem: Problem, pairs: int, masked: bool) -> Iterator[Timed]:
    """Every goal as a person is answered by default: possible values, and telling aspects."""
    question = problem.question(pairs, masked=masked, values="reachable")
    for goal in GOALS:
        way = timed(problem, question, goal)
        yield Timed(f"{goal}, reachable", way.answers, way.milliseconds)


def unproven(problem: Problem, question: Question) -> Iterator[Timed]:
    """The cost of proofs: minimal with a larger budget for them, and with none."""
    for budget in (1500, 0):
        settings = MinimalSettings(budget=budget)
        way = timed(problem, question, "minimal", minimal=settings)
        share = np.mean(way.answers.proof == Proof.SMALLEST)
        yield Timed(f"minimal, proof budget {budget} ({share:.1%} smallest)", way.answers, way.milliseconds)


def row(way: Timed, reference: Timed) -> str:
    found, joint = way.answers.explained, way.answers.explained & reference.answers.explained
    aspects = np.count_nonzero(way.answers.delta, axis=1)
    return (
        f"| {way.name} | {way.milliseconds:.3f} | {reference.milliseconds / way.milliseconds:,.0f} "
        f"| {found.mean():.3f} "
        f"| {mean(aspects[found])} | {mean(np.linalg.norm(way.answers.delta, axis=1)[found])} "
        f"| {mean(cost(way.answers)[joint])} | {mean(cost(reference.answers)[joint])} |"
    )


def mean(values: np.ndarray) -> str:
    return f"{values.mean():.3f}" if len(values) else "–"


def cost(answers: Explanations) -> np.ndarray:
    return np.linalg.norm(answers.delta, axis=1) + np.abs(answers.delta).sum(axis=1)


def quality(found: Compared) -> Iterator[str]:
    problem, question, ours = found.problem, found.question, found.ours
    relaxed, minimal, single = (ours[goal].answers for goal in ("relaxed", "minimal", "single"))
    for reference, _ in found.references:
        joint = relaxed.explained & reference.answers.explained
        costs = f"{mean(cost(relaxed)[joint])} against {mean(cost(reference.answers)[joint])}"
        fidelity = f"{relaxed.explained.mean():.3f} against {reference.answers.explained.mean():.3f}"
        yield f"- relaxed against {reference.name}: fidelity {fidelity}; ‖Δ‖₂+‖Δ‖₁ of {joint.sum()} joint pairs {costs}"
    removed = question.crossed(problem.scorer.score(question.changed(question.lowest)))
    yield f"- minimal: fidelity {minimal.explained.mean():.4f}; flips with everything removed {removed.mean():.4f}"
    sizes, fewest = np.count_nonzero(minimal.delta, axis=1), exhaustive_sizes(problem, question)
    small = minimal.explained & (fewest > 0)
    yield (
        f"- minimal: {sizes[small].mean():.4f} aspects; exhaustive search up to 3 aspects {fewest[small].mean():.4f} "
        f"({small.sum()} pairs that it can explain)"
    )
    yield f"- minimal, proofs: {proofs(minimal)}"
    own = why(problem.space, problem.own_lists, constraints=question.constraints)
    answers = CountER(problem.scorer, telling=False).explain(own)
    yield f"- minimal, proofs for all {len(own)} pairs of the lists over the whole catalogue: {proofs(answers)}"
    yield f"- single: {smaller_singles(problem, question, single)} pairs with a smaller single change on a fine grid"


def model_sides(found: Compared) -> Iterator[str]:
    """Necessity and sufficiency, in sample (where *complete* selected by them) and in transfer."""
    problem, reference, ours = found.problem, found.reference, found.ours
    ways, complete = [single_pairs for single_pairs, _ in found.references] + list(ours.values()), ours["complete"]
    yield ""
    yield f"### {problem.name}, necessary and sufficient"
    yield ""
    yield "In sample, over the pairs that each method explains. *Stay anyway*: the share whose item would be in the"
    yield "list if no item had any aspect; none of these counts in PS."
    yield ""
    yield "| method | pairs | aspects | PN | PS | F_NS | stay anyway |"
    yield "|---|---|---|---|---|---|---|"
    here = Condition("in sample", problem.scorer, problem.lists, problem.lists.k)
    for way in ways:
        pairs, aspects, side = way.answers.explained.sum(), aspects_of(way.answers), sides(problem, way, [here])
        yield f"| {way.name} | {pairs} | {aspects} | {shown(side, ' | ')} | {stay_anyway(side)} |"
    joint = reference.answers.explained & complete.answers.explained
    share = counted(complete.answers, joint) / counted(reference.answers, joint)
    yield ""
    yield (
        f"Transfer, over those of the {joint.sum()} pairs explained by both {reference.name} and complete whose item "
        f"is in the list before anything is removed; complete names {share:.1%} of the reference's aspects "
        f"({counted(complete.answers, joint):.3f} against {counted(reference.answers, joint):.3f}):"
    )
    yield ""
    yield "| condition | pairs | PN / PS / F_NS of the reference | of relaxed | of minimal | of complete |"
    yield "|---|---|---|---|---|---|"
    shown_ways = (reference, ours["relaxed"], ours["minimal"], complete)
    for seed in SEEDS:
        grounds = list(problem.transfer_conditions(complete.answers.named(), seed))
        for name in dict.fromkeys(ground.name for ground in grounds):
            if seed == SEEDS[0] or not name.startswith("K ="):
                there = [ground for ground in grounds if ground.name == name]
                judged = [sides(problem, way, there, joint) for way in shown_ways]
                yield f"| {name} | {judged[-1].pn.cases} | {' | '.join(shown(side, ' / ') for side in judged)} |"


SEEDS = (11, 12, 13)
"""Draws and trainings that were not used to choose any setting."""


def sides(problem: Problem, way: Timed, grounds: list[Condition], rows: np.ndarray | None = None) -> ModelSide:
    named = way.answers.named()
    if rows is not None:
        named = replace(named, named=named.named & rows[:, None])
    (found,) = transfer(problem.space, named, grounds).values()
    return found


def shown(side: ModelSide, between: str) -> str:
    return between.join("–" if m.value is None else f"{m.value:.3f}" for m in (side.pn, side.ps, side.f_ns))


def stay_anyway(side: ModelSide) -> str:
    found = side.stays_without_aspects
    return "–" if found is None or found.value is None else f"{found.value:.3f}"


def counted(answers: Explanations, rows: np.ndarray) -> float:
    return float(np.count_nonzero(answers.delta, axis=1)[rows].mean())


def aspects_of(answers: Explanations) -> str:
    return mean(np.count_nonzero(answers.delta, axis=1)[answers.explained])


def proofs(answers: Explanations) -> str:
    """The share of each proof among the explained pairs."""
    found = answers.proof[answers.explained]
    return ", ".join(f"{p.label} {np.mean(found == p):.1%}" for p in Proof if (found == p).any())


def exhaustive_sizes(problem: Problem, question: Question, most: int = 3) -> np.ndarray:
    """The fewest aspects, at most ``most``, that flip at their bounds; 0 where none do."""
    sizes = np.zeros(len(question), dtype=int)
    for index in range(len(question)):
        movable = np.flatnonzero(question.movable[index])
        for size in range(1, min(most, len(movable)) + 1):
            sets = list(combinations(movable, size))
            delta = np.zeros((len(sets), question.lowest.shape[1]), dtype=np.float32)
            for place, chosen in enumerate(sets):
                delta[place, list(chosen)] = question.lowest[index, list(chosen)]
            repeated = question.rows(np.full(len(sets), index))
            if repeated.crossed(problem.scorer.score(repeated.changed(delta))).any():
                sizes[index] = size
                break
    return sizes


def smaller_singles(problem: Problem, question: Question, answers: Explanations, grid: int = 400) -> int:
    """How many pairs have a single change that flips and is smaller than the answer by more than 0.2%."""
    worse = 0
    for index in range(len(question)):
        limit = 0.998 * np.abs(answers.delta[index]).sum() if answers.explained[index] else np.inf
        found = False
        for aspect in np.flatnonzero(question.movable[index]):
            reach = -question.lowest[index, aspect]
            delta = np.zeros((grid, question.lowest.shape[1]), dtype=np.float32)
            delta[:, aspect] = -np.linspace(0, min(reach, limit), grid)
            repeated = question.rows(np.full(grid, index))
            found |= bool(repeated.crossed(problem.scorer.score(repeated.changed(delta)) + 1e-5).any())
        worse += found
    return worse


def growth(kinds: Sequence[str]) -> Iterator[str]:
    """Time per pair as pairs double, and as aspects double."""
    widths, counts = (44, 88, 176, 352), (150, 300, 600, 1200)
    worlds = [phones(size=replace(CELL_PHONES, aspects=width)) for width in widths]
    yield from ["", "## Growth"]
    for kind in kinds:
        wider = [problem(data, kind, TrainingSettings()) for data in worlds]
        own = wider[widths.index(CELL_PHONES.aspects)]
        yield from ["", f"Milliseconds per pair as the number of pairs doubles (phones: {kind}):", ""]
        yield from growth_table({f"{count} pairs": (own, count) for count in counts})
        owned = ", ".join(f"{np.mean(np.count_nonzero(data.space.item_quality, axis=1)):.1f}" for data in worlds)
        title = f"as the number of aspects doubles (300 pairs; an item has {owned} of them)"
        yield from ["", f"Milliseconds per pair {title}, {kind}:", ""]
        yield from growth_table({f"{width} aspects": (asked, 300) for width, asked in zip(widths, wider, strict=True)})
        yield from ["", *memory_growth(own)]


def growth_table(columns: dict[str, tuple[Problem, int]]) -> Iterator[str]:
    """A row for each goal, a column for each problem and number of pairs."""
    yield f"| goal | {' | '.join(columns)} |"
    yield "|---|" + "---|" * len(columns)
    for goal in GOALS:
        times = [timed(asked, asked.question(pairs), goal, repeats=3).milliseconds for asked, pairs in columns.values()]
        yield f"| {goal} | " + " | ".join(f"{taken:.3f}" for taken in times) + " |"


def memory_growth(problem: Problem) -> Iterator[str]:
    """The memory for the answers; working memory is bounded by the number of pairs solved at once."""
    import tracemalloc

    yield f"Peak NumPy memory while explaining (minimal, {problem.model.kind}), by pairs:"
    yield ""
    for count in (300, 600, 1200):
        question = problem.question(count)
        tracemalloc.start()
        CountER(problem.scorer, telling=False).explain(question)
        yield f"- {len(question)} pairs: {tracemalloc.get_traced_memory()[1] / 1e6:.1f} MB"
        tracemalloc.stop()


if __name__ == "__main__":
    main()
