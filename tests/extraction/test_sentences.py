from __future__ import annotations

import pytest

from counterec.extraction.sentences import sentences


def words(text):
    return [[token.word for token in sentence] for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good sound. Bad case!", [["good", "sound"], ["bad", "case"]]),
        ("Good sound.Bad case", [["good", "sound"], ["bad", "case"]]),
        ("A 5.5 inch screen, 10/10.", [["a", "5.5", "inch", "screen", ",", "10/10"]]),
        ("Wow!!! Nice...", [["wow"], ["nice"]]),
        ("one\ntwo", [["one"], ["two"]]),
        ("See www.shop.com/a.b for it", [["see", "www.shop.com/a.b", "for", "it"]]),
        ("Sizes, e.g. the U.S. one", [["sizes", ",", "e.g.", "the", "u.s.", "one"]]),
        ("It isn’t mine, it's Bob's", [["it", "is", "n't", "mine", ",", "it", "'s", "bob", "'s"]]),
        ("well-made - really", [["well-made", "-", "really"]]),
        ("pre- and post-war", [["pre", "and", "post-war"]]),
        ("on the 4th floor", [["on", "the", "4th", "floor"]]),
        ("", []),
        ("...", []),
    ],
)
def test_cuts(text, expected):
    assert words(text) == expected


def test_tokens_know_their_place():
    text = "Oh! It ISN'T good."
    assert [text[t.start : t.end] for s in sentences(text) for t in s] == ["Oh", "It", "IS", "N'T", "good"]
