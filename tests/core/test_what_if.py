"""What if: the new ranking, every place and score of it, by scoring and sorting everything anew."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests import naive
from tests.worlds import (
    SCORED,
    WORLDS,
    Scored,
    Unsteady,
    World,
    figure_one,
    plain_world,
    space_of,
    tied_world,
    whole_world,
)

from counterec.core.candidates import Candidates
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.what_if import Reranking, what_if, what_if_near_the_list
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import ConfigError, InvalidValueError, UnknownIdError

A, B, C, D = range(4)
K = 3
PHONES = Candidates.without(4, [[]])


def on_the_phones(changes: dict[int, list[float]], k: int = 1, **constraints) -> Reranking:
    values = {item: np.array(quality) for item, quality in changes.items()}
    return what_if(AlignmentScorer(), figure_one(), PHONES, k, 0, values, constraints=Constraints(**constraints))


class TestOnThePhones:
    """A scores 42, B 37.5, C 35.7, D 35.4; somebody cares 5 for battery, 3 for price, 4 for screen."""

    def test_one_item_worse(self):
        ranking = on_the_phones({A: [2.0, 3.0, 4.5]})
        assert ranking.items.tolist() == [B, A, C, D]
        assert ranking.positions_before.tolist() == [2, 1, 3, 4]
        assert ranking.scores_before.tolist() == pytest.approx([37.5, 42, 35.7, 35.4])
        assert ranking.scores_after.tolist() == pytest.approx([37.5, 37, 35.7, 35.4])
        assert ranking.changed.tolist() == [A]
        assert ranking.qualities.tolist() == [[2.0, 3.0, 4.5]]
        assert (ranking.entered.tolist(), ranking.left.tolist()) == ([B], [A])
        assert [ranking.place(item) for item in (A, B, C, D)] == [2, 1, 3, 4]

    def test_several_items_at_once(self):
        """A falls to 32, D rises to 55.4, B stays."""
        ranking = on_the_phones({D: [5.0, 4.0, 4.6], A: [1.0, 3.0, 4.5]}, k=2)
        assert ranking.items.tolist() == [D, B, C, A]
        assert ranking.positions_before.tolist() == [4, 2, 3, 1]
        assert ranking.scores_after.tolist() == pytest.approx([55.4, 37.5, 35.7, 32])
        assert ranking.changed.tolist() == [A, D]
        assert ranking.qualities.tolist() == np.float32([[1.0, 3.0, 4.5], [5.0, 4.0, 4.6]]).tolist()
        assert (ranking.entered.tolist(), ranking.left.tolist()) == ([D], [A])


class TestErrors:
    def test_no_change(self):
        with pytest.raises(InvalidValueError, match="nothing changes"):
            on_the_phones({})

    def test_an_item_that_does_not_compete_is_named(self):
        with pytest.raises(InvalidValueError, match="C does not compete for the list of someone"):
            what_if(
                *(AlignmentScorer(), figure_one(), Candidates.without(4, [[C]]), 1, 0),
                {C: figure_one().item_quality[C]},
            )

    @pytest.mark.parametrize("value", [0.5, -1.0, 5.5, np.nan])
    def test_a_value_that_no_review_leads_to_is_named(self, value):
        said = f"item_quality of 'B' on 'price' is {value:g}; its scale is 1 to 5, or 0 for absent"
        with pytest.raises(InvalidValueError, match=re.escape(said)):
            on_the_phones({A: [1.0, 3.0, 4.5], B: [2.0, value, 5.0]})

    @pytest.mark.parametrize(
        ("constraints", "named"),
        [
            ({"keep": ("battery",)}, "B: battery at 4: this aspect must not move"),
            ({"lowest": {"battery": 4.5}}, "B: battery at 4: its bounds are 4.5 to inf"),
            ({"highest": {"battery": 3}}, "B: battery at 4: its bounds are -inf to 3"),
            ({"lowest": {"screen": 1}}, "B: screen at 0: its bounds are 1 to inf"),
            ({"most": 1}, "B: 2 aspects change, and at most 1 may"),
        ],
    )
    def test_a_change_that_breaks_a_constraint_is_named(self, constraints, named):
        with pytest.raises(ConfigError, match=re.escape(named)):
            on_the_phones({B: [4.0, 2.5, 0.0]}, **constraints)

    def test_the_mask(self):
        space = space_of([[0, 1]], [[3, 3], [2, 2]])
        everyone = Candidates.without(2, [[]])

        def ask(values: list[float]) -> Reranking:
            masked = Constraints(masked=True)
            return what_if(AlignmentScorer(), space, everyone, 1, 0, {1: np.array(values)}, constraints=masked)

        assert ask([2, 4]).items.tolist() == [1, 0]
        with pytest.raises(ConfigError, match="item 0001: aspect 0000 at 4: user 0000 does not care about it"):
            ask([4, 4])

    def test_what_keeps_to_the_constraints_is_answered(self):
        """Constraints do not apply to what does not move, be it fixed or outside its bounds."""
        kept = {"keep": ("price",), "lowest": {"battery": 3.5}, "highest": {"screen": 4}, "most": 1, "masked": True}
        assert on_the_phones({B: [4.0, 2.5, 5.0]}, **kept).items.tolist() == [B, A, C, D]

    def test_an_unknown_aspect_is_named(self):
        with pytest.raises(UnknownIdError, match="battery"):
            on_the_phones({B: [4.0, 2.5, 5.0]}, keep=("batery",))


def drawn_changes(world: World, user: int, random: np.random.Generator) -> dict[int, np.ndarray]:
    """One to four items with other values: new ones, absent ones, or those of another item, changed or not."""
    Y, own = world.space.item_quality, world.candidates.of(user)
    changes: dict[int, np.ndarray] = {}
    for item in random.choice(own, random.integers(1, 5), replace=False).tolist():
        quality = Y[item].copy()
        some = random.random(len(quality)) < 0.5
        quality[some] = random.choice([0.0, 1.0, 5.0, *random.uniform(1, 5, 3)], some.sum())
        others = [Y[random.choice(own)], *changes.values()]
        changes[item] = others[random.integers(len(others))] if random.random() < 0.4 else quality
    return changes


def establish(world: World, scored: Scored, user: int, changes: dict[int, np.ndarray], ranking: Reranking) -> bool:
    """Check every score and place; return whether no two scores were too close to judge the order."""
    own, Y, noise = world.candidates.of(user), world.space.item_quality, scored.noise(user)
    place = np.searchsorted(own, ranking.items)
    np.testing.assert_array_equal(np.sort(ranking.items), own)
    assert ranking.changed.tolist() == sorted(changes)
    decided = True
    for given, found in (({}, ranking.scores_before), (changes, ranking.scores_after)):
        qualities = naive.qualities_with(Y, own, given)[place]
        scores = naive.scored(scored.score, user, ranking.items, qualities)
        assert np.abs(scores - found).max() <= max(1e-6, 10 * noise)
        offsets = 0 if scored.offsets is None else scored.offsets[user, ranking.items]
        alike = np.column_stack([qualities, np.broadcast_to(offsets, len(qualities))])
        share = scored.scorer.aspects_only or scored.offsets is not None
        if share:
            _, group = np.unique(alike, axis=0, return_inverse=True)
            assert all(len(set(found[group == one].tolist())) == 1 for one in np.unique(group))
        apart = np.abs(scores[:, None] - scores) > 2 * noise
        equal = (alike[:, None] == alike).all(axis=2) & share
        decided &= bool((apart | equal | np.eye(len(scores), dtype=bool)).all()) or noise == 0
    # Its own scores in its own order, ties by number ...
    assert naive.order(ranking.scores_after, ranking.items) == ranking.items.tolist()
    before = naive.order(ranking.scores_before, ranking.items)
    assert [before.index(item) + 1 for item in ranking.items] == ranking.positions_before.tolist()
    # ... and the very order of exact scores, where these decide it.
    if decided:
        assert ranking.items.tolist() == naive.ranked(scored.score, Y, user, own, changes)
        unchanged = naive.ranked(scored.score, Y, user, own, {})
        assert [unchanged.index(item) + 1 for item in ranking.items] == ranking.positions_before.tolist()
        entered = set(ranking.items[:K].tolist()) - set(unchanged[:K])
        left = set(unchanged[:K]) - set(ranking.items[:K].tolist())
        assert (set(ranking.entered.tolist()), set(ranking.left.tolist())) == (entered, left)
    return decided


@pytest.mark.parametrize("name", SCORED)
@pytest.mark.parametrize("where", WORLDS)
def test_the_new_ranking_is_that_of_scoring_everything_anew(where, name):
    decided = asked = 0
    for seed in range(2):
        world, random = WORLDS[where](seed), np.random.default_rng(seed)
        scored = SCORED[name](world, seed)
        for user in range(len(world.space.users)):
            changes = drawn_changes(world, user, random)
            ranking = what_if(scored.scorer, world.space, world.candidates, K, user, changes)
            decided += establish(world, scored, user, changes, ranking)
            asked += 1
    if where in ("plain", "tied", "narrow", "wide", "full") and name in ("net", "black box", "halves"):
        assert decided > 0.6 * asked  # elsewhere, many scores tie by chance


def test_scores_of_whole_numbers_tie_by_chance_and_the_smaller_number_is_first():
    """Where single precision is exact, even different vectors with the same score have a known order."""
    ties = 0
    for seed in range(20):
        world, random = whole_world(seed), np.random.default_rng(seed)
        user, net = 0, AspectNet(world.weights)
        own = world.candidates.of(user)
        changes = {int(item): random.integers(1, 6, 5).astype(float) for item in own[:3]}
        ranking = what_if(net, world.space, world.candidates, K, user, changes)
        exact = naive.net_of(world.weights.named(), world.space.user_attention)
        assert ranking.items.tolist() == naive.ranked(exact, world.space.item_quality, user, own, changes)
        ties += len(own) - len(set(ranking.scores_after.tolist()))
    assert ties > 10


def test_equals_tie_even_where_scores_vary_with_the_batch():
    """A and C become equals, and D the equal of B, which is not changed."""
    space, equal = figure_one(), np.array([4.0, 4.0, 4.0])
    changes = {A: equal, C: equal, D: space.item_quality[B]}
    ranking = what_if(Unsteady(), space, PHONES, 1, 0, changes)
    assert ranking.items.tolist() == [A, C, B, D]
    assert ranking.scores_after[0] == ranking.scores_after[1] != ranking.scores_after[2]
    assert ranking.scores_after[2] == ranking.scores_after[3] == ranking.scores_before[2]


def test_without_a_real_change_everything_stays():
    for world in (plain_world(0), tied_world(0)):
        net = AspectNet(world.weights)
        lists = rank(net, world.space, world.candidates, K)
        for user in range(len(world.space.users)):
            item = int(lists.items[user, 1])
            ranking = what_if(net, world.space, world.candidates, K, user, {item: world.space.item_quality[item]})
            assert ranking.items[: K + 1].tolist() == lists.items[user].tolist()
            assert ranking.positions_before.tolist() == list(range(1, 1 + len(ranking.items)))
            assert not len(ranking.entered)


class TestNearTheList:
    """From the stored head alone, where it decides; whatever it says is the beginning of the whole new ranking."""

    HEAD = 8

    @pytest.mark.parametrize("name", SCORED)
    def test_it_is_the_beginning_of_the_whole_ranking(self, name):
        decided = 0
        for seed in range(6):
            world = plain_world(seed)
            scored = SCORED[name](world, seed)
            candidates = Candidates.without(len(world.space.items), [[] for _ in world.space.users.texts])
            heads = rank(scored.scorer, world.space, candidates, self.HEAD)
            random = np.random.default_rng(seed)
            for user in range(len(world.space.users)):
                changes = drawn_changes(world, user, random)
                whole = what_if(scored.scorer, world.space, candidates, K, user, changes)
                near = what_if_near_the_list(scored.scorer, world.space, heads, K, user, changes)
                if near is None:
                    continue
                decided += 1
                shown = len(near.items)
                room = 4 * scored.noise(user)
                np.testing.assert_allclose(near.scores_after, whole.scores_after[:shown], atol=room)
                apart = np.abs(np.diff(whole.scores_after)).min(initial=np.inf) > room
                if apart:
                    assert near.items.tolist() == whole.items[:shown].tolist()
                    assert near.positions_before.tolist() == whole.positions_before[:shown].tolist()
                    assert near.left.tolist() == whole.left.tolist()
        assert decided > 0

    def test_what_falls_behind_the_head_is_left_to_the_whole_ranking(self):
        heads = rank(AlignmentScorer(), figure_one(), PHONES, 2)
        worse, better = np.array([1.0, 1.0, 1.0]), np.array([5.0, 5.0, 5.0])
        asked = (AlignmentScorer(), figure_one(), heads, 1, 0)
        assert what_if_near_the_list(*asked, {A: worse}) is None
        assert what_if_near_the_list(*asked, {D: better}) is None  # nobody knows where it was
        found = what_if_near_the_list(*asked, {C: better})
        assert found is not None
        assert found.items.tolist() == [C, A, B]
        assert found.positions_before.tolist() == [3, 1, 2]

    def test_who_becomes_another_is_left_to_the_whole_ranking(self):
        space = figure_one()
        heads = rank(AlignmentScorer(), space, PHONES, 2)
        assert what_if_near_the_list(AlignmentScorer(), space, heads, 1, 0, {A: space.item_quality[B]}) is None
        unchanged = what_if_near_the_list(AlignmentScorer(), space, heads, 1, 0, {A: space.item_quality[A]})
        assert unchanged is not None
        assert unchanged.items.tolist() == [A, B, C]
