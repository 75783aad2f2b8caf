"""A user's view of the catalogue is a value: what it scores, and that no other view reaches it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

import numpy as np
import pytest
from tests.worlds import SCORED, BlackBox, random_world

from counterec.core.scorers.base import PairBatch, aspect_part_of
from counterec.core.scorers.catalogue import LayeredCatalogue, PlainCatalogue, UserCatalogue, catalogue_of
from counterec.core.scorers.net import AspectNet

WORLD = random_world(4, users=5, items=40, aspects=6)
SPACE = WORLD.space
ITEMS = np.random.default_rng(0).integers(0, 40, 60)
ASPECTS = np.array([1, 4, 5])
CHOSEN = np.random.default_rng(1).random((60, 3)) < 0.5

Call = Callable[[UserCatalogue], np.ndarray]
CALLS: dict[str, tuple[Call, np.ndarray]] = {
    # How a view is called, and which aspects each of the items then has.
    "scores": (lambda view: view.scores(ITEMS), np.ones((60, 6), dtype=bool)),
    "scores_without": (lambda view: view.scores_without(ITEMS, ASPECTS), np.tile([1, 0, 1, 1, 0, 0], (60, 1)) > 0),
    "scores_with_only": (lambda view: view.scores_with_only(ITEMS, ASPECTS), np.tile([0, 1, 0, 0, 1, 1], (60, 1)) > 0),
    "scores_without_each": (
        lambda view: view.scores_without_each(ITEMS, ASPECTS, CHOSEN),
        np.isin(np.arange(6), ASPECTS, invert=True) | ~CHOSEN[:, [0, 0, 0, 0, 1, 2]],
    ),
    "scores_with_only_each": (
        lambda view: view.scores_with_only_each(ITEMS, ASPECTS, CHOSEN),
        np.isin(np.arange(6), ASPECTS) & CHOSEN[:, [0, 0, 0, 0, 1, 2]],
    ),
}


def test_the_fastest_catalogue_that_the_scorer_allows():
    net = AspectNet(WORLD.weights)
    assert isinstance(catalogue_of(net, SPACE), LayeredCatalogue)
    assert isinstance(catalogue_of(BlackBox(net), SPACE), PlainCatalogue)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", SCORED)
def test_scores_are_those_of_the_whole_vectors(name, call):
    scorer = SCORED[name](WORLD, 0).scorer
    ask, kept = CALLS[call]
    catalogue = catalogue_of(scorer, SPACE)
    for user in range(5):
        quality = np.where(kept, SPACE.item_quality[ITEMS], 0)
        expected = scorer.score(PairBatch.for_user(SPACE, user, ITEMS, quality))
        np.testing.assert_allclose(ask(catalogue.for_user(user)), expected, atol=1e-4)


@pytest.mark.parametrize("keep", [True, False], ids=["without", "with only"])
@pytest.mark.parametrize("name", SCORED)
def test_several_users_side_by_side_get_the_scores_of_the_aspect_part(name, keep):
    scorer = SCORED[name](WORLD, 0).scorer
    users, random = np.array([3, 0, 4]), np.random.default_rng(2)
    which, named = random.integers(0, 3, 60), random.random((60, 6)) < 0.5
    views = catalogue_of(scorer, SPACE).for_users(users)
    scores = (views.scores_without if keep else views.scores_with_only)(which, ITEMS, named)
    quality = np.where(named != keep, SPACE.item_quality[ITEMS], 0)
    pairs = PairBatch(users[which], ITEMS, SPACE.user_attention[users[which]], quality)
    np.testing.assert_allclose(scores, aspect_part_of(scorer).score(pairs), atol=1e-4)


@pytest.mark.parametrize("name", SCORED)
def test_views_of_two_users_may_be_asked_in_turns(name):
    """Bit for bit what each gives when asked alone, whichever was made last."""
    scorer = SCORED[name](WORLD, 0).scorer
    calls = [ask for ask, _ in CALLS.values()]
    alone = [[ask(catalogue_of(scorer, SPACE).for_user(user)) for ask in calls] for user in (0, 1)]
    catalogue = catalogue_of(scorer, SPACE)
    first, second = catalogue.for_user(0), catalogue.for_user(1)
    in_turns = [(ask(first), ask(second)) for ask in calls]
    backwards = [(ask(second), ask(first)) for ask in reversed(calls)]
    for of_first, of_second, (one, other), (late_other, late_one) in zip_longest(*alone, in_turns, backwards[::-1]):
        np.testing.assert_array_equal([one, late_one], [of_first, of_first])
        np.testing.assert_array_equal([other, late_other], [of_second, of_second])
        assert (of_first != of_second).any(), "the users must differ for this to mean anything"
