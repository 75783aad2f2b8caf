"""What F1 rewards: masked F1 of explanations against how well the net that they explain is trained.

    python -m benchmarks.training_control NAME=RUN … [--epochs 1 2 5 10 20 50] [--users 300]

The paper's net is trained for so many epochs on the training part of a run, and nothing is chosen. Its lists (protocol
*full*) are explained by *relaxed*, by the gradient and by the rule that asks no model: the aspects that the item's
reviews mention most often. If F1 measured how well a model is explained, that of the rule would not depend on the
training, and that of the others would not follow it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.causes import measured_in
from benchmarks.page_sections import page_of, with_section
from counterec import open_run
from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.attribution.top_aspects import named
from counterec.core.candidates import catalogue_candidates
from counterec.core.evaluation.bootstrap import Units
from counterec.core.evaluation.measure import Measure, mean
from counterec.core.evaluation.ranking import ranking_quality
from counterec.core.evaluation.user_side import GroundTruth, matched
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.interactions import Interactions
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.training import train
from counterec.experiment.alignments import frequencies
from counterec.pipeline.folder import RunFolder
from counterec.randomness import generator

OUT = Path("benchmarks/results/experiment/training_control.md")
HEADING = """# F1 against training

Made by `python -m benchmarks.training_control`.
All F1 with the mask, of the pairs that *relaxed* explains, and of all: there one without an answer is 0.
"""
METHODS = ("relaxed", "gradient", "frequency")
HEADS = ("epochs", "NDCG@K", *(f"F1, {name}{end}" for name in METHODS for end in ("", ", of all")))
HEADS += ("pairs", "all pairs", "items in all lists")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN")
    parser.add_argument("--epochs", type=int, nargs="+", default=[1, 2, 5, 10, 20, 50])
    parser.add_argument("--users", type=int, default=300, help="at most so many users, drawn by the run's seed")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    for given in options.runs:
        name, _, folder = given.partition("=")
        measured = rows(measured_in(open_run(folder), "net/full"), options.epochs, options.users)
        body = "\n".join([f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|", *measured])
        options.out.write_text(with_section(HEADING, page_of(options.out), name, body), encoding="utf-8")


def rows(run: RunFolder, epochs: list[int], most: int) -> Iterator[str]:
    """One row per number of epochs."""
    space, parts, k, seed = run.space, run.interactions, run.config.lists.k, run.config.seed
    users = np.sort(generator(seed, "training control").permutation(len(space.users))[:most])
    candidates, truth, frequency = catalogue_candidates(run.known_items), run.ground_truth(), frequencies(run)
    nothing = Interactions(np.empty(0, np.int64), np.empty(0, np.int64), len(space.users), len(space.items))
    for count in epochs:
        settings = replace(run.config.training, epochs=count, least_epochs=1, search=False)
        net = AspectNet(train(space, parts["train"], nothing, settings, seed).weights)
        lists = rank(net, space, candidates, k, users)
        answers = CountER(net, "relaxed").explain(why(space, lists, constraints=Constraints(masked=True)))
        given = answers.named()
        sizes = given.named.sum(axis=1)
        weights = ATTRIBUTIONS["gradient"].weights(net, space, given.users, given.items, seed)
        others = [heaviest(run, given, sizes, one) for one in (weights, frequency[given.items])]
        found = [measure for one in (given, *others) for measure in both_denominators(one, truth)]
        quality = ranking_quality(lists, parts["test"]).ndcg
        cells = [str(count), shown(quality), *map(shown, found), *(f"{measure.cases:,}" for measure in found[:2])]
        yield f"| {' | '.join(cells)} | {len(np.unique(lists.items[:, :k])):,} |"


def both_denominators(given: NamedAspects, truth: GroundTruth) -> list[Measure]:
    """F1 over the pairs that something is named for, and over all; intervals by users and items."""
    found, drawn = matched(given, truth), Units(given.users, given.items)
    return [mean(one.f1, drawn) for one in (found, found.with_zeros())]


def heaviest(run: RunFolder, given: NamedAspects, sizes: IntVector, weights: FloatMatrix) -> NamedAspects:
    """As many of the user's aspects as were named, the heaviest first."""
    return named(given.users, given.items, weights, sizes, run.space.user_attention[given.users] != 0)


def shown(measure: Measure) -> str:
    if measure.value is None or measure.interval is None:
        return "–"
    return f"{measure.value:.3f} ({measure.interval[0]:.3f} to {measure.interval[1]:.3f})"


if __name__ == "__main__":
    main()
