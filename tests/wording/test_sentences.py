"""Sentences: every word decided by the row, and never two numbers that look the same."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from counterec.core.explainers.answer import Status
from counterec.wording.sentences import NO_EXPLANATION, SLIGHT, Change, status_sentence, why_sentence


def battery(before: float, after: float, **scale: float) -> Change:
    return Change("battery", before, after, **scale)


def test_the_paper_s_sentence() -> None:
    assert why_sentence("Phone A", [battery(3.0, 2.099)]) == (
        "If the battery of Phone A had been slightly worse (3.0 → 2.1), it would not be recommended."
    )


def test_a_large_change_is_not_slight() -> None:
    assert why_sentence("Phone A", [battery(4.5, 1.2)]) == (
        "If the battery of Phone A had been worse (4.5 → 1.2), it would not be recommended."
    )


def test_an_aspect_that_is_gone() -> None:
    assert why_sentence("Phone A", [battery(4.5, 0.0)]) == (
        "If Phone A had not been reviewed on battery (now 4.5), it would not be recommended."
    )


def test_several_aspects() -> None:
    changes = [battery(4.5, 1.2), Change("price", 3.0, 1.5), Change("screen", 4.0, 3.5), Change("camera", 2.0, 1.9)]
    assert why_sentence("Phone A", changes[:2]) == (
        "If Phone A had been worse on battery (4.5 → 1.2) and price (3.0 → 1.5), it would not be recommended."
    )
    assert why_sentence("Phone A", changes[2:]) == (
        "If Phone A had been slightly worse on screen (4.0 → 3.5) and camera (2.0 → 1.9), it would not be recommended."
    )
    assert why_sentence("Phone A", changes[1:3]) == (
        "If Phone A had been worse on price (3.0 → 1.5) and slightly worse on screen (4.0 → 3.5), "
        "it would not be recommended."
    )
    three = [battery(4.5, 1.2), Change("price", 3.0, 1.5), Change("screen", 4.0, 1.0)]
    assert "worse on battery (4.5 → 1.2), price (3.0 → 1.5) and screen (4.0 → 1.0)," in why_sentence("Phone A", three)


def test_several_that_are_gone_and_some_that_are_not() -> None:
    changes = [battery(4.5, 0.0), Change("price", 3.0, 0.0), Change("screen", 4.0, 3.5)]
    assert why_sentence("Phone A", changes) == (
        "If Phone A had been slightly worse on screen (4.0 → 3.5) and had not been reviewed on battery (now 4.5) "
        "or price (now 3.0), it would not be recommended."
    )
    assert why_sentence("Phone A", changes[:2]).startswith("If Phone A had not been reviewed on battery (now 4.5) or ")


def test_slightly_is_under_a_quarter_of_the_scale() -> None:
    assert SLIGHT == 0.25
    assert "slightly" in why_sentence("A", [battery(4.0, 3.01)])
    assert "slightly" not in why_sentence("A", [battery(4.0, 3.0)])
    assert "slightly" in why_sentence("A", [battery(4.0, 2.0, span=10)])
    assert "slightly" not in why_sentence("A", [battery(0.9, 0.6, span=1)])


@given(st.floats(1, 5, width=32), st.floats(0, 5, width=32))
def test_two_numbers_that_differ_are_shown_to_differ(before: float, after: float) -> None:
    assume(0 < after < before)
    sentence = why_sentence("A", [battery(before, after)])
    shown = re.findall(r"(?:under )?[\d.]+", sentence[: sentence.index(")")])
    assert shown[0] != shown[1]
    assert ("under 1.0" in shown) == (after < 1)
    assert ("slightly" in sentence) == (before - after < 1.0)
    for digits in (1, 2):
        first, second = battery(before, after).shown(digits)
        assert first != second
        assert float(first) == pytest.approx(before, abs=10.0**-digits)


def test_as_few_digits_as_it_takes() -> None:
    assert battery(3.0, 2.1).shown() == ("3.0", "2.1")
    assert battery(3.0, 2.98).shown() == ("3.00", "2.98")
    assert battery(3.0, 2.9999).shown() == ("3.0000", "2.9999")
    least = float(np.nextafter(np.float32(3), np.float32(0)))
    assert battery(3.0, least).shown() == ("3.0000000", "2.9999998")
    assert battery(3.0, 2.1).shown(digits=2) == ("3.00", "2.10")


def test_absent_is_what_the_scale_says_it_is() -> None:
    assert battery(3.0, -1.0, absent=-1.0).removed
    assert not battery(3.0, 0.0, absent=-1.0).removed


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.EXPLAINED])
def test_every_status_has_a_sentence_that_names_the_item(status: Status) -> None:
    sentence = status_sentence("Phone {A}", status.label)
    assert "Phone {A}" in sentence
    assert sentence.endswith(".")
    assert sentence[0].isupper()


def test_no_two_statuses_say_the_same() -> None:
    assert len(set(NO_EXPLANATION.values())) == len(Status) - 1
