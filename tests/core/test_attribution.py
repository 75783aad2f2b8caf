from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.worlds import BlackBox, Embedded, full_world, plain_world, space_of, wide_world

from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.attribution.gradient import Gradient
from counterec.core.attribution.lime import Lime
from counterec.core.attribution.shapley import Shapley
from counterec.core.attribution.top_aspects import named
from counterec.core.scale import AspectScale
from counterec.core.scorers.base import DifferentiableScorer, PairBatch, Scorer
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError

pytestmark = pytest.mark.slow

SAMPLED = Shapley(exact_up_to=0)
FEW = Lime(samples=40, samples_per_aspect=1)
DRAWING = (ATTRIBUTIONS["random"], SAMPLED, FEW)
"""The attributions that draw at random for items of seven aspects."""
READING = {name: way for name, way in ATTRIBUTIONS.items() if name != "random"}
"""The attributions that use the scorer."""


class Game:
    """A scorer that applies a function to the item's qualities; it has no gradient, and records every row."""

    aspects_only = True

    def __init__(self, worth) -> None:
        self.worth, self.calls = worth, list[PairBatch]()

    def score(self, pairs: PairBatch) -> np.ndarray:
        self.calls.append(pairs)
        return np.array([self.worth(quality) for quality in pairs.item_quality], dtype=np.float32)


