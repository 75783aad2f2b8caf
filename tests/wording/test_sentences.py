"""Sentences for the person they concern: the record decides every word."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.core.explainers.question import KINDS, Kind
from counterec.errors import CounterecError
from counterec.wording import AnswerRecord, AudienceRecord, Change, Record, RerankingRecord, sentence
from tests.wording.records import (
    BETTER,
    GONE,
    MISSES,
    NEW,
    SLIGHTLY_BETTER,
    SLIGHTLY_WORSE,
    UNDER,
    WORSE,
    answer,
    audience,
    largest,
    reranking,
)

PAPER = Change("battery", 3.0, 2.099)
PRICE_GONE = Change("price", 3.0, 0.0)
ZOOM = Change("zoom", 0.0, 3.0)

EXPLAINED: list[tuple[Record, str]] = [
    (
        answer("why", PAPER),
        "If the battery of Phone A had been slightly worse (3.0 → 2.1 of 5), it would not be recommended.",
    ),
    (
        answer("why", UNDER),
        "If the sound of Phone A had been worse (3.0 → under 1.0 of 5), it would not be recommended.",
    ),
    (
        answer("why", GONE),
        "If Phone A had not been reviewed on camera (now 3.0 of 5), it would not be recommended.",
    ),
    (
        answer("why", SLIGHTLY_WORSE, WORSE),
        "If Phone A had been worse on battery (4.5 → 1.2 of 5) and slightly worse on screen (4.0 → 3.5 of 5), "
        "it would not be recommended.",
    ),
    (
        answer("why", GONE, PRICE_GONE, SLIGHTLY_WORSE),
        "If Phone A had been slightly worse on screen (4.0 → 3.5 of 5) and had not been reviewed on camera (now 3.0 "
        "of 5) "
        "or price (now 3.0 of 5), it would not be recommended.",
    ),
    (
        answer("why_not", BETTER),
        "If the battery of Phone A had been better (2.0 → 4.1 of 5), it would be recommended.",
    ),
    (
        answer("why_not", NEW),
        "If Phone A had been reviewed on camera (and rated 4.2 of 5), it would be recommended.",
    ),
    (
        answer("why_not", BETTER, NEW, ZOOM),
        "If Phone A had been better on battery (2.0 → 4.1 of 5) and had been reviewed on camera (and rated 4.2 of 5) "
        "and "
        "zoom (and rated 3.0 of 5), it would be recommended.",
    ),
    (
        answer("why_rather", WORSE),
        "If the battery of Phone A had been worse (4.5 → 1.2 of 5), Phone B would be ahead of it.",
    ),
    (
        answer("why_rather_takes", WORSE),
        "If Phone A were only as good as Phone B on battery (4.5 → 1.2 of 5), Phone B would be ahead of it.",
    ),
    (
        answer("why_rather_takes", GONE, PRICE_GONE),
        "If Phone A had, like Phone B, not been reviewed on camera (now 3.0 of 5) or price (now 3.0 of 5), "
        "Phone B would be ahead of it.",
    ),
    (
        audience(BETTER),
        "If the battery of Phone B had been better (2.0 → 4.1 of 5), it would enter the lists of 37 of 120 users.",
    ),
    (
        audience(SLIGHTLY_BETTER, NEW, had_it=10, kept_it=8),
        "If Phone B had been slightly better on screen (4.0 → 4.5 of 5) and had been reviewed on camera (and rated "
        "4.2 of 5), "
        "it would enter the lists of 37 of 120 users. 10 users already have Phone B; 8 would keep it and 2 would "
        "lose it.",
    ),
    (
        audience(BETTER, status="not_found", entered=12, had_it=1, kept_it=1),
        "No change was found that would bring Phone B into the lists of at least 30 of 120 users. If the battery of "
        "Phone B had been better (2.0 → 4.1 of 5), it would enter the lists of 12 of 120 users, fewer than the 30 "
        "wanted. "
        "1 user already has Phone B and would keep it.",
    ),
    (
        audience(BETTER, NEW, status="cannot_flip", goal="single", entered=12, had_it=2, kept_it=0),
        "It is proven that no change to a single aspect would bring Phone B into the lists of at least 30 of 120 "
        "users. If Phone B had "
        "been better on battery (2.0 → 4.1 of 5) and had been reviewed on camera (and rated 4.2 of 5), it would enter "
        "the lists "
        "of 12 of 120 users, fewer than the 30 wanted. 2 users already have Phone B, and all would lose it.",
    ),
    (
        audience(status="already_true", had_it=40, kept_it=40),
        "Phone B is already in the lists of 40 of 120 users.",
    ),
    (
        reranking(2, 7, PAPER, Change("price", 2.0, 4.0)),
        "With battery at 2.1 instead of 3.0 of 5 and price at 4.0 instead of 2.0 of 5, Phone A would move from "
        "position 2 to "
        "position 7, off the list of 5.",
    ),
    (
        reranking(1, 1, GONE),
        "Without reviews on camera (now 3.0 of 5), Phone A would stay at position 1, in the list of 5.",
    ),
]


@pytest.mark.parametrize(("record", "english"), EXPLAINED)
def test_what_is_said(record: Record, english: str) -> None:
    assert sentence(record) == english


MISSED: dict[str, dict[str, str]] = {
    "why": {
        "nothing_to_change": "Phone A has no aspect that may change, so no aspect can explain why it is in the list.",
        "cannot_flip": "It is proven that no allowed change to its aspects would take Phone A off the list.",
        "not_found": "No change was found that would take Phone A off the list.",
        "no_target": "There is too little else to recommend for Phone A to fall off the list.",
        "already_true": "Phone A is already below the list.",
        "failed": "The search for a change that would take Phone A off the list ended in an error.",
        "out_of_budget": "The search for a change that would take Phone A off the list "
        "ended early, its budget spent; none was found until then.",
    },
    "why_not": {
        "nothing_to_change": "Phone A has no aspect that may change, so no aspect can explain why it is not in the "
        "list.",
        "cannot_flip": "It is proven that no allowed change to its aspects would bring Phone A into the list.",
        "not_found": "No change was found that would bring Phone A into the list.",
        "no_target": "There is too little else to recommend for Phone A to be kept out of the list.",
        "already_true": "Phone A is already in the list.",
        "failed": "The search for a change that would bring Phone A into the list ended in an error.",
        "out_of_budget": "The search for a change that would bring Phone A into the list "
        "ended early, its budget spent; none was found until then.",
    },
    "why_rather": {
        "nothing_to_change": "Phone A has no aspect that may change, so no aspect can explain why it is ahead of "
        "Phone B.",
        "cannot_flip": "It is proven that no allowed change to the aspects of Phone A would put Phone B ahead of it.",
        "not_found": "No change to Phone A was found that would put Phone B ahead of it.",
        "no_target": "Phone A cannot be compared with Phone B here.",
        "already_true": "Phone B is already ahead of Phone A.",
        "failed": "The search for a change to Phone A that would put Phone B ahead of it ended in an error.",
        "out_of_budget": "The search for a change to Phone A that would put Phone B ahead of it "
        "ended early, its budget spent; none was found until then.",
    },
    "why_rather_takes": {
        "nothing_to_change": "Phone A is not better than Phone B on any aspect that may change.",
        "cannot_flip": "It is proven that matching Phone B on any combination of the aspects that may change would "
        "not put Phone A "
        "behind it.",
        "not_found": "No aspects were found on which matching Phone B would put Phone A behind it.",
        "no_target": "Phone A cannot be compared with Phone B here.",
        "already_true": "Phone B is already ahead of Phone A.",
        "failed": "The search for aspects on which matching Phone B would put Phone A behind it ended in an error.",
        "out_of_budget": "The search for aspects on which matching Phone B would put Phone A behind it "
        "ended early, its budget spent; none were found until then.",
    },
}


def test_what_is_said_of_the_best_that_a_search_met_before_it_ended() -> None:
    record = answer("why", WORSE, status="out_of_budget", score_before=3.0, score_after=1.0, target=2.0)
    flips = sentence(answer("why", WORSE))
    assert sentence(record) == f"{flips} The search ended early, its budget spent: a smaller change may do."
    with pytest.raises(CounterecError, match="does not cross"):
        answer("why", WORSE, status="out_of_budget", score_before=3.0, score_after=2.5, target=2.0)


@pytest.mark.parametrize("question", KINDS)
@pytest.mark.parametrize("status", MISSES)
def test_what_is_said_of_a_miss(question: Kind, status: str) -> None:
    assert sentence(answer(question, status=status)) == MISSED[question][status]


@pytest.mark.parametrize(
    ("question", "english"),
    [
        (
            "why",
            "It is proven that no change to a single aspect would take Phone A off the list.",
        ),
        (
            "why_not",
            "It is proven that no change to a single aspect would bring Phone A into the list.",
        ),
        (
            "why_rather",
            "It is proven that no change to a single aspect of Phone A would put Phone B ahead of it.",
        ),
        (
            "why_rather_takes",
            "It is proven that matching Phone B on any single aspect that may change would not put Phone A behind it.",
        ),
    ],
)
def test_what_is_proven_of_one_aspect_is_said_of_one_aspect(question: Kind, english: str) -> None:
    assert sentence(answer(question, status="cannot_flip", goal="single")) == english

    for status in MISSES:
        if status != "cannot_flip":
            single, minimal = (answer(question, status=status, goal=goal) for goal in ("single", "minimal"))
            assert sentence(single) == sentence(minimal)


def second(record: AnswerRecord) -> str:
    """What follows the explanation itself."""
    plain = answer("why_rather" if record.versus else "why", *record.changes)
    said = sentence(record)
    assert said.startswith(sentence(plain))
    return said.removeprefix(sentence(plain)).strip()


VERDICTS: list[tuple[bool | None, bool | None, str, str]] = [
    (None, None, "", ""),
    (
        True,
        True,
        "If no item had been reviewed on battery or camera, Phone A would leave the list; "
        "if items had been reviewed on nothing else, Phone A would stay in it.",
        "If no item had been reviewed on battery or camera, Phone A would no longer be ahead of Phone B; "
        "if items had been reviewed on nothing else, Phone A would stay ahead of Phone B.",
    ),
    (
        False,
        False,
        "Even if no item had been reviewed on battery or camera, Phone A would stay in the list; "
        "if items had been reviewed on nothing else, Phone A would not stay in it.",
        "Even if no item had been reviewed on battery or camera, Phone A would stay ahead of Phone B; "
        "if items had been reviewed on nothing else, Phone A would not stay ahead of Phone B.",
    ),
    (
        True,
        None,
        "If no item had been reviewed on battery or camera, Phone A would leave the list.",
        "If no item had been reviewed on battery or camera, Phone A would no longer be ahead of Phone B.",
    ),
    (
        None,
        True,
        "If items had been reviewed on nothing but battery and camera, Phone A would stay in the list.",
        "If items had been reviewed on nothing but battery and camera, Phone A would stay ahead of Phone B.",
    ),
    (
        None,
        False,
        "If items had been reviewed on nothing but battery and camera, Phone A would not stay in the list.",
        "If items had been reviewed on nothing but battery and camera, Phone A would not stay ahead of Phone B.",
    ),
]


@pytest.mark.parametrize(("necessary", "sufficient", "of_list", "of_other"), VERDICTS)
def test_verdicts_are_said_of_the_goal_complete(
    necessary: bool | None, sufficient: bool | None, of_list: str, of_other: str
) -> None:
    verdicts: dict[str, Any] = {"necessary": necessary, "sufficient": sufficient}
    assert second(answer("why", WORSE, GONE, goal="complete", **verdicts)) == of_list
    assert second(answer("why_rather", WORSE, GONE, goal="complete", **verdicts)) == of_other
    assert second(answer("why", WORSE, GONE, goal="minimal", **verdicts)) == ""
    assert second(answer("why", WORSE, GONE, goal="relaxed", **verdicts)) == ""


# Any record at all.

ASPECTS = ("battery", "price", "screen", "camera", "zoom")
VALUES = st.floats(1, 5, width=32) | st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0])


@st.composite
def some_changes(draw: st.DrawFn, question: str) -> list[Change]:
    raised = question in ("why_not", "audience")
    changes = []
    for aspect in draw(st.lists(st.sampled_from(ASPECTS), min_size=1, max_size=4, unique=True)):
        low, high = sorted(draw(st.tuples(VALUES | st.just(0.0) | st.floats(0, 1, width=32), VALUES)))
        if low == high:
            low = 0.0
        up = draw(st.booleans()) if question == "what_if" else raised
        changes.append(Change(aspect, low, high) if up else Change(aspect, high, low))
    return changes


@st.composite
def explained_records(draw: st.DrawFn) -> Record:
    question = draw(st.sampled_from((*KINDS, "audience", "what_if")))
    changes = draw(some_changes(question))
    match question:
        case "audience":
            entered, had = draw(st.integers(0, 60)), draw(st.integers(0, 60))
            wanted, kept = draw(st.integers(1, 60)), draw(st.integers(0, had))
            status = "explained" if entered >= wanted else "not_found"
            return AudienceRecord("Phone A", changes, status, 120, wanted, entered, had, kept)
        case "what_if":
            return RerankingRecord("Phone A", changes, draw(st.integers(1, 12)), draw(st.integers(1, 12)), 5)
        case _:
            return answer(question, *changes, goal=draw(st.sampled_from(["minimal", "complete"])))  # type: ignore[arg-type]


@given(explained_records())
def test_whatever_the_record(record: Record) -> None:
    said = sentence(record)
    assert said.endswith(".")
    assert said[0].isupper()
    assert not re.search(r"[{}]|  |None|\d,\d", said)
    assert record.item in said
    named = largest(record.changes)
    assert all(said.count(change.aspect) == (change in named) for change in record.changes)


@given(explained_records())
def test_slightly_only_of_what_is_slight(record: Record) -> None:
    """A degree holds for the aspects named from there to the next one."""
    english = sentence(record)
    matches = isinstance(record, AnswerRecord) and record.row.question == "why_rather_takes"
    if isinstance(record, RerankingRecord) or matches:
        assert not re.search("slightly|worse|better", english)
        return
    changes = largest(record.changes)
    slight = {change.aspect for change in changes if change.slight}
    assert ("slightly" in english) == bool(slight)
    english = english.split("No change was found")[-1]
    if len(record.changes) > 1:
        groups = re.findall(
            r"(slightly )?(?:worse|better) on (.*?)(?= and slightly|(?:, it|, Phone B) would| and had|, and 1 other)",
            english,
        )
        found = {bool(word): set(re.findall("|".join(ASPECTS), named)) for word, named in groups}
        assert found.get(True, set()) == slight
        assert found.get(False, set()) == {c.aspect for c in changes if c.moved and not c.slight}
    reviewed = re.search(r"had been reviewed on (.*?), (?:it|Phone B|and 1 other)", english)
    unreviewed = re.search(r"had not been reviewed on (.*?), (?:it|Phone B|and 1 other)", english)
    for match, kind in ((reviewed, "added"), (unreviewed, "removed")):
        named = set(re.findall("|".join(ASPECTS), match.group(1))) if match else set()
        assert named == {change.aspect for change in changes if getattr(change, kind)}


@given(explained_records())
def test_numbers_that_differ_are_shown_to_differ(record: Record) -> None:
    for before, after in re.findall(r"\((\S+) → ([^)]+)\)", sentence(record)):
        assert before != after
    under = [change for change in largest(record.changes) if 0 < change.after < 1 and not 0 < change.before < 1]
    assert sentence(record).count("under 1.0") == len(under)
