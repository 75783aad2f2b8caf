"""Questions about the tiny worlds in every variant, and the explainers that answer them."""

from __future__ import annotations

import dataclasses

import numpy as np

from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.change_bounds import change_bounds
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.question_builders import why
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.tolerances import MARGIN
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.ranking import rank
from tests.claims import overlooked, rows_of, untrue
from tests.worlds import BlackBox, World

SEEDS = range(16)
"""Each bit of a seed switches one option: masked, only possible values, raised, with a target far away."""

CONTINUOUS = Constraints(values="continuous")

EXPLAINERS = {
    "relaxed": lambda net: CountER(net, goal="relaxed"),
    "as published": lambda net: CountER(net, goal="relaxed", relaxed=RelaxedSettings(as_published=True, steps=20)),
    "single": lambda net: CountER(net, goal="single", telling=False),
    "telling single": lambda net: CountER(net, goal="single"),
    "minimal": lambda net: CountER(net, goal="minimal", telling=False),
    "telling minimal": lambda net: CountER(net, goal="minimal"),
    "minimal without budget": lambda net: CountER(net, goal="minimal", minimal=MinimalSettings(budget=0)),
    "single of a black box": lambda net: CountER(BlackBox(net), goal="single"),
    "minimal of a black box": lambda net: CountER(BlackBox(net), goal="minimal"),
    "complete": lambda net: CountER(net, goal="complete"),
    "complete of a black box": lambda net: CountER(BlackBox(net), goal="complete"),
}

DESCENDING = ("relaxed", "as published")

PROVING = ("single", "minimal", "telling minimal", "minimal without budget", "minimal of a black box")


@dataclasses.dataclass(frozen=True)
class Variant:
    """The options of a question, by the bits of a seed; in every third one, aspects have different costs."""

    seed: int

    masked = property(lambda self: bool(self.seed & 1))
    reachable = property(lambda self: bool(self.seed & 2))
    raised = property(lambda self: bool(self.seed & 4))
    far = property(lambda self: bool(self.seed & 8))
    with_costs = property(lambda self: self.seed % 3 == 0)

    @property
    def constraints(self) -> Constraints:
        """Where possible values alone are asked for, aspects may become absent early, late or never."""
        if not self.reachable:
            return Constraints(masked=self.masked, values="continuous")
        beyond = {2: 1, 3: 0, 10: 2, 11: 3}.get(self.seed, "never")
        return Constraints(masked=self.masked, unreviewed_beyond=beyond)


def raises(explainer: str) -> bool:
    """Whether it answers what would raise a score: *complete* is about items in the list."""
    return not explainer.startswith("complete")


def seeds_of(explainer: str, part: int | None = None) -> list[int]:
    """All for the two goals that prove most, or every second one: any two options in every combination.

    Some for the others: every option, with and without the others.
    """
    all_or_half = SEEDS if part is None else [seed for seed in SEEDS if seed.bit_count() % 2 == part % 2]
    seeds = all_or_half if explainer in ("single", "minimal") else (0, 2, 3, 5, 6, 10, 11, 13)
    seeds = (0, 2, 3, 5, 10) if explainer in DESCENDING else seeds
    return [seed for seed in seeds if raises(explainer) or not Variant(seed).raised]


def asked(world: World, seed: int, k: int = 3, margin: float = MARGIN) -> Question:
    """A question about a world, in the variant of the seed."""
    variant, random, net = Variant(seed), np.random.default_rng(seed), world.scorer
    lists = rank(net, world.space, world.candidates, k)
    question = why(world.space, lists, constraints=variant.constraints, margin=margin)
    if variant.raised:
        question = raised(question, net)
    if variant.far:
        question = dataclasses.replace(question, target=further(question, net, random))
    if variant.with_costs:
        question = dataclasses.replace(question, costs=random.uniform(0.2, 5, len(question.costs)))
    return question


def raised(question: Question, net: Scorer, **constraints: bool) -> Question:
    """What it takes to score a little more: aspects may rise as far as *why not* allows, whether reviewed or not."""
    before, targets = net.score(question.pairs), question.target[question.has_target]
    step = 0.05 + 0.5 * (targets.std() if len(targets) else 0)
    allowed = dataclasses.replace(question.constraints, **constraints)
    lowest, highest = change_bounds("why_not", question.space, question.users, question.items, None, allowed)
    return dataclasses.replace(
        question,
        kind="why_not",
        constraints=allowed,
        direction=Direction.RAISE,
        target=np.where(question.has_target, before + step, np.nan),
        lowest=lowest,
        highest=highest,
    )


def further(question: Question, net: Scorer, random: np.random.Generator) -> np.ndarray:
    """Targets nearly as far away as the best of thirty sets at their bounds, so that it takes several aspects."""
    before, bounds = net.score(question.pairs), question.lowest + question.highest
    furthest = np.minimum if question.direction is Direction.LOWER else np.maximum
    best = before
    for _ in range(30):
        best = furthest(best, net.score(question.changed(bounds * (random.random(bounds.shape) < 0.6))))
    far = before + random.uniform(0.7, 1, len(question)) * (best - before)
    return np.where(question.has_target, furthest(question.target, far), np.nan)


def established(
    explainer: str,
    world: World,
    question: Question,
    answers: Explanations | None = None,
    margin: float = MARGIN,
) -> Explanations:
    """Explain, unless the answers are given, and establish every claim of the answers."""
    if answers is None:
        answers = EXPLAINERS[explainer](world.scorer).explain(question)
    goal = next((goal for goal in ("single", "minimal", "complete") if goal in explainer), None)
    rows = rows_of(
        *(world, question, answers),
        singly=goal == "single",
        goal=goal,
        telling=explainer not in ("single", "minimal"),
        share=margin,
        searched=explainer != "minimal without budget",
    )
    for row in rows:
        assert untrue(row) == []
        if goal == "minimal":
            assert overlooked(row, "minimal") == []
        if goal == "single" and (row.pair.counted or "black box" not in explainer):
            assert overlooked(row, "single") == []
    return answers


def establish_bounds(world: World, answers: Explanations, question: Question) -> None:
    """The bounds and the mask, from the variant and not from the question."""
    attention, quality = world.space.user_attention[answers.users], world.space.item_quality[answers.items]
    after, scale = question.after(answers.delta), world.space.scale
    moved, raised = answers.delta != 0, question.direction is Direction.RAISE
    if question.constraints.masked:
        assert not moved[attention == 0].any()
    better = (after > quality) == scale.low_is_worse
    present = quality != scale.absent
    assert (better == raised)[moved & present & (after != scale.absent)].all()
    if not raised:
        assert not moved[~present].any()
    if question.constraints.values == "reachable" or raised:
        on_scale = (after == scale.absent) | ((after >= scale.low) & (after <= scale.high))
        assert on_scale[moved].all()
