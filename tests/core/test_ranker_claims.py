"""Every claim under a ranker, established again by slow NumPy: flips, proofs, verdicts, and what a rule keeps out."""

from __future__ import annotations

import numpy as np
import pytest
from tests.claims import Row, overlooked, untrue, untrue_verdicts
from tests.worlds import KINDS, SCORED, PlainRules, asked, drawn_rules, random_world, scored_rows

from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Question
from counterec.core.explainers.ranker_targets import under_ranker

RULES = ("none", "cap", "boosts", "unseen", "all", "spread out")
SCORERS = {"reachable": ("net", "embedded", "halves"), "continuous": ("net", "black box")}


def answered(
    kind: str, rule: str, scorer: str, goal: str, seed: int, **constraints
) -> tuple[Question, Explanations, list[Row], PlainRules]:
    world = random_world(seed, users=2, items=10, aspects=4)
    rules = drawn_rules(world, seed)[rule]
    scored = rules.boosted(SCORED[scorer](world, seed), users=2)
    question = asked(kind, world, scored.scorer, seed, constraints=Constraints(**constraints), ranker=rules.ranker)
    answers = CountER(scored.scorer, goal=goal).explain(question)
    decided = under_ranker(scored.scorer, question)
    return decided, answers, scored_rows(decided, world, scored, answers, goal, rules=rules), rules


@pytest.mark.parametrize("values", ["reachable", "continuous"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rule", RULES)
def test_every_claim_of_minimal_holds(rule: str, kind: str, values: str) -> None:
    for seed, scorer in enumerate(SCORERS[values]):
        for row in answered(kind, rule, scorer, "minimal", seed, values=values)[2]:
            assert untrue(row) == []
            if scorer == "net":
                assert overlooked(row, "minimal") == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rule", RULES)
def test_every_claim_of_single_holds(rule: str, kind: str) -> None:
    for seed, scorer in enumerate(("net", "halves")):
        for row in answered(kind, rule, scorer, "single", seed)[2]:
            assert untrue(row) == []


@pytest.mark.parametrize("goal", ["relaxed", "complete"])
@pytest.mark.parametrize("rule", RULES[:-1])
def test_every_claim_of_the_other_goals_holds_under_a_monotone_ranker(rule: str, goal: str) -> None:
    for seed in range(2):
        for row in answered("why", rule, "net", goal, seed)[2]:
            assert untrue(row) == []


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", ["why", "why_rather"])
def test_verdicts_are_those_of_lists_made_anew(rule: str, kind: str) -> None:
    for seed, scorer in enumerate(("net", "embedded", "halves")):
        question, answers, rows, rules = answered(kind, rule, scorer, "minimal", seed)
        world = random_world(seed, users=2, items=10, aspects=4)
        model = rules.boosted(SCORED[scorer](world, seed), users=2).scorer
        named = answers.named()
        found = verdicts(model, world.space, question.candidates, 3, named, ranker=rules.ranker, versus=question.versus)
        assert (found.looked_at[found.asked] > 0).all()
        for place, row in enumerate(rows):
            if found.asked[place]:
                assert untrue_verdicts(row, bool(found.necessary[place]), bool(found.sufficient[place])) == []
                assert found.necessary_strict[place] <= found.necessary[place] <= found.necessary_kind[place]
                assert found.sufficient_strict[place] <= found.sufficient[place] <= found.sufficient_kind[place]


@pytest.mark.parametrize("rule", RULES[:-1])
def test_complete_answers_have_the_verdicts_that_they_claim(rule: str) -> None:
    held = 0
    for seed in range(4):
        _, answers, rows, _ = answered("why", rule, "net", "complete", seed)
        judged = answers.require_verdicts()
        for place, row in enumerate(rows):
            if judged.asked[place]:
                assert untrue_verdicts(row, bool(judged.necessary[place]), bool(judged.sufficient[place])) == []
                held += bool(judged.necessary[place] and judged.sufficient[place])
    assert held > 0


def test_what_a_rule_keeps_out_or_in_is_proven_not_to_flip() -> None:
    kept = 0
    for seed in range(6):
        question, answers, rows, _ = answered("why_not", "unseen", "net", "minimal", seed)
        whatever = question.whatever_score & ~question.settled
        assert (answers.status[whatever] == Status.CANNOT_FLIP).all()
        assert np.isnan(answers.target[whatever]).all()
        for place in np.flatnonzero(whatever):
            pair = rows[place].pair
            assert not any(pair.stands_at(score) for score in (-1e6, -1.0, 0.0, 1.0, 1e6))
        kept += int(whatever.sum())
    assert kept > 3
