"""Worlds whose items have attributes of every kind, and scorers of them: trees, tables, nets, with derived ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from counterec.core.attributes import Attribute, Schema
from counterec.core.candidates import Candidates
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.scorers.net import AspectNet, Dense
from counterec.core.scorers.simple import RecomputingScorer
from counterec.core.space import AspectSpace
from tests import naive
from tests.worlds import Scored, random_net, vocabulary

HOTELS = Schema.of(
    [
        Attribute("age", low=0, high=20, step=5, can_be_absent=True),
        Attribute("chain", "category", values=("a", "b", "c", "d"), can_be_absent=True),
        Attribute("distance", low=0, high=8, step=0.2, unit="km"),
        Attribute("genre", "category", values=("x", "y", "z"), move_costs={("x", "y"): 0.5, ("y", "z"): 3}),
        Attribute("price", low=50, high=300, worse="high", step=10),
        Attribute("stars", low=1, high=5, worse="low", step=0.5, can_be_absent=True),
        Attribute("wifi", "yes_no", worse="low"),
    ]
)
"""Numbers of either direction and of none, with and without a step; categories with costs; and yes or no."""

SMALL = Schema.of(
    [
        Attribute("class", "category", values=("first", "second", "third"), worse="high", can_be_absent=True),
        Attribute("pool", "yes_no"),
        Attribute("rooms", low=1, high=4, worse="low", step=1),
        Attribute("smoking", "yes_no", worse="high", can_be_absent=True),
        Attribute("view", "category", values=("sea", "street")),
    ]
)
"""Few values each, so that every set can be tried: an order that is worse at its end, and yes or no of every sort."""

DERIVED = Schema.of(
    [
        Attribute("kept", "yes_no", kept=True),
        Attribute("nights", low=1, high=7, step=1),
        Attribute("per night", low=0, high=300, derived=True),
        Attribute("price", low=50, high=300, worse="high", step=10),
        Attribute("view", "category", values=("sea", "street", "wall")),
    ]
)
"""A price per night, which follows from price and nights, and one that must not move."""

SCHEMAS = {"hotels": HOTELS, "small": SMALL, "derived": DERIVED}


@dataclass(frozen=True)
class AttributeWorld:
    """Items with attributes, and everybody's candidates; what ``tests.worlds`` asks of a world."""

    space: AspectSpace
    candidates: Candidates
    seed: int


def attribute_world(name: str, seed: int, users: int = 4, items: int = 14) -> AttributeWorld:
    """A random world of this schema: some items lack what they may, and some numbers lie between two steps."""
    schema, random = SCHEMAS[name], np.random.default_rng(seed)
    codes = np.stack([_drawn(attribute, random, items) for attribute in schema.attributes], axis=1)
    codes = with_price_per_night(codes) if name == "derived" else codes
    space = AspectSpace.of_attributes(vocabulary("user", users), vocabulary("item", items), schema, codes)
    return AttributeWorld(space, Candidates.without(items, [random.choice(items, 2, replace=False)] * users), seed)


def _drawn(attribute: Attribute, random: np.random.Generator, items: int) -> np.ndarray:
    if attribute.is_number:
        low, high = attribute.ends
        between = random.integers(0, 2, items) * 0.25 * attribute.steps  # off the steps, for half of the items
        first, last = np.ceil(low / attribute.steps), np.floor(high / attribute.steps)
        drawn = np.clip(random.integers(first, last + 1, items) * attribute.steps + between, low, high)
    else:
        drawn = random.integers(0, attribute.count, items).astype(float)
    lacks = (random.random(items) < 0.25) & attribute.can_be_absent
    return np.where(lacks, attribute.absent, drawn).astype(np.float32)


def with_price_per_night(codes: np.ndarray) -> np.ndarray:
    """The derived attribute of ``DERIVED``."""
    made = np.array(codes, copy=True)
    made[:, 2] = codes[:, 3] / np.maximum(codes[:, 1], 1)
    return made


