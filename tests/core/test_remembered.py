"""What an object's method remembers goes with the object, at once."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from weakref import ref

import numpy as np
import pytest
from tests.worlds import World, crowded_world

from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.necessity import AspectGroups, Necessity
from counterec.core.explainers.complete.expected_effects import ExpectedEffects
from counterec.core.explainers.complete.shared_scores import AspectMarks
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.rankers.at_most_per_group import AtMostPerGroup
from counterec.core.rankers.ranked_lists import RankedLists
from counterec.core.remembered import remembered
from counterec.core.scorers.catalogue import LayeredCatalogue
from counterec.core.scorers.rank_position import RankPositions
from counterec.core.scorers.ranking import rank


class Squares:
    def __init__(self) -> None:
        self.asked: list[int] = []
        self.of = remembered(self._square, 2)

    def _square(self, number: int) -> int:
        self.asked.append(number)
        return number**2


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Without the garbage collector, whatever holds itself stays."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_so_many_answers_are_remembered() -> None:
    squares = Squares()
    assert [squares.of(number) for number in (2, 2, 3, 2, 4, 3)] == [4, 4, 9, 4, 16, 9]
    assert squares.asked == [2, 3, 4, 3], "3 was forgotten for 4"


def test_who_asks_too_late_is_told_so() -> None:
    answer = Squares().of
    with pytest.raises(ReferenceError, match="_square was asked after its object was gone"):
        answer(2)


def groups_of(world: World) -> AspectGroups:
    groups = AspectGroups(world.space)
    groups.having_any((0,))
    groups.equal_on((0, 1))
    return groups


def positions_of(world: World) -> RankPositions:
    heads = rank(world.scorer, world.space, world.candidates, 3)
    positions = RankPositions(lambda: world.scorer, world.space, heads)
    positions.before(0, int(world.candidates.of(0)[0]))
    return positions


def lists_of(world: World) -> RankedLists:
    items = len(world.space.items)
    lists = RankedLists(world.scorer, world.space, AtMostPerGroup(np.arange(items) % 3, 1), world.candidates, 3)
    lists.scored(0)
    return lists


@pytest.mark.parametrize("made", [groups_of, positions_of, lists_of])
def test_nothing_of_an_object_stays(made: Callable[[World], object], no_collector: None) -> None:
    world = crowded_world(0)
    found = made(world)
    gone = ref(found)
    del found
    assert gone() is None


@pytest.mark.parametrize("large", [AspectGroups, AspectMarks, ExpectedEffects, LayeredCatalogue, Necessity])
def test_nothing_large_stays_of_a_question_and_of_judging_its_answer(
    large: type, no_collector: None, monkeypatch
) -> None:
    """Each question makes them anew, as large as the catalogue, and a run asks thousands."""
    made = []
    make = large.__init__  # type: ignore[misc]
    monkeypatch.setattr(large, "__init__", lambda self, *given: made.append(ref(self)) or make(self, *given))
    world = crowded_world(1)
    question = why(world.space, rank(world.scorer, world.space, world.candidates, 3))
    named = CountER(world.scorer, "complete").explain(question).named()
    verdicts(world.scorer, world.space, world.candidates, 3, named)
    assert made
    assert [one() for one in made] == [None] * len(made)
