"""Means, differences and rank correlations with their number of cases and their interval, by one bootstrap.

A value that is NaN is not a case, so pairs that do not count may be passed, too. A user's cases are drawn together.
Where several users have the same item, their cases are not independent either: then items are drawn, too, and a case
occurs as often as its user is drawn times as often as its item is (the pigeonhole bootstrap: Owen, The Annals of
Applied Statistics 1, 2007). Items that only one user has go with their user, so with different items throughout this
is the bootstrap over users. Seeds, where several are pooled, are drawn likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector, require, row_chunks
from counterec.randomness import generator

RESAMPLES = 1000
"""Resamples per interval."""

DRAWN_AT_ONCE = 2_000_000
"""Matrix entries per block of resamples: bounds the memory."""

Combine = Callable[[FloatMatrix], FloatVector]
"""From the means of several values, one column per resample, to one number per resample; NaN if there is none."""


@dataclass(frozen=True)
class Units:
    """What the cases were drawn from: the user of each, and its item and seed where these are known."""

    users: IntVector
    items: IntVector | None = None
    seeds: IntVector | None = None

    def __post_init__(self) -> None:
        for name in ("users", "items", "seeds"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, np.asarray(given))
                require(len(given) == len(self.users), "every case needs exactly one user, item and seed")

    def __len__(self) -> int:
        return len(self.users)

    def __getitem__(self, cases: BoolVector) -> Units:
        """The units of some cases."""
        items, seeds = (None if given is None else given[cases] for given in (self.items, self.seeds))
        return Units(self.users[cases], items, seeds)

    @property
    def n_items(self) -> int | None:
        """How many different items there are; None where they are not known."""
        return None if self.items is None else len(np.unique(self.items))

    @cached_property
    def groups(self) -> tuple[IntVector, ...]:
        """One numbering of the cases, from 0, for everything that is drawn: users; shared items; seeds if several.

        In the second, number 0 stands for all items that only one user has, which are not drawn.
        """
        users = np.unique(self.users, return_inverse=True)[1]
        found = [users]
        if self.items is not None and (shared := _of_several_users(users, self.items)).any():
            found.append(shared)
        if self.seeds is not None and len(np.unique(self.seeds)) > 1:
            found.append(1 + np.unique(self.seeds, return_inverse=True)[1])
        return tuple(found)


def _of_several_users(users: IntVector, items: IntVector) -> IntVector:
    """The number of each case's item among those that several users have, from 1; 0 for any other item."""
    item = np.unique(items, return_inverse=True)[1]
    pairs = np.unique(np.stack([item, users]), axis=1)
    shared = np.bincount(pairs[0], minlength=item.max(initial=-1) + 1) > 1
    return np.where(shared, np.cumsum(shared), 0)[item]


Drawn = IntVector | Units
"""The users of the cases, or everything they were drawn from."""


def units(drawn: Drawn) -> Units:
    """What the cases were drawn from; by users alone, every case has an item of its own."""
    return drawn if isinstance(drawn, Units) else Units(np.asarray(drawn))


