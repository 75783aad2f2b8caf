"""Sentences for the one they are about: every word decided by the row, in every language."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.errors import UsageError
from counterec.wording import Change, Told, ToldAudience, ToldRanking, languages, sentence
from counterec.wording.record import QUESTIONS, Asked
from tests.wording.rows import (
    BETTER,
    GONE,
    MISSES,
    NEW,
    OVER,
    SLIGHTLY_BETTER,
    SLIGHTLY_WORSE,
    UNDER,
    WORSE,
    AnyTold,
    audience,
    every_told,
    ranking,
    told,
)

PAPER = Change("battery", 3.0, 2.099)
PRICE = Change("price", 3.0, 1.5)
PRICE_GONE = Change("price", 3.0, 0.0)
ZOOM = Change("zoom", 0.0, 3.0)

EXPLAINED: list[tuple[AnyTold, str, str]] = [
    (
        told("why", PAPER),
        "If the battery of Phone A had been slightly worse (3.0 → 2.1), it would not be recommended.",
        "Phone A würde nicht empfohlen, wenn die Bewertung für battery etwas schlechter wäre (3,0 → 2,1).",
    ),
    (
        told("why", WORSE),
        "If the battery of Phone A had been worse (4.5 → 1.2), it would not be recommended.",
        "Phone A würde nicht empfohlen, wenn die Bewertung für battery schlechter wäre (4,5 → 1,2).",
    ),
    (
        told("why", UNDER),
        "If the sound of Phone A had been worse (3.0 → under 1.0), it would not be recommended.",
        "Phone A würde nicht empfohlen, wenn die Bewertung für sound schlechter wäre (3,0 → unter 1,0).",
    ),
    (
        told("why", OVER),
        "If the noise of Phone A had been worse (4.0 → over 5.0), it would not be recommended.",
        "Phone A würde nicht empfohlen, wenn die Bewertung für noise schlechter wäre (4,0 → über 5,0).",
    ),
    (
        told("why", GONE),
        "If Phone A had not been reviewed on camera (now 3.0), it would not be recommended.",
        "Phone A würde nicht empfohlen, wenn es keine Bewertung für camera (jetzt 3,0) gäbe.",
    ),
    (
        told("why", WORSE, PRICE),
        "If Phone A had been worse on battery (4.5 → 1.2) and price (3.0 → 1.5), it would not be recommended.",
        "Phone A würde nicht empfohlen, wenn die Bewertungen für battery (4,5 → 1,2) und price (3,0 → 1,5) "
        "schlechter wären.",
    ),
    (
        told("why", SLIGHTLY_WORSE, WORSE),
        "If Phone A had been worse on battery (4.5 → 1.2) and slightly worse on screen (4.0 → 3.5), "
        "it would not be recommended.",
        "Phone A würde nicht empfohlen, wenn die Bewertung für battery (4,5 → 1,2) schlechter wäre und die Bewertung "
        "für screen (4,0 → 3,5) etwas schlechter wäre.",
    ),
    (
        told("why", WORSE, PRICE, UNDER),
        "If Phone A had been worse on battery (4.5 → 1.2), price (3.0 → 1.5) and sound (3.0 → under 1.0), "
        "it would not be recommended.",
        "Phone A würde nicht empfohlen, wenn die Bewertungen für battery (4,5 → 1,2), price (3,0 → 1,5) und "
        "sound (3,0 → unter 1,0) schlechter wären.",
    ),
    (
        told("why", GONE, PRICE_GONE, SLIGHTLY_WORSE),
        "If Phone A had been slightly worse on screen (4.0 → 3.5) and had not been reviewed on camera (now 3.0) "
        "or price (now 3.0), it would not be recommended.",
        "Phone A würde nicht empfohlen, wenn die Bewertung für screen (4,0 → 3,5) etwas schlechter wäre und es keine "
        "Bewertung für camera (jetzt 3,0) oder price (jetzt 3,0) gäbe.",
    ),
    (
        told("why_not", BETTER),
        "If the battery of Phone A had been better (2.0 → 4.1), it would be recommended.",
        "Phone A würde empfohlen, wenn die Bewertung für battery besser wäre (2,0 → 4,1).",
    ),
    (
        told("why_not", SLIGHTLY_BETTER),
        "If the screen of Phone A had been slightly better (4.0 → 4.5), it would be recommended.",
        "Phone A würde empfohlen, wenn die Bewertung für screen etwas besser wäre (4,0 → 4,5).",
    ),
    (
        told("why_not", NEW),
        "If Phone A had been reviewed on camera (and rated 4.2), it would be recommended.",
        "Phone A würde empfohlen, wenn es eine Bewertung für camera (mit 4,2) gäbe.",
    ),
    (
        told("why_not", BETTER, NEW, ZOOM),
        "If Phone A had been better on battery (2.0 → 4.1) and had been reviewed on camera (and rated 4.2) and "
        "zoom (and rated 3.0), it would be recommended.",
        "Phone A würde empfohlen, wenn die Bewertung für battery (2,0 → 4,1) besser wäre und es Bewertungen für "
        "camera (mit 4,2) und zoom (mit 3,0) gäbe.",
    ),
    (
        told("why_rather", WORSE),
        "If the battery of Phone A had been worse (4.5 → 1.2), Phone B would be ahead of it.",
        "Wenn bei Phone A die Bewertung für battery schlechter wäre (4,5 → 1,2), läge Phone B davor.",
    ),
    (
        told("why_rather", SLIGHTLY_WORSE, GONE),
        "If Phone A had been slightly worse on screen (4.0 → 3.5) and had not been reviewed on camera (now 3.0), "
        "Phone B would be ahead of it.",
        "Wenn bei Phone A die Bewertung für screen (4,0 → 3,5) etwas schlechter wäre und es keine Bewertung für "
        "camera (jetzt 3,0) gäbe, läge Phone B davor.",
    ),
    (
        told("why_rather_takes", WORSE),
        "If Phone A were only as good as Phone B on battery (4.5 → 1.2), Phone B would be ahead of it.",
        "Wenn Phone A bei battery (4,5 → 1,2) nur so gut wie Phone B wäre, läge Phone B davor.",
    ),
    (
        told("why_rather_takes", WORSE, SLIGHTLY_WORSE, GONE),
        "If Phone A were only as good as Phone B on battery (4.5 → 1.2) and screen (4.0 → 3.5) and had, like Phone B, "
        "not been reviewed on camera (now 3.0), Phone B would be ahead of it.",
        "Wenn Phone A bei battery (4,5 → 1,2) und screen (4,0 → 3,5) nur so gut wie Phone B wäre und wie Phone B "
        "keine Bewertung für camera (jetzt 3,0) hätte, läge Phone B davor.",
    ),
    (
        told("why_rather_takes", GONE, PRICE_GONE),
        "If Phone A had, like Phone B, not been reviewed on camera (now 3.0) or price (now 3.0), "
        "Phone B would be ahead of it.",
        "Wenn Phone A wie Phone B keine Bewertung für camera (jetzt 3,0) oder price (jetzt 3,0) hätte, "
        "läge Phone B davor.",
    ),
    (
        audience(BETTER),
        "If the battery of Phone B had been better (2.0 → 4.1), it would enter the lists of 37 of 120 users.",
        "Phone B käme bei 37 von 120 Personen auf die Liste, wenn die Bewertung für battery besser wäre (2,0 → 4,1).",
    ),
    (
        audience(SLIGHTLY_BETTER, NEW, had_it=10, kept_it=8),
        "If Phone B had been slightly better on screen (4.0 → 4.5) and had been reviewed on camera (and rated 4.2), "
        "it would enter the lists of 37 of 120 users. 10 users have Phone B already; 8 would keep it and 2 would "
        "lose it.",
        "Phone B käme bei 37 von 120 Personen auf die Liste, wenn die Bewertung für screen (4,0 → 4,5) etwas besser "
        "wäre und es eine Bewertung für camera (mit 4,2) gäbe. Bei 10 Personen steht Phone B schon auf der Liste; das "
        "bliebe bei 8 so, bei 2 nicht.",
    ),
    (
        audience(NEW, asked=1, wanted=1, entered=1),
        "If Phone B had been reviewed on camera (and rated 4.2), it would enter the lists of 1 of 1 user.",
        "Phone B käme bei 1 von 1 Person auf die Liste, wenn es eine Bewertung für camera (mit 4,2) gäbe.",
    ),
    (
        audience(BETTER, status="not_found", entered=12, had_it=1, kept_it=1),
        "No change was found that brings Phone B into the lists of at least 30 of 120 users. If the battery of Phone B "
        "had been better (2.0 → 4.1), it would enter the lists of 12 of 120 users, fewer than the 30 wanted. "
        "1 user has Phone B already and would keep it.",
        "Es wurde keine Änderung gefunden, die Phone B bei mindestens 30 von 120 Personen auf die Liste brächte. "
        "Phone B käme nur bei 12 von 120 Personen auf die Liste (gewünscht: mindestens 30), wenn die Bewertung für "
        "battery besser wäre (2,0 → 4,1). Bei 1 Person steht Phone B schon auf der Liste, und das bliebe so.",
    ),
    (
        audience(BETTER, NEW, status="cannot_flip", goal="single", entered=12, had_it=2, kept_it=0),
        "No change of one aspect alone would bring Phone B into the lists of at least 30 of 120 users. If Phone B had "
        "been better on battery (2.0 → 4.1) and had been reviewed on camera (and rated 4.2), it would enter the lists "
        "of 12 of 120 users, fewer than the 30 wanted. 2 users have Phone B already, and all would lose it.",
        "Keine Änderung einer einzelnen Bewertung brächte Phone B bei mindestens 30 von 120 Personen auf die Liste. "
        "Phone B käme nur bei 12 von 120 Personen auf die Liste (gewünscht: mindestens 30), wenn die Bewertung für "
        "battery (2,0 → 4,1) besser wäre und es eine Bewertung für camera (mit 4,2) gäbe. Bei 2 Personen steht "
        "Phone B schon auf der Liste, und das bliebe bei keiner so.",
    ),
    (
        audience(status="already_true", had_it=40, kept_it=40),
        "Phone B is already in the lists of 40 of 120 users.",
        "Phone B steht schon bei 40 von 120 Personen auf der Liste.",
    ),
    (
        ranking(2, 7, PAPER, Change("price", 2.0, 4.0)),
        "With battery at 2.1 instead of 3.0 and price at 4.0 instead of 2.0, Phone A would move from position 2 to "
        "position 7, off the list of 5.",
        "Mit battery bei 2,1 statt 3,0 und price bei 4,0 statt 2,0 würde Phone A von Position 2 auf Position 7 und "
        "damit aus der Top-5-Liste fallen.",
    ),
    (
        ranking(9, 3, NEW),
        "With reviews on camera (rated 4.2), Phone A would enter the list of 5: from position 9 to position 3.",
        "Mit Bewertung für camera (4,2) würde Phone A von Position 9 auf Position 3 und damit in die Top-5-Liste "
        "steigen.",
    ),
    (
        ranking(1, 1, GONE),
        "Without reviews on camera (now 3.0), Phone A would stay at position 1, in the list of 5.",
        "Ohne Bewertung für camera (jetzt 3,0) bliebe Phone A auf Position 1, in der Top-5-Liste.",
    ),
    (
        ranking(9, 9, UNDER),
        "With sound at under 1.0 instead of 3.0, Phone A would stay at position 9, below the list of 5.",
        "Mit sound bei unter 1,0 statt 3,0 bliebe Phone A auf Position 9, unterhalb der Top-5-Liste.",
    ),
    (
        ranking(5, 2, BETTER, ZOOM, GONE),
        "With battery at 4.1 instead of 2.0, with reviews on zoom (rated 3.0) and without reviews on camera (now 3.0), "
        "Phone A would move from position 5 to position 2, within the list of 5.",
        "Mit battery bei 4,1 statt 2,0, mit Bewertung für zoom (3,0) und ohne Bewertung für camera (jetzt 3,0) würde "
        "Phone A innerhalb der Top-5-Liste von Position 5 auf Position 2 rücken.",
    ),
    (
        ranking(6, 8, WORSE),
        "With battery at 1.2 instead of 4.5, Phone A would move from position 6 to position 8, "
        "still below the list of 5.",
        "Mit battery bei 1,2 statt 4,5 würde Phone A unterhalb der Top-5-Liste von Position 6 auf Position 8 rücken.",
    ),
]


@pytest.mark.parametrize(("row", "english", "german"), EXPLAINED)
def test_what_is_said(row: AnyTold, english: str, german: str) -> None:
    assert sentence(row) == english
    assert sentence(row, "de") == german


MISSED: dict[str, dict[str, str]] = {
    "why": {
        "nothing_to_change": "Phone A has no aspect that may change, so none can be what keeps it in the list.",
        "cannot_flip": "No allowed change of its aspects would take Phone A off the list.",
        "not_found": "No change was found that takes Phone A off the list.",
        "no_target": "There are too few other candidates for Phone A to fall behind.",
        "already_true": "Phone A is already below the list.",
        "failed": "Asking what takes Phone A off the list ended in an error.",
    },
    "why_not": {
        "nothing_to_change": "Phone A has no aspect that may change, so none can be what keeps it out of the list.",
        "cannot_flip": "No allowed change of its aspects would bring Phone A into the list.",
        "not_found": "No change was found that brings Phone A into the list.",
        "no_target": "There are too few candidates for Phone A to be kept out of the list.",
        "already_true": "Phone A is already in the list.",
        "failed": "Asking what brings Phone A into the list ended in an error.",
    },
    "why_rather": {
        "nothing_to_change": "Phone A has no aspect that may change, so none can be what keeps it ahead of Phone B.",
        "cannot_flip": "No allowed change of the aspects of Phone A would put Phone B ahead of it.",
        "not_found": "No change of Phone A was found that puts Phone B ahead of it.",
        "no_target": "Phone B has no score for Phone A to fall behind.",
        "already_true": "Phone B is already ahead of Phone A.",
        "failed": "Asking what puts Phone B ahead of Phone A ended in an error.",
    },
    "why_rather_takes": {
        "nothing_to_change": "There is no aspect that may change and on which Phone A is better than Phone B.",
        "cannot_flip": "No values that Phone A may take over from Phone B would put Phone B ahead of it.",
        "not_found": "No values were found that Phone A could take over from Phone B and fall behind it.",
        "no_target": "Phone B has no score for Phone A to fall behind.",
        "already_true": "Phone B is already ahead of Phone A.",
        "failed": "Asking which values of Phone B would put Phone A behind it ended in an error.",
    },
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("status", MISSES)
def test_what_is_said_of_a_miss(question: Asked, status: str) -> None:
    assert sentence(told(question, status=status)) == MISSED[question][status]
    german = sentence(told(question, status=status), "de")
    assert german != MISSED[question][status]
    assert "Phone A" in german
    assert ("Phone B" in german) == question.startswith("why_rather")


@pytest.mark.parametrize("language", languages())
def test_no_two_statuses_of_a_question_say_the_same(language: str) -> None:
    for question in QUESTIONS:
        assert len({sentence(told(question, status=status), language) for status in MISSES}) == len(MISSES)
    had = {"already_true": 120}
    rows = [audience(status=s, had_it=had.get(s, 0), kept_it=had.get(s, 0)) for s in MISSES]
    assert len({sentence(row, language) for row in rows}) == len(MISSES)


@pytest.mark.parametrize(
    ("question", "english", "german"),
    [
        (
            "why",
            "No change of one aspect alone would take Phone A off the list.",
            "Keine Änderung einer einzelnen Bewertung nähme Phone A von der Liste.",
        ),
        (
            "why_not",
            "No change of one aspect alone would bring Phone A into the list.",
            "Keine Änderung einer einzelnen Bewertung brächte Phone A auf die Liste.",
        ),
        (
            "why_rather",
            "No change of one aspect of Phone A alone would put Phone B ahead of it.",
            "Keine Änderung einer einzelnen Bewertung von Phone A brächte Phone B davor.",
        ),
        (
            "why_rather_takes",
            "No value of one aspect alone that Phone A may take over from Phone B would put Phone B ahead of it.",
            "Kein Wert eines einzelnen Aspekts, den Phone A von Phone B übernehmen darf, brächte Phone B davor.",
        ),
    ],
)
def test_what_is_proven_of_one_aspect_is_said_of_one_aspect(question: Asked, english: str, german: str) -> None:
    assert sentence(told(question, status="cannot_flip", goal="single")) == english
    assert sentence(told(question, status="cannot_flip", goal="single"), "de") == german
    for status in MISSES:
        if status != "cannot_flip":
            single, minimal = (told(question, status=status, goal=goal) for goal in ("single", "minimal"))
            assert sentence(single) == sentence(minimal)


def second(row: Told, language: str = "en") -> str:
    """What is said after the explanation itself."""
    plain = Told("why", "minimal", "explained", row.item, row.changes, row.k)
    if row.versus:
        plain = Told("why_rather", "minimal", "explained", row.item, row.changes, row.k, versus=row.versus)
    said = sentence(row, language)
    assert said.startswith(sentence(plain, language))
    return said.removeprefix(sentence(plain, language)).strip()


VERDICTS: list[tuple[bool | None, bool | None, str, str]] = [
    (None, None, "", ""),
    (
        True,
        True,
        "If no item had been reviewed on battery or camera, Phone A would leave the list; "
        "if items were reviewed on nothing else, Phone A would stay in it.",
        "If no item had been reviewed on battery or camera, Phone A would no longer be ahead of Phone B; "
        "if items were reviewed on nothing else, Phone A would stay ahead of Phone B.",
    ),
    (
        False,
        False,
        "Even if no item had been reviewed on battery or camera, Phone A would stay in the list; "
        "if items were reviewed on nothing else, Phone A would not stay in it.",
        "Even if no item had been reviewed on battery or camera, Phone A would stay ahead of Phone B; "
        "if items were reviewed on nothing else, Phone A would not stay ahead of Phone B.",
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
        "If items were reviewed on nothing but battery and camera, Phone A would stay in the list.",
        "If items were reviewed on nothing but battery and camera, Phone A would stay ahead of Phone B.",
    ),
    (
        None,
        False,
        "If items were reviewed on nothing but battery and camera, Phone A would not stay in the list.",
        "If items were reviewed on nothing but battery and camera, Phone A would not stay ahead of Phone B.",
    ),
]


@pytest.mark.parametrize(("necessary", "sufficient", "of_list", "of_other"), VERDICTS)
def test_verdicts_are_said_of_the_goal_complete(
    necessary: bool | None, sufficient: bool | None, of_list: str, of_other: str
) -> None:
    verdicts: dict[str, Any] = {"necessary": necessary, "sufficient": sufficient}
    assert second(told("why", WORSE, GONE, goal="complete", **verdicts)) == of_list
    assert second(told("why_rather", WORSE, GONE, goal="complete", **verdicts)) == of_other
    assert second(told("why", WORSE, GONE, goal="minimal", **verdicts)) == ""
    assert second(told("why", WORSE, GONE, goal="relaxed", **verdicts)) == ""


def test_verdicts_in_german() -> None:
    both = told("why", WORSE, GONE, goal="complete", necessary=True, sufficient=True)
    assert second(both, "de") == (
        "Gäbe es bei keinem Artikel eine Bewertung für battery oder camera, fiele Phone A aus der Liste; "
        "gäbe es bei allen Artikeln nur diese Bewertungen, bliebe Phone A darauf."
    )
    neither = told("why_rather", WORSE, goal="complete", necessary=False, sufficient=False)
    assert second(neither, "de") == (
        "Selbst wenn es bei keinem Artikel eine Bewertung für battery gäbe, bliebe Phone A vor Phone B; "
        "gäbe es bei allen Artikeln nur diese Bewertungen, bliebe Phone A nicht vor Phone B."
    )


@pytest.mark.parametrize(
    ("before", "after", "end"),
    [
        (5, 6, "move from position 5 to position 6, off the list of 5."),
        (6, 5, "enter the list of 5: from position 6 to position 5."),
        (1, 5, "move from position 1 to position 5, within the list of 5."),
        (6, 7, "move from position 6 to position 7, still below the list of 5."),
        (5, 5, "stay at position 5, in the list of 5."),
        (6, 6, "stay at position 6, below the list of 5."),
    ],
)
def test_the_last_place_of_a_list_is_in_it(before: int, after: int, end: str) -> None:
    assert sentence(ranking(before, after)) == f"With battery at 1.2 instead of 4.5, Phone A would {end}"


def test_only_what_there_is_said_in() -> None:
    with pytest.raises(UsageError, match="no language 'tlh'; one of de, en"):
        sentence(told("why", WORSE), "tlh")


def test_a_name_is_said_as_it_is() -> None:
    row = Told("why", "minimal", "not_found", "iPhone {A}", (), 5)
    assert sentence(row) == "No change was found that takes iPhone {A} off the list."
    assert (
        sentence(Told("why", "minimal", "already_true", "iPhone {A}", (), 5)) == "iPhone {A} is already below the list."
    )


# Any row at all.

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
def explained_rows(draw: st.DrawFn) -> AnyTold:
    question = draw(st.sampled_from((*QUESTIONS, "audience", "what_if")))
    changes = draw(some_changes(question))
    match question:
        case "audience":
            entered, had = draw(st.integers(0, 60)), draw(st.integers(0, 60))
            wanted, kept = draw(st.integers(1, 60)), draw(st.integers(0, had))
            status = "explained" if entered >= wanted else "not_found"
            return ToldAudience("Phone A", changes, status, 120, wanted, entered, had, kept)
        case "what_if":
            return ToldRanking("Phone A", changes, draw(st.integers(1, 12)), draw(st.integers(1, 12)), 5)
        case _:
            return told(question, *changes, goal=draw(st.sampled_from(["minimal", "complete"])))  # type: ignore[arg-type]


@given(explained_rows())
def test_whatever_the_row(row: AnyTold) -> None:
    for language in languages():
        said = sentence(row, language)
        assert said.endswith(".")
        assert said[0].isupper()
        assert not re.search(r"[{}]|  |None", said)
        assert row.item in said
        for change in row.changes:
            assert said.count(change.aspect) == 1
    english, german = sentence(row), sentence(row, "de")
    assert not re.search(r"\d,\d", english)
    assert not re.search(r"\d\.\d", german)


@given(explained_rows())
def test_slightly_only_of_what_is_slight(row: AnyTold) -> None:
    """A degree holds for the aspects named from there to the next one."""
    english, german = sentence(row), sentence(row, "de")
    if isinstance(row, ToldRanking) or (isinstance(row, Told) and row.question == "why_rather_takes"):
        assert not re.search("slightly|worse|better", english)
        assert not re.search("etwas|schlechter|besser", german)
        return
    slight = {change.aspect for change in row.changes if change.slight}
    assert ("slightly" in english) == ("etwas" in german) == bool(slight)
    english = english.split("No change was found")[-1]
    if len(row.changes) > 1:
        groups = re.findall(
            r"(slightly )?(?:worse|better) on (.*?)(?= and slightly|(?:, it|, Phone B) would| and had)", english
        )
        found = {bool(word): set(re.findall("|".join(ASPECTS), named)) for word, named in groups}
        assert found.get(True, set()) == slight
        assert found.get(False, set()) == {c.aspect for c in row.changes if c.moved and not c.slight}
    reviewed = re.search(r"had been reviewed on (.*?), (?:it|Phone B) would", english)
    unreviewed = re.search(r"had not been reviewed on (.*?), (?:it|Phone B) would", english)
    for match, kind in ((reviewed, "added"), (unreviewed, "removed")):
        named = set(re.findall("|".join(ASPECTS), match.group(1))) if match else set()
        assert named == {change.aspect for change in row.changes if getattr(change, kind)}


@given(explained_rows())
def test_numbers_that_differ_are_shown_to_differ(row: AnyTold) -> None:
    for before, after in re.findall(r"\((\S+) → ([^)]+)\)", sentence(row)):
        assert before != after
    under = [change for change in row.changes if 0 < change.after < 1 and not 0 < change.before < 1]
    assert sentence(row).count("under 1.0") == sentence(row, "de").count("unter 1,0") == len(under)


@pytest.mark.parametrize("language", languages())
def test_every_row_of_the_others_has_a_sentence(language: str) -> None:
    for row in every_told():
        said = sentence(row, language)
        assert said.endswith(".")
        assert said[0].isupper()
        assert row.item in said
