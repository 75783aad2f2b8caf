"""The paper's claims in worlds where all are true, all are false, and nothing can be told."""

from __future__ import annotations

import polars as pl
import pytest

from counterec.report.claims import claims
from counterec.report.verdict import Claim, Verdict
from tests.report.rows import World

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
    "F1 goes with complexity",
    "necessity and sufficiency go with strength",
    "norms of one scale",
    "what goes with λ",
    "what does not depend on λ",
    "performance drops for large α",
)


def judged(world: World, **instead: pl.DataFrame) -> dict[str, Claim]:
    return {claim.name: claim for claim in claims(world.inputs(**instead))}


@pytest.mark.parametrize(
    ("world", "verdict"),
    [
        (World(users=60), Verdict.HOLDS),
        (World(users=60, claims_are=-1), Verdict.DOES_NOT),
        (World(users=10), Verdict.CANNOT_TELL),
    ],
    ids=["true", "false", "few"],
)
def test_every_claim_gets_its_verdict(world: World, verdict: Verdict) -> None:
    found = judged(world)
    assert tuple(found) == CLAIMS
    assert {name: claim.verdict for name, claim in found.items()} == dict.fromkeys(CLAIMS, verdict)


def test_a_missing_baseline_leaves_open_what_is_said_of_it_and_nothing_else() -> None:
    rows = World(users=30).rows()
    found = judged(World(users=30), rows=rows.filter(pl.col("method") != "efm"))
    open_ = {name for name, claim in found.items() if claim.verdict is Verdict.CANNOT_TELL}
    assert open_ == set(CLAIMS[:3])
    parts = {part.what: part for part in found["CountER leads in F1 with the mask"].parts}
    assert parts["F1, relaxed − efm, multi, with the mask"].measure.value is None
    assert parts["F1, relaxed − mter, multi, with the mask"].verdict is Verdict.HOLDS


def test_no_sweep_leaves_open_what_is_said_of_lambda_and_alpha() -> None:
    found = judged(World(users=30), sweep=World(users=30).sweep().clear())
    open_ = {name for name, claim in found.items() if claim.verdict is Verdict.CANNOT_TELL}
    assert open_ == set(CLAIMS[-3:])


def test_what_explains_nothing_at_any_alpha_cannot_drop() -> None:
    nothing = {name: pl.lit(None, dtype=kind) for name, kind in {"f1": pl.Float64, "necessary": pl.Boolean}.items()}
    sweep = World(users=30).sweep().with_columns(explained=pl.lit(False), sufficient=nothing["necessary"], **nothing)
    claim = judged(World(users=30), sweep=sweep)["performance drops for large α"]
    assert claim.verdict is Verdict.CANNOT_TELL
    assert [part.measure.cases for part in claim.parts] == [0, 0]


def test_one_lambda_alone_is_not_compared_with_itself() -> None:
    sweep = World(users=30).sweep().filter(pl.col("lambda") == 100.0)
    claim = judged(World(users=30), sweep=sweep)["what does not depend on λ"]
    assert claim.verdict is Verdict.CANNOT_TELL
    assert [part.measure.cases for part in claim.parts] == [0, 0]


def test_a_lambda_that_explains_hardly_anybody_is_passed_over() -> None:
    sweep = World(users=30).sweep()
    nobody = (pl.col("lambda") == 1.0) & (pl.col("user_id") > "u004")
    emptied = ("f1", "complexity", "strength", "necessary", "sufficient")
    kept = [pl.when(~nobody).then(pl.col(name)).alias(name) for name in emptied]
    found = judged(World(users=30), sweep=sweep.with_columns(*kept, explained=pl.col("explained") & ~nobody))
    assert "λ = 1000 less λ = 10" in found["what does not depend on λ"].measured
    assert "fidelity, λ = 1000 less λ = 1:" in found["what goes with λ"].measured


def test_adaptive_answers_do_not_decide_what_the_paper_says_of_its_own() -> None:
    sweep = World(users=30).sweep()
    other = sweep.with_columns(variant=pl.lit("adaptive"))
    found = judged(World(users=30), sweep=other)
    assert {found[name].verdict for name in CLAIMS[-3:]} == {Verdict.CANNOT_TELL}


def test_numbers_are_those_of_the_rows() -> None:
    found = judged(World(users=30))
    (aspects,) = found["number of aspects"].parts
    assert aspects.measure.value == pytest.approx((4 + 3 + 3 + 2 + 2) / 5)
    assert (aspects.measure.cases, aspects.users) == (150, 30)
    (more,) = found["more aspects at the top"].parts
    assert more.measure.value == pytest.approx(4 - 2)
    assert more.measure.cases == 60
    (ratio,) = found["norms of one scale"].parts
    assert ratio.measure.value == pytest.approx(1.4)
