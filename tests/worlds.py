"""Tiny worlds with known answers, and random ones of any shape."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from statistics import median_low, multimode
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.attributes import Attribute
from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Explanations, NamedAspects, Proof, Status
from counterec.core.explainers.constraints import NONE, Constraints
from counterec.core.explainers.question import Kind, Question
from counterec.core.explainers.question_builders import why, why_not, why_rather
from counterec.core.explainers.tolerances import MARGIN
from counterec.core.list_rules import AtMostPerGroup, BoostedScorer, Ranker
from counterec.core.mention_counts import MentionNumbers
from counterec.core.scale import AspectScale
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import AspectNet, Dense, NetEnsemble, NetWeights
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace, QualityRule
from counterec.core.vocabulary import Vocabulary
from tests import naive
from tests.claims import Row
from tests.naive_attributes import Plain

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
    """A random aspect space, a random net over it, and everybody's candidates; perhaps more nets, and offsets."""

    space: AspectSpace
    weights: NetWeights
    candidates: Candidates
    others: tuple[NetWeights, ...] = ()
    """Nets that are averaged with the first one."""
    offsets: np.ndarray | None = None
    """What each pair gets whatever its aspects are [users, items]."""

    @property
    def scorer(self) -> Scorer:
        """The net, the mean of the nets, or the hybrid."""
        nets = (self.weights, *self.others)
        if self.offsets is not None:
            return HybridScorer(NetEnsemble(nets), GivenOffsets(self.offsets))
        return NetEnsemble(nets) if self.others else AspectNet(self.weights)

    @cached_property
    def net(self) -> naive.Arrays:
        """The nets as one, in double precision."""
        return naive.mean_net([net.named() for net in (self.weights, *self.others)])


