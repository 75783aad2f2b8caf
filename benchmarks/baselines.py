"""The paper's baselines on synthetic worlds: their lists and explanations against chance, and their time.

python -m benchmarks.baselines [--seeds 10 11 12] [--phones]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from counterec.baselines import BASELINES
from counterec.baselines.base import BaselineData, Fitted, TrainMentions
from counterec.core.arrays import FloatVector
from counterec.core.candidates import catalogue_candidates
from counterec.core.evaluation.quality import ranking_quality
from counterec.core.interactions import Interactions
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.ranking import rank
from counterec.core.space import AspectSpace
from counterec.synthetic.world import CELL_PHONES, HELD_OUT, SyntheticWorld, WorldSize, synthetic_space, synthetic_world

WORDS = 6
"""The number of opinion words that praise, and of those that blame."""


def baseline_data(world: SyntheticWorld) -> BaselineData:
    """Return a world as a baseline sees it, with ratings and opinion words made from its mentions."""
    train, said = world.taken("train"), world.mentions
    in_training = world.part("train")[said.interactions]
    about, sentiments = said.interactions[in_training], said.sentiments[in_training]
    words = np.random.default_rng(0).integers(0, WORDS, len(about)) + WORDS * (sentiments > 0)
    users, items = world.interactions.users[about], world.interactions.items[about]
    mentions = TrainMentions(users, items, said.aspects[in_training], words, sentiments)
    return BaselineData(synthetic_space(world), train, world.taken("validation"), _stars(train, mentions), mentions)


def _stars(train: Interactions, mentions: TrainMentions) -> FloatVector:
    """Return three stars, plus or minus up to two by the mean sentiment of the review."""
    keys = train.users * train.n_items + train.items
    rows = np.searchsorted(keys, mentions.users * train.n_items + mentions.items)
    total = np.bincount(rows, weights=mentions.sentiments, minlength=len(train))
    return 3 + 2 * total / np.maximum(np.bincount(rows, minlength=len(train)), 1)


def ndcg(scorer: Scorer, space: AspectSpace, world: SyntheticWorld) -> float:
    """Return NDCG@5 of a scorer's lists over the whole catalogue."""
    candidates = catalogue_candidates(world.taken("train").joined(world.taken("validation")))
    return ranking_quality(rank(scorer, space, candidates, HELD_OUT), world.taken("test")).ndcg.value or 0.0


def chance_ndcg(world: SyntheticWorld) -> float:
    """Return the expected NDCG@5 of random lists: the held-out items' share of the candidates.

    This is exact, since a list has as many positions as there are held-out items.
    """
    touched = world.taken("train").joined(world.taken("validation"))
    candidates = world.size.items - np.bincount(touched.users, minlength=world.size.users)
    return float((HELD_OUT / candidates).mean())


def reasons_found(fitted: Fitted, space: AspectSpace, world: SyntheticWorld) -> tuple[float, float]:
    """Return how often the first aspect named for a held-out pair is a true reason: cared for, and good at it.

    And the same for an aspect drawn at random among those the user has mentioned.
    """
    chosen = world.taken("test")
    reasons = (world.taste[chosen.users] > 0) & (world.quality[chosen.items] > 0)
    mentioned = space.user_attention[chosen.users] != 0
    has_reason = reasons.any(axis=1) & mentioned.any(axis=1)
    first = fitted.weights(chosen.users, chosen.items).argmax(axis=1)
    found = reasons[np.arange(len(first)), first][has_reason].mean()
    return float(found), float(
        ((reasons & mentioned).sum(axis=1)[has_reason] / mentioned.sum(axis=1)[has_reason]).mean()
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, nargs="+", default=[10, 11, 12])
    parser.add_argument("--phones", action="store_true", help="worlds of the size of the paper's Cell Phones")
    options = parser.parse_args()
    print("| seed | baseline | NDCG@5 | by chance | reasons found | by chance | CPU seconds |")
    print("|---|---|---|---|---|---|---|")
    for seed in options.seeds:
        world = synthetic_world(CELL_PHONES if options.phones else WorldSize(), seed)
        data = baseline_data(world)
        chance = chance_ndcg(world)
        for name, make in BASELINES.items():
            started = time.process_time()
            fitted = make().fitted(data, seed)
            seconds = time.process_time() - started
            lists = ndcg(fitted.scorer, fitted.space, world)
            found, drawn = reasons_found(fitted, data.space, world)
            row = f"{lists:.4f} | {chance:.4f} | {found:.2f} | {drawn:.2f} | {seconds:.0f}"
            print(f"| {seed} | {name} | {row} |", flush=True)


if __name__ == "__main__":
    main()
