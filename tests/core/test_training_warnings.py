import math
from dataclasses import replace

import numpy as np
import pytest
from tests.core.test_training import SMALL, separable_world

from counterec.core.scorers.training import (
    EpochReport,
    Training,
    constant_loss,
    loss_warning,
    popularity_warning,
    train,
)
from counterec.core.scorers.validation import compared_with_popularity
from counterec.errors import InvalidValueError


def test_the_loss_of_a_constant_is_the_entropy_of_the_labels():
    assert constant_loss(1) == pytest.approx(math.log(2))
    assert constant_loss(2) == pytest.approx(0.6365, abs=1e-4)
    p = np.linspace(0.01, 0.99, 99)
    assert constant_loss(4) == pytest.approx(float((-np.log(p) - 4 * np.log(1 - p)).min() / 5), abs=1e-4)


def test_a_net_that_learned_nothing_is_warned_of_with_figures():
    space, positives, validation = separable_world()
    learned = train(space, positives, validation, replace(SMALL, least_epochs=20), seed=1)
    assert loss_warning(learned) is None
    idle = Training(learned.weights, (EpochReport(1, 0.6357, 0.1),), 1, learned.settings)
    assert "0.6357 (epoch 1), that of a constant 0.6365" in str(loss_warning(idle))


def test_a_model_below_popularity_is_warned_of_with_its_interval():
    random = np.random.default_rng(0)
    popular = random.random(400)
    noise = random.normal(size=400)
    noise -= noise.mean()
    below = compared_with_popularity(popular - 0.1 + 0.2 * noise, popular)
    assert below.difference == pytest.approx(-0.1)
    assert below.high - below.low == pytest.approx(2 * 1.96 * 0.2 * noise.std(ddof=1) / 20, rel=1e-3)
    assert below.clearly_below
    text = str(popularity_warning(below, 20))
    assert "NDCG@20" in text
    assert "-0.1000" in text
    assert "beyond the noise of 400 users" in text
    slightly = compared_with_popularity(popular - 0.001 + 0.2 * noise, popular)
    assert "within the noise" in str(popularity_warning(slightly, 20))
    assert popularity_warning(compared_with_popularity(popular + 0.1, popular), 20) is None


def test_gains_of_other_users_cannot_be_compared():
    with pytest.raises(InvalidValueError, match="popular"):
        compared_with_popularity(np.zeros(3), np.zeros(4))
