"""Scorers with members, an offset and a history: a double that stands for them, and plain arithmetic about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.net import AspectNet, NetWeights
from tests import naive
from tests.worlds import World, random_net


@dataclass(frozen=True)
class PastItems:
    """offset(u, i) = w_u · Σ_j B[j, i] over the past items j of u."""

    weight: np.ndarray
    matrix: np.ndarray
    past: tuple[np.ndarray, ...]

    def history(self, user: int, items: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.past[user], self.weight[user] * self.matrix[np.ix_(self.past[user], items)]

    def offset(self, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        pairs = zip(users.tolist(), items.tolist(), strict=True)
        sums = [self.history(user, np.array([item]))[1].sum() for user, item in pairs]
        return np.array(sums, dtype=np.float32).reshape(len(users))


class Mean:
    """The mean of nets."""

    aspects_only = True

    def __init__(self, nets: tuple[NetWeights, ...]) -> None:
        self._nets = [AspectNet(net) for net in nets]

    def score(self, pairs: PairBatch) -> np.ndarray:
        return np.mean([net.score(pairs) for net in self._nets], axis=0, dtype=np.float64).astype(np.float32)


class Blend:
    """The mean of nets plus an offset: the least that the protocols ask for."""

    aspects_only = False

    def __init__(self, nets: tuple[NetWeights, ...], offsets: PastItems) -> None:
        self.nets, self.offsets = nets, offsets
        self.offset, self.history = offsets.offset, offsets.history
        self.aspect_part = Mean(nets)

    @cached_property
    def members(self) -> tuple[Blend, ...]:
        return tuple(Blend((net,), self.offsets) for net in self.nets)

    def score(self, pairs: PairBatch) -> np.ndarray:
        return self.aspect_part.score(pairs) + self.offset(pairs.users, pairs.items)


def random_offsets(world: World, seed: int, size: float = 0.5) -> PastItems:
    """Past items of any number and in any order; a matrix with both signs, half of it 0."""
    random, items = np.random.default_rng(seed), len(world.space.items)
    matrix = size * random.normal(0, 1, (items, items)) * (random.random((items, items)) < 0.5)
    users = len(world.space.users)
    past = tuple(random.choice(items, random.integers(0, 6), replace=False) for _ in range(users))
    return PastItems(random.uniform(0.5, 1.5, users), matrix.astype(np.float32), past)


def random_nets(world: World, seed: int, count: int = 3) -> tuple[NetWeights, ...]:
    """Nets that agree more or less: each is the world's own, shaken."""
    random, own = np.random.default_rng(seed), world.weights.named()
    drawn = [random_net(random, len(world.space.aspects), gain=0.5).named() for _ in range(count)]
    return tuple(
        NetWeights.from_named(
            {name: own[name] + 0.5 * other[name] if own[name].shape == other[name].shape else own[name] for name in own}
        )
        for other in drawn
    )


def random_blend(world: World, seed: int, size: float = 0.5, nets: int = 3) -> Blend:
    return Blend(random_nets(world, seed, nets), random_offsets(world, seed, size))


def plain_score(blend: Blend, world: World) -> naive.Score:
    """The score in double precision, by plain arithmetic."""
    nets, offsets = [naive.doubled(net.named()) for net in blend.nets], blend.offsets
    attention = world.space.user_attention.astype(np.float64)

    def score(user: int, item: int, quality: np.ndarray) -> float:
        parts = [naive.net_score(net, attention[user], quality.astype(np.float64)) for net in nets]
        return sum(parts) / len(parts) + plain_offset(offsets, user, item)

    return score


def plain_offset(offsets: PastItems, user: int, item: int) -> float:
    return sum(float(offsets.weight[user]) * float(offsets.matrix[past, item]) for past in offsets.past[user].tolist())
