from __future__ import annotations

import pytest

from counterec.extraction.reading import canonical, classes, read


def letters(text, not_nouns=()):
    (sentence,) = read(text)
    return classes(sentence, not_nouns)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the lid is not great", "DNBGO"),
        ("I really like it", "IRVI"),
        ("it looks like a lid", "IBPDN"),
        ("we loved the lid", "IVDN"),
        ("the sound sounds dull", "DNBO"),
        ("design and build are great", "NCNBO"),
        ("it features great features", "IWON"),
        ("it works", "IW"),
        ("it does not work", "IWGO"),
        ("far too dark", "REO"),
        ("works badly", "WO"),
        ("badly made", "OW"),
        ("horribly slow", "RO"),
        ("drains quickly", "OR"),
        ("a huge problem", "DAO"),
        ("a huge lid", "DON"),
        ("it blorped", "IW"),
        ("top notch, as well", "O,R"),
        ("4th b lid", "XXN"),
        ("www.lid.com is nice", "XBO"),
        ("x" * 31, "X"),
    ],
)
def test_letters(text, expected):
    assert letters(text) == expected


def test_words_may_be_told_not_to_be_nouns():
    assert letters("the lids are great", {"lid"}) == "DXBO"


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("batteries", "battery"),
        ("screens", "screen"),
        ("bass", "bass"),
        ("packaging", "packaging"),
        ("a" * 99, "a" * 99),
    ],
)
def test_canonical(word, base):
    assert canonical(word) == base
