"""The problems that explainers are measured on: an aspect space, a trained net, and lists of 5 + 100 candidates."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from counterec.core.explainers.asking import why
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.question import Question
from counterec.core.interactions import Interactions, catalogue_candidates, sampled_candidates
from counterec.core.planted import CELL_PHONES, WorldSize, plant_world, planted_space
from counterec.core.scorers.aspect_net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.training import TrainingSettings, train
from counterec.core.space import AspectSpace, Candidates, Recommendations

K = 5


@dataclass(frozen=True)
class Problem:
    """What is to be explained."""

    name: str
    origin: str
    space: AspectSpace
    net: AspectNet
    lists: Recommendations
    own_lists: Recommendations
    """The lists over the whole catalogue, as a run makes them by default."""

    def question(self, pairs: int, seed: int = 0, masked: bool = False) -> Question:
        """So many recommended pairs, drawn by the seed."""
        everything = why(self.space, self.lists, constraints=Constraints(masked=masked))
        chosen = np.random.default_rng(seed).permutation(len(everything))[:pairs]
        return everything.rows(np.sort(chosen))


def phones(
    seed: int = 0,
    size: WorldSize = CELL_PHONES,
    training: TrainingSettings = TrainingSettings(),  # noqa: B008
) -> Problem:
    """The built-in world at the size of the paper's Cell Phones, or another."""
    world = plant_world(size, seed)
    space = planted_space(world)
    weights = train(space, world.taken("train"), world.taken("validation"), training, seed).weights
    touched = world.taken("train").joined(world.taken("validation"))
    candidates = sampled_candidates(world.taken("test"), touched, space.users.texts, seed)
    return _problem("phones", f"built-in world, seed {seed}", space, AspectNet(weights), candidates, touched)


def instruments(mentions: Path, seed: int = 0) -> Problem:
    """Musical instruments, from the mentions of a run; users with 10 reviews or more."""
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
        touched = run.interactions["train"].joined(run.interactions["validation"])
        origin = f"mentions sha256 {checksum}"
        return _problem("instruments", origin, run.space, run.scorer, run.candidates, touched)


def _problem(
    name: str, origin: str, space: AspectSpace, net: AspectNet, candidates: Candidates, touched: Interactions
) -> Problem:
    own = rank(net, space, catalogue_candidates(touched), K)
    return Problem(name, origin, space, net, rank(net, space, candidates, K), own)
