"""EFM and MTER train in Cornac on our numbers, and give Cornac's own lists."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.baselines.base import cornac_data
from counterec.baselines.efm import EFM, EFMSettings
from counterec.baselines.mter import MTER, MTERSettings
from counterec.core.candidates import Candidates
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.ranking import rank

pytestmark = pytest.mark.slow

QUICK_EFM = EFM(EFMSettings(iterations=60))
QUICK_MTER = MTER(MTERSettings(iterations=100, passes=1, regularization=(0.1,)))


def test_cornac_builds_our_x_and_y(few):
    model, _ = QUICK_EFM.trained(few, 0)
    cornac = cornac_data("efm", few)
    assert (np.diff(cornac.aspects) < 0).any()
    _, attention, quality = model._build_matrices(cornac.dataset)
    n = len(few.space.aspects)
    np.testing.assert_allclose(cornac.in_our_order(attention.toarray().T, n).T, few.space.user_attention, rtol=1e-5)
    np.testing.assert_allclose(cornac.in_our_order(quality.toarray().T, n).T, few.space.item_quality, rtol=1e-5)


def test_efms_own_list_is_reproduced(few):
    fitted, k = QUICK_EFM.fitted(few, 0), 10
    model, _ = QUICK_EFM.trained(few, 0)
    model.num_most_cared_aspects = fitted.scorer.most_cared.shape[1]
    everything = Candidates.without(len(few.space.items), [[]] * len(few.space.users))
    ours = rank(fitted.scorer, fitted.space, everything, k)
    for user in range(len(few.space.users)):
        items, scores = model.rank(user)
        np.testing.assert_array_equal(ours.items[user], items[: k + 1])
        np.testing.assert_allclose(ours.scores[user], scores[items[: k + 1]], rtol=1e-5)


def test_mters_own_scores_are_reproduced(few, monkeypatch):
    from cornac import models

    trained = []

    class Remembered(models.MTER):
        def fit(self, *args):
            trained.append(self)
            return super().fit(*args)

    monkeypatch.setattr(models, "MTER", Remembered)
    fitted = QUICK_MTER.fitted(few, 0)
    items = np.arange(len(few.space.items))
    for user in range(len(few.space.users)):
        ours = fitted.scorer.score(PairBatch.for_user(few.space, user, items, few.space.item_quality))
        np.testing.assert_allclose(ours, trained[0].score(user), rtol=1e-4)


def test_efm_depends_on_the_aspects_it_counts(few):
    """An item that is absent on every aspect keeps only its predicted rating."""
    fitted = QUICK_EFM.fitted(few, 0)
    pairs = PairBatch.of(fitted.space, few.train.users, few.train.items)
    bare = fitted.scorer.score(pairs.with_quality(np.zeros_like(pairs.item_quality)))
    rating = (fitted.scorer.user_factors[pairs.users] * fitted.scorer.item_factors[pairs.items]).sum(axis=1)
    np.testing.assert_allclose(bare, (1 - fitted.scorer.alpha) * rating, rtol=1e-4)
    assert (fitted.scorer.score(pairs) > bare).all()
