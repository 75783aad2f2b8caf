from dataclasses import replace

import numpy as np
import pytest
from tests.worlds import vocabulary

from counterec.core.interactions import Interactions
from counterec.core.scale import AspectScale
from counterec.core.scorers import training
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.settings import TrainingSettings
from counterec.core.scorers.training import (
    EpochReport,
    NetTraining,
    TrainingSamples,
    epochs_per_pass,
    net_seeds,
    side_by_side,
    train,
    train_several,
)
from counterec.core.scorers.training_examples import TrainingExamples
from counterec.core.scorers.validation import CatalogueValidation, catalogue_scores
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError


def separable_world(users: int = 30, items: int = 40) -> tuple[AspectSpace, Interactions, Interactions]:
    """Even users care for aspect 0 and choose even items, which have it; odd ones for aspect 1."""
    user_parity, item_parity = np.arange(users) % 2, np.arange(items) % 2
    space = AspectSpace(
        users=vocabulary("user", users),
        items=vocabulary("item", items),
        aspects=vocabulary("aspect", 2),
        user_attention=4.0 * np.eye(2)[user_parity],
        item_quality=4.0 * np.eye(2)[item_parity],
        scale=AspectScale.of_reviews(2),
    )
    random = np.random.default_rng(0)
    chosen = [random.choice(np.flatnonzero(item_parity == p), 9, replace=False) for p in user_parity]
    train_part = Interactions(np.repeat(np.arange(users), 8), np.concatenate([c[:8] for c in chosen]), users, items)
    validation = Interactions(np.arange(users), [c[8] for c in chosen], users, items)
    return space, train_part, validation


SMALL = TrainingSettings(hidden=(16, 8), patience=60, least_epochs=1, batch_size=32, learning_rate=0.01, negatives=2)


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "adamw"])
def test_learns_a_separable_world(optimizer):
    space, positives, validation = separable_world()
    settings = TrainingSettings(**{**vars(SMALL), "optimizer": optimizer})
    outcome = train(space, positives, validation, settings, seed=1)
    scorer = AspectNet(outcome.weights)
    matching = scorer.score(PairBatch.of(space, [0, 1], [2, 3]))
    clashing = scorer.score(PairBatch.of(space, [0, 1], [3, 2]))
    assert (matching > clashing).all()
    assert outcome.history[-1].loss < outcome.history[0].loss


def test_the_same_seed_gives_the_same_net_and_another_seed_another():
    space, positives, validation = separable_world()
    settings = TrainingSettings(**{**vars(SMALL), "epochs": 3})
    first, again, other = (train(space, positives, validation, settings, seed).weights for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.hidden1.weight, again.hidden1.weight)
    assert not np.array_equal(first.hidden1.weight, other.hidden1.weight)


def test_keeps_the_net_of_the_best_epoch_and_stops_when_patience_ends():
    space, positives, validation = separable_world()
    settings = TrainingSettings(**{**vars(SMALL), "patience": 3, "epochs": 500})
    outcome = train(space, positives, validation, settings, seed=1)
    ndcg = [report.validation_ndcg for report in outcome.history]
    assert outcome.best_epoch == 1 + int(np.argmax(ndcg))
    assert len(outcome.history) == outcome.best_epoch + 3


def test_without_validation_every_epoch_is_run_and_the_last_net_kept():
    space, positives, _ = separable_world()
    nothing = Interactions([], [], positives.n_users, positives.n_items)
    settings = TrainingSettings(**{**vars(SMALL), "epochs": 7, "patience": 1})
    outcome = train(space, positives, nothing, settings, seed=1)
    assert outcome.best_epoch == len(outcome.history) == 7
    assert outcome.history[-1].validation_ndcg is None


