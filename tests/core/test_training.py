import numpy as np
import pytest
from tests.worlds import vocabulary

from counterec.core.interactions import Interactions
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.protocols import PairBatch
from counterec.core.scorers.training import train
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.space import AspectScale, AspectSpace
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


@pytest.mark.parametrize("bad", [{"optimizer": "magic"}, {"learning_rate": 0}, {"epochs": 0}, {"hidden": (0, 1)}])
def test_settings_check_themselves(bad):
    with pytest.raises(InvalidValueError):
        TrainingSettings(**bad)
