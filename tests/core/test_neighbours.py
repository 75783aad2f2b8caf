"""Neighbours of sets: for many pairs at once the same sets, in the same order, as one move after the other."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from counterec.core.explainers.complete.neighbours import MANY, Neighbours


def one_by_one(
    search, pair: int, current: np.ndarray, prices: np.ndarray, hope: float, around: int
) -> list[list[bool]]:
    """The moves of one pair, written out."""
    count, gaps = int(search.counts[pair]), search.single_gaps[pair]
    inside = sorted(np.flatnonzero(current).tolist())
    if len(inside) > MANY:
        inside = sorted(inside, key=lambda place: -gaps[place])[: MANY // 2]
    strong = [place for place in sorted(range(count), key=lambda place: gaps[place]) if not current[place]]
    cheap = [place for place in sorted(range(count), key=lambda place: prices[place]) if not current[place]]
    outside = list(dict.fromkeys([*strong[:around], *cheap[: -(-around // 2)]]))
    moves: list[tuple[int | None, int | None]] = []
    if current.sum() < search.most:
        moves += [(new, None) for new in outside if prices[new] < hope]
    moves += [(new, old) for old in inside for new in outside if prices[new] - prices[old] < hope]
    if current.sum() > 1:
        moves += [(None, old) for old in inside if prices[old] > 0]
    sets = []
    for new, old in moves:
        flags = current.copy()
        if new is not None:
            flags[new] = True
        if old is not None:
            flags[old] = False
        sets.append(flags.tolist())
    return sets


@pytest.mark.parametrize("around", [1, 2, 4])
def test_the_same_sets_in_the_same_order(around):
    random = np.random.default_rng(around)
    several = many = 0
    for _ in range(30):
        pairs, width = 6, 14
        counts = random.integers(1, width + 1, pairs)
        movable = np.arange(width) < counts[:, None]
        gaps = np.where(movable, random.integers(0, 6, (pairs, width)), np.inf)  # with ties
        search = SimpleNamespace(counts=counts, single_gaps=gaps, most=int(random.integers(1, width + 1)))
        prices = random.integers(-1, 4, (pairs, width)) / 4
        sets = movable & (random.random((pairs, width)) < random.choice([0.2, 0.9]))
        hope = np.where(random.random(pairs) < 0.5, np.inf, random.random(pairs))
        asked = random.permutation(pairs)[:4]
        which, found = Neighbours(search).of(asked, sets[asked], prices[asked], hope[asked], around)
        for place, pair in enumerate(asked.tolist()):
            expected = one_by_one(search, pair, sets[pair], prices[pair], hope[pair], around)
            assert found[which == place].tolist() == expected
            several += len(expected) > 3
            many += sets[pair].sum() > MANY
    assert several > 20
    assert many > 10
