from __future__ import annotations

import pytest

from counterec.extraction.lexicon import polarities
from counterec.extraction.reading import polarity
from counterec.extraction.words import CLASS_OF, LIKING


def test_holds_vader_words_and_our_own():
    assert len(polarities()) > 5000
    assert set(polarities().values()) == {-1, 1}


@pytest.mark.parametrize("word", ["great", "fast", "sturdy", "crisp", "durable", "over-joyed", "kid-friendly"])
def test_praise(word):
    assert polarity(word) == 1


@pytest.mark.parametrize("word", ["awful", "slow", "flimsy", "expensive", "overpriced", "over-priced"])
def test_blame(word):
    assert polarity(word) == -1


@pytest.mark.parametrize("word", ["table", "value", "security", "not-so-great", "", "-", "ü"])
def test_no_opinion(word):
    assert polarity(word) == 0


def test_every_verb_of_liking_has_a_polarity():
    verbs = {word for word, letter in CLASS_OF.items() if letter == LIKING}
    assert {word for word in verbs if not polarity(word)} == set()
