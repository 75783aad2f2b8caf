import math

import numpy as np
import pytest

from counterec.core.interactions import Interactions
from counterec.core.scorers import validation as validating
from counterec.core.scorers.validation import CatalogueValidation, popularity_gains
from counterec.errors import InvalidValueError


def random_parts(random, users=40, items=90, each=6, held_back=1):
    """Every user has ``each`` training items and so many validation items, all different."""
    chosen = [random.choice(items, each + held_back, replace=False) for _ in range(users)]
    who = np.arange(users)
    train = Interactions(np.repeat(who, each), np.concatenate([c[:each] for c in chosen]), users, items)
    validation = Interactions(np.repeat(who, held_back), np.concatenate([c[each:] for c in chosen]), users, items)
    return train, validation


def naive_gain(scores, train, validation, user, cutoff):
    """The mean gain of a user's validation items, by going through the catalogue."""
    touched, gains = {*train.of(user).tolist(), *validation.of(user).tolist()}, []
    for item in validation.of(user).tolist():
        rank = 1.0
        for other in set(range(train.n_items)) - touched:
            rank += 1.0 * (scores[user, other] > scores[user, item]) + 0.5 * (scores[user, other] == scores[user, item])
        gains.append(1 / math.log2(1 + rank) if rank <= cutoff else 0.0)
    return float(np.mean(gains))


@pytest.mark.parametrize("held_back", [1, 3])
@pytest.mark.parametrize("levels", [4, 1000])
def test_gains_are_those_of_going_through_the_catalogue(held_back, levels):
    random = np.random.default_rng(levels + held_back)
    train, validation = random_parts(random, held_back=held_back)
    scores = random.integers(0, levels, (40, 90)).astype(np.float32)
    check = CatalogueValidation(train, validation, cutoff=20)
    expected = [naive_gain(scores, train, validation, user, 20) for user in range(40)]
    np.testing.assert_allclose(check.gains(lambda users: scores[users]), expected)
    np.testing.assert_allclose(check.gains_by_blocks(lambda users, items: scores[np.ix_(users, items)]), expected)


def test_blocks_of_any_size_give_the_same_gains_from_fewer_scores(monkeypatch):
    random = np.random.default_rng(5)
    train, validation = random_parts(random)
    scores = random.normal(size=(40, 90)).astype(np.float32)
    check, asked = CatalogueValidation(train, validation, cutoff=3), []

    def score(users, items):
        asked.append(len(users) * len(items))
        return scores[np.ix_(users, items)]

    whole = check.gains(lambda users: scores[users])
    for first, then, pairs in (((1,), 1, 1), ((7, 3), 7, 20), ((1000,), 5, 64), ((), 1000, 10_000)):
        monkeypatch.setattr(validating, "FIRST_BLOCKS", first)
        monkeypatch.setattr(validating, "ITEMS_AT_ONCE", then)
        monkeypatch.setattr(validating, "PAIRS_AT_ONCE", pairs)
        np.testing.assert_array_equal(check.gains_by_blocks(score), whole)
    monkeypatch.setattr(validating, "FIRST_BLOCKS", (4, 7))
    monkeypatch.setattr(validating, "ITEMS_AT_ONCE", 14)
    asked.clear()
    np.testing.assert_array_equal(check.gains_by_blocks(score), whole)
    assert sum(asked) < scores.size / 2


def test_popularity_is_the_count_of_the_training_part():
    train = Interactions([0, 1, 2, 3], [1, 1, 1, 2], 5, 4)
    validation = Interactions([4, 3], [1, 3], 5, 4)
    gains = popularity_gains(train, CatalogueValidation(train, validation))
    # User 3 (item 3 ties with item 0, item 1 is ahead): rank 2.5. User 4: item 1 is first.
    np.testing.assert_allclose(gains, [1 / math.log2(3.5), 1.0])


def test_without_a_validation_part_there_is_nothing_to_validate():
    train, _ = random_parts(np.random.default_rng(2))
    with pytest.raises(InvalidValueError, match="no validation interaction"):
        CatalogueValidation(train, Interactions([], [], 40, 90))
