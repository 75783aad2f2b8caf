"""Necessity and sufficiency by re-scoring what changes, against scoring every candidate again."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
import pytest
from tests.worlds import SIZES, WORLDS, World, as_hybrid, random_world

from counterec.core.evaluation.judge_necessity import verdicts, verdicts_by_length
from counterec.core.evaluation.necessity import Head, Necessity
from counterec.core.evaluation.verdicts import VERDICTS, Verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.core.scorers.base import OffsetScorer, PairBatch, Scorer
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank

pytestmark = pytest.mark.slow

K = 3


class Embedded:
    """A scorer with more than aspects (Z): embeddings of users and items. In halves, so that scores tie exactly."""

    aspects_only = False

    def __init__(self, world: World, seed: int, pull: float = 1.0) -> None:
        random = np.random.default_rng(seed)
        self._users = random.integers(-1, 2, (len(world.space.users), 2))
        self._items = random.integers(-1, 2, (len(world.space.items), 2)) * pull
        self._weight = random.normal(0, 1, len(world.space.aspects))

    def score(self, pairs: PairBatch) -> np.ndarray:
        embedded = (self._users[pairs.users] * self._items[pairs.items]).sum(axis=1)
        aligned = (pairs.user_attention * pairs.item_quality * self._weight).sum(axis=1)
        return (np.round(2 * (embedded + 0.1 * aligned)) / 2).astype(np.float32)


class AspectsAlone(Embedded):
    """The same without embeddings: equal vectors have equal scores, and many others tie."""

    aspects_only = True

    def __init__(self, world: World, seed: int) -> None:
        super().__init__(world, seed, pull=0.0)


def hybrid_scorer(world: World, seed: int, size: float) -> Scorer:
    return as_hybrid(world, seed, size).scorer


SCORERS = {
    "net": lambda world, seed: AspectNet(world.weights),
    "embedded": Embedded,
    "aspects alone": AspectsAlone,
    **{f"hybrid, offsets {name}": partial(hybrid_scorer, size=size) for name, size in SIZES.items()},
}


def scored(scorer: Scorer, world: World, user: int, items: np.ndarray, quality: np.ndarray) -> np.ndarray:
    """Every item scored; equal vectors once if only aspects count, offsets apart."""
    if isinstance(scorer, OffsetScorer):
        by_aspects = scored(scorer.aspect_part, world, user, items, quality)
        return by_aspects + scorer.offset(np.full(len(items), user), items)
    if not scorer.aspects_only:
        return scorer.score(PairBatch.for_user(world.space, user, items, quality))
    distinct, group = np.unique(quality, axis=0, return_inverse=True)
    return scorer.score(PairBatch.for_user(world.space, user, items[: len(distinct)], distinct))[group]


def judged_by_scoring_everything(scorer: Scorer, world: World, named: NamedAspects, row: int) -> dict[str, bool]:
    user, item = int(named.users[row]), int(named.items[row])
    items = world.candidates.of(user)
    quality, own = world.space.item_quality[items], items == item

    def stays(keep: np.ndarray) -> tuple[bool, bool, bool]:
        """By the rule, with every tie won, with every tie lost."""
        scores = scored(scorer, world, user, items, np.where(keep, quality, 0))
        ahead, ties = (scores > scores[own]).sum(), (scores == scores[own]) & ~own
        return ahead + (ties & (items < item)).sum() < K, ahead < K, ahead + ties.sum() < K

    rule, won, lost = stays(~named.named[row])
    found = {"necessary": not rule, "necessary_kind": not lost, "necessary_strict": not won}
    rule, won, lost = stays(named.named[row])
    # What stays with no aspect at all does not stay for its aspects; if only aspects count, all items tie then.
    anyway = not scorer.aspects_only and stays(quality[0] < 0)[2]
    found |= {
        "sufficient": rule and not anyway,
        "sufficient_kind": won and not anyway,
        "sufficient_strict": lost and not anyway,
    }
    return {**found, "stays_without_aspects": bool(anyway)}


def asked_about(world: World, scorer: Scorer, seed: int) -> NamedAspects:
    """Random aspects of every recommended item, and of one further candidate of each user."""
    random = np.random.default_rng(seed)
    lists = rank(scorer, world.space, world.candidates, K)
    rows, _, items = lists.pairs()
    users = np.concatenate([lists.users[rows], lists.users])
    items = np.concatenate([items, [random.choice(world.candidates.of(int(user))) for user in lists.users]])
    named = random.random((len(users), len(world.space.aspects))) < random.choice([0.2, 0.5, 0.9])
    return NamedAspects(users, items, named, named.astype(float))


@pytest.mark.parametrize("known", [True, False], ids=["lists known", "lists unknown"])
@pytest.mark.parametrize("name", SCORERS)
@pytest.mark.parametrize("kind", [*WORLDS, "large"])
def test_the_fast_way_is_the_naive_way(kind: str, name: str, known: bool) -> None:
    for seed in range(3):
        world = random_world(seed, items=150, aspects=4) if kind == "large" else WORLDS[kind](seed)
        scorer = SCORERS[name](world, seed)
        named = asked_about(world, scorer, seed)
        lists = rank(scorer, world.space, world.candidates, K) if known else None
        found = verdicts(scorer, world.space, world.candidates, K, named, lists=lists)
        for row in np.flatnonzero(found.asked):
            expected = judged_by_scoring_everything(scorer, world, named, row)
            assert {verdict: bool(getattr(found, verdict)[row]) for verdict in expected} == expected


def test_the_cases_are_of_every_sort() -> None:
    """Ties, list members that leave and that stay: without them the test above would prove little."""
    seen = dict.fromkeys((*VERDICTS, "stays_without_aspects"), 0)
    tied = rows = 0
    for seed, name in product(range(6), ("embedded", "hybrid, offsets as large")):
        world = random_world(seed, items=150, aspects=4)
        scorer = SCORERS[name](world, seed)
        named = asked_about(world, scorer, seed)
        found: Verdicts = verdicts(scorer, world.space, world.candidates, K, named)
        rows += found.asked.sum()
        tied += (found.sufficient_kind & ~found.sufficient_strict).sum()
        seen = {name: count + getattr(found, name)[found.asked].sum() for name, count in seen.items()}
    assert tied > 10
    assert all(0 < count < rows for count in seen.values()), (seen, rows)


@pytest.mark.parametrize("name", SCORERS)
def test_two_users_asked_in_turns_are_answered_as_if_asked_apart(name: str) -> None:
    """Each view is a value: questions about another user do not affect it, in whatever order they come."""
    told_apart = 0
    for seed in range(3):
        world = random_world(seed, items=150, aspects=4)
        scorer = SCORERS[name](world, seed)
        lists, random = rank(scorer, world.space, world.candidates, K), np.random.default_rng(seed)
        necessity = Necessity(scorer, world.space, K)

        def view(user: int, lists=lists, world=world, necessity=necessity):
            return necessity.for_user(user, world.candidates.of(user), Head.of(lists.items[user], lists.scores[user]))

        def answers(of_user, item: int, aspects: np.ndarray) -> tuple:
            counts = of_user.without(item, aspects), of_user.with_only(item, aspects)
            return (*counts, of_user.ahead_with_only(item, aspects).tolist())

        asked = []
        for _ in range(12):
            item = int(random.choice(np.intersect1d(world.candidates.of(0), world.candidates.of(1))))
            asked.append((item, np.sort(random.choice(4, 2, replace=False))))
        apart = [[answers(view(user), *question) for question in asked] for user in (0, 1)]
        first, second = view(0), view(1)
        in_turns = [(answers(first, *question), answers(second, *question)) for question in asked]
        assert in_turns == list(zip(*apart, strict=True))
        told_apart += sum(one != other for one, other in in_turns)
    assert told_apart > 12, "the two users must be answered differently for this to mean anything"


@pytest.mark.parametrize("kind", SCORERS)
@pytest.mark.parametrize("seed", range(3))
def test_lists_of_several_lengths_are_judged_as_one_by_one(kind: str, seed: int) -> None:
    """In any order of the lengths, with the beginning of the ranking and without."""
    world = random_world(seed, items=60)
    scorer = SCORERS[kind](world, seed)
    named, lengths = asked_about(world, scorer, seed), (K + 2, 1, K)
    heads = rank(scorer, world.space, world.candidates, K + 4)
    for lists in (None, heads):
        together = verdicts_by_length(scorer, world.space, world.candidates, lengths, named, lists=lists)
        for length, found in zip(lengths, together, strict=True):
            alone = verdicts(scorer, world.space, world.candidates, length, named, lists=lists)
            for name in alone.columns:
                np.testing.assert_array_equal(getattr(found, name), getattr(alone, name), f"{name}, K = {length}")
