"""Sentences for engineers: the numbers of the record, and no others."""

from __future__ import annotations

import re

import pytest

from counterec.wording import Change, Record, engineer_sentence, languages
from tests.wording.records import BETTER, GONE, NEW, WORSE, answer, audience, every_record, reranking

PAPER = Change("battery", 3.0, 2.1012)
SCORES = {"score_before": 42.0, "score_after": 37.4996, "target": 37.51}

SAID: list[tuple[Record, str, str]] = [
    (
        answer("why", PAPER, **SCORES, position=1, position_after=6, proof="smallest"),
        "Phone A: battery 3.0000 → 2.1012; score 42.0000 → 37.4996, target 37.5100; position 1 → 6, list of 5; "
        "goal minimal, values reachable, proof smallest.",
        "Phone A: battery 3,0000 → 2,1012; Score 42,0000 → 37,4996, Schwelle 37,5100; Position 1 → 6, Top-5-Liste; "
        "Ziel minimal, Werte reachable, Beweis smallest.",
    ),
    (
        answer("why", PAPER, GONE, goal="complete", necessary=True, sufficient=False),
        "Phone A: battery 3.0000 → 2.1012 and camera 3.0000 → absent; necessary, not sufficient; goal complete, "
        "values unreviewed.",
        "Phone A: battery 3,0000 → 2,1012 und camera 3,0000 → fehlt; notwendig, nicht hinreichend; Ziel complete, "
        "Werte unreviewed.",
    ),
    (
        answer("why", PAPER, necessary=False, sufficient=True, goal="relaxed", score_before=2.0, position=3),
        "Phone A: battery 3.0000 → 2.1012; score 2.0000; position 3, list of 5; not necessary, sufficient; "
        "goal relaxed, values reachable.",
        "Phone A: battery 3,0000 → 2,1012; Score 2,0000; Position 3, Top-5-Liste; nicht notwendig, hinreichend; "
        "Ziel relaxed, Werte reachable.",
    ),
    (
        answer("why_not", NEW, score_after=3.0, target=2.5, position_after=5, proof="found"),
        "Phone A (why not): camera absent → 4.2000; score after the change 3.0000, target 2.5000; "
        "position after the change 5, list of 5; goal minimal, values reachable, proof found.",
        "Phone A (warum nicht): camera fehlt → 4,2000; Score nach der Änderung 3,0000, Schwelle 2,5000; "
        "Position nach der Änderung 5, Top-5-Liste; Ziel minimal, Werte reachable, Beweis found.",
    ),
    (
        answer("why_rather", PAPER, score_before=2.0, score_after=1.0),
        "Phone A rather than Phone B: battery 3.0000 → 2.1012; score 2.0000 → 1.0000; goal minimal, values reachable.",
        "Phone A statt Phone B: battery 3,0000 → 2,1012; Score 2,0000 → 1,0000; Ziel minimal, Werte reachable.",
    ),
    (
        answer("why_rather_takes", WORSE),
        "Phone A rather than Phone B, matching its values: battery 4.5000 → 1.2000; goal minimal, values reachable.",
        "Phone A statt Phone B, mit angeglichenen Werten: battery 4,5000 → 1,2000; Ziel minimal, Werte reachable.",
    ),
    (
        answer("why", GONE, status="not_found", score_before=42.0, score_after=40.0, target=37.5, proof=None),
        "Phone A: status none found; nearest miss camera 3.0000 → absent; score 42.0000 → 40.0000, target 37.5000; "
        "goal minimal, values unreviewed.",
        "Phone A: Status nichts gefunden; knappster Fehlschlag camera 3,0000 → fehlt; Score 42,0000 → 40,0000, "
        "Schwelle 37,5000; Ziel minimal, Werte unreviewed.",
    ),
    (
        answer("why", status="no_target", goal="single"),
        "Phone A: status nothing to compare with; goal single, values reachable.",
        "Phone A: Status kein Vergleich möglich; Ziel single, Werte reachable.",
    ),
    (
        audience(BETTER, had_it=10, kept_it=8, proof="irreducible"),
        "Phone B (audience): battery 2.0000 → 4.1000; enters 37 of 120 lists, wanted 30, already in 10, stays in 8; "
        "goal minimal, proof irreducible.",
        "Phone B (Publikum): battery 2,0000 → 4,1000; kommt auf 37 von 120 Listen, gewünscht 30, schon auf 10, "
        "bleibt auf 8; Ziel minimal, Beweis irreducible.",
    ),
    (
        audience(BETTER, status="cannot_flip", entered=12),
        "Phone B (audience): status proven impossible; nearest miss battery 2.0000 → 4.1000; enters 12 of 120 lists, "
        "wanted 30, already in 0, stays in 0; goal minimal.",
        "Phone B (Publikum): Status nachweislich unmöglich; knappster Fehlschlag battery 2,0000 → 4,1000; kommt auf "
        "12 von "
        "120 Listen, gewünscht 30, schon auf 0, bleibt auf 0; Ziel minimal.",
    ),
    (
        reranking(2, 7, PAPER, score_before=1.5, score_after=-0.25),
        "Phone A (what if): battery 3.0000 → 2.1012; score 1.5000 → -0.2500; position 2 → 7, list of 5.",
        "Phone A (was wäre, wenn): battery 3,0000 → 2,1012; Score 1,5000 → -0,2500; Position 2 → 7, Top-5-Liste.",
    ),
]


@pytest.mark.parametrize(("record", "english", "german"), SAID)
def test_what_is_said(record: Record, english: str, german: str) -> None:
    assert engineer_sentence(record) == english
    assert engineer_sentence(record, "de") == german


def test_numbers_that_differ_are_shown_to_differ() -> None:
    change, scores = Change("battery", 3.0, 2.99999), {"score_before": 2.0, "score_after": 1.99999, "target": 2.0}
    near = answer("why", change, **scores, margin=1e-7)
    assert engineer_sentence(near) == (
        "Phone A: battery 3.00000 → 2.99999; score 2.00000 → 1.99999, target 2.00000; goal minimal, values reachable."
    )


@pytest.mark.parametrize("language", languages())
def test_every_record_in_one_sentence(language: str) -> None:
    wrong = r"\d,\d" if language == "en" else r"\d\.\d"
    for record in every_record():
        said = engineer_sentence(record, language)
        assert said.startswith(record.item)
        assert said.endswith(".")
        assert not re.search(r"None|[{}]|; ;|;\.|  ", said)
        assert not re.search(wrong, said)
        for change in record.changes:
            assert said.count(change.aspect) == 1
