"""Questions about the tiny worlds in every variant, and the explainers that answer them."""

from __future__ import annotations

import dataclasses

import numpy as np

from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.question_builders import why
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from tests.claims import overlooked, rows_of, untrue
from tests.worlds import BlackBox, World

SEEDS = range(16)
"""Each bit of a seed switches one option: masked, down to the worst, raised, with a target far away."""


EXPLAINERS = {
    "relaxed": lambda net: CountER(net, goal="relaxed"),
    "as published": lambda net: CountER(net, relaxed=RelaxedSettings(as_published=True, published_steps=20)),
    "single": lambda net: CountER(net, goal="single"),
    "minimal": lambda net: CountER(net, goal="minimal"),
    "minimal without budget": lambda net: CountER(net, goal="minimal", minimal=MinimalSettings(budget=0)),
    "single of a black box": lambda net: CountER(BlackBox(net), goal="single"),
    "minimal of a black box": lambda net: CountER(BlackBox(net), goal="minimal"),
    "complete": lambda net: CountER(net, goal="complete"),
    "complete of a black box": lambda net: CountER(BlackBox(net), goal="complete"),
}

DESCENDING = ("relaxed", "as published")

PROVING = ("single", "minimal", "minimal without budget", "minimal of a black box")


@dataclasses.dataclass(frozen=True)
class Variant:
    """The options of a question, by the bits of a seed; in every third one, aspects have different costs."""

    seed: int

    masked = property(lambda self: bool(self.seed & 1))
    to_the_worst = property(lambda self: bool(self.seed & 2))
    raised = property(lambda self: bool(self.seed & 4))
    far = property(lambda self: bool(self.seed & 8))
    with_costs = property(lambda self: self.seed % 3 == 0)


def raises(explainer: str) -> bool:
    """Whether it answers what would raise a score: *complete* is about items in the list."""
    return not explainer.startswith("complete")


def seeds_of(explainer: str) -> list[int]:
    """The relaxed ones are slow and prove nothing: they get no far targets."""
    seeds = SEEDS[:8] if explainer in DESCENDING else SEEDS
    return [seed for seed in seeds if raises(explainer) or not Variant(seed).raised]


def asked(world: World, seed: int, k: int = 3) -> Question:
    """A question about a world, in the variant of the seed."""
    variant, random, net = Variant(seed), np.random.default_rng(seed), AspectNet(world.weights)
    lists = rank(net, world.space, world.candidates, k)
    allowed = Constraints(masked=variant.masked, floor="worst" if variant.to_the_worst else "absent")
    question = why(world.space, lists, constraints=allowed)
    if variant.raised:
        question = raised(question, net, variant.masked)
    if variant.far:
        question = dataclasses.replace(question, target=further(question, net, random))
    if variant.with_costs:
        question = dataclasses.replace(question, costs=random.uniform(0.2, 5, len(question.costs)))
    return question


def raised(question: Question, net: AspectNet, masked: bool) -> Question:
    """What it takes to score a little more: aspects may rise to the ceiling, whether reviewed or not."""
    before, targets = net.score(question.pairs), question.target[question.has_target]
    room = 5 - question.pairs.item_quality
    step = 0.05 + 0.5 * (targets.std() if len(targets) else 0)
    return dataclasses.replace(
        question,
        direction=Direction.RAISE,
        target=np.where(question.has_target, before + step, np.nan),
        lowest=np.zeros_like(room),
        highest=room * (question.pairs.user_attention != 0) if masked else room,
    )


def further(question: Question, net: AspectNet, random: np.random.Generator) -> np.ndarray:
    """Targets nearly as far away as the best of thirty sets at their bounds, so that it takes several aspects."""
    before, bounds = net.score(question.pairs), question.lowest + question.highest
    furthest = np.minimum if question.direction is Direction.LOWER else np.maximum
    best = before
    for _ in range(30):
        best = furthest(best, net.score(question.changed(bounds * (random.random(bounds.shape) < 0.6))))
    far = before + random.uniform(0.7, 1, len(question)) * (best - before)
    return np.where(question.has_target, furthest(question.target, far), np.nan)


def established(explainer: str, world: World, question: Question, answers: Explanations | None = None) -> Explanations:
    """Explain, unless the answers are given, and establish every claim of the answers."""
    if answers is None:
        answers = EXPLAINERS[explainer](AspectNet(world.weights)).explain(question)
    for row in rows_of(world, question, answers, singly=explainer == "single"):
        assert untrue(row) == []
        if explainer.startswith("minimal"):
            assert overlooked(row, "minimal") == []
        if explainer == "single":
            assert overlooked(row, "single") == []
    return answers


def establish_bounds(world: World, answers: Explanations, variant: Variant) -> None:
    """The bounds and the mask, from the variant and not from the question."""
    attention, quality = world.space.user_attention[answers.users], world.space.item_quality[answers.items]
    after = quality + answers.delta
    if variant.masked:
        assert not answers.delta[attention == 0].any()
    if variant.raised:
        assert (answers.delta >= 0).all()
        assert (after <= 5).all()
    else:
        assert (answers.delta <= 0).all()
        assert (after >= 0).all()
        assert not answers.delta[quality == 0].any()
        if variant.to_the_worst:
            assert (after[answers.delta != 0] >= 1).all()
