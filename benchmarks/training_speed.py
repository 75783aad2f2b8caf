"""How long training takes: the default model of a run, search included, on a built-in world.

    python -m benchmarks.training_speed --out benchmarks/results/training_speed.md

One row for each share of the users, to show how time grows with the interactions. A run's stage *fit* does the same:
the search for settings, the nets, the collaborative part and the choice of its weight. The floor is what the matrix
products of the nets' training alone would take, at the speed that one thread reaches here.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import torch

from benchmarks.fitted_model import FittedModel, fitted
from benchmarks.machine import load_average, machine
from counterec.core.compute_limits import threads
from counterec.core.interactions import Interactions
from counterec.core.scorers.training_samples import epochs_per_pass
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.space import AspectSpace
from counterec.synthetic.matrices import synthetic_space, synthetic_world
from counterec.synthetic.world_size import HELD_OUT, VALIDATION, WorldSize


@dataclass(frozen=True)
class Measured:
    """One size of the world: the model that was trained, and what that took, by the clock and of the processor."""

    space: AspectSpace
    interactions: int
    model: FittedModel
    wall: float
    processor: float
    floor: float


def main() -> None:
    options = parse()
    speed = products_per_second()
    rows = [measured(options, round(share * options.users), speed) for share in options.shares]
    text = report(options, rows, speed)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    print(text)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=7_500)
    parser.add_argument("--items", type=int, default=4_100)
    parser.add_argument("--aspects", type=int, default=200)
    parser.add_argument("--interactions", type=int, default=724_000, help="of all users, in the training part")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.25, 0.5, 1.0], help="of the users, a row each")
    parser.add_argument("--out", type=Path, help="the page to write")
    return parser.parse_args()


def measured(options: argparse.Namespace, users: int, speed: float) -> Measured:
    reviews = options.interactions / options.users + HELD_OUT + VALIDATION
    size = WorldSize(users, options.items, options.aspects, mean_reviews=reviews, cared_for=20, notable=40)
    world = synthetic_world(size, seed=0)
    space, train, validation = synthetic_space(world), world.taken("train"), world.taken("validation")
    wall, processor = time.perf_counter(), time.process_time()
    model = fitted("hybrid", space, {"train": train, "validation": validation}, TrainingSettings(), seed=0)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    floor = sum(products(space, train, model, len(net["losses"])) for net in model.nets) / speed
    return Measured(space, len(train), model, wall, processor, floor)


def products(space: AspectSpace, train: Interactions, model: FittedModel, epochs: int) -> float:
    """The multiplications and additions of the matrix products of a training, without validation.

    A sample takes its item's share of the first layer, forward and the gradient of the weights, and the second layer,
    forward and both gradients; a positive takes its user's share, for itself and its negatives.
    """
    settings = model.used
    first, second = settings.hidden
    negatives = settings.negatives or 0
    share, layer = 2 * 2 * len(space.aspects) * first, 3 * 2 * first * second
    positives = epochs * len(train) / epochs_per_pass(len(train), settings)
    return positives * (share + (1 + negatives) * (share + layer))


def products_per_second(seconds: float = 1.0) -> float:
    """Multiplications and additions per second of one thread in the product of the second layer."""
    left, right = torch.rand(2048, 512), torch.rand(512, 256)
    with threads(1):
        started, done = time.process_time(), 0
        while time.process_time() - started < seconds:
            left @ right
            done += 2 * 2048 * 512 * 256
        return done / (time.process_time() - started)


HEAD = """# How long training takes

`python -m benchmarks.training_speed`: a built-in world of {items:,} items and {aspects} aspects;
the default model; {machine}. One thread computes {speed:.0f} billion multiplications
and additions a second. *Floor*: the processor seconds of the matrix products of the nets' training at that speed.

| {columns} |
|{rule}
"""

COLUMNS = (
    "users",
    "training interactions",
    "minutes",
    "seconds per 1,000 interactions",
    "processor s",
    "floor, processor s",
    "epochs of the nets (best)",
    "chosen: rate, decay, negatives, batch",
)


def report(options: argparse.Namespace, rows: list[Measured], speed: float) -> str:
    head = HEAD.format(
        **vars(options),
        machine=f"{machine()}; {load_average()}",
        speed=speed / 1e9,
        columns=" | ".join(COLUMNS),
        rule="---|" * len(COLUMNS),
    )
    return head + "".join(row_of(row) for row in rows)


def row_of(row: Measured) -> str:
    epochs = ", ".join(f"{net['epochs']} ({net['best_epoch']})" for net in row.model.nets)
    used = row.model.used
    cells = [
        f"{len(row.space.users):,}",
        f"{row.interactions:,}",
        f"{row.wall / 60:.1f}",
        f"{1000 * row.wall / row.interactions:.2f}",
        f"{row.processor:.0f}",
        f"{row.floor:.0f}",
        epochs,
        f"{used.learning_rate:g}, {used.weight_decay:g}, {used.negatives}, {used.batch_size}",
    ]
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    main()