def test_the_net_of_an_epoch_is_the_mean_of_the_weights_over_the_last_epochs():
    space, positives, _ = separable_world()
    nothing = Interactions([], [], positives.n_users, positives.n_items)

    def weights(epochs: int, averaged: int):
        settings = replace(SMALL, epochs=epochs, averaged_epochs=averaged)
        return train(space, positives, nothing, settings, seed=1).weights

    mean = weights(7, 3)
    for layer in ("hidden1", "hidden2", "output"):
        for part in ("weight", "bias"):
            ends = [getattr(getattr(weights(epoch, 1), layer), part) for epoch in (5, 6, 7)]
            np.testing.assert_allclose(getattr(getattr(mean, layer), part), np.mean(ends, axis=0), atol=1e-6)
            assert np.abs(ends[0] - ends[-1]).max() > 1e-4


def test_before_there_are_enough_epochs_the_mean_is_over_all_so_far():
    space, positives, _ = separable_world()
    nothing = Interactions([], [], positives.n_users, positives.n_items)
    many, two = (
        train(space, positives, nothing, replace(SMALL, epochs=2, averaged_epochs=most), seed=1).weights
        for most in (9, 2)
    )
    np.testing.assert_array_equal(many.hidden1.weight, two.hidden1.weight)


def test_a_user_who_touched_everything_has_no_negatives_and_harms_nobody():
    space, positives, validation = separable_world()
    users = np.concatenate([positives.users, np.zeros(positives.n_items, dtype=int)])
    items = np.concatenate([positives.items, np.arange(positives.n_items)])
    glutton = Interactions(users, items, positives.n_users, positives.n_items)
    outcome = train(space, glutton, validation, TrainingSettings(**{**vars(SMALL), "epochs": 2}), seed=1)
    assert np.isfinite(outcome.weights.output.weight).all()


def test_a_training_that_diverges_says_what_to_do():
    space, positives, validation = separable_world()
    wild = TrainingSettings(**{**vars(SMALL), "learning_rate": 1e12})
    with pytest.raises(InvalidValueError, match=r"diverged.*lower learning_rate"):
        train(space, positives, validation, wild, seed=1)


def test_no_interaction_is_an_error():
    space, _, validation = separable_world()
    with pytest.raises(InvalidValueError, match="no training interaction"):
        train(space, Interactions([], [], 30, 40), validation, SMALL, seed=1)


@pytest.mark.parametrize(
    "bad",
    [
        {"optimizer": "magic"},
        {"learning_rate": 0},
        {"weight_decay": -1},
        {"epochs": 0},
        {"least_epochs": 0},
        {"averaged_epochs": 0},
        {"hidden": (0, 1)},
    ],
)
def test_settings_check_themselves(bad):
    with pytest.raises(InvalidValueError):
        TrainingSettings(**bad)


def test_no_net_of_an_earlier_epoch_than_the_least_is_kept():
    space, positives, validation = separable_world()
    settings = TrainingSettings(**{**vars(SMALL), "least_epochs": 30, "patience": 2})
    outcome = train(space, positives, validation, settings, seed=1)
    assert outcome.best_epoch >= 30
    assert len(outcome.history) == outcome.best_epoch + 2
    assert outcome.best.validation_ndcg == pytest.approx(float(outcome.gains.mean()))


def test_the_gains_are_those_of_the_kept_net():
    space, positives, validation = separable_world()
    outcome = train(space, positives, validation, TrainingSettings(**{**vars(SMALL), "epochs": 3}), seed=1)
    check = CatalogueValidation(positives, validation)
    again = check.gains(catalogue_scores(AspectNet(outcome.weights), space))
    np.testing.assert_allclose(again, outcome.gains)


def test_a_long_pass_takes_several_epochs_and_visits_everything_once(monkeypatch):
    monkeypatch.setattr(training, "EPOCH_SAMPLES", 200)
    _, positives, _ = separable_world()
    settings = SMALL.completed()
    samples = TrainingSamples(positives, settings, 1, "cpu")
    epochs = epochs_per_pass(len(positives), settings)
    assert epochs == 4  # 240 positives with two negatives each, at most 200 samples at once
    for first in (1, 1 + epochs):
        seen = [
            (int(user), int(item))
            for epoch in range(first, first + epochs)
            for users, items, _ in samples.batches(epoch)
            for user, item in zip(users, items[:, 0], strict=True)
        ]
        assert sorted(seen) == list(zip(positives.users.tolist(), positives.items.tolist(), strict=True))


