"""The recommender learns what the built-in world planted (five seeds in full: benchmarks/recommender.py)."""

import pytest

from counterec.core.candidates import catalogue_candidates
from counterec.core.evaluation.quality import ranking_quality
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.settings import TrainingSettings
from counterec.core.scorers.simple import PopularityScorer
from counterec.core.scorers.training import train
from counterec.synthetic.world import WorldSize, synthetic_space, synthetic_world

pytestmark = pytest.mark.slow


def test_it_ranks_better_than_popularity_by_half_as_much_again():
    world = synthetic_world(WorldSize(), seed=0)
    space = synthetic_space(world)
    weights = train(space, world.taken("train"), world.taken("validation"), TrainingSettings(epochs=12), 0).weights
    candidates = catalogue_candidates(world.taken("train").joined(world.taken("validation")))
    popularity = PopularityScorer(world.taken("train").items, len(space.items))
    ours, theirs = (
        ranking_quality(rank(scorer, space, candidates, 5), world.taken("test")).ndcg.value
        for scorer in (AspectNet(weights), popularity)
    )
    assert ours >= 1.5 * theirs
