"""What could be reached with the mask: by hand, and against ranking everything for every set of allowed aspects."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from benchmarks import allowed_sets
from benchmarks.allowed_sets import Reachable, joined, reachable

from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.necessity_verdicts import Verdicts
from counterec.core.scorers.alignment import AlignmentScorer
from counterec.core.scorers.ranking import rank
from tests import naive
from tests.worlds import World, as_hybrid, plain_world, scored_by_world, space_of

K = 3


def test_by_hand_an_aspect_that_the_mask_forbids_leaves_nothing_to_name() -> None:
    """The score is X · Y, the list has one item: item 0 leads by aspect 0 for user 0, by aspect 1 for user 1.

    User 1 has mentioned aspect 1 alone. Item 2 has no aspect that its user has mentioned, and wins by nothing.
    """
    space = space_of([[2, 1, 0], [0, 1, 0]], [[5, 2, 1], [1, 4, 1], [0, 0, 3]])
    everything = Candidates.without(3, [[], []])
    users, items = np.array([0, 1, 1]), np.array([0, 1, 2])
    nothing = np.zeros(3, dtype=bool)
    found = reachable(AlignmentScorer(), space, everything, 1, users, items, nothing, nothing)
    assert found.necessary.tolist() == [True, True, False], "without aspect 0, item 1 leads for user 0"
    assert found.sufficient.tolist() == [True, True, False]
    assert found.judged.all()


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("hybrid", [False, True])
def test_no_allowed_set_does_more_than_is_said_to_be_reachable(seed: int, hybrid: bool) -> None:
    world = plain_world(seed)
    world = as_hybrid(world, seed, 1.0) if hybrid else world
    lists = rank(world.scorer, world.space, world.candidates, K)
    at, _, items = lists.pairs()
    users, nothing = lists.users[at], np.zeros(len(items), dtype=bool)
    found = reachable(world.scorer, world.space, world.candidates, K, users, items, nothing, nothing)
    said = np.column_stack([found.necessary, found.sufficient])
    expected = [ranked_anew(world, user, item) for user, item in zip(users.tolist(), items.tolist(), strict=True)]
    known = np.array([[flag is not None for flag in row] for row in expected])
    assert known.mean() > 0.9, "few near ties"
    assert (said == np.array(expected, dtype=object))[known].all()


def ranked_anew(world: World, user: int, item: int) -> tuple[bool | None, bool | None]:
    """Whether some set of allowed aspects is necessary, and some sufficient; None where near ties leave it open."""
    space, scored, rivals = world.space, scored_by_world(world), world.candidates.of(user)

    def stays(kept: np.ndarray, ties_lost: bool = False) -> bool | None:
        return naive.stays(
            *(scored.score, space.item_quality, user, rivals, item, K, kept),
            noise=scored.noise(user),
            aspects_only=world.offsets is None,
            offsets=None if world.offsets is None else world.offsets[user],
            ties_lost=ties_lost,
        )

    allowed = np.flatnonzero((space.user_attention[user] != 0) & (space.item_quality[item] != 0))
    sets = chain.from_iterable(combinations(allowed, size) for size in range(1, len(allowed) + 1))
    named = [np.isin(np.arange(len(space.aspects)), one) for one in sets]
    anyway = stays(np.zeros(len(space.aspects), dtype=bool), ties_lost=True)
    left = any_of([None if (kept := stays(~one)) is None else not kept for one in named])
    return left, False if anyway else any_of([stays(one) for one in named])


def any_of(flags: Sequence[bool | None]) -> bool | None:
    return True if True in flags else None if None in flags else False


def test_a_pair_with_many_allowed_aspects_counts_unless_it_is_ruled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowed_sets, "MOST_ALLOWED", 0)
    space = space_of([[2, 1, 0]], [[5, 2, 1], [1, 4, 1]])
    pair, nothing = (np.array([0]), np.array([0])), np.zeros(1, dtype=bool)
    found = reachable(AlignmentScorer(), space, Candidates.without(2, [[]]), 1, *pair, nothing, nothing)
    assert (found.necessary.all(), found.sufficient.all(), found.judged.any()) == (True, True, False)


def test_verdicts_on_an_answer_settle_a_pair_and_nothing_more_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def counted(*given: Any, **options: Any) -> Verdicts:
        sizes.append(len(given[4]))
        return verdicts(*given, **options)

    monkeypatch.setattr(allowed_sets, "verdicts", counted)
    space = space_of([[2, 1, 0], [2, 1, 0]], [[5, 2, 1], [1, 4, 1]])
    users, items, settled = np.array([0, 1]), np.array([0, 0]), np.array([True, False])
    found = reachable(AlignmentScorer(), space, Candidates.without(2, [[], []]), 1, users, items, settled, settled)
    assert (found.necessary.all(), found.sufficient.all(), found.judged.all()) == (True, True, True)
    assert sizes == [2, 0, 0, 0, 0], "two allowed aspects of the second pair, which settle it"


def test_seeds_are_joined_in_their_order() -> None:
    one, other = (Reachable(*(np.array([flag]) for _ in range(3))) for flag in (True, False))
    assert joined([one, other]).necessary.tolist() == [True, False]
