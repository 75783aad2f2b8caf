"""The problems that explainers are measured on: an aspect space, a trained net, and lists from 5 + 100 candidates."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import numpy as np

from counterec.core.candidates import Candidates, catalogue_candidates, sampled_candidates
from counterec.core.evaluation.transfer import Condition, fresh_conditions
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.constraints import Constraints, Values
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.interactions import Interactions
from counterec.core.lists import Recommendations
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.training import train
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.space import AspectSpace
from counterec.synthetic.matrices import synthetic_space, synthetic_world
from counterec.synthetic.world_size import CELL_PHONES, WorldSize

K = 5
PARTS: tuple[Literal["train", "validation", "test"], ...] = ("train", "validation", "test")


@dataclass(frozen=True, eq=False)
class Problem:
    """A space, a net and its lists, to be explained."""

    name: str
    origin: str
    space: AspectSpace
    net: AspectNet
    lists: Recommendations
    own_lists: Recommendations
    """The lists over the whole catalogue, as a run makes them by default."""
    parts: dict[str, Interactions]
    """The parts of the split."""

    @property
    def reserve(self) -> Candidates:
        """The pool that candidates are drawn from."""
        return catalogue_candidates(self.touched)

    @property
    def touched(self) -> Interactions:
        """The interactions of users before the test part."""
        return self.parts["train"].joined(self.parts["validation"])

    def transfer_conditions(self, named: NamedAspects, seed: int) -> Iterator[Condition]:
        """Yield conditions that no explanation was selected on: K ± 1, fresh candidates, another net."""
        longer = rank(self.net, self.space, self.lists.candidates, K + 1)
        yield Condition(f"K = {K - 1}", self.net, longer, K - 1)
        yield Condition(f"K = {K + 1}", self.net, longer, K + 1)
        yield from self.fresh(f"fresh candidates ({seed})", self.net, named, seed)
        yield self.retrained(seed)
        yield from self.fresh(f"both ({seed})", self.trained_again(seed), named, seed)

    def fresh(self, name: str, net: AspectNet, named: NamedAspects, seed: int) -> Iterator[Condition]:
        """Yield conditions with fresh candidates, under this net."""
        drawn = sampled_candidates(self.parts["test"], self.touched, self.space.users.texts, seed)
        yield from fresh_conditions(name, net, self.space, drawn, named, K, K)

    def retrained(self, seed: int) -> Condition:
        """Return the same candidates under a retrained net."""
        again = self.trained_again(seed)
        return Condition(f"retrained net ({seed})", again, rank(again, self.space, self.lists.candidates, K), K)

    @cache  # noqa: B019  # a problem lives as long as the benchmark
    def trained_again(self, seed: int) -> AspectNet:
        """Train the same net from another seed."""
        train_part, validation = self.parts["train"], self.parts["validation"]
        return AspectNet(train(self.space, train_part, validation, TrainingSettings(), seed).weights)

    def question(self, pairs: int, seed: int = 0, masked: bool = False, values: Values = "continuous") -> Question:
        """This many recommended pairs, drawn by the seed; any value is allowed, as in the paper, unless asked."""
        everything = why(self.space, self.lists, constraints=Constraints(masked=masked, values=values))
        chosen = np.random.default_rng(seed).permutation(len(everything))[:pairs]
        return everything.rows(np.sort(chosen))


def measured(mentions: Path | None) -> Iterator[Problem]:
    """Yield musical instruments, if their mentions are given, and the synthetic phones."""
    if mentions:
        yield instruments(mentions)
    yield phones()


def phones(
    seed: int = 0,
    size: WorldSize = CELL_PHONES,
    training: TrainingSettings = TrainingSettings(),  # noqa: B008
) -> Problem:
    """Return the synthetic world, by default at the size of the paper's Cell Phones."""
    world = synthetic_world(size, seed)
    space = synthetic_space(world)
    weights = train(space, world.taken("train"), world.taken("validation"), training, seed).weights
    parts: dict[str, Interactions] = {part: world.taken(part) for part in PARTS}
    touched = parts["train"].joined(parts["validation"])
    candidates = sampled_candidates(parts["test"], touched, space.users.texts, seed)
    return _problem("phones", f"synthetic world, seed {seed}", space, AspectNet(weights), candidates, parts)


def instruments(mentions: Path, seed: int = 0) -> Problem:
    """Return musical instruments, from the mentions of a run; users with at least 10 reviews."""
    from counterec.pipeline.config import make_config
    from counterec.run import make_run

    settings = {
        "data": {"sources": [str(mentions)], "format": "mentions"},
        "lists": {"protocol": "sampled", "k": K},
        "explain": {"methods": ["minimal"]},
        "seed": seed,
    }
    checksum = hashlib.sha256(mentions.read_bytes()).hexdigest()
    with TemporaryDirectory() as folder:
        run = make_run(make_config(settings, "benchmark"), Path(folder) / "run")
        if not isinstance(run.scorer, AspectNet):
            raise TypeError("the benchmark compares solvers on the net")
        origin = f"mentions sha256 {checksum}"
        return _problem("instruments", origin, run.space, run.scorer, run.candidates, dict(run.interactions))


def _problem(
    name: str,
    origin: str,
    space: AspectSpace,
    net: AspectNet,
    candidates: Candidates,
    parts: dict[str, Interactions],
) -> Problem:
    own = rank(net, space, catalogue_candidates(parts["train"].joined(parts["validation"])), K)
    return Problem(name, origin, space, net, rank(net, space, candidates, K), own, parts)
