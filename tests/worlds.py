"""Tiny worlds with known answers, and random ones of any shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.scorers.aspect_net import Dense, NetWeights
from counterec.core.space import AspectScale, AspectSpace, Candidates, Vocabulary

PHONES = {
    # id: battery, price, screen
    "A": (3.0, 3.0, 4.5),
    "B": (2.0, 2.5, 5.0),
    "C": (1.5, 3.0, 4.8),
    "D": (1.0, 4.0, 4.6),
}


def figure_one() -> AspectSpace:
    """The paper's first figure: preferences screen 4, battery 5, price 3; phone A scores 42, the next one 37.5."""
    return AspectSpace(
        users=Vocabulary("user", ("someone",)),
        items=Vocabulary("item", tuple(PHONES)),
        aspects=Vocabulary("aspect", ("battery", "price", "screen")),
        user_attention=np.array([[5.0, 3.0, 4.0]]),
        item_quality=np.array(list(PHONES.values())),
        scale=AspectScale.of_reviews(3),
    )


@dataclass(frozen=True)
class World:
    """A random aspect space, a random net over it, and everybody's candidates."""

    space: AspectSpace
    weights: NetWeights
    candidates: Candidates


def vocabulary(kind: str, size: int) -> Vocabulary:
    return Vocabulary(kind, tuple(f"{kind} {number:04d}" for number in range(size)))


def random_space(random: np.random.Generator, users: int, items: int, aspects: int) -> AspectSpace:
    """Sparse vectors on the scale of reviews; some rows are empty, some are equal."""
    attention = random.uniform(1, 5, (users, aspects)) * (random.random((users, aspects)) < 0.5)
    quality = random.uniform(1, 5, (items, aspects)) * (random.random((items, aspects)) < 0.5)
    quality[random.random(items) < 0.1] = 0
    twins = random.integers(0, items, max(1, items // 5))
    quality[twins] = quality[random.integers(0, items, len(twins))]
    return AspectSpace(
        users=vocabulary("user", users),
        items=vocabulary("item", items),
        aspects=vocabulary("aspect", aspects),
        user_attention=attention,
        item_quality=quality,
        scale=AspectScale.of_reviews(aspects),
    )


def random_net(
    random: np.random.Generator, aspects: int, hidden: tuple[int, int] = (12, 6), gain: float = 1.0
) -> NetWeights:
    """A net that is anything but monotone; with gain 0 it is constant."""

    def dense(inputs: int, outputs: int) -> Dense:
        weight = random.normal(0, gain / np.sqrt(inputs), (outputs, inputs))
        return Dense(weight, random.normal(0, 0.5, outputs))

    return NetWeights(dense(2 * aspects, hidden[0]), dense(hidden[0], hidden[1]), dense(hidden[1], 1))


def random_world(seed: int, users: int = 6, items: int = 20, aspects: int = 5, gain: float = 1.0) -> World:
    random = np.random.default_rng(seed)
    space = random_space(random, users, items, aspects)
    excluded = [random.choice(items, random.integers(0, items // 3 + 1), replace=False) for _ in range(users)]
    return World(space, random_net(random, aspects, gain=gain), Candidates.without(items, excluded))
