"""Facts in words: what an attribute is decides the clause, and nobody reviews a fact."""

from __future__ import annotations

import pytest

from counterec.core.explainers.constraints import Constraints
from counterec.wording import AnswerRecord, reason, sentence
from tests.wording.records import (
    DISTANCE,
    GENRE,
    PRICE,
    SERVICE,
    STARS,
    VEGAN,
    WIFI,
    answer,
    audience,
    every_record,
    fact,
    reranking,
)

DEARER = fact(PRICE, 120.0, 187.0)
NO_WIFI = fact(WIFI, True, False)
COMEDY = fact(GENRE, "drama", "comedy")


@pytest.mark.parametrize(
    ("changes", "english"),
    [
        (
            [NO_WIFI],
            "If it had no wifi, Phone A would not be recommended.",
        ),
        (
            [DEARER],
            "If it cost 187 € instead of 120 €, Phone A would not be recommended.",
        ),
        (
            [COMEDY],
            "If its genre were comedy instead of drama, Phone A would not be recommended.",
        ),
        (
            [fact(DISTANCE, 1.0, 2.5), NO_WIFI],
            "If its distance were 2.5 km instead of 1.0 km and it had no wifi, Phone A would not be recommended.",
        ),
        (
            [fact(VEGAN, True, False)],
            "If it were not vegan, Phone A would not be recommended.",
        ),
        (
            [fact(STARS, 4.0, None)],
            "If its stars were not known (now 4.0), Phone A would not be recommended.",
        ),
        (
            [fact(SERVICE, 4.5, 2.0)],
            "If its service were rated 2.0 instead of 4.5 of 5, Phone A would not be recommended.",
        ),
    ],
)
def test_why(changes, english) -> None:
    record = answer("why", *changes, facts=True)
    assert sentence(record) == english


def test_the_other_questions() -> None:
    cheaper, with_wifi = fact(PRICE, 187.0, 120.0), fact(WIFI, None, True)
    assert sentence(answer("why_not", cheaper, facts=True)) == (
        "If it cost 120 € instead of 187 €, Phone A would be recommended."
    )
    assert sentence(answer("why_rather", COMEDY, facts=True)) == (
        "If its genre were comedy instead of drama, Phone A would fall behind Phone B."
    )
    assert sentence(answer("why_rather_takes", DEARER, facts=True)) == (
        "As with Phone B: if it cost 187 € instead of 120 €, Phone A would fall behind it."
    )
    assert sentence(audience(with_wifi, facts=True)) == (
        "If it had wifi, Phone B would enter the lists of 37 of 120 users."
    )
    assert sentence(reranking(2, 7, DEARER)) == (
        "If it cost 187 € instead of 120 €, Phone A would move from position 2 to position 7, off the list of 5."
    )


def test_misses_speak_of_attributes_and_say_what_relaxed_leaves_out() -> None:
    record = answer("why", NO_WIFI, facts=True, status="not_found", goal="relaxed", constraints=Constraints())
    assert sentence(record) == (
        "No change was found that would take Phone A off the list. What comes nearest: even if it had no wifi, it "
        "would still be in the list. What may help: another goal than relaxed, which moves numbers only."
    )
    assert sentence(answer("why", facts=True, status="cannot_flip")) == (
        "It is proven that no allowed change to its attributes would take Phone A off the list."
    )


def test_verdicts() -> None:
    record = answer("why", DEARER, NO_WIFI, facts=True, goal="complete", necessary=True, sufficient=False)
    assert sentence(record).endswith(
        "If all items were alike in price and wifi, Phone A would leave the list; if they were alike in everything "
        "else, Phone A would not stay in it."
    )


def test_reasons_for_the_shopper() -> None:
    assert reason(answer("why", DEARER, facts=True, equal_sets=0, instead="Phone B")) == (
        "Recommended mainly because it costs 120 €; if it cost 187 € instead of 120 €, Phone B would be in your list "
        "instead."
    )
    assert reason(answer("why_rather", NO_WIFI, facts=True)) == (
        "Ahead of Phone B among other things because it has wifi; if it had no wifi, Phone B would be ahead."
    )
    assert reason(answer("why_not", fact(WIFI, False, True), facts=True)) == (
        "Not in your list; it would be if it had wifi."
    )


def test_no_fact_is_reviewed_and_nobody_sees_a_code() -> None:
    for record in every_record():
        facts = [change.attribute for change in record.changes if change.attribute is not None]
        if not facts or any(attribute.kind == "quality" for attribute in facts):
            continue
        said = [sentence(record)]
        if isinstance(record, AnswerRecord) and not record.past:
            said.append(reason(record))
        for text in said:
            for word in ("reviewed on", "nobody", "-1", "-3"):
                assert word not in text, text
