"""The problems that explainers are measured on: an aspect space, a trained model, and lists from 5 + 100 candidates."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import numpy as np

from benchmarks.fitted_model import KINDS, FittedModel, fitted
from counterec.core.candidates import Candidates, catalogue_candidates, sampled_candidates
from counterec.core.evaluation.transfer import Condition, fresh_conditions
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.constraints import Constraints, Values
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.interactions import Interactions
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import DifferentiableScorer, Scorer
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.settings import TrainingSettings
from counterec.core.space import AspectSpace
from counterec.synthetic.world import CELL_PHONES, WorldSize, synthetic_space, synthetic_world

K = 5
PARTS: tuple[Literal["train", "validation", "test"], ...] = ("train", "validation", "test")


@dataclass(frozen=True, eq=False)
class DataSet:
    """What a model is trained on, before there is one."""

    name: str
    origin: str
    space: AspectSpace
    parts: Mapping[str, Interactions]
    """The parts of the split."""
    seed: int

    @property
    def touched(self) -> Interactions:
        """The interactions of users before the test part."""
        return self.parts["train"].joined(self.parts["validation"])

    @property
    def reserve(self) -> Candidates:
        """The pool that candidates are drawn from."""
        return catalogue_candidates(self.touched)

    def drawn(self, seed: int) -> Candidates:
        """The held-out items of each user, and 100 others."""
        return sampled_candidates(self.parts["test"], self.touched, self.space.users.texts, seed)


@dataclass(frozen=True, eq=False)
class Problem:
    """A space, a model and its lists, to be explained."""

    data: DataSet
    model: FittedModel

    @property
    def name(self) -> str:
        """The data and the model."""
        return f"{self.data.name}: {self.model.kind}"

    @property
    def space(self) -> AspectSpace:
        """The aspect space."""
        return self.data.space

    @property
    def scorer(self) -> Scorer:
        """The recommender."""
        return self.model.scorer

    @property
    def differentiable(self) -> DifferentiableScorer:
        """The same recommender, for the published algorithm, which needs gradients."""
        if not isinstance(self.scorer, DifferentiableScorer):
            raise TypeError(f"the published algorithm needs gradients, which {self.model.kind!r} does not have")
        return self.scorer

    @cached_property
    def lists(self) -> Recommendations:
        """The lists from 5 + 100 candidates."""
        return rank(self.scorer, self.space, self.data.drawn(self.data.seed), K)

    @cached_property
    def own_lists(self) -> Recommendations:
        """The lists over the whole catalogue, as a run makes them by default."""
        return rank(self.scorer, self.space, self.data.reserve, K)

    def transfer_conditions(self, named: NamedAspects, seed: int) -> Iterator[Condition]:
        """Yield conditions that no explanation was selected on: K ± 1, fresh candidates, another training."""
        longer = rank(self.scorer, self.space, self.lists.candidates, K + 1)
        yield Condition(f"K = {K - 1}", self.scorer, longer, K - 1)
        yield Condition(f"K = {K + 1}", self.scorer, longer, K + 1)
        yield from self.fresh(f"fresh candidates ({seed})", self.scorer, named, seed)
        yield self.retrained(seed)
        yield from self.fresh(f"both ({seed})", self.trained_again(seed), named, seed)

    def fresh(self, name: str, scorer: Scorer, named: NamedAspects, seed: int) -> Iterator[Condition]:
        """Yield conditions with fresh candidates, under this scorer."""
        yield from fresh_conditions(name, scorer, self.space, self.data.drawn(seed), named, K, K)

    def retrained(self, seed: int) -> Condition:
        """Return the same candidates under a retrained model."""
        again = self.trained_again(seed)
        return Condition(f"retrained ({seed})", again, rank(again, self.space, self.lists.candidates, K), K)

    @cache  # noqa: B019  # a problem lives as long as the benchmark
    def trained_again(self, seed: int) -> Scorer:
        """Train the same kind of model from another seed, with the settings that the first training chose."""
        return fitted(self.model.kind, self.space, self.data.parts, self.model.used, seed).scorer

    def question(self, pairs: int, seed: int = 0, masked: bool = False, values: Values = "continuous") -> Question:
        """This many recommended pairs, drawn by the seed; any value is allowed, as in the paper, unless asked."""
        everything = why(self.space, self.lists, constraints=Constraints(masked=masked, values=values))
        chosen = np.random.default_rng(seed).permutation(len(everything))[:pairs]
        return everything.rows(np.sort(chosen))


def problem(data: DataSet, kind: str, training: TrainingSettings) -> Problem:
    """Train a kind of model on the data."""
    return Problem(data, fitted(kind, data.space, data.parts, training, data.seed))


def problem_options(description: str | None, page: str, kinds: tuple[str, ...] = KINDS) -> argparse.ArgumentParser:
    """The options that say which problems are measured, and where the results go."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mentions", type=Path, help="mentions.parquet of a run on musical instruments")
    parser.add_argument("--models", nargs="+", choices=KINDS, default=kinds, help="the kinds of model to explain")
    parser.add_argument("--pairs", type=int, default=300, help="recommended pairs to explain, drawn by the seed")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results") / page)
    return parser


def measured(options: argparse.Namespace) -> Iterator[Problem]:
    """Yield every model on musical instruments, if their mentions are given, and on the synthetic phones."""
    for data in ([instruments(options.mentions)] if options.mentions else []) + [phones()]:
        for kind in options.models:
            yield problem(data, kind, TrainingSettings())


def phones(seed: int = 0, size: WorldSize = CELL_PHONES) -> DataSet:
    """Return the synthetic world, by default at the size of the paper's Cell Phones."""
    world = synthetic_world(size, seed)
    parts: dict[str, Interactions] = {part: world.taken(part) for part in PARTS}
    return DataSet("phones", f"synthetic world, seed {seed}", synthetic_space(world), parts, seed)


def instruments(mentions: Path, seed: int = 0) -> DataSet:
    """Return musical instruments, from the mentions of a run; users with at least 10 reviews."""
    from counterec.pipeline.config import make_config
    from counterec.pipeline.engine import run_stages
    from counterec.pipeline.stage import SilentReporter
    from counterec.pipeline.stages.build import build_stage
    from counterec.pipeline.stages.read import read_stage, split_stage
    from counterec.run import open_run

    settings = {"data": {"sources": [str(mentions)], "format": "mentions"}, "seed": seed}
    config = make_config(settings, "benchmark")
    stages = [read_stage(config), split_stage(config), build_stage(config)]
    origin = f"mentions sha256 {hashlib.sha256(mentions.read_bytes()).hexdigest()}"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        run_stages(path, config.model_dump(mode="json"), stages, SilentReporter())
        run = open_run(path)
        return DataSet("instruments", origin, run.space, dict(run.interactions), seed)