class Trees:
    """The sum of small trees over users and attributes: piecewise constant, with many ties, exact in any batch."""

    aspects_only = False

    def __init__(self, world: AttributeWorld, trees: int = 12) -> None:
        random, space = np.random.default_rng(world.seed), world.space
        self.aspects = random.integers(0, len(space.aspects), (trees, 3))
        drawn = random.integers(0, len(space.items), (trees, 3))
        self.cuts = space.item_quality[drawn, self.aspects].astype(np.float64)
        self.leaves = random.integers(-4, 5, (len(space.users), trees, 4)) / 4

    def score(self, pairs: PairBatch) -> np.ndarray:
        right = pairs.item_quality[:, self.aspects].astype(np.float64) > self.cuts
        leaf = np.where(right[..., 0], 2 + right[..., 2], right[..., 1] * 1)
        trees = np.arange(leaf.shape[1])
        return self.leaves[pairs.users[:, None], trees, leaf].sum(axis=1).astype(np.float32)

    def of(self, user: int, quality: np.ndarray) -> float:
        """The score of one row."""
        right = quality[self.aspects].astype(np.float64) > self.cuts
        leaf = np.where(right[:, 0], 2 + right[:, 2], right[:, 1] * 1)
        return float(self.leaves[user, np.arange(len(leaf)), leaf].sum())


class Tables:
    """A smooth score of numbers plus a table per category: what a linear model on one-hot columns is."""

    aspects_only = False

    def __init__(self, world: AttributeWorld) -> None:
        random, space, scale = np.random.default_rng(world.seed), world.space, world.space.scale
        self.scale, self.category = scale, scale.is_category
        self.slopes = random.normal(size=(len(space.users), len(scale))) * ~self.category
        self.bends = 0.5 * random.normal(size=(len(space.users), len(scale))) * ~self.category
        self.tables = random.normal(size=(len(space.users), len(scale), 6))

    def score(self, pairs: PairBatch) -> np.ndarray:
        numbers = (pairs.item_quality.astype(np.float64) - self.scale.low) / self.scale.span
        codes = np.where(self.category, np.rint(pairs.item_quality), 0).astype(np.int64) + 1
        smooth = self.slopes[pairs.users] * numbers + self.bends[pairs.users] * np.sin(5 * numbers)
        table = self.tables[pairs.users[:, None], np.arange(codes.shape[1]), np.minimum(codes, 5)]
        return (smooth + table * self.category).sum(axis=1).astype(np.float32)

    def of(self, user: int, quality: np.ndarray) -> float:
        """The score of one row."""
        numbers = (quality.astype(np.float64) - self.scale.low) / self.scale.span
        codes = np.where(self.category, np.rint(quality), 0).astype(np.int64) + 1
        smooth = self.slopes[user] @ numbers + self.bends[user] @ np.sin(5 * numbers)
        table = self.tables[user, np.arange(len(codes)), np.minimum(codes, 5)]
        return float(smooth + (table * self.category).sum())


def _scored(scorer: Trees | Tables, noise: float) -> Scored:
    return Scored(scorer, lambda user, item, quality: scorer.of(user, np.asarray(quality)), lambda user: noise)


def _trees(world: AttributeWorld) -> Scored:
    return _scored(Trees(world), 0.0)


def _tables(world: AttributeWorld) -> Scored:
    return _scored(Tables(world), 16 * 2.0**-24)


def _net(world: AttributeWorld) -> Scored:
    """A net that takes codes for numbers: no sensible model, but one that is searched through its layers."""
    random, scale = np.random.default_rng(world.seed), world.space.scale
    net = random_net(random, len(scale))
    units = np.concatenate([np.ones(len(scale)), (scale.high - scale.low) / 4])
    net = replace(net, hidden1=Dense(net.hidden1.weight / units, net.hidden1.bias))
    X, largest = world.space.user_attention, np.abs(np.stack([scale.low, scale.high, scale.absent])).max(axis=0)
    return Scored(AspectNet(net), naive.net_of(net.named(), X), naive.net_noise(net.named(), X, largest))


SCORERS: dict[str, Callable[[AttributeWorld], Scored]] = {"trees": _trees, "tables": _tables, "net": _net}


def scored_world(schema: str, scorer: str, seed: int) -> tuple[AttributeWorld, Scored]:
    """A world and its scorer; with derived attributes, one that computes them anew."""
    world = attribute_world(schema, seed)
    made = SCORERS[scorer](world)
    if schema != "derived":
        return world, made
    again: Scorer = RecomputingScorer(made.scorer, world.space.scale.schema, with_price_per_night)

    def score(user: int, item: int, quality: np.ndarray) -> float:
        row = np.asarray(quality, dtype=np.float32)
        return made.score(user, item, with_price_per_night(row[None])[0])

    return world, Scored(again, score, made.noise)