def test_negatives_are_items_that_the_user_did_not_touch_and_are_drawn_anew():
    _, positives, _ = separable_world()
    samples = TrainingSamples(positives, SMALL.completed(), 1, "cpu")
    drawn = []
    for epoch in (1, 2):
        batches = list(samples.batches(epoch))
        assert all(items.shape[0] * items.shape[1] <= 32 for _, items, _ in batches)
        users = np.concatenate([np.repeat(users.numpy(), 2) for users, _, _ in batches])
        items = np.concatenate([items[:, 1:].numpy().ravel() for _, items, _ in batches])
        assert not positives.contain(users, items).any()
        drawn.append(items)
    assert not np.array_equal(*drawn)


def test_nets_side_by_side_are_the_same_bytes_as_one_after_the_other():
    space, positives, validation = separable_world()
    settings = TrainingSettings(**{**vars(SMALL), "epochs": 4})
    seeds = net_seeds(7, 3)
    alone = [train(space, positives, validation, settings, seed) for seed in seeds]
    for at_once in (1, 3):
        reports: list[EpochReport] = []
        together = train_several(
            space, positives, validation, settings, seeds, progress=reports.append, at_once=at_once
        )
        assert len(reports) == 12
        for one, other in zip(alone, together, strict=True):
            assert one.history == other.history
            for name, array in one.weights.named().items():
                assert array.tobytes() == other.weights.named()[name].tobytes()


def test_one_failing_net_ends_the_others():
    space, positives, validation = separable_world()
    settings = TrainingSettings(**{**vars(SMALL), "epochs": 10_000, "patience": 10_000})
    wild = replace(settings, learning_rate=1e12)
    examples = TrainingExamples(space, positives, validation)
    trainings = [NetTraining(examples, one, seed=1) for one in (settings, wild)]
    done: list[EpochReport] = []
    with pytest.raises(InvalidValueError, match="diverged"):
        side_by_side(trainings, done.append, at_once=2)
    assert len(done) < 10_000


def test_more_nets_than_workers_take_turns_by_epochs():
    space, positives, validation = separable_world()
    settings = TrainingSettings(**{**vars(SMALL), "epochs": 4, "patience": 60})
    reports: list[EpochReport] = []
    train_several(space, positives, validation, settings, [1, 2, 3], progress=reports.append, at_once=1)
    assert [report.epoch for report in reports] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]


def test_the_nets_of_different_runs_have_different_seeds():
    seeds = [seed for run in range(50) for seed in net_seeds(run, 3)]
    assert len(set(seeds)) == len(seeds)
    assert net_seeds(3, 2) == net_seeds(3, 3)[:2]


def test_as_published_is_what_the_paper_says_and_what_is_given_stays():
    published = TrainingSettings.published().completed()
    values = published.optimizer, published.learning_rate, published.weight_decay, published.negatives
    assert values == ("sgd", 0.01, 0.0, 2)
    assert (published.averaged_epochs, TrainingSettings().completed().averaged_epochs) == (1, 5)
    given = TrainingSettings(as_published=True, negatives=7).completed()
    assert (given.negatives, given.learning_rate) == (7, 0.01)
    usual = TrainingSettings(weight_decay=0.5).completed()
    assert (usual.optimizer, usual.weight_decay, usual.negatives) == ("adamw", 0.5, 4)


def test_strong_weight_decay_keeps_weights_small():
    space, positives, validation = separable_world()
    changed = {**vars(SMALL), "epochs": 30, "least_epochs": 30}
    free, drawn = (
        train(space, positives, validation, TrainingSettings(**{**changed, "weight_decay": decay}), seed=1).weights
        for decay in (0.0, 3.0)
    )
    assert np.abs(drawn.hidden2.weight).mean() < 0.8 * np.abs(free.hidden2.weight).mean()
