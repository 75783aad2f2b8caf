"""Which words judge, and how."""

from __future__ import annotations

import pytest

from counterec.extraction.lexicon import NEGATIVE, POSITIVE, VERBS_OF_LIKING, opinion_words, polarity, verb_polarity


def test_holds_thousands_of_words_each_with_a_sign():
    assert len(opinion_words()) > 5000
    assert {polarity(word) for word in opinion_words()} == {-1, 1}


@pytest.mark.parametrize("word", ["great", "fast", "sturdy", "crisp", "durable", "over-joyed", "kid-friendly"])
def test_praise(word):
    assert polarity(word) == 1


@pytest.mark.parametrize("word", ["awful", "slow", "flimsy", "expensive", "overpriced", "over-priced"])
def test_blame(word):
    assert polarity(word) == -1


@pytest.mark.parametrize("word", ["table", "value", "security", "not-so-great", "", "-", "ü"])
def test_no_opinion(word):
    assert polarity(word) == 0


def test_our_own_lists_have_the_last_word():
    assert not POSITIVE & NEGATIVE
    assert {word for word in POSITIVE if polarity(word) != 1} == set()
    assert {word for word in NEGATIVE if polarity(word) != -1} == set()


def test_every_verb_of_liking_has_a_polarity():
    assert {verb for verb in VERBS_OF_LIKING if not verb_polarity(verb)} == set()
