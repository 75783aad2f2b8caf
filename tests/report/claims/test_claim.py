"""The rule that gives a claim its outcome, at and around its edges."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.core.evaluation.intervals import Measure
from counterec.report.claim import ABOVE_ZERO, BELOW_ZERO, Claim, ClaimPart, Outcome, Range, around
from counterec.report.measures import FEWEST_USERS

HOLDS, DOES_NOT, CANNOT_TELL = Outcome.HOLDS, Outcome.DOES_NOT, Outcome.CANNOT_TELL


def part(low: float, high: float, expected: Range, users: int = FEWEST_USERS) -> ClaimPart:
    beyond = (high - low) * 0.025 / 0.95  # the interval leaves out the lowest and the highest 2.5%
    draws = np.linspace(low - beyond, high + beyond, 1001)
    return ClaimPart("it", Measure((low + high) / 2, 100, (low, high), draws=draws), users, expected)


@pytest.mark.parametrize(
    ("low", "high", "expected", "outcome"),
    [
        (0.1, 0.2, ABOVE_ZERO, HOLDS),
        (-0.1, 0.2, ABOVE_ZERO, CANNOT_TELL),
        (-0.2, -0.1, ABOVE_ZERO, DOES_NOT),
        (0.0, 0.2, ABOVE_ZERO, CANNOT_TELL),
        (0.0, 0.0, ABOVE_ZERO, DOES_NOT),  # no difference at all is not "more"
        (0.0, 0.0, BELOW_ZERO, DOES_NOT),
        (-0.2, -0.1, BELOW_ZERO, HOLDS),
        (-0.05, 0.05, around(0, 0.1), HOLDS),
        (-0.15, 0.05, around(0, 0.1), CANNOT_TELL),
        (0.2, 0.3, around(0, 0.1), DOES_NOT),
        (-0.5, 0.5, around(0, 0.1), CANNOT_TELL),
        (2.5, 3.0, around(2.79, 0.5), HOLDS),
        (3.3, 3.4, around(2.79, 0.5), DOES_NOT),
    ],
)
def test_a_part(low: float, high: float, expected: Range, outcome: Outcome) -> None:
    assert part(low, high, expected).outcome is outcome


def test_few_users_cannot_tell_whatever_the_interval() -> None:
    assert part(0.4, 0.5, ABOVE_ZERO, FEWEST_USERS - 1).outcome is CANNOT_TELL
    assert part(-0.5, -0.4, ABOVE_ZERO, FEWEST_USERS - 1).outcome is CANNOT_TELL


def test_what_was_not_measured_cannot_tell() -> None:
    found = ClaimPart("it", Measure(None, 0, None), 0, ABOVE_ZERO)
    assert found.outcome is CANNOT_TELL
    assert "not measured" in str(found)


GOOD, BAD, OPEN = part(0.1, 0.2, ABOVE_ZERO), part(-0.2, -0.1, ABOVE_ZERO), part(-0.1, 0.1, ABOVE_ZERO)


@pytest.mark.parametrize(
    ("parts", "outcome", "deciding"),
    [
        ((GOOD, GOOD), HOLDS, GOOD),
        ((GOOD, OPEN), CANNOT_TELL, OPEN),
        ((GOOD, OPEN, BAD), DOES_NOT, BAD),
        ((), CANNOT_TELL, None),
    ],
)
def test_a_claim_is_as_good_as_its_worst_part(
    parts: tuple[ClaimPart, ...], outcome: Outcome, deciding: ClaimPart | None
) -> None:
    claim = Claim("name", "Section 1", "It is so.", parts)
    assert claim.outcome is outcome
    assert (claim.deciding and claim.deciding.measure) == (deciding and deciding.measure)
    assert claim.interval == (deciding.measure.interval if deciding else None)
    assert claim.cases == (100 if deciding else 0)


def test_many_parts_are_corrected_for_each_other() -> None:
    """A part that would fail by itself at 4% does not bring down a claim of five parts."""
    draws = np.concatenate([np.full(980, -0.1), np.full(20, 0.1)])  # 2% above 0: p of lying outside is 4%
    low = ClaimPart("it", Measure(-0.1, 100, (-0.1, 0.1), draws=draws), FEWEST_USERS, ABOVE_ZERO)
    assert Claim("alone", "", "", (low,)).outcome is DOES_NOT
    together = Claim("of five", "", "", (low, GOOD, GOOD, GOOD, GOOD))
    assert together.parts[0].p_outside == pytest.approx(5 * 0.04)
    assert together.outcome is CANNOT_TELL
    assert together.parts[0].corrected_interval == (-0.1, 0.1)
    assert "p of lying outside 0.2000" in str(together)
    assert Claim("of five bad ones", "", "", (BAD,) * 5).outcome is DOES_NOT


def test_p_of_a_range_by_hand() -> None:
    draws = np.array([-1.0, 0.05, 0.05, 0.2])
    assert around(0, 0.1).p_inside(draws) == 2 * 0.25
    assert around(0, 0.1).p_outside(draws) == 1.0
    assert Range(0.1, 0.3).p_outside(draws) == 2 * 0.25
