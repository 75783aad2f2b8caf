"""The checkers checked: the arithmetic that establishes the claims, and the worlds, are what they say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from tests import naive
from tests.varied_questions import SEEDS, asked
from tests.worlds import WORLDS, tied_world, whole_world

from counterec.core.scorers.net import AspectNet


class TestTheCheckers:
    """A fine grid, and straight lines between what the checkers call kinks."""

    @staticmethod
    def moves(kind: str, seed: int) -> Iterator[naive.Move]:
        world = WORLDS[kind](seed)
        question = asked(world, seed)
        for row in range(0, len(question), 4):
            attention, quality = question.pairs.user_attention[row], question.pairs.item_quality[row]
            for aspect, reach in naive.moves(question.lowest[row], question.highest[row]):
                yield naive.Move(world.weights.named(), attention, quality, aspect, reach)

    @pytest.mark.parametrize("kind", WORLDS)
    def test_the_score_is_straight_between_kinks(self, kind):
        for move in (move for seed in range(4) for move in self.moves(kind, seed)):
            for low, high in pairwise(move.kinks()):
                for share in (0.25, 0.6):
                    straight = (1 - share) * move.score(low) + share * move.score(high)
                    assert move.score(low + share * (high - low)) == pytest.approx(straight, rel=1e-9, abs=1e-9)

    @pytest.mark.parametrize("kind", ["plain", "whole", "saturated"])
    def test_the_first_crossing_is_the_first_on_a_fine_grid(self, kind):
        grid = np.linspace(0, 1, 401)
        for move in (move for seed in range(4) for move in self.moves(kind, seed)):
            scores = np.array([move.score(share) for share in grid])
            level = 0.5 * (scores.min() + scores.max())
            if np.ptp(scores) < 1e-6:
                continue
            share = move.first_crossing(lambda score, level=level: level - score)
            below = grid[scores < level - 1e-9 * abs(level)]
            assert share <= below.min(initial=np.inf)
            assert not (scores[grid < share - 1e-9] < level - 1e-9 * abs(level)).any()

    def test_ties_zeros_and_kinks_that_coincide_occur(self):
        tied = [asked(tied_world(seed), 0) for seed in SEEDS]
        ties = [
            AspectNet(tied_world(seed).weights).score(q.pairs) == q.target for seed, q in zip(SEEDS, tied, strict=True)
        ]
        assert sum(int(tie.sum()) for tie in ties) > 20
        zeros = coinciding = 0
        for move in (move for seed in SEEDS for move in self.moves("whole", seed)):
            zeros += ((move.start == 0) & (move.slope != 0)).any()
            inside = [
                -start / slope
                for start, slope in zip(move.start, move.slope, strict=True)
                if slope and -1 < start / slope < 0
            ]
            coinciding += len(set(inside)) < len(inside)
        assert zeros > 20
        assert coinciding > 5


def test_worlds_of_whole_numbers_are_scored_without_rounding():
    """With whole numbers everywhere, single and double precision agree to the bit."""
    world = whole_world(0)
    question = asked(world, 0)
    scores = AspectNet(world.weights).score(question.pairs)
    for row, score in enumerate(scores):
        attention, quality = question.pairs.user_attention[row], question.pairs.item_quality[row]
        assert score == naive.net_score(world.weights.named(), attention, quality)
