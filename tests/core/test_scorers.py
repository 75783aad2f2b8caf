import numpy as np
import pytest
import torch
from tests import naive
from tests.contracts.scorer import ScorerContract
from tests.worlds import drawn_offsets, figure_one, members_of, random_net, random_world

from counterec.core.scorers.base import AveragedScorer, HistoryScorer, LayeredScorer, OffsetScorer, PairBatch
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import AspectNet, NetEnsemble, NetWeights, probabilities
from counterec.core.scorers.simple import AlignmentScorer, PopularityScorer, RandomScorer
from counterec.errors import InvalidValueError

WORLD = random_world(7)
THREE_NETS = members_of(WORLD, 3)


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


class TestNetEnsemble(ScorerContract):
    @pytest.fixture
    def scorer(self):
        return NetEnsemble(THREE_NETS)

    @pytest.fixture
    def space(self):
        return WORLD.space

    def test_is_the_mean_of_its_members(self, scorer, pairs):
        members = [member.score(pairs) for member in scorer.members]
        assert len(members) == 3
        np.testing.assert_allclose(scorer.score(pairs), np.mean(members, axis=0), atol=1e-5)

    def test_of_one_net_is_that_net(self, pairs):
        net, alone = AspectNet(THREE_NETS[0]), NetEnsemble(THREE_NETS[:1])
        np.testing.assert_array_equal(net.score(pairs), alone.score(pairs))

    def test_its_layers_say_what_it_says(self, scorer, pairs):
        layers = scorer.unrolled(pairs.users, pairs.items, pairs.user_attention)
        first = (layers.share + torch.tensor(pairs.item_quality) @ layers.item).relu()
        np.testing.assert_allclose(layers.score(layers.second(first).relu()), scorer.score(pairs), atol=1e-5)

    def test_does_not_average_nets_of_different_shapes(self):
        other = random_net(np.random.default_rng(0), len(WORLD.space.aspects), hidden=(3, 2))
        with pytest.raises(InvalidValueError, match="2 shapes"):
            NetEnsemble([WORLD.weights, other])
        with pytest.raises(InvalidValueError, match="no nets"):
            NetEnsemble([])


class TestHybridScorer(ScorerContract):
    @pytest.fixture
    def scorer(self):
        return HybridScorer(NetEnsemble(THREE_NETS), drawn_offsets(WORLD, 3))

    @pytest.fixture
    def space(self):
        return WORLD.space

    def test_is_the_sum_of_both_parts(self, scorer, pairs):
        offset = scorer.offset(pairs.users, pairs.items)
        assert (offset > 0).any()
        assert (offset < 0).any()
        np.testing.assert_allclose(scorer.score(pairs), scorer.aspect_part.score(pairs) + offset, atol=1e-5)

    def test_every_member_has_the_whole_offset(self, scorer, pairs):
        offset = scorer.offset(pairs.users, pairs.items)
        for member, net in zip(scorer.members, scorer.aspect_part.members, strict=True):
            np.testing.assert_allclose(member.score(pairs), net.score(pairs) + offset, atol=1e-5)
        mean = np.mean([member.score(pairs) for member in scorer.members], axis=0)
        np.testing.assert_allclose(scorer.score(pairs), mean, atol=1e-5)

    def test_its_history_adds_up_to_its_offset(self, scorer, space):
        items = np.arange(len(space.items))
        past, parts = scorer.history(1, items)
        assert parts.shape == (len(past), len(items))
        np.testing.assert_allclose(parts.sum(axis=0), scorer.offset(np.ones_like(items), items), atol=1e-5)

    def test_is_what_the_protocols_ask_for(self, scorer):
        assert isinstance(scorer, OffsetScorer)
        assert isinstance(scorer, HistoryScorer)
        assert isinstance(scorer, AveragedScorer)
        assert not isinstance(scorer, LayeredScorer)
        assert isinstance(scorer.aspect_part, LayeredScorer)
        assert isinstance(scorer.aspect_part, AveragedScorer)


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
