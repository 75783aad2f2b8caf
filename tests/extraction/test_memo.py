"""A dictionary that computes what it lacks."""

from __future__ import annotations

from counterec.extraction.memo import LONGEST_KEY, Memo


def test_computes_once_and_stays_small():
    asked = []
    memo = Memo(lambda word: asked.append(word) or word.upper(), most=3)
    assert [memo[word] for word in "abcabcd"] == list("ABCABCD")
    assert asked == list("abcd")
    assert len(memo) <= 3


def test_long_texts_are_not_kept():
    memo = Memo(len, most=3)
    assert memo["x" * (LONGEST_KEY + 1)] == LONGEST_KEY + 1
    assert not memo
