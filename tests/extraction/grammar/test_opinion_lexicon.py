"""Which words judge, and how."""

from __future__ import annotations

import pytest

from counterec.extraction.lexicon import polarity


@pytest.mark.parametrize("word", ["great", "fast", "sturdy", "crisp", "durable", "over-joyed", "kid-friendly"])
def test_praise(word):
    assert polarity(word) == 1


@pytest.mark.parametrize("word", ["awful", "slow", "flimsy", "expensive", "overpriced", "over-priced"])
def test_blame(word):
    assert polarity(word) == -1


@pytest.mark.parametrize("word", ["table", "value", "security", "not-so-great", "", "-", "ü"])
def test_no_opinion(word):
    assert polarity(word) == 0
