"""Every claim about attributes of every kind is established again by brute force, for trees, tables and nets."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import product

import pytest
from tests.attribute_worlds import SCHEMAS, SCORERS, scored_world
from tests.claims import overlooked, untrue, untrue_verdicts
from tests.worlds import KINDS, asked, scored_rows

from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.minimal.settings import MinimalSettings

pytestmark = pytest.mark.slow

EXPLAINERS = {
    "minimal": lambda scorer: CountER(scorer, goal="minimal"),
    "cheapest minimal": lambda scorer: CountER(scorer, goal="minimal", telling=False),
    "minimal without budget": lambda scorer: CountER(scorer, goal="minimal", minimal=MinimalSettings(budget=0)),
    "single": lambda scorer: CountER(scorer, goal="single"),
    "cheapest single": lambda scorer: CountER(scorer, goal="single", telling=False),
    "complete": lambda scorer: CountER(scorer, goal="complete"),
}
CONSTRAINTS = (
    Constraints(unreviewed_beyond="never"),
    Constraints(unreviewed_beyond=1),
    Constraints(unreviewed_beyond=0, most=2),
)


def established(schema, scorer, explainer, kind, seed, constraints) -> Counter:
    """Answer a question about a random world and establish every claim; what was claimed, counted."""
    world, scored = scored_world(schema, scorer, seed)
    question = asked(kind, world, scored.scorer, seed, constraints=constraints)
    answers = EXPLAINERS[explainer](scored.scorer).explain(question)
    goal = next(goal for goal in ("minimal", "single", "complete") if goal in explainer)
    telling = not explainer.startswith("cheapest")
    searched = explainer != "minimal without budget"
    rows = [
        dataclasses.replace(row, searched=searched)
        for row in scored_rows(question, world, scored, answers, goal, telling=telling)
    ]
    for number, row in enumerate(rows):
        assert untrue(row) == [], (number, untrue(row), row.delta)
        if goal == "minimal" or (goal == "single" and kind != "why_rather_takes"):
            assert overlooked(row, goal) == [], (number, overlooked(row, goal), row.delta)
        if goal == "complete" and row.status == "explained":
            verdicts = answers.require_verdicts()
            claims = bool(verdicts.necessary[number]), bool(verdicts.sufficient[number])
            assert untrue_verdicts(row, *claims) == [], (number, untrue_verdicts(row, *claims), row.delta)
    return Counter((row.status, row.proof) for row in rows)


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("explainer", EXPLAINERS)
def test_every_claim_holds(explainer, schema, scorer):
    claimed = Counter()
    for seed, kind in enumerate(KINDS):
        if explainer != "complete" or kind != "why_not":
            constraints = CONSTRAINTS[(seed + len(schema)) % len(CONSTRAINTS)]
            claimed += established(schema, scorer, explainer, kind, seed, constraints)
    assert any(status == "explained" for status, _ in claimed)


@pytest.mark.parametrize("kind", ["why", "why_not"])
def test_every_claim_of_relaxed_answers_holds(kind):
    """They move numbers only: what is asked of a net is enough."""
    world, scored = scored_world("hotels", "net", 0)
    question = asked(kind, world, scored.scorer, 0, constraints=CONSTRAINTS[1])
    answers = CountER(scored.scorer, goal="relaxed").explain(question)
    for number, row in enumerate(scored_rows(question, world, scored, answers, "relaxed")):
        assert untrue(row) == [], (number, untrue(row), row.delta)
        assert not world.space.scale.is_category[row.named].any()
    assert answers.explained.any()


def test_the_claims_that_are_established_are_made():
    """Otherwise the test above would hold of nothing."""
    found = {explainer: Counter() for explainer in EXPLAINERS}
    for scorer, kind, seed in product(("trees", "tables"), ("why", "why_rather"), range(3)):
        world, scored = scored_world("small", scorer, seed)
        for explainer in ("minimal", "minimal without budget", "single"):
            question = asked(kind, world, scored.scorer, seed, constraints=CONSTRAINTS[0])
            answers = EXPLAINERS[explainer](scored.scorer).explain(question)
            found[explainer].update(zip(answers.status.tolist(), answers.proof.tolist(), strict=True))
    explained, missed = Status.EXPLAINED, Status.CANNOT_FLIP
    assert found["minimal"][explained, Proof.SMALLEST]
    assert found["minimal"][missed, Proof.NONE]
    assert found["single"][explained, Proof.EXACT]
    assert found["single"][missed, Proof.NONE]
    assert found["minimal without budget"][explained, Proof.FOUND]
    assert found["minimal without budget"][explained, Proof.IRREDUCIBLE]
