"""What every scorer must do. A test class inherits this and gives a ``scorer`` and a ``space``."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from counterec.core.scorers.base import DifferentiableScorer, PairBatch


class ScorerContract:
    @pytest.fixture
    def scorer(self):
        raise NotImplementedError

    @pytest.fixture
    def space(self):
        raise NotImplementedError

    @pytest.fixture
    def pairs(self, space):
        random = np.random.default_rng(1)
        users = random.integers(0, len(space.users), 50)
        return PairBatch.of(space, users, random.integers(0, len(space.items), 50))

    def test_gives_a_finite_score_for_every_pair(self, scorer, pairs):
        scores = scorer.score(pairs)
        assert scores.shape == (50,)
        assert np.isfinite(scores).all()

    def test_no_pairs_have_no_scores(self, scorer, pairs):
        assert scorer.score(pairs.rows(slice(0, 0))).shape == (0,)

    def test_a_score_does_not_depend_on_the_rest_of_the_batch(self, scorer, pairs):
        together = scorer.score(pairs)
        apart = [scorer.score(pairs.rows(slice(row, row + 1)))[0] for row in range(len(pairs))]
        np.testing.assert_allclose(together, apart, atol=1e-5, rtol=1e-5)

    def test_a_shared_user_vector_scores_as_a_copied_one(self, scorer, space):
        items = np.arange(len(space.items))
        shared = PairBatch.for_user(space, 0, items, space.item_quality)
        copied = PairBatch.of(space, np.zeros(len(items), dtype=int), items)
        np.testing.assert_allclose(scorer.score(shared), scorer.score(copied), atol=1e-5, rtol=1e-5)

    def test_aspects_only_means_that_numbers_do_not_matter(self, scorer, pairs):
        if not scorer.aspects_only:
            pytest.skip("this scorer uses more than aspects")
        renamed = PairBatch(pairs.users * 0, pairs.items * 0, pairs.user_attention, pairs.item_quality)
        np.testing.assert_array_equal(scorer.score(pairs), scorer.score(renamed))

    def test_tensors_say_the_same_and_their_gradient_is_the_slope(self, scorer, pairs):
        if not isinstance(scorer, DifferentiableScorer):
            pytest.skip("this scorer has no gradient")
        users, items = torch.tensor(pairs.users), torch.tensor(pairs.items)
        quality = torch.tensor(pairs.item_quality, requires_grad=True)
        scores = scorer.score_tensor(users, items, torch.tensor(pairs.user_attention), quality)
        np.testing.assert_allclose(scores.detach().numpy(), scorer.score(pairs), atol=1e-5, rtol=1e-5)
        (slope,) = torch.autograd.grad(scores.sum(), quality)
        step = 1e-3 * np.sign(slope.numpy())
        rise = scorer.score(pairs.with_quality(pairs.item_quality + step)) - scorer.score(pairs)
        expected = 1e-3 * np.abs(slope.numpy()).sum(axis=1)
        # A kink of the net may lie within the step, for a few rows.
        assert np.mean(np.isclose(rise, expected, atol=2e-4, rtol=0.1)) > 0.8