@dataclass(frozen=True)
class Resampled:
    """A number, its number of cases, and the same number of every resample that has one."""

    value: float | None
    cases: int
    draws: FloatVector
    items: int | None = None
    """How many different items the cases have, where that is known."""

    @classmethod
    def of(cls, value: float, cases: int, draws: FloatVector, items: int | None = None) -> Resampled:
        """NaN means no number; resamples without one are left out."""
        if np.isnan(value):
            return cls(None, cases, np.empty(0), items)
        return cls(float(value), cases, draws[~np.isnan(draws)], items)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval: the resamples without the lowest and the highest 2.5%."""
        return interval(self.draws)


def interval(draws: FloatVector, coverage: float = 0.95) -> tuple[float, float] | None:
    """The resamples without equally many of the lowest and the highest; None without any."""
    if not len(draws):
        return None
    low, high = np.quantile(draws, [(1 - coverage) / 2, (1 + coverage) / 2])
    return float(low), float(high)


def counted(values: Sequence[ArrayLike], drawn: Drawn) -> tuple[FloatMatrix, Units]:
    """The cases that have every value, one column each, and what these were drawn from; NaN is no value."""
    given = units(drawn)
    require(all(len(np.asarray(column)) == len(given) for column in values), "every value needs exactly one user")
    matrix = np.array([np.asarray(column, dtype=np.float64) for column in values])
    whole = ~np.isnan(matrix).any(axis=0)
    return matrix[:, whole], given[whole]


def resampled_means(
    values: Sequence[ArrayLike], drawn: Drawn, combine: Combine, seed: int, count: int = RESAMPLES
) -> Resampled:
    """Combine the means of several values of the same cases."""
    columns, given = counted(values, drawn)
    cases = len(given)
    if cases == 0:
        return Resampled(None, 0, np.empty(0), None if given.items is None else 0)
    draws = np.concatenate([combine(means) for means in _means(columns, given, seed, count)])
    return Resampled.of(combine(columns.mean(axis=1, keepdims=True))[0], cases, draws, given.n_items)


def _means(columns: FloatMatrix, given: Units, seed: int, count: int) -> Iterator[FloatMatrix]:
    """The means of every resample, a block of resamples at a time; NaN in one that has no case."""
    if len(given.groups) == 1:  # users alone: their sums are enough
        (group,) = given.groups
        sums = np.stack([np.bincount(group, weights=column) for column in columns])
        counts = np.bincount(group).astype(np.float64)
        for block in resamples(len(counts), seed, count, len(counts)):
            yield (sums @ block.T) / (counts @ block.T)
        return
    yield from _crossed_means(np.vstack([columns, np.ones(len(given))]), given, seed, count)


def _crossed_means(columns: FloatMatrix, given: Units, seed: int, count: int) -> Iterator[FloatMatrix]:
    """The same where more than users is drawn; the last column is 1 for every case.

    A sum over cases is Σ_o w_o · Σ_u M_ou · w_u, with o an item and a seed together and M the sums of their cases by
    user: M is sparse, and cases are never drawn one by one.
    """
    import torch  # here alone: what measures stored answers starts without it

    users, *others = given.groups
    together, other = np.unique(np.stack(others), axis=1, return_inverse=True)
    places = np.arange(len(columns))[:, None] * together.shape[1] + other.ravel()
    indices = torch.tensor(np.stack([places.ravel(), np.tile(users, len(columns))]))
    shape = len(columns) * together.shape[1], int(users.max()) + 1
    values = torch.tensor(columns.ravel())
    summed = torch.sparse_coo_tensor(indices, values, shape, check_invariants=True).coalesce()
    for drawn, *more in _drawn_together(given, seed, count, sum(shape)):
        weights = np.ones((together.shape[1], len(drawn)))
        for numbers, group in zip(more, together, strict=True):
            weights *= numbers.T[group]
        by_other = (
            torch.sparse.mm(summed, torch.tensor(drawn.T)).numpy().reshape(len(columns), together.shape[1], len(drawn))
        )
        *sums, total = np.einsum("cob,ob->cb", by_other, weights)
        yield np.divide(sums, total, out=np.full((len(sums), len(total)), np.nan), where=total > 0)


def case_weights(given: Units, seed: int, count: int) -> Iterator[FloatMatrix]:
    """How often each case occurs, one row per resample; in blocks that fit the memory."""
    users, *others = given.groups
    for drawn, *more in _drawn_together(given, seed, count, len(users)):
        weights = drawn[:, users]
        for group, numbers in zip(others, more, strict=True):
            weights *= numbers[:, group]
        yield weights


def _drawn_together(given: Units, seed: int, count: int, width: int) -> Iterator[tuple[FloatMatrix, ...]]:
    """How often each user is drawn, and each of the others; of these, number 0 is not drawn and occurs once."""
    users, *others = given.groups
    blocks = [resamples(int(users.max()) + 1, seed, count, width)]
    blocks += [resamples(int(group.max()), seed, count, width, f"bootstrap {n}") for n, group in enumerate(others, 1)]
    for drawn, *more in zip(*blocks, strict=True):
        yield drawn, *(np.hstack([np.ones((len(numbers), 1)), numbers]) for numbers in more)


def resamples(units: int, seed: int, count: int, width: int, purpose: str = "bootstrap") -> Iterator[FloatMatrix]:
    """How often each unit is drawn, one row per resample; in blocks that fit the memory at this width."""
    random = generator(seed, purpose)
    for rows in row_chunks(count, max(1, DRAWN_AT_ONCE // width)):
        size = rows.stop - rows.start
        drawn = random.integers(0, units, (size, units)) + np.arange(size)[:, None] * units
        yield np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)


def rank_correlations(x: FloatVector, y: FloatVector, weights: FloatMatrix) -> FloatVector:
    """Return one correlation per row of ``weights``, which holds how often each case occurs in that resample.

    It is Pearson's correlation of the ranks; equal values share their mean rank. NaN if a value does not vary.
    """
    total = weights.sum(axis=1, keepdims=True)
    centred = []
    for values in (x, y):
        ranks = _ranks(values, weights)
        centred.append(ranks - (weights * ranks).sum(axis=1, keepdims=True) / total)
    a, b = centred
    both = (weights * a * b).sum(axis=1)
    spread = np.sqrt((weights * a * a).sum(axis=1) * (weights * b * b).sum(axis=1))
    return np.divide(both, spread, out=np.full_like(both, np.nan), where=~np.isnan(spread))


def _ranks(values: FloatVector, weights: FloatMatrix) -> FloatMatrix:
    """The rank of every case in every resample, up to a constant; NaN in resamples with a single distinct value."""
    order = np.argsort(values, kind="stable")
    _, first, level = np.unique(values[order], return_index=True, return_inverse=True)
    members = np.add.reduceat(weights[:, order], first, axis=1)
    rank_of_level = np.cumsum(members, axis=1) - members / 2
    rank_of_level[(members > 0).sum(axis=1) < 2] = np.nan
    ranks = np.empty_like(weights)
    ranks[:, order] = rank_of_level[:, level]
    return ranks


@dataclass(frozen=True)
class Measure:
    """A measured value, the number of cases behind it, and the 95% interval of a bootstrap.

    ``value`` is None if there is no case.
    """

    value: float | None
    cases: int
    interval: tuple[float, float] | None
    items: int | None = None
    """How many different items the cases have, where that is known."""
    draws: FloatVector = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    """The same number of every resample."""

    @classmethod
    def of(cls, found: Resampled) -> Measure:
        """The measure by resamples."""
        return cls(found.value, found.cases, found.interval, found.items, found.draws)

    def as_dict(self) -> dict[str, object]:
        """The measure as written to disk."""
        found: dict[str, object] = {
            "value": self.value,
            "cases": self.cases,
            "interval": self.interval and list(self.interval),
        }
        return found if self.items is None else {**found, "items": self.items}


def mean(values: ArrayLike, users: Drawn, seed: int = 0) -> Measure:
    """The mean over cases; for the interval, the cases of a user are drawn together."""
    return combined([values], users, lambda means: means[0], seed)


def harmonic_mean_of_means(first: ArrayLike, second: ArrayLike, users: Drawn, seed: int = 0) -> Measure:
    """The harmonic mean of two means over the same cases, as F_NS is of PN and PS."""
    return combined([first, second], users, lambda means: harmonic_mean(means[0], means[1]), seed)


def harmonic_mean(a: FloatVector, b: FloatVector) -> FloatVector:
    """2ab/(a+b), and 0 if both are 0."""
    total = a + b
    return np.divide(2 * a * b, total, out=np.zeros_like(total), where=total != 0)


def group_difference(values: ArrayLike, in_first: ArrayLike, users: Drawn, seed: int = 0) -> Measure:
    """The mean of one group of cases less the mean of the other; no number if a group is empty."""
    numbers, first = np.asarray(values, dtype=np.float64), np.asarray(in_first, dtype=bool)
    columns: list[ArrayLike] = [numbers * first, first, numbers * ~first, ~first]
    return combined(columns, users, lambda means: _ratio(means[0], means[1]) - _ratio(means[2], means[3]), seed)


def spearman(x: ArrayLike, y: ArrayLike, users: Drawn, seed: int = 0) -> Measure:
    """Spearman's rank correlation of two values of the same cases; no number if one of them never varies."""
    (first, second), given = counted([x, y], users)
    cases = len(given)
    if cases == 0:
        return Measure(None, 0, None)
    draws = np.concatenate([rank_correlations(first, second, block) for block in case_weights(given, seed, RESAMPLES)])
    found = rank_correlations(first, second, np.ones((1, cases)))[0]
    return Measure.of(Resampled.of(found, cases, draws, given.n_items))


