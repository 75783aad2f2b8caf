import json

import numpy as np
import pytest
from tests.core.test_training import separable_world

from counterec.core.interactions import Interactions
from counterec.core.scorers.settings_search import (
    CANDIDATES,
    SearchResult,
    candidates,
    sample_of_users,
    search_settings,
)
from counterec.core.scorers.training_settings import TrainingSettings

TINY = TrainingSettings(hidden=(8, 4), epochs=2, least_epochs=1)


def test_the_best_candidate_on_validation_is_chosen():
    space, positives, validation = separable_world()
    result = search_settings(space, positives, validation, TINY)
    assert len(result.table) == len(CANDIDATES)
    best = max(result.table, key=lambda row: row.validation_ndcg)
    chosen = result.chosen
    assert (chosen.learning_rate, chosen.weight_decay, chosen.negatives, chosen.batch_size) == (
        best.learning_rate,
        best.weight_decay,
        best.negatives,
        best.batch_size,
    )
    assert (chosen.epochs, chosen.patience, chosen.hidden) == (2, TINY.patience, (8, 4))
    assert result.record()["interactions"] == len(positives)


def test_a_result_comes_back_from_plain_values():
    result = search_settings(*separable_world(), TINY)
    assert SearchResult.from_dict(json.loads(json.dumps(result.as_dict()))) == result


def test_the_number_of_nets_trained_at_once_changes_nothing():
    space, positives, validation = separable_world()
    one, three = (search_settings(space, positives, validation, TINY, at_once=n) for n in (1, 3))
    assert one == three


def test_a_setting_that_was_given_is_not_searched_for():
    given = TrainingSettings(learning_rate=0.02, batch_size=64)
    tried = candidates(given)
    assert {(one.learning_rate, one.batch_size) for one in tried} == {(0.02, 64)}
    assert len({(one.weight_decay, one.negatives) for one in tried}) == len(tried) > 1
    assert given.open == ("weight_decay", "negatives")


@pytest.mark.parametrize(
    "settings",
    [
        TrainingSettings(search=False),
        TrainingSettings.published(),
        TrainingSettings(optimizer="sgd"),
        TrainingSettings(learning_rate=0.1, weight_decay=0.0, batch_size=8, negatives=1),
    ],
)
def test_where_nothing_is_open_nothing_is_searched_for(settings):
    space, positives, validation = separable_world()
    result = search_settings(space, positives, validation, settings)
    assert result.table == ()
    assert result.chosen == settings.completed()


def test_without_a_validation_part_the_settings_are_the_usual_ones():
    space, positives, _ = separable_world()
    result = search_settings(space, positives, Interactions([], [], 30, 40), TINY)
    assert result.table == ()
    assert (result.chosen.optimizer, result.chosen.learning_rate) == ("adamw", CANDIDATES[0].learning_rate)


def test_what_is_usual_without_a_search_is_the_first_candidate():
    assert TrainingSettings().completed() == candidates(TrainingSettings())[0]


def test_the_search_trains_on_whole_users_up_to_a_limit():
    _, positives, _ = separable_world()
    part = sample_of_users(positives, 50)
    assert len(part) == 48  # six users of eight
    for user in np.unique(part.users).tolist():
        np.testing.assert_array_equal(part.of(user), positives.of(user))
    np.testing.assert_array_equal(part.users, sample_of_users(positives, 50).users)
    assert len(sample_of_users(positives, 3)) == 8  # one user at least
    assert sample_of_users(positives, 1000) is positives
