"""Where nothing was found: what came nearest, and what may help, but only what applies."""

from __future__ import annotations

from typing import Any

import pytest

from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.question import KINDS, Kind
from counterec.wording import AnswerRecord, sentence
from tests.wording.records import (
    BETTER,
    COMPLAINTS,
    FIRST_PRAISE,
    ONE_COMPLAINT,
    PRAISES,
    SILENCE,
    STRICT,
    WORSE,
    answer,
    audience,
)


def missed(question: Kind, *changes: Any, **more: Any) -> AnswerRecord:
    return answer(question, *changes, status="not_found", **more)


SAID = [
    (
        missed("why", COMPLAINTS, ONE_COMPLAINT, position=1, position_after=3),
        "What comes nearest: even with 3 more complaints about its battery (4.5 → 2.1 of 5; 16 opinions so far) and 1 "
        "more about its screen (3.9 → 3.0 of 5; 1 opinion so far), it would still be at position 3.",
    ),
    (
        missed("why", SILENCE),
        "What comes nearest: even if nobody had reviewed its camera (now 4.5 of 5 from 16 opinions), it would still "
        "be in the list.",
    ),
    (
        missed("why_not", FIRST_PRAISE, position=12, position_after=9),
        "What comes nearest: even if 1 person praised its sound, which nobody mentions yet (→ 3.9 of 5), it would "
        "still be only at position 9.",
    ),
    (
        missed("why_not", BETTER),
        "What comes nearest: even if Phone A had been better on battery (2.0 → 4.1 of 5), it would still be below the "
        "list.",
    ),
    (
        missed("why_rather_takes", WORSE),
        "What comes nearest: even if Phone A were only as good as Phone B on battery (4.5 → 1.2 of 5), Phone B would "
        "still not be ahead.",
    ),
    (
        missed("why", WORSE, score_before=3.0, score_after=1.99995, target=2.0),
        "What comes nearest: even if Phone A had been worse on battery (4.5 → 1.2 of 5), the difference would be too "
        "small to count.",
    ),
]


@pytest.mark.parametrize(("record", "english"), SAID)
def test_what_came_nearest(record: AnswerRecord, english: str) -> None:
    nothing = sentence(answer(record.row.question, status="not_found"))
    assert sentence(record) == f"{nothing} {english}"


HELP = {
    "values": "allowing any value, not only those that reviews can give",
    "unreviewed_beyond": "supposing that an aspect has no reviews",
    "masked": "also changing aspects that the user has never mentioned",
    "keep": "letting price and zoom change",
    "bounds": "wider limits for sound and zoom",
    "most": "changing more than 1 aspect",
    "goal": "changing several aspects at once",
}


@pytest.mark.parametrize(
    ("limits", "helps"),
    [
        ({}, []),
        ({"values": "reachable"}, ["values"]),
        ({"values": "reachable", "unreviewed_beyond": "never"}, ["values", "unreviewed_beyond"]),
        ({"unreviewed_beyond": "never"}, []),
        ({"masked": True}, ["masked"]),
        ({"keep": ("price", "zoom")}, ["keep"]),
        ({"lowest": {"sound": 2.0}, "highest": {"sound": 4.0, "zoom": 4.0}}, ["bounds"]),
        ({"most": 1}, ["most"]),
        ({"costs": {"price": 2.0}}, []),
    ],
)
@pytest.mark.parametrize("status", ["not_found", "cannot_flip", "nothing_to_change"])
def test_only_what_applies_may_help(limits: dict[str, Any], helps: list[str], status: str) -> None:
    constraints = Constraints(**{"values": "continuous", **limits})
    record = answer("why", status=status, constraints=constraints)
    bare = sentence(answer("why", status=status))
    expected = f" What may help: {'; '.join(HELP[name] for name in helps)}." if helps else ""
    assert sentence(record) == bare + expected


@pytest.mark.parametrize("question", KINDS)
def test_no_advice_where_there_is_an_answer_or_nothing_can_help(question: Kind) -> None:
    change = PRAISES if question == "why_not" else COMPLAINTS
    helped = "What may help"
    assert helped not in sentence(answer(question, change, constraints=STRICT))
    for status in ("no_target", "already_true", "failed"):
        assert helped not in sentence(answer(question, status=status, constraints=STRICT))
    assert helped in sentence(answer(question, status="not_found", constraints=STRICT))
    assert helped not in sentence(answer(question, status="not_found")), "what was asked is not known"


def test_an_audience() -> None:
    record = audience(PRAISES, status="not_found", entered=12, constraints=Constraints(masked=True))
    assert sentence(record) == (
        "No change was found that would bring Phone B into the lists of at least 30 of 120 users. With 2 more people "
        "praising its battery (3.0 → 4.5 of 5; 6 opinions so far), Phone B would enter the lists of 12 of 120 users, "
        "fewer than the 30 wanted. What may help: allowing any value, not only those that reviews can give; also "
        "changing aspects that none of these users has mentioned."
    )


@pytest.mark.parametrize("question", KINDS)
def test_what_is_proven_is_said_to_be(question: Kind) -> None:
    for goal in ("minimal", "single"):
        record = answer(question, status="cannot_flip", goal=goal)
        assert sentence(record).startswith("It is proven that ")

        assert "proven" not in sentence(answer(question, status="not_found", goal=goal))
