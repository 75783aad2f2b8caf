"""Counterfactuals in reviews: how many opinions a change takes, and how many stand behind the value."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.core.explainers.question import KINDS
from counterec.wording import AnswerRecord, AudienceRecord, Change, Record, RerankingRecord, reason, sentence
from tests.wording.records import (
    COMPLAINTS,
    FIRST_PRAISES,
    LADDER,
    ONE_COMPLAINT,
    ONE_PRAISE,
    ONE_SILENT,
    PRAISES,
    SILENCE,
    WORSE,
    answer,
    audience,
    counted,
    every_record,
    hair,
    largest,
    reranking,
)

SAID: list[tuple[Record, str]] = [
    (
        answer("why", COMPLAINTS),
        "With 3 more complaints about its battery (4.5 → 2.1 of 5; 16 opinions so far), Phone A would not be "
        "recommended.",
    ),
    (
        answer("why", COMPLAINTS, counted("value for money", 5, 1, 2)),
        "With 3 more complaints about its battery (4.5 → 2.1 of 5; 16 opinions so far) and 2 more about its value for "
        "money (4.9 → 4.5 of 5; 6 opinions so far), Phone A would not be recommended.",
    ),
    (
        answer("why", SILENCE),
        "If nobody had reviewed its camera (now 4.5 of 5 from 16 opinions), Phone A would not be recommended.",
    ),
    (
        answer("why", SILENCE, ONE_SILENT, COMPLAINTS),
        "With 3 more complaints about its battery (4.5 → 2.1 of 5; 16 opinions so far) and no reviews of its "
        "camera (now 4.5 of 5 from 16 opinions) or its sound (now 3.9 of 5 from 1 opinion), Phone A would not be "
        "recommended.",
    ),
    (
        answer("why_not", PRAISES),
        "With 2 more people praising its battery (3.0 → 4.5 of 5; 6 opinions so far), Phone A would be recommended.",
    ),
    (
        answer("why_not", FIRST_PRAISES),
        "If 2 people praised its camera, which nobody mentions yet (→ 4.5 of 5), Phone A would be recommended.",
    ),
    (
        answer("why_rather", COMPLAINTS),
        "With 3 more complaints about its battery (4.5 → 2.1 of 5; 16 opinions so far), Phone A would fall behind "
        "Phone B.",
    ),
    (
        answer("why_rather_takes", COMPLAINTS, SILENCE),
        "If Phone A were only as good as Phone B on battery (4.5 → 2.1 of 5; that is 3 more complaints; 16 opinions so "
        "far) and had, like Phone B, not been reviewed on camera (now 4.5 of 5 from 16 opinions), Phone B would be "
        "ahead of it.",
    ),
    (
        reranking(2, 7, COMPLAINTS),
        "With battery at 2.1 instead of 4.5 of 5 (that is 3 more complaints; 16 opinions so far), Phone A would move "
        "from position 2 to position 7, off the list of 5.",
    ),
    (
        reranking(1, 1, Change("zoom", 3.0, 2.5, praises=1, complaints=1)),
        "With zoom at 2.5 instead of 3.0 of 5 (no number of reviews gives exactly that; 2 opinions so far), Phone A "
        "would stay at position 1, in the list of 5.",
    ),
]


@pytest.mark.parametrize(("record", "english"), SAID)
def test_what_is_said(record: Record, english: str) -> None:
    assert sentence(record) == english


@pytest.mark.parametrize(
    ("change", "meaning"),
    [
        (PRAISES, "that is 2 more positive opinions; 6 opinions so far"),
        (ONE_PRAISE, "that is 1 more positive opinion; 6 opinions so far"),
        (ONE_COMPLAINT, "that is 1 more complaint; 1 opinion so far"),
        (FIRST_PRAISES, "4.5 of 5; that is 2 positive opinions"),
        (counted("zoom", 0, 0, 0), "3.0 of 5; that is as many positive opinions as complaints"),
        (counted("zoom", 0, 0, -1), "2.1 of 5; that is 1 complaint"),
    ],
)
def test_what_a_given_value_means(change: Change, meaning: str) -> None:
    assert f"({meaning})" in sentence(reranking(2, 7, change))


def test_by_a_hair_is_said_first() -> None:
    said = sentence(hair("why", COMPLAINTS, instead="Phone B"))
    assert said.startswith("Phone A is in the list only by a hair, just ahead of Phone B. With 3 more complaints")
    assert sentence(hair("why", COMPLAINTS)).startswith("Phone A is in the list only by a hair. With")
    assert sentence(hair("why_not", PRAISES)).startswith("Phone A misses the list only by a hair. With")
    assert sentence(hair("why_rather", WORSE)).startswith("Phone A is ahead of Phone B only by a hair. If")

    assert "hair" not in sentence(hair("why", COMPLAINTS, spread=0.1))


ASPECTS = ("battery", "strings", "service", "front desk", "value for money")
COUNTS = st.tuples(st.integers(0, 40), st.integers(0, 40))


@st.composite
def counted_changes(draw: st.DrawFn, raised: bool | None) -> list[Change]:
    """Changes of counted aspects; None: in any direction."""
    changes = []
    for aspect in draw(st.lists(st.sampled_from(ASPECTS), min_size=1, max_size=4, unique=True)):
        praises, complaints = draw(COUNTS)
        up = draw(st.booleans()) if raised is None else raised
        if not up and not praises + complaints:
            praises = 1
        if up and not praises + complaints:
            changes.append(counted(aspect, 0, 0, draw(st.integers(1, 6))))
        elif not up and draw(st.booleans()):
            changes.append(counted(aspect, praises, complaints, None))
        else:
            balance = draw(st.integers(-17, 17))
            now, then = LADDER.value(praises - complaints), LADDER.value(balance)
            if now != then and (now < then) == up:
                changes.append(counted(aspect, praises, complaints, balance))
    return changes or [counted("battery", 0, 0, 2) if raised is not False else counted("battery", 1, 0, -1)]


@st.composite
def counted_records(draw: st.DrawFn) -> Record:
    question: Any = draw(st.sampled_from((*KINDS, "audience", "what_if")))
    if question == "audience":
        return audience(*draw(counted_changes(True)))
    if question == "what_if":
        return reranking(draw(st.integers(1, 9)), draw(st.integers(1, 9)), *draw(counted_changes(None)))
    status = draw(st.sampled_from(["explained", "not_found"]))
    return answer(question, *draw(counted_changes(question == "why_not")), status=status)


@given(counted_records())
def test_whatever_the_record(record: Record) -> None:
    matches = isinstance(record, AnswerRecord) and record.row.question == "why_rather_takes"
    said = sentence(record)
    assert said.endswith(".")
    assert not re.search(r"[{}]|  |None|\d,\d|slightly", said)
    named = largest(record.changes)
    assert all(said.count(change.aspect) == (change in named) for change in record.changes)
    for before, after in re.findall(r"\((\S+) → (\S+) of 5", said):
        assert before != after
    for change in named:
        if change.opinions and change.opinions > 1:
            assert f"{change.opinions} opinions" in said
        if change.more and (isinstance(record, RerankingRecord) or matches):
            assert re.search(rf"that is {abs(change.more)} (more )?(complaint|positive opinion)s?\b", said)
        elif change.more:
            assert re.search(rf"\b{abs(change.more)} (more|person|people|praising)\b", said)
    assert not re.search(r"\b1 (more )?(complaints|people|positive opinions|opinions)\b", said)


@given(counted_records())
def test_unreviewed_is_worded_differently(record: Record) -> None:
    if isinstance(record, AudienceRecord | RerankingRecord) or record.row.question in ("why_not", "why_rather_takes"):
        return
    gone = any(change.removed for change in largest(record.changes))
    assert bool(re.search("nobody had reviewed|no reviews of", sentence(record))) == gone


ENGINEERS = r"\b(delta|margins?|flip\w*|scores?|candidates?|targets?|rung|ladder|absent|reachable|continuous|status)\b"


def test_no_sentence_for_a_person_uses_the_engineer_s_words() -> None:
    for record in every_record():
        assert not re.search(ENGINEERS, sentence(record), re.IGNORECASE)
        if isinstance(record, AnswerRecord):
            assert not re.search(ENGINEERS, reason(record), re.IGNORECASE)
