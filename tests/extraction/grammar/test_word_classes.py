"""Word classes, and patterns written in their names."""

from __future__ import annotations

import pytest

from counterec.extraction.words import WordClass, pattern


def letters(names):
    return "".join(WordClass[name] for name in names.split())


def test_every_class_has_a_letter_of_its_own():
    assert all(len(word_class.value) == 1 for word_class in WordClass)
    assert len(set(WordClass)) == len(WordClass.__members__)


def test_a_pattern_finds_classes_by_name():
    found = pattern("DETERMINER? [ADJECTIVE PAST]{0,3}  # a comment with an ADVERB\n (?P<noun> NOUN{1,5})")
    match = found.match(letters("DETERMINER ADJECTIVE PAST NOUN NOUN VERB"))
    assert match.span("noun") == (3, 5)
    assert not found.match(letters("VERB NOUN"))


@pytest.mark.parametrize("word_class", WordClass)
def test_a_class_matches_only_itself(word_class):
    for template in (word_class.name, f"[{word_class.name}]"):
        assert pattern(template).findall("".join(WordClass)) == [word_class]


def test_an_unknown_name_is_refused():
    with pytest.raises(KeyError, match="GERUND"):
        pattern("NOUN GERUND")
