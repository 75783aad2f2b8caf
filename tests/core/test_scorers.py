import numpy as np
import pytest
from tests import naive
from tests.contracts.scorer import ScorerContract
from tests.worlds import figure_one, random_world

from counterec.core.scorers.alignment import AlignmentScorer
from counterec.core.scorers.net import AspectNet, NetWeights, probabilities
from counterec.core.scorers.protocols import PairBatch
from counterec.core.scorers.trivial import PopularityScorer, RandomScorer
from counterec.errors import InvalidValueError

WORLD = random_world(7)


class TestAspectNet(ScorerContract):
    @pytest.fixture
    def scorer(self):
        return AspectNet(WORLD.weights)

    @pytest.fixture
    def space(self):
        return WORLD.space

    def test_is_the_paper_s_net_by_plain_arithmetic(self, scorer, pairs):
        rows = zip(pairs.user_attention, pairs.item_quality, strict=True)
        expected = [naive.net_score(WORLD.weights.named(), x, y) for x, y in rows]
        np.testing.assert_allclose(scorer.score(pairs), expected, atol=1e-5)

    def test_weights_survive_their_names(self):
        again = NetWeights.from_named(WORLD.weights.named())
        np.testing.assert_array_equal(again.hidden1.weight, WORLD.weights.hidden1.weight)

    def test_refuses_vectors_of_another_space(self, scorer):
        stranger = figure_one()
        with pytest.raises(InvalidValueError, match="item_quality"):
            scorer.score(PairBatch.of(stranger, [0], [0]))

    def test_probabilities_are_the_sigmoid_of_logits(self):
        np.testing.assert_allclose(probabilities(np.array([0.0, np.log(3)])), [0.5, 0.75], atol=1e-6)


class TestAlignmentScorer(ScorerContract):
    @pytest.fixture
    def scorer(self):
        return AlignmentScorer()

    @pytest.fixture
    def space(self):
        return WORLD.space

    def test_scores_the_phones_of_the_first_figure(self, scorer):
        space = figure_one()
        scores = scorer.score(PairBatch.of(space, [0] * 4, range(4)))
        np.testing.assert_allclose(scores, [42.0, 37.5, 35.7, 35.4], atol=1e-4)


class TestPopularityScorer(ScorerContract):
    @pytest.fixture
    def scorer(self):
        return PopularityScorer(np.array([3, 3, 5]), len(WORLD.space.items))

    @pytest.fixture
    def space(self):
        return WORLD.space

    def test_counts_interactions(self, scorer, space):
        assert scorer.score(PairBatch.of(space, [0, 1, 2], [3, 5, 0])).tolist() == [2, 1, 0]


class TestRandomScorer(ScorerContract):
    @pytest.fixture
    def scorer(self):
        return RandomScorer(len(WORLD.space.items), seed=3)

    @pytest.fixture
    def space(self):
        return WORLD.space

    def test_draws_by_seed_user_and_item(self, scorer, pairs):
        drawn = scorer.score(pairs)
        assert drawn.tolist() == RandomScorer(len(WORLD.space.items), seed=3).score(pairs).tolist()
        assert (drawn != RandomScorer(len(WORLD.space.items), seed=4).score(pairs)).all()
        assert len(np.unique(drawn)) == len(np.unique(np.stack([pairs.users, pairs.items]), axis=1).T)
