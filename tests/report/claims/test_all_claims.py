"""The paper's claims in worlds where all are true, all are false, and none can be decided."""

from __future__ import annotations

import polars as pl
import pytest

from counterec.report.claim import Claim, Outcome
from counterec.report.claims import all_claims
from tests.report.rows import World

pytestmark = pytest.mark.slow

CLAIMS = (
    "baselines are sufficient, not necessary",
    "CountER leads in F_NS",
    "CountER leads in F1 with the mask",
    "the mask lowers F_NS",
    "the mask raises F1",
    "more fidelity with several aspects",
    "number of aspects",
    "more aspects at the top",
    "how many more aspects at the top",
    "F1 falls with complexity",
    "necessity and sufficiency depend on strength",
    "norms of the same scale",
    "what changes with λ",
    "what does not depend on λ",
    "performance drops for large α",
)


def judged(world: World, **instead: pl.DataFrame) -> dict[str, Claim]:
    return {claim.name: claim for claim in all_claims(world.experiment(**instead))}


@pytest.mark.parametrize(
    ("world", "outcome"),
    [
        (World(users=60), Outcome.HOLDS),
        (World(users=60, claims_are=-1), Outcome.DOES_NOT),
        (World(users=10), Outcome.CANNOT_TELL),
    ],
    ids=["true", "false", "few"],
)
def test_every_claim_gets_its_outcome(world: World, outcome: Outcome) -> None:
    found = judged(world)
    assert tuple(found) == CLAIMS
    assert {name: claim.outcome for name, claim in found.items()} == dict.fromkeys(CLAIMS, outcome)


def test_a_missing_baseline_leaves_only_the_claims_about_it_undecided() -> None:
    rows = World(users=30).rows()
    found = judged(World(users=30), rows=rows.filter(pl.col("method") != "efm"))
    undecided = {name for name, claim in found.items() if claim.outcome is Outcome.CANNOT_TELL}
    assert undecided == set(CLAIMS[:3])
    parts = {part.what: part for part in found["CountER leads in F1 with the mask"].parts}
    assert parts["F1, relaxed − efm, multi, with the mask, explained pairs"].measure.value is None
    assert parts["F1, relaxed − mter, multi, with the mask, all pairs"].outcome is Outcome.HOLDS


def test_without_a_sweep_the_claims_about_lambda_and_alpha_are_undecided() -> None:
    found = judged(World(users=30), sweep=World(users=30).sweep().clear())
    undecided = {name for name, claim in found.items() if claim.outcome is Outcome.CANNOT_TELL}
    assert undecided == {*CLAIMS[-3:], "F1 falls with complexity", "necessity and sufficiency depend on strength"}


def test_adaptive_answers_do_not_decide_claims_about_the_published_settings() -> None:
    sweep = World(users=30).sweep()
    other = sweep.with_columns(variant=pl.lit("adaptive"))
    found = judged(World(users=30), sweep=other)
    assert {found[name].outcome for name in CLAIMS[-3:]} == {Outcome.CANNOT_TELL}


def test_numbers_are_those_of_the_rows() -> None:
    found = judged(World(users=30))
    (aspects,) = found["number of aspects"].parts
    assert aspects.measure.value == pytest.approx((4 + 3 + 3 + 2 + 2) / 5)
    assert (aspects.measure.cases, aspects.users) == (150, 30)
    (more,) = found["more aspects at the top"].parts
    assert more.measure.value == pytest.approx(4 - 2)
    assert more.measure.cases == 60
    (ratio,) = found["norms of the same scale"].parts
    assert ratio.measure.value == pytest.approx(1.4)
