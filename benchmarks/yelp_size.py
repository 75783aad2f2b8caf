"""Exact PN and PS over the whole catalogue at the size of the paper's Yelp: time and memory of each step.

    python -m benchmarks.yelp_size --processes 2 --out benchmarks/results/yelp_size.md

The built-in world; all top-5 pairs, explained by *minimal*. Users are divided among the processes, each on one thread;
what the processes need is built once and inherited.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from counterec.core.candidates import Candidates, catalogue_candidates
from counterec.core.compute_limits import threads
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.model_side import model_side
from counterec.core.evaluation.necessity_verdicts import VERDICTS, Verdicts
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.net import AspectNet, NetWeights
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.training import train
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.space import AspectSpace
from counterec.synthetic.matrices import synthetic_space, synthetic_world
from counterec.synthetic.world_size import YELP

K, HEAD = 5, 100
"""The length of a list, and how much of a ranking is kept."""


@dataclass(frozen=True)
class Share:
    """The part of one process: its results, time and memory."""

    verdicts: Verdicts
    explained: int
    seconds: dict[str, float]
    gigabytes: float


def main() -> None:
    options = parse()
    started = time.perf_counter()
    world = synthetic_world(replace(YELP, users=options.users), seed=0)
    space = synthetic_space(world)
    candidates = catalogue_candidates(world.taken("train").joined(world.taken("validation")))
    made = time.perf_counter() - started
    started = time.perf_counter()
    settings = TrainingSettings(epochs=options.epochs)
    with threads(1):
        weights = train(space, world.taken("train"), world.taken("validation"), settings, 0).weights
    trained = time.perf_counter() - started
    started = time.perf_counter()
    shares = in_processes(options.processes, lambda part: worked(space, weights, candidates, part), len(space.users))
    wall = time.perf_counter() - started
    text = report(options, space, shares, made, trained, wall)
    options.out.write_text(text, encoding="utf-8")
    print(text)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=1, help="of training; they do not affect what is measured")
    parser.add_argument("--users", type=int, default=YELP.users, help="fewer, for a quick look")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/yelp_size.md"))
    return parser.parse_args()


def worked(space: AspectSpace, weights: NetWeights, candidates: Candidates, users: np.ndarray) -> Share:
    """Rank these users' lists, explain them, and judge the explanations."""
    seconds: dict[str, float] = {}
    with threads(1):
        net = AspectNet(weights)
        with timed(seconds, "rank"):
            heads = rank(net, space, candidates, HEAD - 1, users)
        with timed(seconds, "explain"):
            answers = CountER(net, goal="minimal").explain(why(space, heads.shortened(K)))
        with timed(seconds, "PN and PS"):
            found = verdicts(net, space, candidates, K, answers.named(), lists=heads)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    return Share(found, int(answers.explained.sum()), seconds, peak)


@contextmanager
def timed(seconds: dict[str, float], name: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    seconds[name] = time.perf_counter() - started


_WORK: Callable[[np.ndarray], Share]


def in_processes(count: int, work: Callable[[np.ndarray], Share], users: int) -> list[Share]:
    global _WORK  # noqa: PLW0603  # inherited by the forked processes, which a function with its data cannot be sent to
    _WORK = work
    parts = np.array_split(np.arange(users), count)
    if count == 1:
        return [work(parts[0])]
    with multiprocessing.get_context("fork").Pool(count) as pool:
        return pool.map(_call, parts)


def _call(part: np.ndarray) -> Share:
    return _WORK(part)


def report(
    options: argparse.Namespace, space: AspectSpace, shares: list[Share], made: float, trained: float, wall: float
) -> str:
    columns = {name: np.concatenate([getattr(share.verdicts, name) for share in shares]) for name in VERDICTS}
    users = np.concatenate([share.verdicts.users for share in shares])
    asked = np.concatenate([share.verdicts.asked for share in shares])
    side = model_side(Verdicts(users=users, asked=asked, **columns))
    pairs, explained = len(users), sum(share.explained for share in shares)
    lines = [
        "# PN and PS over the whole catalogue, at the size of Yelp",
        "",
        f"Python {platform.python_version()}, PyTorch {torch.__version__}, {platform.machine()}, "
        f"{os.cpu_count()} cores, "
        f"{options.processes} processes of one thread. Written by `benchmarks/yelp_size.py`.",
        "",
        f"Built-in world: {len(space.users):,} users, {len(space.items):,} items, {len(space.aspects)} aspects; net "
        f"512-256-1, {options.epochs} epoch. {pairs:,} pairs, {explained:,} explained by *minimal*.",
        "",
        "| step | seconds, slowest process | milliseconds per pair and process |",
        "|---|---|---|",
        f"| building the world (one process) | {made:.0f} | |",
        f"| training (one process) | {trained:.0f} | |",
    ]
    for name in shares[0].seconds:
        slowest = max(share.seconds[name] for share in shares)
        lines.append(f"| {name} | {slowest:.0f} | {slowest * len(shares) / pairs * 1e3:.2f} |")
    lines += [
        f"| these three together, wall clock | {wall:.0f} | |",
        "",
        f"Peak memory: {sum(share.gigabytes for share in shares):.2f} GB in all processes together "
        f"(what they share is counted in each), {max(share.gigabytes for share in shares):.2f} GB in the largest.",
        "",
        f"PN {side.pn.value:.4f}, PS {side.ps.value:.4f}, F_NS {side.f_ns.value:.4f} over {side.pn.cases:,} pairs; "
        f"with ties resolved against and for the explanation PN {bounds(side.ties['pn'])}, "
        f"PS {bounds(side.ties['ps'])}.",
    ]
    return "\n".join(lines) + "\n"


def bounds(pair: tuple[float | None, float | None]) -> str:
    return " to ".join("–" if value is None else f"{value:.4f}" for value in pair)


if __name__ == "__main__":
    main()
