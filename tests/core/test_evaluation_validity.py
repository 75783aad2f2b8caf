"""Validity and redundancy by hand, and against ranking every candidate again."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import SCORED, WORLDS, Scored, Unsteady, World, named_of, space_of

from counterec.core.candidates import Candidates
from counterec.core.evaluation import validity as module
from counterec.core.evaluation.validity import Validity, validity
from counterec.core.scorers.alignment import AlignmentScorer
from counterec.core.scorers.ranking import rank
from counterec.errors import InvalidValueError

K = 3


def of_first_item(quality, named, k: int = 1, scorer=None) -> Validity:
    """The aspects named for item 0, of one user to whom every aspect is worth 1."""
    space = space_of([[1.0] * len(quality[0])], quality)
    scorer = scorer or AlignmentScorer()
    lists = rank(scorer, space, Candidates.without(len(quality), [[]]), k)
    rows = np.atleast_2d(named)
    return validity(scorer, space, lists, named_of([0] * len(rows), [0] * len(rows), rows))


def test_by_hand():
    # Item 0 scores 9, the next one 6. Without aspect 0 it has 5, without 1 it has 6, without 2 it has 7.
    found = of_first_item([[4, 3, 2], [0, 5, 1]], [[1, 0, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1], [0, 0, 0]])
    assert found.valid.tolist() == [True, False, True, True, True, False]
    # {0, 2}: 0 alone does it, so 2 is spare. {1, 2}: neither does alone, 1 leaves a tie that item 0 wins.
    # All three: whichever is left out, the other two do it.
    assert found.redundant == pytest.approx([0, np.nan, 1 / 2, 0, 1, np.nan], nan_ok=True)


def test_only_the_item_itself_loses_the_aspects():
    # Taken from both, aspect 0 changes nothing between them, so it is not necessary; taken from item 0 alone it does.
    assert of_first_item([[4, 3], [4, 1]], [1, 0]).valid.all()


def test_a_tie_goes_to_the_smaller_number():
    space = space_of([[1.0, 1.0]], [[4, 2], [4, 0], [4, 5]])
    lists = rank(AlignmentScorer(), space, Candidates.without(3, [[]]), 2)
    # Item 2 leads with 9, item 0 has 6, item 1 is below with 4. Without aspect 1 each of the two has 4.
    found = validity(AlignmentScorer(), space, lists, named_of([0, 0], [0, 2], [[0, 1], [0, 1]]))
    assert found.valid.tolist() == [False, True]


def test_equal_vectors_tie_whatever_the_batch_makes_of_them():
    # Without aspect 1 item 0 is the item below it: a tie it wins, though this scorer's noise says otherwise.
    for _ in range(7):
        found = of_first_item([[4, 2], [4, 0]], [[0, 1]] * 5, scorer=Unsteady())
        assert not found.valid.any()


def test_what_the_item_has_not_got_takes_it_nowhere_and_is_always_spare():
    found = of_first_item([[4, 0], [3, 0]], [[0, 1], [1, 1]])
    assert found.valid.tolist() == [False, True]
    assert found.redundant[1] == 1 / 2


def test_an_item_that_loses_nothing_stays_whatever_the_batch_makes_of_it():
    space = space_of([[1.0, 1.0, 1.0]], [[4, 2, 0], [2, 4, 0]])
    for _ in range(7):  # a tie that this scorer's noise has decided, and decides in another way every time
        lists = rank(Unsteady(), space, Candidates.without(2, [[]]), 1)
        for _ in range(7):
            found = validity(Unsteady(), space, lists, named_of([0], lists.items[:, 0], [[0, 0, 1]]))
            assert not found.valid.any()


def test_what_the_item_has_not_got_is_spare_whatever_the_batch_makes_of_it():
    # Without aspect 0 item 0 ties with the item below, and the noise decides; aspect 2 it has not got at all.
    space, valid = space_of([[1.0, 1.0, 1.0]], [[4, 3, 0], [1, 2, 0]]), 0
    for _ in range(7):
        lists = rank(Unsteady(), space, Candidates.without(2, [[]]), 1)
        for _ in range(7):
            found = validity(Unsteady(), space, lists, named_of([0], [0], [[1, 0, 1]]))
            valid += int(found.valid[0])
            assert not found.valid[0] or found.redundant[0] == 1 / 2
    assert valid > 0


def test_nothing_below_the_list_nothing_to_fall_behind():
    assert not of_first_item([[4, 3], [2, 5]], [1, 1], k=2).valid.any()


def test_an_item_that_is_not_in_the_list_cannot_leave_it():
    space = space_of([[1.0, 1.0]], [[4, 3], [2, 2]])
    lists = rank(AlignmentScorer(), space, Candidates.without(2, [[]]), 1)
    with pytest.raises(InvalidValueError, match="not in the list"):
        validity(AlignmentScorer(), space, lists, named_of([0], [1], [[1, 0]]))
    assert not validity(AlignmentScorer(), space, lists, named_of([0], [1], [[0, 0]])).valid.any()


@pytest.mark.parametrize("scorer", SCORED)
@pytest.mark.parametrize("kind", WORLDS)
def test_as_ranking_every_candidate_again_says(kind, scorer, monkeypatch):
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 7)
    sure = 0
    for seed in range(4):
        world = WORLDS[kind](seed)
        scored = SCORED[scorer](world, seed)
        lists = rank(scored.scorer, world.space, world.candidates, K)
        rows, _, items = lists.pairs()
        named = np.random.default_rng(seed).random((len(items), len(world.space.aspects))) < 0.5
        found = validity(scored.scorer, world.space, lists, named_of(lists.users[rows], items, named))
        for row, (user, item) in enumerate(zip(lists.users[rows].tolist(), items.tolist(), strict=True)):
            aspects = np.flatnonzero(named[row])
            off = leaves(world, scored, user, item, aspects)
            if off is None:
                continue
            sure += 1
            assert found.valid[row] == off
            if not off:
                assert np.isnan(found.redundant[row])
                continue
            spare = [leaves(world, scored, user, item, aspects[aspects != aspect]) for aspect in aspects]
            if None not in spare:
                assert found.redundant[row] == pytest.approx(np.mean(spare))
    assert sure > 20


def leaves(world: World, scored: Scored, user: int, item: int, aspects: np.ndarray) -> bool | None:
    """Whether K candidates precede the item once it has lost the aspects; None where rounding may decide it."""
    Y, aspects_only = world.space.item_quality, scored.scorer.aspects_only
    changed = Y[item].copy()
    changed[aspects] = 0
    own, ahead = scored.score(user, item, changed), 0
    if (changed == Y[item]).all():
        return False
    for rival in world.candidates.of(user).tolist():
        score = scored.score(user, rival, Y[rival])
        same_offset = scored.offsets is not None and scored.offsets[user, rival] == scored.offsets[user, item]
        twins = (aspects_only or same_offset) and (changed == Y[rival]).all()
        if rival != item and not twins and 0 < abs(score - own) <= 8 * scored.noise(user):
            return None
        ahead += rival != item and (score > own or (score == own and rival < item))
    return ahead >= K
