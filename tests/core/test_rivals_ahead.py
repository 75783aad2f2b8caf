"""Rivals are values; those of many users, counted side by side, are those of each alone, and of scoring everything."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import SCORED, random_world

from counterec.core.explainers.complete.catalogue_facts import CatalogueFacts
from counterec.core.explainers.complete.likelihood import Counts
from counterec.core.explainers.complete.rivals import Rivals
from counterec.core.explainers.complete.rivals_ahead import PairsOfUsers, RivalsAhead
from counterec.core.explainers.complete.shared_scores import SharedScores
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.scorers.catalogue import catalogue_of
from counterec.core.scorers.net import AspectNet

K = 3
WORLD = random_world(4, users=5, items=40, aspects=6)
SPACE = WORLD.space
NAMED = np.random.default_rng(2).random((30, 6)) < 0.4
ITEMS, USERS = np.arange(30) % 12, np.arange(30) % 5


def rivals_of(scorer: Scorer, user: int, reserve: int = 0) -> Rivals:
    candidates = np.arange(20 - user)  # lists of different lengths
    return Rivals.of(catalogue_of(scorer, SPACE).for_user(user), candidates, np.arange(20, 20 + reserve))


def counted(scorer: Scorer, users: np.ndarray, rivals: list[Rivals], pairs: np.ndarray) -> Counts:
    """The counts of some of the sets, each a pair of its own; ``users`` are searched side by side."""
    facts = CatalogueFacts(scorer, SPACE, K)
    necessity, place = facts.necessity, np.searchsorted(users, USERS)
    views = necessity.catalogue.for_users(users)
    offsets = [
        necessity.catalogue.for_user(user).with_offsets(ITEMS[i : i + 1], np.zeros(1)) for i, user in enumerate(USERS)
    ]
    no_aspects = np.zeros((len(users), 6), dtype=bool)
    asked = PairsOfUsers(
        items=ITEMS,
        offsets=np.concatenate(offsets).astype(np.float32),
        anyway=np.zeros(len(ITEMS), dtype=bool),
        places=place,
        nothing=views.scores_with_only(np.arange(len(users)), np.zeros(len(users), dtype=np.int64), no_aspects),
    )
    shared = SharedScores(views, facts.marks, users, necessity.aspects_only)
    ahead = RivalsAhead(facts.present, K, shared, asked, rivals, place, necessity.aspects_only)
    return ahead.counts(pairs, NAMED[pairs])


@pytest.mark.parametrize("name", ["net", "black box", "embedded", "hybrid, offsets small"])
def test_many_users_side_by_side_are_counted_as_each_alone(name):
    scorer = SCORED[name](WORLD, 0).scorer
    everyone = np.arange(5)
    together = counted(scorer, everyone, [rivals_of(scorer, user, 10) for user in range(5)], np.arange(30))
    for user in range(5):
        own = np.flatnonzero(user == USERS)
        alone = counted(scorer, np.array([user]), [rivals_of(scorer, user, 10)], own)
        for column in ("necessary", "sufficient", "necessity_known", "sufficiency_known"):
            np.testing.assert_array_equal(getattr(together, column)[own], getattr(alone, column))
        np.testing.assert_allclose(together.likely[own], alone.likely, rtol=1e-9)
    assert together.necessary.any()
    assert not together.necessary.all()
    assert together.sufficient.any()
    assert not together.sufficient.all()


@pytest.mark.parametrize("name", ["net", "black box", "embedded", "hybrid, offsets small"])
def test_sufficient_is_what_scoring_everything_says(name):
    """Without a set, who was behind is assumed to stay there; with only the set, everybody is scored."""
    scorer = SCORED[name](WORLD, 0).scorer
    found = counted(scorer, np.arange(5), [rivals_of(scorer, user) for user in range(5)], np.arange(30))
    for pair, (user, item, named) in enumerate(zip(USERS.tolist(), ITEMS.tolist(), NAMED, strict=True)):
        candidates = np.arange(20 - user)
        quality = np.where(named, SPACE.item_quality[candidates], 0)
        scores = scorer.score(PairBatch.for_user(SPACE, user, candidates, quality))
        ahead = (scores > scores[item] + 1e-4).sum(), (scores > scores[item] - 1e-4).sum() - 1
        if ahead[0] >= K or ahead[1] < K:  # no tie decides
            assert found.sufficient[pair] == (ahead[0] < K), pair


def test_looking_at_more_leaves_the_first_ones_as_they_are():
    net = AspectNet(WORLD.weights)
    few, own = rivals_of(net, 0), np.flatnonzero(USERS == 0)
    before = counted(net, np.array([0]), [few], own).likely.tolist()
    more = few.looking_at(catalogue_of(net, SPACE).for_user(0), np.arange(15, 40))
    assert more.items.tolist() == list(range(40))
    assert few.items.tolist() == list(range(20))
    assert counted(net, np.array([0]), [more], own).likely.tolist() != before
    assert counted(net, np.array([0]), [few], own).likely.tolist() == before


def test_who_is_new_stands_for_itself_and_is_a_candidate():
    net = AspectNet(WORLD.weights)
    rivals = rivals_of(net, 0, reserve=10)
    assert rivals.weights.tolist() == [0.5] * 20 + [1.0] * 10
    more = rivals.looking_at(catalogue_of(net, SPACE).for_user(0), np.array([35]))
    assert (more.weights[-1], more.own[-1], more.own.sum()) == (1.0, True, 21)


def test_of_many_candidates_the_best_and_a_sample_of_the_rest(monkeypatch):
    monkeypatch.setattr("counterec.core.explainers.complete.rivals.MOST_RIVALS", 8)
    view, candidates = catalogue_of(AspectNet(WORLD.weights), SPACE).for_user(1), np.arange(3, 40)
    rivals = Rivals.of_many(view, candidates)
    scores = view.scores(candidates)
    best = candidates[np.lexsort((candidates, -scores))[:4]]
    assert rivals.head.items.tolist() == best.tolist()
    assert set(best.tolist()) <= set(rivals.items.tolist())
    assert rivals.items.tolist() == sorted(rivals.items.tolist())
    assert rivals.weights.sum() == pytest.approx(len(candidates))
    np.testing.assert_allclose(rivals.scores, view.scores(rivals.items), atol=1e-5)