def combined(values: list[ArrayLike], users: Drawn, combine: Combine, seed: int = 0) -> Measure:
    """Combine the means of several values of the same cases, and bootstrap the result."""
    return Measure.of(resampled_means(values, users, combine, seed))


def _ratio(part: FloatVector, whole: FloatVector) -> FloatVector:
    return np.divide(part, whole, out=np.full_like(whole, np.nan), where=whole > 0)


P_RESAMPLES = 4_000
"""Resamples per p-value. No p is below 1/P_RESAMPLES, and a correction multiplies it by the number of comparisons: with
the thousand that suffice for an interval, a hundred comparisons could hardly show anything."""

DUST = 12
"""Decimals that count: a difference of float sums that should be 0 rarely is exactly 0."""


@dataclass(frozen=True)
class Difference:
    """The first method's number less the second's, the number of pairs, the 95% interval, and the two-sided p.

    ``value`` and ``p`` are None if no pair counts for both.
    """

    value: float | None
    cases: int
    interval: tuple[float, float] | None
    p: float | None
    items: int | None = None
    """How many different items the pairs have, where that is known."""
    draws: FloatVector = field(default_factory=lambda: np.empty(0), repr=False, compare=False)
    """The same difference of every resample."""

    @classmethod
    def of(cls, found: Resampled) -> Difference:
        """The difference by resamples; p = 2·min(share ≤ 0, share ≥ 0), at least 1/P_RESAMPLES, at most 1."""
        p = None if found.value is None else _p(found.draws)
        return cls(found.value, found.cases, found.interval, p, found.items, found.draws)

    def as_dict(self) -> dict[str, object]:
        """The difference as written to disk."""
        interval = self.interval and list(self.interval)
        found: dict[str, object] = {"value": self.value, "cases": self.cases, "interval": interval, "p": self.p}
        return found if self.items is None else {**found, "items": self.items}