def whole(space: AspectSpace) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of a space."""
    users, items = np.indices((len(space.users), len(space.items))).reshape(2, -1)
    return users, items


def shapley_by_orders(scorer: Scorer, space: AspectSpace, user: int, item: int) -> np.ndarray:
    """By the definition: what each aspect adds when it comes, averaged over all orders."""
    own = space.item_quality[item]
    players = [aspect for aspect in range(len(own)) if own[aspect] != space.scale.absent[aspect]]
    orders, added = list(permutations(players)), np.full(len(own), -np.inf)
    added[players] = 0
    for order in orders:
        quality = space.scale.absent.copy()
        before = _score(scorer, space, user, item, quality)
        for aspect in order:
            quality[aspect] = own[aspect]
            after = _score(scorer, space, user, item, quality)
            added[aspect] += (after - before) / len(orders)
            before = after
    return added


def _score(scorer: Scorer, space: AspectSpace, user: int, item: int, quality: np.ndarray) -> float:
    pair = PairBatch(np.array([user]), np.array([item]), space.user_attention[[user]], quality[None].copy())
    return float(scorer.score(pair)[0])


@pytest.mark.parametrize("way", [READING["shapley"], READING["lime"], SAMPLED, FEW], ids=repr)
@pytest.mark.parametrize("world", [plain_world(2), full_world(1), wide_world(3)], ids=["plain", "full", "wide"])
def test_a_net_is_read_through_its_layers_as_through_its_scores(way, world):
    net = AspectNet(world.weights)
    users, items = whole(world.space)
    by_layers, by_scores = (way.weights(one, world.space, users, items, 0) for one in (net, BlackBox(net)))
    np.testing.assert_allclose(by_layers, by_scores, atol=2e-3)


def difference(scorer: Scorer, space: AspectSpace, users: np.ndarray, items: np.ndarray) -> np.ndarray:
    """v(all) − v(none) of each pair."""
    pairs = PairBatch.of(space, users, items)
    nothing = np.broadcast_to(space.scale.absent, pairs.item_quality.shape)
    return scorer.score(pairs) - scorer.score(pairs.with_quality(nothing))


def total(weights: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(weights), weights, 0).sum(axis=1)


class TestWhereTheScoreIsLinear:
    """s = Σ X_k·Y_k: every attribution must find X_k·Y_k."""

    @pytest.mark.parametrize("way", [*READING.values(), SAMPLED, FEW], ids=repr)
    @pytest.mark.parametrize("scorer", [AlignmentScorer(), BlackBox(AlignmentScorer())], ids=["open", "black box"])
    def test_every_way_finds_what_each_aspect_adds(self, way, scorer):
        space = wide_world(3).space
        users, items = whole(space)
        expected = space.user_attention[users] * space.item_quality[items]
        has = space.item_quality[items] != 0
        found = way.weights(scorer, space, users, items, 0)
        np.testing.assert_allclose(found[has], expected[has], atol=2e-3)
        assert (found[~has] == -np.inf).all()

    @pytest.mark.parametrize("way", [*READING.values(), SAMPLED], ids=repr)
    def test_absent_is_what_the_scale_says(self, way):
        scale = AspectScale(
            low=[0, 1], high=[10, 5], low_is_worse=[False, True], absent=[-1, 0], is_category=[False, False]
        )
        space = space_of([[2, 3]], [[0, 4], [-1, 5]], scale)
        found = way.weights(AlignmentScorer(), space, np.array([0, 0]), np.array([0, 1]), 0)
        np.testing.assert_allclose(found, [[2 * (0 - -1), 3 * 4], [-np.inf, 15]], atol=1e-3)


class TestGradient:
    def test_is_the_slope_times_the_value(self):
        # s = Y_0² + Y_0·Y_1 at (2, 3): slopes 2·2 + 3 and 2.
        class Curved(Game):
            def score_tensor(self, users, items, user_attention, item_quality):
                return item_quality[:, 0] ** 2 + item_quality[:, 0] * item_quality[:, 1]

        space = space_of([[1, 1, 1]], [[2, 3, 0]])
        curved = Curved(lambda y: y[0] ** 2 + y[0] * y[1])
        assert isinstance(curved, DifferentiableScorer)
        found = Gradient().weights(curved, space, np.array([0]), np.array([0]), 0)
        np.testing.assert_allclose(found, [[14, 6, -np.inf]], rtol=1e-6)
        assert not curved.calls
        differences = Gradient().weights(BlackBox(curved), space, np.array([0]), np.array([0]), 0)
        np.testing.assert_allclose(differences, [[14, 6, -np.inf]], rtol=1e-4)

    def test_a_category_is_there_or_absent(self):
        scale = AspectScale(low=[0], high=[10], low_is_worse=[True], absent=[-1], is_category=[True])
        game = Game(lambda y: {7: 2.5, -1: 1.0}[int(y[0])] if y[0] in (7, -1) else np.nan)
        found = Gradient().weights(game, space_of([[1]], [[7]], scale), np.array([0]), np.array([0]), 0)
        np.testing.assert_allclose(found, [[1.5]])


class TestShapley:
    def test_an_interaction_by_hand(self):
        # Together the first two are worth 6, alone nothing; the third adds 1: (3, 3, 1).
        game = Game(lambda y: 6.0 * (y[0] > 0) * (y[1] > 0) + (y[2] > 0))
        space = space_of([[1, 1, 1, 1]], [[5, 2, 3, 0]])
        for way, tolerance in ((Shapley(), 1e-9), (Shapley(exact_up_to=0, orders=4000), 0.2)):
            found = way.weights(game, space, np.array([0]), np.array([0]), 0)
            np.testing.assert_allclose(found, [[3, 3, 1, -np.inf]], atol=tolerance)

    @pytest.mark.parametrize("number", range(3))
    def test_is_the_average_over_all_orders(self, number):
        world = plain_world(number)
        net, (users, items) = AspectNet(world.weights), whole(world.space)
        found = Shapley().weights(net, world.space, users, items, 0)
        expected = [shapley_by_orders(net, world.space, u, i) for u, i in zip(users, items, strict=True)]
        np.testing.assert_allclose(found, expected, atol=1e-4)

    @pytest.mark.parametrize("number", range(3))
    def test_drawn_orders_come_near_all_of_them(self, number):
        world = full_world(number)
        net, (users, items) = AspectNet(world.weights), whole(world.space)
        exact = Shapley().weights(net, world.space, users, items, 0)
        errors = [
            np.abs(Shapley(0, orders).weights(net, world.space, users, items, 0) - exact).mean() for orders in (8, 512)
        ]
        assert errors[1] < errors[0] / 4
        assert errors[1] < 0.05 * np.abs(exact).mean()

    @pytest.mark.parametrize("way", [Shapley(), SAMPLED], ids=repr)
    @given(number=st.integers(0, 10_000))
    @settings(max_examples=15, deadline=None)
    def test_the_weights_add_up(self, way, number):
        world = wide_world(number)
        users, items = whole(world.space)
        for scorer in (AspectNet(world.weights), Embedded(world, number)):
            found = way.weights(scorer, world.space, users, items, number)
            np.testing.assert_allclose(total(found), difference(scorer, world.space, users, items), atol=1e-4)


class TestLime:
    def test_where_all_sets_are_taken_it_is_the_limit_of_drawing(self):
        world = full_world(2)
        net, (users, items) = AspectNet(world.weights), whole(world.space)
        few = Lime(samples=128).weights(net, world.space, users, items, 0)
        # A hundred and twenty-eight sets of seven aspects: one draw fewer, and they are drawn.
        errors = []
        for rounds in (1, 40):
            drawn = [Lime(samples=127).weights(net, world.space, users, items, seed) for seed in range(rounds)]
            errors.append(np.abs(np.mean(drawn, axis=0) - few).mean())
        assert errors[1] < errors[0] / 3


@pytest.mark.parametrize("way", [*ATTRIBUTIONS.values(), SAMPLED, FEW], ids=repr)
class TestEveryAttribution:
    def test_pairs_do_not_depend_on_each_other(self, way, monkeypatch):
        world = wide_world(4)
        net, (users, items) = AspectNet(world.weights), whole(world.space)
        together = way.weights(net, world.space, users, items, 5)
        order = np.random.default_rng(0).permutation(len(users))
        np.testing.assert_allclose(
            way.weights(net, world.space, users[order], items[order], 5), together[order], atol=1e-4
        )
        for row in range(0, len(users), 9):
            alone = way.weights(net, world.space, users[[row]], items[[row]], 5)
            np.testing.assert_allclose(alone[0], together[row], atol=1e-4)
        for module in ("gradient", "aspect_subsets"):
            monkeypatch.setattr(f"counterec.core.attribution.{module}.ROWS_AT_ONCE", 14)
        np.testing.assert_allclose(way.weights(net, world.space, users, items, 5), together, atol=1e-4)

    def test_the_same_seed_gives_the_same(self, way):
        world = full_world(4)
        net, (users, items) = AspectNet(world.weights), whole(world.space)
        one, again, other = (way.weights(net, world.space, users, items, seed) for seed in (1, 1, 2))
        np.testing.assert_array_equal(one, again)
        assert (one != other).any() == (way in DRAWING)

    def test_an_item_without_aspects_has_nothing_to_weigh(self, way):
        space = space_of([[1, 2]], [[0, 0], [3, 4]])
        for scorer in (AlignmentScorer(), BlackBox(AlignmentScorer())):
            found = way.weights(scorer, space, np.array([0, 0]), np.array([0, 1]), 0)
            assert np.isfinite(found[0]).all() == (way.name == "random")
            assert np.isfinite(found[1]).all()

    def test_a_black_box_that_knows_more_than_aspects_is_asked_about_the_right_pair(self, way):
        # The score is the user's and the item's number, told apart by the first aspect alone.
        class Numbers:
            aspects_only = False

            def score(self, pairs):
                return (pairs.users * 10 + pairs.items + 1.0) * (pairs.item_quality[:, 0] - 1) / 4

        space = space_of([[1, 1], [2, 2]], [[5, 1], [5, 2], [5, 3]])
        users, items = whole(space)
        found = way.weights(Numbers(), space, users, items, 0)
        if way.name in ("shapley", "lime"):
            # From absent (0) to 5 the factor goes from −1/4 to 1.
            np.testing.assert_allclose(found[:, 0], (users * 10 + items + 1) * 1.25, rtol=1e-4)
        if way.name == "gradient":
            np.testing.assert_allclose(found[:, 0], (users * 10 + items + 1) * 5 / 4, rtol=1e-4)


class TestNaming:
    users, items = np.array([3, 4]), np.array([5, 6])
    weights = np.array([[0.5, 2.0, 2.0, -1.0], [-np.inf, 1.0, np.nan, 3.0]])

    def of(self, counts, eligible=None):
        return named(self.users, self.items, self.weights, np.array(counts), eligible)

    def test_the_heaviest_and_the_smaller_number_among_equals(self):
        found = self.of([1, 1])
        assert found.named.tolist() == [[False, True, False, False], [False, False, False, True]]
        assert found.weight.tolist() == [[0, 2, 0, 0], [0, 0, 0, 3]]
        assert (found.users.tolist(), found.items.tolist()) == ([3, 4], [5, 6])
        assert self.of([2, 0]).named.tolist() == [[False, True, True, False], [False] * 4]

    def test_where_there_are_fewer_there_are_fewer(self):
        found = self.of([9, 9])
        assert found.named.tolist() == [[True] * 4, [False, True, False, True]]
        assert found.weight[0].tolist() == [0.5, 2, 2, -1]
        assert np.isfinite(found.weight).all()

    def test_only_what_is_eligible(self):
        eligible = np.array([[True, False, True, True], [True, True, True, False]])
        assert self.of([2, 2], eligible).named.tolist() == [[True, False, True, False], [False, True, False, False]]

    @pytest.mark.parametrize("counts", [[1], [-1, 1]])
    def test_counts_that_are_none_are_refused(self, counts):
        with pytest.raises(InvalidValueError):
            self.of(counts)
