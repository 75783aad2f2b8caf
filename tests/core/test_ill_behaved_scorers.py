"""Scorers that nobody trained to be nice: unbounded, tied, constant, jumping, up and down. Every claim still holds."""

from __future__ import annotations

import numpy as np
import pytest
from tests.claims import untrue
from tests.worlds import KINDS, Scored, World, asked, drawn_rules, random_world, scored_rows

from counterec.core.explainers.answer import Status
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.scorers.base import PairBatch


class Odd:
    """A scorer made of a function of user and item vectors, in double precision inside."""

    def __init__(self, score, aspects_only=True) -> None:
        self._score, self.aspects_only = score, aspects_only

    def score(self, pairs: PairBatch) -> np.ndarray:
        return self._score(pairs.user_attention.astype(np.float64), pairs.item_quality.astype(np.float64))


def _wave(x, y):
    return np.sin(3 * (x * y).sum(axis=1)) + np.cos(2 * y).sum(axis=1)


FUNCTIONS = {
    "constant": lambda x, y: np.full(len(y), 7.25),
    "zero": lambda x, y: np.zeros(len(y)),
    "tied": lambda x, y: np.round((x * y).sum(axis=1) / 8),
    "two values": lambda x, y: ((x * y).sum(axis=1) > 12).astype(np.float64),
    "steps": lambda x, y: np.floor(2 * y).sum(axis=1),
    "up and down": _wave,
    "falls with quality": lambda x, y: -(x * y).sum(axis=1),
    "huge": lambda x, y: 1e25 * (x * y).sum(axis=1) - 1e26,
    "tiny": lambda x, y: 1e-25 * (x * y).sum(axis=1),
    "far from zero": lambda x, y: 1e4 + (x * y).sum(axis=1),
    "steep": lambda x, y: np.exp(np.minimum((x * y).sum(axis=1), 60)),
    "only where absent": lambda x, y: (y == 0).sum(axis=1) + 0.1 * y[:, 0],
}
"""Scores in double precision."""


def scored_by(name: str, world: World) -> Scored:
    function, X = FUNCTIONS[name], world.space.user_attention

    def score(user: int, item: int, quality: np.ndarray) -> float:
        del item
        row = np.asarray(quality, dtype=np.float32).astype(np.float64)[None]
        return float(np.float32(function(X[[user]].astype(np.float64), row)[0]))

    largest = max(abs(score(user, 0, row)) for user in range(len(X)) for row in world.space.item_quality)
    return Scored(Odd(function), score, lambda user: 2.0**-23 * largest)


def answered(name: str, kind: str, goal: str, seed: int, values: str, rule: str | None = None):
    world = random_world(seed, users=2, items=10, aspects=4)
    scored = scored_by(name, world)
    rules = None if rule is None else drawn_rules(world, seed)[rule]
    constraints = Constraints(values=values)
    ranker = None if rules is None else rules.ranker
    question = asked(kind, world, scored.scorer, seed, constraints=constraints, ranker=ranker)
    answers = CountER(scored.scorer, goal=goal).explain(question)
    return answers, scored_rows(question, world, scored, answers, goal, rules=rules)


@pytest.mark.parametrize("values", ["reachable", "continuous"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_claim_holds(name: str, values: str) -> None:
    for seed, kind in enumerate(KINDS):
        for goal in ("minimal", "single"):
            for row in answered(name, kind, goal, seed, values)[1]:
                assert untrue(row) == []


@pytest.mark.parametrize("rule", ["cap", "spread out"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_claim_holds_under_rankers(name: str, rule: str) -> None:
    for seed, kind in enumerate(("why", "why_not")):
        for row in answered(name, kind, "minimal", seed, "reachable", rule)[1]:
            assert untrue(row) == []


@pytest.mark.parametrize("name", ["constant", "zero"])
def test_scores_that_never_change_are_never_explained(name: str) -> None:
    for goal in ("minimal", "single", "complete"):
        answers, _ = answered(name, "why", goal, 0, "reachable")
        assert not answers.explained.any()


def test_most_of_the_others_are_explained() -> None:
    for name in ("huge", "tiny", "far from zero", "steep"):
        status = np.concatenate([answered(name, "why", "minimal", seed, "continuous")[0].status for seed in range(3)])
        assert (status == Status.EXPLAINED).mean() > 0.3, name
