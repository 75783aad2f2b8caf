"""Of many aspects a sentence names three, the largest, and claims of fewer only what is proven."""

from __future__ import annotations

import re

import pytest

from counterec.wording import AnswerRecord, AudienceRecord, Record, RerankingRecord, background, marks, reason, sentence
from tests.wording.records import MANY, answer, audience, largest, many, many_records

COUNTS = range(1, 9)
NAMES = re.compile("|".join((*MANY, "zoom", "lens", "price")))
NONE_OF_FEWER = "none of them, nor any three, decides it"
NONE_SPARED = "can be spared"
FOUND = "in the answer that was found"


def sentences(text: str) -> list[str]:
    """A text cut at its full stops; a decimal point has no space behind it."""
    return re.split(r"(?<=\.) ", text)


def texts_of(record: Record) -> list[str]:
    """Everything that is said of a record."""
    told = [sentence(record), *(mark.meaning for mark in marks(record))]
    told += [reason(record)] if isinstance(record, AnswerRecord) else []
    return told + ([background(record)] if isinstance(record, AnswerRecord | AudienceRecord) else [])


@pytest.mark.parametrize("count", COUNTS)
def test_no_sentence_names_more_than_three_aspects(count: int) -> None:
    for record in many_records(count):
        for said in (one for text in texts_of(record) for one in sentences(text)):
            assert len(set(NAMES.findall(said))) <= 3, said


@pytest.mark.parametrize("count", COUNTS)
def test_those_that_are_named_are_the_largest_and_the_rest_is_counted(count: int) -> None:
    for record in many_records(count):
        said = sentence(record).split("What may help")[0]
        assert set(NAMES.findall(said)) == {change.aspect for change in largest(record.changes)}, said
        rest = re.search(r", and (\d+) other (?:aspect|attribute)s? changed as (?:in the table|given)", said)
        assert (int(rest[1]) if rest else 0) == max(0, count - 3), said


@pytest.mark.parametrize("count", COUNTS)
def test_what_is_said_of_fewer_aspects_is_proven(count: int) -> None:
    for record in many_records(count):
        said, proof = sentence(record), None
        if not isinstance(record, RerankingRecord):
            proof = record.row.proof if isinstance(record, AnswerRecord) else record.proof
        flips = not isinstance(record, RerankingRecord) and (record.explained or getattr(record, "ended_early", False))
        wide = count > 3 and flips
        assert (NONE_OF_FEWER in said) == (wide and proof == "smallest"), said
        assert (NONE_SPARED in said) == (wide and proof == "irreducible"), said
        assert (FOUND in said) == (wide and proof != "smallest"), said
        assert ("aspects at once" in said) == wide, said


def test_the_sentence_of_an_answer_with_many_aspects() -> None:
    changes = many("why", 7, "counted")
    assert sentence(answer("why", *changes, proof="smallest")) == (
        "It rests on 7 aspects at once; none of them, nor any three, decides it, even moved as far as they may go. "
        "With 9 more complaints about its battery (4.81 → 1.01 of 5; 5 opinions so far), 8 more about its screen "
        "(4.81 → 1.03 of 5; 5 opinions so far) and 7 more about its camera (4.8 → 1.1 of 5; 5 opinions so far), and 4 "
        "other aspects changed as in the table, Phone A would not be recommended."
    )
    assert sentence(answer("why_rather", *changes, proof="irreducible")).startswith(
        "It rests on many aspects at once; none of the 7 in the answer that was found can be spared. With 9 more"
    )
    assert sentence(answer("why_not", *many("why_not", 4, "uncounted"), proof="found")) == (
        "It takes many aspects at once, 4 in the answer that was found. If Phone A had been better on battery (1.0 → "
        "4.0 of 5), screen (1.0 → 3.9 of 5) and camera (1.0 → 3.8 of 5), and 1 other aspect changed as in the table, "
        "it would be recommended."
    )
    assert sentence(audience(*many("audience", 5, "slight"), proof="smallest")).startswith(
        "It takes 5 aspects at once; none of them, nor any three, decides it, even moved as far as they may go. If "
    )


def test_the_reason_of_many_aspects() -> None:
    worse, gone, mixed = (many("why", 5, kind) for kind in ("counted", "absent", "mixed"))
    tide = {"instead": "Tide", "equal_sets": 0}
    assert reason(answer("why", *worse, **tide)) == (
        "Recommended mainly for its battery, screen, camera and 2 other aspects; if all of those aspects were worse, "
        "Tide would be in your list instead."
    )
    assert "; if nobody had reviewed any of those aspects, Tide" in reason(answer("why", *gone, **tide))
    assert "; if some of those aspects were worse and nobody had reviewed the others, Tide" in reason(
        answer("why", *mixed, **tide)
    )
    assert reason(answer("why_not", *many("why_not", 5, "uncounted"))) == (
        "Not in your list; it would be if its battery, screen and camera were better, and 2 other aspects improved."
    )
