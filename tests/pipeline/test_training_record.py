import numpy as np
import pytest

from counterec.core.interactions import Interactions
from counterec.core.scorers.settings import UNVALIDATED_EPOCHS, TrainingSettings
from counterec.core.scorers.training import constant_loss
from counterec.pipeline.models import TrainingData
from counterec.pipeline.net_model import train_net
from tests.core.test_training import separable_world


def trained(settings: TrainingSettings, validated: bool = True):
    space, positives, validation = separable_world()
    nothing = Interactions([], [], positives.n_users, positives.n_items)
    return train_net(TrainingData(space, positives, validation if validated else nothing, settings, seed=1))


def test_the_record_holds_curves_the_constant_popularity_and_the_settings():
    counts = trained(TrainingSettings(hidden=(8, 4), epochs=3, least_epochs=1)).counts
    assert len(counts["losses"]) == len(counts["validation_curve"]) == counts["epochs"] == 3
    assert counts["validation_ndcg"] == max(counts["validation_curve"])
    assert counts["loss"] == counts["losses"][counts["best_epoch"] - 1]
    assert counts["constant_loss"] == pytest.approx(constant_loss(counts["settings"]["negatives"]))
    assert 0 < counts["popularity_ndcg"] < 1
    difference, low, high = counts["over_popularity"]
    assert low < difference < high
    assert difference == pytest.approx(counts["validation_ndcg"] - counts["popularity_ndcg"])
    assert counts["settings"]["learning_rate"] == TrainingSettings().completed().learning_rate


def test_without_a_validation_part_the_epochs_are_stated():
    model = trained(TrainingSettings(hidden=(8, 4)), validated=False)
    assert model.counts["epochs"] == model.counts["best_epoch"] == UNVALIDATED_EPOCHS
    assert "popularity_ndcg" not in model.counts
    assert all(np.isfinite(array).all() for array in model.arrays.values())
