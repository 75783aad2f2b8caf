"""The class of each word in its sentence."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from counterec.extraction.tagged_sentence import joined_sentences
from counterec.extraction.tagger import resolved, resolved_at_once, tag
from counterec.extraction.words import WordClass


def letters(names):
    return "".join(WordClass[name] for name in names.split())


def classes(text):
    (sentence,) = joined_sentences(text)
    return " ".join(WordClass(letter).name for letter in tag(sentence.words))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the lid is not great", "DETERMINER NOUN COPULA NEGATION ADJECTIVE"),
        ("I really like it", "PRONOUN ADVERB VERB PRONOUN"),
        ("it looks like a lid", "PRONOUN VERB PREPOSITION DETERMINER NOUN"),
        ("it looks really nice", "PRONOUN COPULA ADVERB ADJECTIVE"),
        ("the sound sounds dull", "DETERMINER NOUN COPULA ADJECTIVE"),
        ("it's the phone's screen", "PRONOUN COPULA DETERMINER NOUN DETERMINER NOUN"),
        ("more comfortable", "ADVERB ADJECTIVE"),
        ("more room", "ADJECTIVE NOUN"),
        ("it is a must", "PRONOUN COPULA DETERMINER OPINION_NOUN"),
        ("way to expensive", "ADVERB TO ADJECTIVE"),
        ("is way to expensive", "COPULA ADVERB TOO ADJECTIVE"),
        ("it does not work", "PRONOUN AUXILIARY NEGATION VERB"),
        ("the battery lasts", "DETERMINER NOUN VERB"),
        ("it is fast", "PRONOUN COPULA ADJECTIVE"),
        ("it runs fast", "PRONOUN COPULA ADJECTIVE"),
        ("it was overcooked", "PRONOUN COPULA ADJECTIVE"),
        ("it blorped", "PRONOUN PAST"),
        ("the dining room", "DETERMINER NOUN NOUN"),
        ("a great sounding guitar", "DETERMINER ADJECTIVE ADJECTIVE NOUN"),
        ("top notch, as well", "ADJECTIVE COMMA ADVERB"),
        ("www.lid.com is nice", "OTHER COPULA ADJECTIVE"),
        ("x" * 31, "OTHER"),
    ],
)
def test_classes(text, expected):
    assert classes(text) == expected


def test_some_nouns_are_too_general_and_some_judge():
    expected = "DETERMINER GENERAL_NOUN AUXILIARY DETERMINER OPINION_NOUN PREPOSITION DETERMINER NOUN"
    assert classes("the thing had a problem with the lid") == expected


@given(st.text(alphabet="".join(WordClass), max_size=14))
@settings(max_examples=500)
@example(letters("PRONOUN ADVERB ADVERB LIKE COPULA ADVERB TO ADJECTIVE DETERMINER ADVERB TOO PAST"))
def test_a_sentence_resolved_in_pieces_is_the_sentence_resolved_at_once(tags):
    assert resolved(tags) == resolved_at_once(tags)


@given(st.text(alphabet="".join(WordClass), max_size=14))
def test_nothing_ambiguous_is_left(tags):
    ambiguous = {WordClass[name] for name in WordClass.__members__ if "_OR_" in name}
    ambiguous |= {WordClass.MORE, WordClass.SENSE, WordClass.SENSE_ING, WordClass.LIKE, WordClass.APOSTROPHE_S}
    found = resolved(tags)
    assert len(found) == len(tags)
    assert ambiguous.isdisjoint(found)
