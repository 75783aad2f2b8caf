"""Lists found by a screen are those of the plain pass; and what a screen says lies above every score."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.worlds import World, drawn_offsets, members_of, random_net, random_space

from counterec.core.candidates import Candidates
from counterec.core.lists import Recommendations
from counterec.core.scorers import ranking, screened_lists
from counterec.core.scorers.ensemble import NetEnsemble
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.integer_screen import IntegerScreen, is_fast
from counterec.core.scorers.net import AspectNet, NetWeights
from counterec.core.scorers.per_user import LayeredCatalogue, catalogue_of
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import rank, rank_with_members
from counterec.core.space import AspectSpace

pytestmark = pytest.mark.skipif(
    not is_fast(torch.device("cpu")), reason="this processor has no products of bytes, so that nothing is screened"
)


def a_world(seed: int, items: int = 300, hidden: tuple[int, int] = (40, 24), gain: float = 1.0) -> World:
    """A third of the items are copies of others; nobody has touched more than a few."""
    random = np.random.default_rng(seed)
    drawn = random_space(random, 6, items, 7)
    quality = drawn.item_quality.copy()
    quality[random.choice(items, items // 3, replace=False)] = quality[random.choice(items, items // 3)]
    space = AspectSpace(drawn.users, drawn.items, drawn.aspects, drawn.user_attention, quality, drawn.scale)
    excluded = [random.choice(items, random.integers(0, 9), replace=False) for _ in range(6)]
    return World(space, random_net(random, 7, hidden, gain), Candidates.without(items, excluded))


def scaled(net: NetWeights, factors: dict[str, float]) -> NetWeights:
    return NetWeights.from_named({name: array * factors.get(name, 1.0) for name, array in net.named().items()})


@pytest.fixture
def screening(monkeypatch):
    """Screen even small catalogues, and count how often the plain pass is taken instead."""
    plain: list[int] = []
    monkeypatch.setattr(screened_lists, "FEWEST_ITEMS", 1)
    monkeypatch.setattr(screened_lists, "MOST_LEFT", 1.0)
    original = screened_lists.plain_list
    monkeypatch.setattr(screened_lists, "plain_list", lambda *args: (plain.append(1), original(*args))[1])
    return plain


def by_the_plain_pass(monkeypatch, scorer: Scorer, world: World, k: int) -> list[Recommendations]:
    with monkeypatch.context() as patch:
        patch.setattr(ranking, "screened_lists", lambda *_: None)
        lists, own = rank_with_members(scorer, world.space, world.candidates, k, 3)
    return [lists, *own]


def assert_alike(found: Recommendations, expected: Recommendations) -> None:
    np.testing.assert_array_equal(found.items, expected.items)
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found.spread, expected.spread, rtol=0.03)
    np.testing.assert_allclose(found.largest, expected.largest, rtol=0.03)


@pytest.mark.parametrize("offset", [None, 0.5, 1e4])
@pytest.mark.parametrize("nets", [1, 3])
def test_screened_lists_are_the_plain_ones(monkeypatch, screening, nets, offset):
    """By the mean and by each of its nets; with copies of items, and with offsets far larger than the nets."""
    for seed in range(4):
        world = a_world(seed)
        members = members_of(world, nets)
        scorer: Scorer = NetEnsemble(members) if nets > 1 else AspectNet(world.weights)
        if offset is not None:
            scorer = HybridScorer(scorer, drawn_offsets(world, seed, offset))
        expected = by_the_plain_pass(monkeypatch, scorer, world, 8)
        lists, own = rank_with_members(scorer, world.space, world.candidates, 8, 3)
        assert len(own) == len(expected) - 1
        for one, other in zip([lists, *own], expected, strict=True):
            assert_alike(one, other)
    assert not screening


@pytest.mark.parametrize("offset", [None, 0.5, 1e4])
@pytest.mark.parametrize("nets", [1, 3])
def test_long_lists_are_the_plain_ones_and_no_item_is_scored_twice(screening, nets, offset):
    for seed in range(4):
        world = a_world(seed)
        scorer: Scorer = NetEnsemble(members_of(world, nets)) if nets > 1 else AspectNet(world.weights)
        if offset is not None:
            scorer = HybridScorer(scorer, drawn_offsets(world, seed, offset))
        catalogue = catalogue_of(scorer, world.space)
        screened = screened_lists.screened_lists(catalogue)
        assert screened is not None
        for user in range(6):
            view, candidates, scored = catalogue.for_user(user), world.candidates.of(user), []
            noting = SimpleNamespace(
                scores=lambda items, view=view, scored=scored: (scored.extend(items.tolist()), view.scores(items))[1],
                with_offsets=view.with_offsets,
            )
            found = screened.long_list(user, noting, candidates, 60)
            expected = screened_lists.plain_long_list(view, candidates, 60)
            np.testing.assert_array_equal(found.items, expected.items)
            np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-5, atol=1e-5)
            assert len(scored) == len(set(scored)) < len(candidates)
    assert not screening


def test_a_list_does_not_depend_on_who_else_is_asked_about(screening):
    world = a_world(5)
    scorer = AspectNet(world.weights)
    everybody = rank(scorer, world.space, world.candidates, 8)
    for user in range(6):
        alone = rank(scorer, world.space, world.candidates, 8, np.array([user]))
        np.testing.assert_array_equal(alone.items[0], everybody.items[user])
        np.testing.assert_array_equal(alone.spread[0], everybody.spread[user])
    assert not screening


def test_too_many_left_and_too_few_candidates_take_the_plain_pass(monkeypatch, screening):
    world = a_world(1, items=30)
    flat = scaled(world.weights, {"output.weight": 0.0})  # every item has the same score
    for scorer, k in ((AspectNet(flat), 3), (AspectNet(world.weights), 29)):
        expected = by_the_plain_pass(monkeypatch, scorer, world, k)
        monkeypatch.setattr(screened_lists, "MOST_LEFT", 0.5)
        assert_alike(rank(scorer, world.space, world.candidates, k), expected[0])
    assert len(screening) == 2 * 6


SCALES = st.sampled_from([1e-12, 1e-3, 1.0, 1e3, 1e6])


@given(st.integers(0, 10_000), SCALES, SCALES, SCALES, st.integers(1, 60), st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_no_score_is_above_the_bound(seed, first, second, bias, width, narrow):
    """At any scale of weights; for users with a larger share than was said, too."""
    world = a_world(seed, items=50, hidden=(width, narrow))
    factors = {"hidden1.weight": first, "hidden2.weight": second, "hidden1.bias": bias, "hidden2.bias": bias}
    net = AspectNet(scaled(world.weights, factors))
    catalogue = LayeredCatalogue(net, world.space)
    layers = catalogue.layers_of(0)
    screen = IntegerScreen(layers, catalogue.part, layers.share[0])
    for user in range(6):
        view = catalogue.for_user(user)
        exact = view.scores(np.arange(50)).astype(np.float64)
        screened = screen.of_user(catalogue.layers_of(user).share[0])
        about = screened.adds[0].numpy() + float(layers.output_bias)
        rounded = 2.0**-22 * np.abs(about)
        assert (exact <= about + screened.more[0].numpy() + rounded).all()


def test_the_bound_is_tight_enough_to_be_of_use():
    world = a_world(2, hidden=(256, 128))
    catalogue = LayeredCatalogue(AspectNet(world.weights), world.space)
    screen = IntegerScreen(catalogue.layers_of(0), catalogue.part, catalogue.largest_share())
    exact = catalogue.for_user(3).scores(np.arange(300))
    screened = screen.of_user(catalogue.layers_of(3).share[0])
    about = screened.adds[0].numpy() + float(catalogue.layers_of(3).output_bias)
    assert np.abs(about - exact).max() < 0.05 * exact.std()
    assert screened.more.max() < 2 * exact.std()
