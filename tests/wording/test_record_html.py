"""A record as HTML: the same words as everywhere, and nothing of the data as HTML."""

from __future__ import annotations

from counterec.wording import background, marks, reason, sentence
from counterec.wording.record_html import answer_html, changes_html
from tests.wording.records import COMPLAINTS, GONE, WORSE, answer, every_record, lead, nets
from tests.wording.test_markup import NASTY, read


def test_it_has_the_words_of_the_other_modules() -> None:
    record = answer("why", COMPLAINTS, proof="smallest", necessary=True, **nets(2, 3), **lead(1.0, 0.5, "Phone C"))
    shown = read(answer_html(record))
    for said in (sentence, reason, background):
        assert said(record) in shown.text
    for mark in marks(record):
        assert mark.label in shown.text
        assert ("title", mark.meaning) in shown.attributes


def test_every_record_can_be_shown() -> None:
    for record in every_record():
        if hasattr(record, "row"):
            shown = read(answer_html(record))
            assert sentence(record) in shown.text
            assert ("table" in shown.tags) == bool(record.changes)


def test_names_from_the_data_are_text() -> None:
    shown = answer_html(answer("why", WORSE, item=NASTY, instead=NASTY))
    assert "<script" not in shown
    assert "<img" not in shown
    assert NASTY in read(shown).text


def test_changes_with_their_scale_and_opinions() -> None:
    shown = read(changes_html([COMPLAINTS, GONE]))
    assert [word for word in ("aspect", "before", "after", "on its scale", "opinions") if word in shown.text] == [
        "aspect",
        "before",
        "after",
        "on its scale",
    ], "opinions are counted of one of the two only"
    assert "svg" in shown.tags
    assert "opinions" in read(changes_html([COMPLAINTS])).text
    assert "absent" in read(changes_html([GONE])).text
