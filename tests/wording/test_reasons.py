"""The shopper's reason: it claims only what was verified, and names no aspect that nobody would give as a reason."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.core.explainers.question import KINDS, Kind
from counterec.wording import AnswerRecord, Change, reason
from tests.wording.records import (
    BETTER,
    COMPLAINTS,
    FIRST_PRAISES,
    MANY_SILENT,
    MISSES,
    PRAISES,
    SILENCE,
    SLIGHTLY_WORSE,
    WORSE,
    answer,
    counted,
    hair,
    largest,
)

TIDE = {"instead": "Tide"}

SAID: list[tuple[AnswerRecord, str]] = [
    (
        answer("why", COMPLAINTS, equal_sets=0, **TIDE),
        "Recommended mainly for its battery; if its battery were worse, Tide would be in your list instead.",
    ),
    (
        answer("why", counted("strings", 9, 7, -1), equal_sets=2, **TIDE),
        "Recommended among other things for its strings; if its strings were worse, Tide would be in your list "
        "instead.",
    ),
    (
        answer("why", SILENCE, equal_sets=0, **TIDE),
        "Recommended mainly for its camera; if nobody had reviewed its camera, Tide would be in your list instead.",
    ),
    (
        answer("why", SILENCE, COMPLAINTS, equal_sets=0),
        "Recommended mainly for its camera and battery; if its battery were worse and nobody had reviewed its camera, "
        "this item would not be in your list.",
    ),
    (
        answer("why", *MANY_SILENT[:4], equal_sets=0),
        "Recommended mainly for its room, bed, staff and 1 other aspect; if nobody had reviewed any of those aspects, "
        "this item would not be in your list.",
    ),
    (
        answer("why", *MANY_SILENT, COMPLAINTS, equal_sets=0),
        "Recommended mainly for its room, bed, staff and 4 other aspects; if some of those aspects were worse and "
        "nobody had reviewed the others, this item would not be in your list.",
    ),
    (
        answer("why_not", PRAISES, FIRST_PRAISES),
        "Not in your list; it would be if its battery were better and people praised its camera.",
    ),
    (
        answer("why_rather", COMPLAINTS, equal_sets=0),
        "Ahead of Phone B mainly for its battery; if its battery were worse, Phone B would be ahead.",
    ),
    (
        answer("why_rather_takes", SLIGHTLY_WORSE, equal_sets=4),
        "Ahead of Phone B among other things for its screen; if its screen were only as good as with Phone B, Phone B "
        "would be ahead.",
    ),
]


@pytest.mark.parametrize(("record", "english"), SAID)
def test_what_is_said(record: AnswerRecord, english: str) -> None:
    assert reason(record) == english


def test_mainly_only_where_no_other_set_of_that_size_flips() -> None:
    assert "mainly" in reason(answer("why", WORSE, equal_sets=0))
    for unknown in (None, 1, 9):
        assert "mainly" not in reason(answer("why", WORSE, equal_sets=unknown))
        assert "among other things for its battery" in reason(answer("why", WORSE, equal_sets=unknown))


def test_by_a_hair_no_aspect_is_the_reason() -> None:
    assert reason(hair("why", COMPLAINTS, equal_sets=0, **TIDE)) == (
        "Recommended, but only just: Tide is almost as good a match for you."
    )
    assert "the next best is almost as good" in reason(hair("why", COMPLAINTS))
    assert "mainly for its battery" in reason(hair("why", COMPLAINTS, equal_sets=0, spread=0.4))
    assert "mainly for its battery" in reason(hair("why", COMPLAINTS, equal_sets=0, spread=None))


def test_an_aspect_under_the_middle_is_no_reason() -> None:
    bad = counted("microphone", 1, 2, -3)
    general = "Recommended because, all in all, it is a better match for you than Tide."
    assert reason(answer("why", bad, equal_sets=0, **TIDE)) == general
    assert reason(answer("why", COMPLAINTS, bad, equal_sets=0, **TIDE)) == general
    middling = counted("microphone", 2, 2, -3)
    assert "mainly for its microphone" in reason(answer("why", middling, equal_sets=0))
    dear = Change("price", 60.0, 80.0, span=90.0, low=10.0, low_is_worse=False, absent=999.0)
    cheap = Change("price", 50.0, 80.0, span=90.0, low=10.0, low_is_worse=False, absent=999.0)
    assert "price" not in reason(answer("why", dear))
    assert "price" in reason(answer("why", cheap))
    assert "microphone" in reason(answer("why_not", counted("microphone", 1, 2, 3))), "what is bad is to get better"


@pytest.mark.parametrize("question", KINDS)
@pytest.mark.parametrize("status", MISSES)
def test_without_an_explanation_no_aspect_is_named(question: Kind, status: str) -> None:
    nearest = [] if status not in ("not_found", "cannot_flip") else [BETTER if question == "why_not" else WORSE]
    said = reason(answer(question, *nearest, status=status, goal="single"))
    assert said.endswith(".")
    assert said[0].isupper()
    assert "battery" not in said
    assert ("Phone B" in said) == question.startswith("why_rather")


ASPECTS = ("battery", "strings", "service", "front desk", "value for money")


@given(
    aspects=st.lists(st.sampled_from(ASPECTS), min_size=1, max_size=4, unique=True),
    counts=st.lists(st.tuples(st.integers(1, 30), st.integers(0, 12)), min_size=4, max_size=4),
    down=st.lists(st.integers(1, 8) | st.none(), min_size=4, max_size=4),
    gap=st.integers(0, 16).map(lambda steps: steps / 256),
    equal_sets=st.none() | st.integers(0, 3),
)
def test_whatever_the_record(
    aspects: list[str],
    counts: list[tuple[int, int]],
    down: list[int | None],
    gap: float,
    equal_sets: int | None,
) -> None:
    changes = [
        counted(aspect, praises, complaints, None if steps is None else praises - complaints - steps)
        for aspect, (praises, complaints), steps in zip(aspects, counts, down, strict=False)
        if abs(praises - complaints) < 8
    ]
    if not changes:
        return
    scores = {"score_before": 2.0 + gap, "score_after": 1.0, "target": 2.0, "spread": 1.0}
    record = answer("why", *changes, equal_sets=equal_sets, **scores, **TIDE)
    named = gap >= 0.01 and all(change.before >= 3 for change in changes)
    said = reason(record)
    assert not re.search(r"[{}]|  |None", said)
    assert "Tide" in said
    of_many = largest(changes)
    assert all((change.aspect in said) == (named and change in of_many) for change in changes)
    assert ("mainly" in said) == (named and equal_sets == 0)
    worse = [change for change in changes if not change.removed]
    slightly = bool(worse) and all(change.slight for change in worse)
    assert ("slightly" in said) == (named and slightly)