def paired(a: ArrayLike, b: ArrayLike, users: Drawn, seed: int = 0) -> Difference:
    """mean(a) − mean(b) over the pairs that have both values; NaN is no value."""
    difference = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    return Difference.of(resampled_means([difference], users, lambda means: means[0], seed, P_RESAMPLES))


def paired_f_ns(
    necessary_a: ArrayLike,
    sufficient_a: ArrayLike,
    necessary_b: ArrayLike,
    sufficient_b: ArrayLike,
    users: Drawn,
    seed: int = 0,
) -> Difference:
    """F_NS of a less F_NS of b, each from its own PN and PS over the pairs that have all values."""
    return Difference.of(
        resampled_means(
            [necessary_a, sufficient_a, necessary_b, sufficient_b],
            users,
            lambda means: harmonic_mean(means[0], means[1]) - harmonic_mean(means[2], means[3]),
            seed,
            P_RESAMPLES,
        )
    )


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down: the i-th smallest of m is multiplied by m − i + 1, and is never below those before it.

    This bounds the chance of even one false finding as for a single test. None stays None and is not counted.
    """
    given = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    corrected: list[float | None] = [None] * len(ps)
    least = 0.0
    for rank, (p, place) in enumerate(given):
        least = max(least, min(1.0, p * (len(given) - rank)))
        corrected[place] = least
    return corrected


def _p(draws: FloatVector) -> float:
    rounded = np.round(draws, DUST)
    tail = min((rounded <= 0).mean(), (rounded >= 0).mean())
    return float(np.clip(2 * tail, 1 / P_RESAMPLES, 1.0))
