"""In how many nets an improvement for an audience holds: every net ranks everybody again, in plain arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from tests.blends import random_blend
from tests.worlds import World, random_world

from counterec.core.evaluation.robustness import audience_robustness
from counterec.core.explainers.audience.answer import AudienceAnswer
from counterec.core.explainers.audience.solver import why_not_for_all
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.scorers.ranking import rank, rank_with_members
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import UsageError

K, WANTED = 3, 2
SEEDS = range(6)


def entered_by_hand(world: World, member: Scorer, answer: AudienceAnswer) -> int:
    """How many lists of this net the changed item enters."""
    space, item = world.space, answer.item
    return sum(
        not _listed(world, member, user, item, space.item_quality[item])
        and _listed(world, member, user, item, space.item_quality[item] + answer.delta)
        for user in answer.users.tolist()
    )


def _listed(world: World, member: Scorer, user: int, item: int, quality: np.ndarray) -> bool:
    rivals = world.candidates.of(user)
    qualities = world.space.item_quality[rivals].copy()
    qualities[rivals == item] = quality
    users = np.full(len(rivals), user)
    scores = member.score(PairBatch(users, rivals, world.space.user_attention[users], qualities))
    first = sorted(zip((-scores).tolist(), rivals.tolist(), strict=True))[:K]
    return item in [number for _, number in first]


def answered(world: World, scorer: Scorer) -> tuple[Recommendations, AudienceAnswer] | None:
    """The answer for everybody about the item that stands worst."""
    lists = rank(scorer, world.space, world.candidates, K)
    item = int(world.space.item_quality.sum(axis=1).argmin())
    users = np.array([user for user in range(len(world.space.users)) if world.candidates.contain(user, item)])
    try:
        return lists, why_not_for_all(scorer, world.space, lists, item, users, WANTED)
    except UsageError:  # too few can be won
        return None


@pytest.mark.parametrize("given_lists", [False, True])
def test_every_net_is_asked(given_lists: bool) -> None:
    some_differ = False
    for seed in SEEDS:
        world = random_world(seed)
        scorer = random_blend(world, seed)
        if (found := answered(world, scorer)) is None:
            continue
        lists, answer = found
        own = rank_with_members(scorer, world.space, world.candidates, K, K)[1] if given_lists else ()
        robust = audience_robustness(scorer, world.space, lists, answer, member_lists=own)
        assert robust is not None
        by_hand = [entered_by_hand(world, member, answer) for member in scorer.members]
        assert robust.entered.tolist() == by_hand
        assert (robust.nets, robust.hold) == (len(by_hand), sum(count >= WANTED for count in by_hand))
        some_differ |= len(set(by_hand)) > 1
    assert some_differ


def test_a_model_that_is_no_mean_has_none() -> None:
    for seed in SEEDS:
        world, scorer = random_world(seed), AlignmentScorer()
        if (found := answered(world, scorer)) is not None:
            assert audience_robustness(scorer, world.space, *found) is None
            return
    pytest.fail("nobody could be asked")