class GivenOffsets:
    """Offsets by a table [users, items], each made by two past items: 1.5 and −0.5 times the offset."""

    def __init__(self, table: np.ndarray) -> None:
        self._table = np.asarray(table, dtype=np.float32)

    def offset(self, users: np.ndarray, items: np.ndarray) -> np.ndarray:
        return self._table[users, items]

    def history(self, user: int, items: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.array([0, 1]), np.array([[1.5], [-0.5]], dtype=np.float32) * self._table[user, items]


def members_of(world: World, count: int) -> tuple[NetWeights, ...]:
    """Nets of one kind: the world's own and others that see its aspects in another order, which keeps the kind."""
    own, aspects = world.weights, len(world.space.aspects)

    def turned(by: int) -> NetWeights:
        order = np.roll(np.arange(aspects), by)
        columns = np.concatenate([order, aspects + order])
        return dataclasses.replace(own, hidden1=Dense(own.hidden1.weight[:, columns], own.hidden1.bias))

    return tuple(turned(by) for by in range(count))


def drawn_offsets(world: World, seed: int, size: float = 1.0) -> GivenOffsets:
    """Offsets of both signs, some of them 0."""
    return GivenOffsets(_drawn_table(world, seed, size))


def _drawn_table(world: World, seed: int, size: float) -> np.ndarray:
    random, shape = np.random.default_rng(seed), (len(world.space.users), len(world.space.items))
    return np.float32(size * random.normal(0, 1, shape) * (random.random(shape) < 0.8))


SIZES = {"small": 0.2, "as large": 1.0, "far larger": 300.0}
"""How large offsets are, in standard deviations of what the nets say."""


def as_hybrid(world: World, seed: int, size: float) -> World:
    """The world with the mean of three nets of its kind, and offsets of this size, also between equal vectors."""
    users, items = np.indices((len(world.space.users), len(world.space.items))).reshape(2, -1)
    nets = dataclasses.replace(world, others=members_of(world, 3)[1:])
    spread = float(nets.scorer.score(PairBatch.of(world.space, users, items)).std())
    return dataclasses.replace(nets, offsets=_drawn_table(world, seed, size * max(spread, 0.1)))


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


def world_of(
    random: np.random.Generator,
    attention: np.ndarray,
    quality: np.ndarray,
    weights: NetWeights,
    candidates: int,
    scale: AspectScale | None = None,
) -> World:
    """A world of these matrices in which each user has this many candidates, drawn at random."""
    (users, aspects), items = attention.shape, len(quality)
    drawn = [random.choice(items, candidates, replace=False) for _ in range(users)]
    space = AspectSpace(
        users=vocabulary("user", users),
        items=vocabulary("item", items),
        aspects=vocabulary("aspect", aspects),
        user_attention=attention,
        item_quality=quality,
        scale=AspectScale.of_reviews(aspects) if scale is None else scale,
    )
    return World(space, weights, Candidates.exactly(items, drawn))


def plain_world(seed: int, aspects: int = 5, candidates: int = 10, hidden: tuple[int, int] = (12, 6)) -> World:
    """A small world with a net that is anything but monotone."""
    random = np.random.default_rng(seed)
    space = random_space(random, 4, 14, aspects)
    net = random_net(random, aspects, hidden)
    return world_of(random, space.user_attention, space.item_quality, net, candidates)


def tied_world(seed: int) -> World:
    """Fourteen items with four vectors between them: most lists end in a tie."""
    world, random = plain_world(seed), np.random.default_rng(seed)
    quality = world.space.item_quality[random.integers(0, 4, 14)]
    return world_of(random, world.space.user_attention, quality, world.weights, 10)


def constant_world(seed: int) -> World:
    """Every item has the same score for everybody."""
    world, random = plain_world(seed), np.random.default_rng(seed)
    return dataclasses.replace(world, weights=random_net(random, 5, gain=0.0))


def empty_world(seed: int) -> World:
    """Half of the users care about nothing, and two thirds of the items have no aspects."""
    world, random = plain_world(seed), np.random.default_rng(seed)
    attention = world.space.user_attention * (np.arange(4) % 2)[:, None]
    quality = world.space.item_quality * (random.random(14) < 0.33)[:, None]
    return world_of(random, attention, quality, world.weights, 10)


def saturated_world(seed: int) -> World:
    """Very large weights and biases, so that a small part of a change decides everything."""
    world, random = plain_world(seed), np.random.default_rng(seed)
    return dataclasses.replace(
        world,
        weights=NetWeights(
            Dense(random.normal(0, 100, (12, 10)), random.normal(0, 300, 12)),
            Dense(random.normal(0, 100, (6, 12)), random.normal(0, 30_000, 6)),
            Dense(random.normal(0, 100, (1, 6)), random.normal(0, 100, 1)),
        ),
    )


def dead_world(seed: int) -> World:
    """Most units of the second layer are dead, for many pairs all of them: wide plateaus on which no change matters."""
    world, random = plain_world(seed), np.random.default_rng(seed)
    alive = random.random(6) < 0.4
    second = Dense(world.weights.hidden2.weight, np.where(alive, -1.0, -50.0))
    return dataclasses.replace(world, weights=dataclasses.replace(world.weights, hidden2=second))


def whole_world(seed: int) -> World:
    """Small whole numbers everywhere: inputs that are exactly 0, kinks that coincide, scores that tie."""
    random = np.random.default_rng(seed)

    def dense(inputs: int, outputs: int) -> Dense:
        return Dense(random.integers(-2, 3, (outputs, inputs)), random.integers(-3, 4, outputs))

    attention = random.integers(0, 3, (4, 5))
    quality = random.integers(0, 6, (14, 5)) * (random.random((14, 5)) < 0.7)
    return world_of(random, attention, quality, NetWeights(dense(10, 8), dense(8, 5), dense(5, 1)), 10)


def narrow_world(seed: int) -> World:
    """One aspect alone."""
    return plain_world(seed, aspects=1)


def wide_world(seed: int) -> World:
    """More aspects."""
    return plain_world(seed, aspects=9, hidden=(16, 8))


def full_world(seed: int) -> World:
    """Every item has every aspect, and users care about most: it takes several aspects to change anything."""
    world, random = plain_world(seed, aspects=7), np.random.default_rng(seed)
    attention = random.uniform(1, 5, (4, 7)) * (random.random((4, 7)) < 0.8)
    return world_of(random, attention, random.uniform(1, 5, (14, 7)), world.weights, 10)


def counted_world(seed: int, quality_rule: QualityRule = "eq1") -> World:
    """Made from mentions: values that opinions give, some of them 5.0 for 17 praises and more, and counts behind them.

    A fifth user wrote most of the reviews; the four others care about some aspects each.
    """
    random, users, items, aspects = np.random.default_rng(seed), 5, 14, 6
    mentions = []
    for item, aspect in np.argwhere(random.random((items, aspects)) < 0.8).tolist():
        praises = int(random.choice([0, 1, 2, 3, 5, 9, 17, 25], p=[0.1, 0.2, 0.2, 0.15, 0.1, 0.1, 0.1, 0.05]))
        complaints = int(random.choice([0, 1, 2, 4, 7], p=[0.5, 0.2, 0.15, 0.1, 0.05]))
        mentions += [(4, item, aspect, 1)] * praises + [(4, item, aspect, -1)] * complaints
    for user, aspect in np.argwhere(random.random((4, aspects)) < 0.6).tolist():
        for item in random.choice(items, random.integers(1, 4)).tolist():
            mentions.append((user, item, aspect, int(random.choice([-1, 1]))))
    space = AspectSpace.from_mentions(
        *(vocabulary("user", users), vocabulary("item", items), vocabulary("aspect", aspects)),
        MentionNumbers(*np.array(mentions).T),
        quality_rule=quality_rule,
    )
    drawn = [random.choice(items, 10, replace=False) for _ in range(users)]
    return World(space, random_net(random, aspects), Candidates.exactly(items, drawn))


def shares_world(seed: int) -> World:
    """The same from shares of praise: every aspect of every item has values of its own."""
    return counted_world(seed, "share")


ATTRIBUTES = AspectScale(
    low=[1, 10, 0.1, -2, 0],
    high=[5, 510, 0.5, 2, 100],
    low_is_worse=[True, False, False, True, True],
    absent=[0, -1, 9, -3, 200],
    is_category=[False] * 5,
)
"""A scale of one's own: no opinions, spans from 0.4 to 500, and *absent* beyond the worse or the better end."""


def attributes_world(seed: int) -> World:
    """Items with attributes of their own: any value between the worst and the best that an item has is possible."""
    random, scale = np.random.default_rng(seed), ATTRIBUTES
    share = random.uniform(0, 1, (14, 5))
    quality = np.where(random.random((14, 5)) < 0.8, scale.low + share * scale.span, scale.absent)
    attention = random.uniform(1, 5, (4, 5)) * (random.random((4, 5)) < 0.7)
    net = random_net(random, 5)
    units = np.concatenate([np.ones(5), scale.span / 4])
    first = Dense(net.hidden1.weight / units, net.hidden1.bias)
    return world_of(random, attention, quality, dataclasses.replace(net, hidden1=first), 10, scale)


WORLDS = {
    "plain": plain_world,
    "tied": tied_world,
    "constant": constant_world,
    "empty": empty_world,
    "saturated": saturated_world,
    "dead": dead_world,
    "whole": whole_world,
    "narrow": narrow_world,
    "wide": wide_world,
    "full": full_world,
    "counted": counted_world,
    "shares": shares_world,
}
"""Worlds of reviews in which a solver can go wrong, by name; a number makes one of each."""

ALL_WORLDS = {**WORLDS, "attributes": attributes_world}
"""These, and one that has nothing to do with reviews."""


def crowded_world(seed: int, items: int = 700) -> World:
    """Two users and more items than a search looks at, few of them excluded; a small net, and many equal vectors."""
    random = np.random.default_rng(seed)
    space = random_space(random, 2, items, 4)
    excluded = [random.choice(items, 5, replace=False) for _ in range(2)]
    return World(space, random_net(random, 4, hidden=(8, 4)), Candidates.without(items, excluded))


def space_of(attention: np.ndarray | list, quality: np.ndarray | list, scale: AspectScale | None = None) -> AspectSpace:
    """A hand-made space: users, items and aspects named by their numbers."""
    users, items = np.array(attention, dtype=float), np.array(quality, dtype=float)
    return AspectSpace(
        users=vocabulary("user", len(users)),
        items=vocabulary("item", len(items)),
        aspects=vocabulary("aspect", users.shape[1]),
        user_attention=users,
        item_quality=items,
        scale=AspectScale.of_reviews(users.shape[1]) if scale is None else scale,
    )


def named_of(users: ArrayLike, items: ArrayLike, named: ArrayLike) -> NamedAspects:
    """Named aspects by hand, all with weight 1."""
    matrix = np.array(named, dtype=bool)
    return NamedAspects(users, items, matrix, matrix.astype(float))


class BlackBox:
    """A scorer reduced to its scores: no gradient, no layers."""

    def __init__(self, scorer: Scorer) -> None:
        self.score, self.aspects_only = scorer.score, scorer.aspects_only


class Embedded:
    """A net that uses more than aspects (Z): embeddings of user and item add to its score."""

    aspects_only = False

    def __init__(self, world: World, seed: int) -> None:
        random = np.random.default_rng(seed)
        self._net = AspectNet(world.weights)
        self.users = random.normal(0, 0.3, (len(world.space.users), 2))
        self.items = random.normal(0, 0.3, (len(world.space.items), 2))

    def score(self, pairs: PairBatch) -> np.ndarray:
        embedded = (self.users[pairs.users] * self.items[pairs.items]).sum(axis=1)
        return (self._net.score(pairs) + embedded).astype(np.float32)


class Halves:
    """A scorer of halves, with embeddings or without: scores tie exactly, and no step is small."""

    def __init__(self, world: World, seed: int, aspects_only: bool) -> None:
        random = np.random.default_rng(seed)
        self.aspects_only = aspects_only
        self._users = random.integers(-1, 2, (len(world.space.users), 2))
        self._items = random.integers(-1, 2, (len(world.space.items), 2)) * (not aspects_only)
        self._weight = random.normal(0, 1, len(world.space.aspects))

    def score(self, pairs: PairBatch) -> np.ndarray:
        embedded = (self._users[pairs.users] * self._items[pairs.items]).sum(axis=1)
        aligned = (pairs.user_attention.astype(np.float64) * pairs.item_quality * self._weight).sum(axis=1)
        return (np.round(2 * (embedded + 0.1 * aligned)) / 2).astype(np.float32)


class Unsteady(AlignmentScorer):
    """A scorer whose scores vary a little with the place in the batch and from call to call, as those of nets may."""

    calls = 0

    def score(self, pairs: PairBatch) -> np.ndarray:
        type(self).calls += 1
        return super().score(pairs) + np.float32(1e-5) * (np.arange(len(pairs), dtype=np.float32) + self.calls % 7)


@dataclass(frozen=True)
class Scored:
    """A scorer of a world, the same in plain arithmetic, and per user how far the two may differ."""

    scorer: Scorer
    score: naive.Score
    noise: Callable[[int], float]
    offsets: np.ndarray | None = None
    """Those of a score that consists of aspects and of them [users, items]."""


def _net(world: World, seed: int) -> Scored:
    return scored_by_world(world)


def scored_by_world(world: World) -> Scored:
    """The world's own scorer: a net, the mean of nets, or a hybrid."""
    net, X, offsets = world.net, world.space.user_attention, world.offsets
    noise = naive.net_noise(net, X, largest_of(world))
    return Scored(
        world.scorer,
        naive.with_offsets(naive.net_of(net, X), offsets),
        lambda user: noise(user) + 4 * naive.offset_rounding(offsets, user),
        offsets,
    )


def largest_of(world: World) -> np.ndarray:
    """Per aspect the largest value that a change may lead to, whatever its sign."""
    scale = world.space.scale
    return np.max([np.abs(end) for end in (scale.low, scale.high, scale.absent)], axis=0)


def _black_box(world: World, seed: int) -> Scored:
    net = _net(world, seed)
    return dataclasses.replace(net, scorer=BlackBox(net.scorer))


def _embedded(world: World, seed: int) -> Scored:
    net, scorer = _net(world, seed), Embedded(world, seed)
    return dataclasses.replace(
        net,
        scorer=scorer,
        score=lambda user, item, quality: (
            net.score(user, item, quality) + float(scorer.users[user] @ scorer.items[item])
        ),
    )


def _alignment(world: World, seed: int) -> Scored:
    X, largest = world.space.user_attention, largest_of(world)
    return Scored(AlignmentScorer(), naive.alignment_of(X), lambda user: 4 * float(X[user] @ largest) * 2.0**-24)


def _halves(world: World, seed: int, aspects_only: bool) -> Scored:
    scorer, X = Halves(world, seed, aspects_only), world.space.user_attention

    def score(user: int, item: int, quality: np.ndarray) -> float:
        return float(scorer.score(PairBatch(np.array([user]), np.array([item]), X[[user]], quality[None]))[0])

    return Scored(scorer, score, lambda user: 0.0)


def _hybrid(world: World, seed: int, size: float) -> Scored:
    return _net(as_hybrid(world, seed, size), seed)


class OffsetsAlone:
    """A scorer with offsets whose aspect part shows nothing but its scores."""

    aspects_only = False

    def __init__(self, world: World) -> None:
        hybrid = world.scorer
        self.score, self.offset, self.aspect_part = hybrid.score, hybrid.offset, BlackBox(hybrid.aspect_part)


def _hybrid_of_a_black_box(world: World, seed: int) -> Scored:
    hybrid = as_hybrid(world, seed, 0.5)
    return dataclasses.replace(_net(hybrid, seed), scorer=OffsetsAlone(hybrid))


SCORED: dict[str, Callable[[World, int], Scored]] = {
    "net": _net,
    "black box": _black_box,
    "embedded": _embedded,
    "alignment": _alignment,
    "halves": lambda world, seed: _halves(world, seed, aspects_only=True),
    "embedded halves": lambda world, seed: _halves(world, seed, aspects_only=False),
    **{f"hybrid, offsets {name}": partial(_hybrid, size=size) for name, size in SIZES.items()},
    "hybrid of a black box": _hybrid_of_a_black_box,
}
"""Scorers of every sort over a world, each with its plain twin; a number makes one of each."""

KINDS: tuple[Kind, ...] = ("why", "why_not", "why_rather", "why_rather_takes")
"""The questions that are answered by a change."""


def asked(
    kind: Kind,
    world: World,
    scorer: Scorer,
    seed: int,
    *,
    k: int = 3,
    constraints: Constraints = NONE,
    margin: float = MARGIN,
    ranker: Ranker | None = None,
) -> Question:
    """A question about a world: of every list, of four random candidates each, or of four random pairs of them each."""
    space, candidates, random = world.space, world.candidates, np.random.default_rng(seed)
    lists = rank(scorer, space, candidates, k, ranker=ranker)
    if kind == "why":
        return why(space, lists, constraints=constraints, margin=margin)
    users = np.repeat(np.arange(len(space.users)), 4)
    drawn = np.array([random.choice(candidates.of(int(user)), 2, replace=False) for user in users])
    if kind == "why_not":
        return why_not(space, lists, users, drawn[:, 0], constraints=constraints, margin=margin)
    return why_rather(
        *(scorer, space, lists, users, drawn[:, 0], drawn[:, 1]),
        takes=kind == "why_rather_takes",
        constraints=constraints,
        margin=margin,
    )


def numbered(constraints: Constraints, space: AspectSpace) -> naive.Rules:
    """The same constraints by the numbers of aspects."""
    number = space.aspects.texts.index
    return naive.Rules(
        fixed=frozenset(number(name) for name in constraints.keep),
        lowest={number(name): bound for name, bound in constraints.lowest.items()},
        highest={number(name): bound for name, bound in constraints.highest.items()},
        values=constraints.values,
        most=constraints.most,
        masked=constraints.masked,
        costs={number(name): cost for name, cost in constraints.costs.items()},
        beyond=None if constraints.unreviewed_beyond == "never" else constraints.unreviewed_beyond,
    )


def plain_scale(space: AspectSpace) -> naive.Scale:
    """The scale of a space in plain arithmetic; made from opinions if it has a ladder, whose top is N."""
    scale = space.scale
    ceiling = None if scale.ladder is None and scale.shares is None else float(scale.high[0])
    shares, opinions = scale.shares, space.opinions
    counts = shares and opinions and naive.Shares(opinions.item_praises, opinions.item_complaints, shares.mean)
    plain = scale.schema and tuple(_plain(attribute) for attribute in scale.schema.attributes)
    ends = scale.low, scale.high, scale.low_is_worse, scale.absent
    without = plain and np.array(
        [_without(*pair) for pair in zip(plain, scale.absent, space.item_quality.T, strict=True)]
    )
    both = opinions and (opinions.item_praises, opinions.item_complaints)
    return naive.Scale(*ends, ceiling, counts, plain, without, both)


def _without(plain: Plain, absent: float, codes: np.ndarray) -> float:
    """The code of an item without an attribute: absent or, if no item can lack it, one that all could have."""
    if plain.can_be_absent:
        return float(absent)
    if plain.step is not None:
        return float(median_low(codes.tolist()))
    return 0.0 if plain.yes_no else float(min(multimode(codes.tolist())))


def _plain(attribute: Attribute) -> Plain:
    """An attribute in plain arithmetic."""
    code = attribute.values.index
    return Plain(
        step=attribute.steps if attribute.is_number else None,
        count=attribute.count,
        yes_no=attribute.kind == "yes_no",
        either_way=attribute.worse is None,
        can_be_absent=attribute.can_be_absent,
        stays=attribute.kept or attribute.derived,
        move_costs={(float(code(a)), float(code(b))): cost for (a, b), cost in attribute.move_costs.items()},
    )


def scored_rows(
    question: Question,
    world: World,
    scored: Scored,
    answers: Explanations,
    goal: str,
    *,
    k: int = 3,
    margin: float = MARGIN,
    telling: bool = True,
    rules: PlainRules | None = None,
) -> list[Row]:
    """What the answers claim of each pair, in plain arithmetic."""
    after = question.after(answers.delta)
    return [
        Row(
            pair,
            *(answers.delta[row], Status(answers.status[row]).label, Proof(answers.proof[row]).label),
            singly=goal == "single",
            score_before=float(answers.score_before[row]),
            score_after=float(answers.score_after[row]),
            target=float(answers.target[row]),
            margin=float(answers.margin[row]),
            values=after[row],
            goal=goal,
            telling=telling,
        )
        for row, pair in enumerate(pairs_of(question, world, scored, k=k, margin=margin, ranker=rules))
    ]


def pairs_of(
    question: Question,
    world: World,
    scored: Scored,
    *,
    k: int = 3,
    rules: naive.Rules | None = None,
    margin: float = MARGIN,
    ranker: PlainRules | None = None,
) -> list[naive.Pair]:
    """The pairs of a question in plain arithmetic; only its users, items, kind and constraints are read."""
    pairs, scale = [], plain_scale(world.space)
    for row, (user, item) in enumerate(zip(question.users.tolist(), question.items.tolist(), strict=True)):
        two = question.versus is not None and ranker is None
        rivals = np.array([item, question.versus[row]]) if two else world.candidates.of(user)
        pairs.append(
            naive.Pair(
                kind=question.kind,
                score=scored.score,
                Y=world.space.item_quality,
                attention=world.space.user_attention[user],
                user=user,
                item=item,
                rivals=np.sort(rivals),
                k=1 if two else k,
                noise=scored.noise(user),
                aspects_only=scored.scorer.aspects_only,
                offsets=None if scored.offsets is None else scored.offsets[user],
                margin=margin,
                rules=numbered(question.constraints, world.space) if rules is None else rules,
                scale=scale,
                candidates=world.candidates.of(user),
                ranker=None if ranker is None else ranker.plain,
                monotone=ranker is None or ranker.ranker.monotone,
                versus=None if two or question.versus is None else int(question.versus[row]),
            )
        )
    return pairs


class PlainRules(NamedTuple):
    """A ranker and its plain twin; and the boosts of the items, if there are any."""

    ranker: Ranker
    plain: naive.PlainRanker
    boosts: np.ndarray | None = None

    def boosted(self, scored: Scored, users: int) -> Scored:
        """The scorer that the ranker sees the scores of."""
        boosts = self.boosts
        if boosts is None:
            return scored
        largest = float(np.abs(boosts).max())
        return Scored(
            BoostedScorer(scored.scorer, boosts),
            lambda user, item, quality: scored.score(user, item, quality) + float(boosts[item]),
            lambda user: scored.noise(user) + 4 * largest * 2.0**-24,
            np.tile(boosts, (users, 1)) if scored.offsets is None else scored.offsets + boosts,
        )


@dataclass(frozen=True)
class PlainOnly:
    """A monotone ranker made from a plain one."""

    plain: naive.PlainRanker
    monotone: bool = True

    def ranked(self, user: int, candidates: np.ndarray, scores: np.ndarray, k: int) -> list[int]:
        return self.plain(user, candidates.tolist(), scores.tolist(), k)


@dataclass(frozen=True)
class SpreadOut:
    """The best of other categories than the last two; a ranker that is not monotone."""

    categories: np.ndarray
    monotone: bool = False

    def ranked(self, user: int, candidates: np.ndarray, scores: np.ndarray, k: int) -> list[int]:
        plain = naive.spread_out(self.categories.tolist())
        return plain(user, candidates.tolist(), scores.tolist(), k)


def drawn_rules(world: World, seed: int) -> dict[str, PlainRules]:
    """Rules of every sort over a world, each with its plain twin."""
    random, items, users = np.random.default_rng(seed), len(world.space.items), len(world.space.users)
    groups = random.integers(-1, 4, items)
    boosts = random.normal(0, 0.5, items).astype(np.float32) * (random.random(items) < 0.4)
    seen = random.random((users, items)) < 0.2
    by_user = {user: set(np.flatnonzero(row).tolist()) for user, row in enumerate(seen)}
    plain_cap, unseen = naive.capped(groups.tolist(), 1), naive.unseen(by_user)
    both = naive.unseen(by_user, plain_cap)
    return {
        "none": PlainRules(PlainOnly(naive.first_k), naive.first_k),
        "cap": PlainRules(AtMostPerGroup(groups, 1), plain_cap),
        "boosts": PlainRules(PlainOnly(naive.first_k), naive.first_k, boosts),
        "unseen": PlainRules(PlainOnly(unseen), unseen),
        "all": PlainRules(PlainOnly(both), both, boosts),
        "spread out": PlainRules(SpreadOut(groups), naive.spread_out(groups.tolist())),
    }
