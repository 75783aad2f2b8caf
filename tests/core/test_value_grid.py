"""Grids of counted values: the smallest combination that flips, in few calls."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from counterec.core.explainers.minimal.shrinking import Sets
from counterec.core.explainers.minimal.value_grid import MOST_ASPECTS, POINTS, ValueGrid


class TableProbe:
    """Gaps by a function of the changes, with every call counted."""

    def __init__(self, gap) -> None:
        self._gap, self.calls, self.rows = gap, 0, 0

    def gaps(self, rows, aspects, change):
        self.calls, self.rows = self.calls + 1, self.rows + len(rows)
        return np.array([self._gap(row, one) for row, one in zip(rows, change, strict=True)], dtype=np.float32)


def grid_of(*options: list[list[float]]) -> ValueGrid:
    """One set for each argument: per column the changes that it may make beside none, the smallest first."""
    width = max(map(len, options))
    most = 1 + max(len(column) for one in options for column in one)
    table, counts = np.zeros((len(options), width, most), dtype=np.float32), np.ones((len(options), width), dtype=int)
    for row, one in enumerate(options):
        for place, column in enumerate(one):
            table[row, place, 1 : 1 + len(column)], counts[row, place] = column, 1 + len(column)
    reach = np.take_along_axis(table, counts[..., None] - 1, axis=2)[..., 0]
    ones = np.ones(len(options))
    aspects = np.tile(np.arange(width), (len(options), 1))
    return ValueGrid(Sets(np.arange(len(options)), aspects, reach, np.ones(reach.shape), ones, -ones), table, counts)


def combinations(grid: ValueGrid, row: int) -> list[np.ndarray]:
    columns = [grid.options[row, column, :count] for column, count in enumerate(grid.counts[row])]
    return [np.array(one, dtype=np.float32) for one in product(*columns)]


@pytest.mark.parametrize("seed", range(10))
def test_where_all_combinations_fit_the_smallest_that_flips_is_found_in_one_call_whatever_the_scores(seed):
    random = np.random.default_rng(seed)
    sets = [
        [sorted(-random.random(random.integers(1, 5)) * 4, reverse=True) for _ in range(random.integers(1, 4))]
        for _ in range(6)
    ]
    grid = grid_of(*sets)
    flipping = {(row, tuple(one)) for row in range(6) for one in combinations(grid, row) if random.random() < 0.3}
    flipping |= {(row, tuple(reach)) for row, reach in enumerate(grid.sets.reach)}
    probe = TableProbe(lambda row, one: -1 if (row, tuple(one)) in flipping else 1)
    change, exhausted = grid.smallest(probe)
    assert exhausted.all()
    assert probe.calls == 1
    for row, found in enumerate(change):
        assert (row, tuple(found)) in flipping
        smallest = min(np.linalg.norm(one) for one in combinations(grid, row) if (row, tuple(one)) in flipping)
        assert np.linalg.norm(found) == pytest.approx(smallest)


def test_one_aspect_of_many_values_is_found_exactly_in_two_calls():
    values = [-0.01 * place for place in range(1, 1001)]
    probe = TableProbe(lambda _, one: 1 if one[0] > -3.333 else -1)
    change, exhausted = grid_of([values]).smallest(probe)
    assert change[0, 0] == pytest.approx(-3.34)
    assert (probe.calls, exhausted.tolist()) == (2, [False])


@pytest.mark.parametrize("aspects", [2, 3, MOST_ASPECTS])
def test_several_aspects_of_many_values_come_near_to_the_smallest_in_few_calls(aspects):
    values = [-0.05 * place for place in range(1, 81)]
    slopes = np.linspace(1, 2, aspects)
    limit = float(slopes.sum())
    probe = TableProbe(lambda _, one: limit + float(slopes @ one))
    change, _ = grid_of([values] * aspects).smallest(probe)
    assert limit + slopes @ change[0] < 1e-5
    assert probe.calls <= 8
    assert probe.rows <= 8 * POINTS
    best = limit / np.linalg.norm(slopes)  # on a plane, along the slopes
    assert np.linalg.norm(change[0]) < 1.5 * best


def test_sets_of_different_sizes_do_not_disturb_one_another():
    two, one = [[-1.0, -2.0], [-1.0, -3.0]], [[-4.0, -5.0]]
    probe = TableProbe(
        lambda row, change: 1 if (row == 0 and change.sum() > -3) or (row == 1 and change[0] > -5) else -1
    )
    change, _ = grid_of(two, one).smallest(probe)
    np.testing.assert_array_equal(change, [[-2, -1], [-5, 0]])


def test_without_sets_nothing_is_asked():
    probe = TableProbe(lambda *_: 1)
    grid = grid_of([[-1.0]])
    nothing = ValueGrid(grid.sets.part(np.empty(0, dtype=int)), grid.options[:0], grid.counts[:0])
    change, exhausted = nothing.smallest(probe)
    assert (change.shape, len(exhausted), probe.calls) == ((0, 1), 0, 0)
