"""The rule of verdicts, at and around its edges."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.core.evaluation.measure import Measure
from counterec.report.claim_parts import group_part
from counterec.report.verdict import ABOVE_ZERO, BELOW_ZERO, FEWEST_USERS, Claim, Part, Range, Verdict, around

HOLDS, DOES_NOT, CANNOT_TELL = Verdict.HOLDS, Verdict.DOES_NOT, Verdict.CANNOT_TELL


def part(low: float, high: float, wanted: Range, users: int = FEWEST_USERS) -> Part:
    return Part("it", Measure((low + high) / 2, 100, (low, high)), users, wanted)


@pytest.mark.parametrize(
    ("low", "high", "wanted", "verdict"),
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
def test_a_part(low: float, high: float, wanted: Range, verdict: Verdict) -> None:
    assert part(low, high, wanted).verdict is verdict


def test_few_users_cannot_tell_whatever_the_interval() -> None:
    assert part(0.4, 0.5, ABOVE_ZERO, FEWEST_USERS - 1).verdict is CANNOT_TELL
    assert part(-0.5, -0.4, ABOVE_ZERO, FEWEST_USERS - 1).verdict is CANNOT_TELL


@pytest.mark.parametrize("few", [1, FEWEST_USERS - 1, FEWEST_USERS])
def test_a_difference_of_groups_rests_on_the_users_of_the_smaller(few: int) -> None:
    users = np.arange(few + 60)
    in_first = users < few
    found = group_part("it", np.where(in_first, 3.0, 1.0), in_first, users, ABOVE_ZERO)
    assert found.users == few
    assert found.verdict is (Verdict.HOLDS if few == FEWEST_USERS else Verdict.CANNOT_TELL)


def test_what_was_not_measured_cannot_tell() -> None:
    found = Part("it", Measure(None, 0, None), 0, ABOVE_ZERO)
    assert found.verdict is CANNOT_TELL
    assert "not measured" in str(found)


GOOD, BAD, OPEN = part(0.1, 0.2, ABOVE_ZERO), part(-0.2, -0.1, ABOVE_ZERO), part(-0.1, 0.1, ABOVE_ZERO)


@pytest.mark.parametrize(
    ("parts", "verdict", "deciding"),
    [
        ((GOOD, GOOD), HOLDS, GOOD),
        ((GOOD, OPEN), CANNOT_TELL, OPEN),
        ((GOOD, OPEN, BAD), DOES_NOT, BAD),
        ((), CANNOT_TELL, None),
    ],
)
def test_a_claim_is_as_good_as_its_worst_part(parts: tuple[Part, ...], verdict: Verdict, deciding: Part | None) -> None:
    claim = Claim("name", "Section 1", "It is so.", parts)
    assert claim.verdict is verdict
    assert claim.deciding == deciding
    assert claim.interval == (deciding.measure.interval if deciding else None)
    assert claim.cases == (100 if deciding else 0)


def test_a_claim_tells_numbers_interval_cases_and_what_was_wanted() -> None:
    text = str(Claim("name", "Section 1", "It is so.", (GOOD,), ("a remark",)))
    assert text == (
        "[holds] It is so. (Section 1)\n"
        "  it: 0.150 (0.100 to 0.200), wanted above 0; 100 cases of 20 users: holds\n"
        "  a remark"
    )
