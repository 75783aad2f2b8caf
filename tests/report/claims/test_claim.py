"""The rule that gives a claim its outcome, at and around its edges."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.core.evaluation.measure import Measure
from counterec.report.claims.claim import ABOVE_ZERO, BELOW_ZERO, Claim, ClaimPart, Outcome, Range, around
from counterec.report.claims.claim_parts import group_part
from counterec.report.method_comparisons import FEWEST_USERS

HOLDS, DOES_NOT, CANNOT_TELL = Outcome.HOLDS, Outcome.DOES_NOT, Outcome.CANNOT_TELL


def part(low: float, high: float, expected: Range, users: int = FEWEST_USERS) -> ClaimPart:
    return ClaimPart("it", Measure((low + high) / 2, 100, (low, high)), users, expected)


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


@pytest.mark.parametrize("few", [1, FEWEST_USERS - 1, FEWEST_USERS])
def test_a_difference_of_groups_counts_the_users_of_the_smaller_group(few: int) -> None:
    users = np.arange(few + 60)
    in_first = users < few
    found = group_part("it", np.where(in_first, 3.0, 1.0), in_first, users, ABOVE_ZERO)
    assert found.users == few
    assert found.outcome is (Outcome.HOLDS if few == FEWEST_USERS else Outcome.CANNOT_TELL)


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
    assert claim.deciding == deciding
    assert claim.interval == (deciding.measure.interval if deciding else None)
    assert claim.cases == (100 if deciding else 0)


def test_a_claim_as_text_has_numbers_interval_cases_and_the_expected_range() -> None:
    text = str(Claim("name", "Section 1", "It is so.", (GOOD,), ("a remark",)))
    assert text == (
        "[holds] It is so. (Section 1)\n"
        "  it: 0.150 (0.100 to 0.200), expected above 0; 100 cases of 20 users: holds\n"
        "  a remark"
    )
