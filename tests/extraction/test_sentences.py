"""Sentences and words: where a text is cut, and where each word is."""

from __future__ import annotations

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from counterec.extraction.sentences import LONGEST_WORD, _matched_places, _words, cut, sentences


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
        ("See www.shop.com/a.b for it", [["see", "0" * 16, "for", "it"]]),
        ("Sizes, e.g. the U.S. one", [["sizes", ",", "0000", "the", "0000", "one"]]),
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


@pytest.mark.parametrize(
    "whole", ["mr.", "mrs.", "ms.", "dr.", "vs.", "e.g.", "é.u.", "a.com", "b.net", "c.org", "www.1"]
)
def test_full_stops_that_end_no_sentence(whole):
    assert words(f"so {whole} then") == [["so", "0" * len(whole), "then"]]


@given(st.text(alphabet=string.ascii_lowercase[:4] + "n't 01.,:/'-_&\n\x1c", max_size=30))
def test_a_letter_beyond_ascii_changes_no_other_word(text):
    assert words(text + "\nï") == [*words(text), ["ï"]]


def test_tokens_know_their_place():
    text = "Oh! It ISN'T good."
    assert [text[t.start : t.end] for s in sentences(text) for t in s] == ["Oh", "It", "IS", "N'T", "good"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good &amp; cheap&#33; It&#39;s <b>loud</b>.", [["good", "&", "cheap", "it", "'s", "loud"]]),
        ("Good sound.<br />Bad case", [["good", "sound"], ["bad", "case"]]),
        ("- good sound\n- bad case", [["-", "good", "sound"], ["-", "bad", "case"]]),
        ("x" * 70 + "\nand so on", [["x" * 70, "and", "so", "on"]]),
        ("great 😀 sound", [["great", "sound"]]),
        ("SOUND: 5/5!!!", [["sound", ":", "5/5"]]),
        ("x" * 200, [["x" * 100]]),
    ],
)
def test_real_text(text, expected):
    assert words(text) == expected


@given(st.text(alphabet="ans't dé1_.,-/’\n\x1c", max_size=40))
def test_a_sentence_cut_at_its_blanks_has_the_words_of_the_whole(text):
    for sentence in cut(text):
        assert sentence.words == list(_words(sentence._plain))


@given(st.text(alphabet="ans't d1_,-–/é", max_size=40))
@example("a- - b -- c")
@example("it'sx's n't-n't")
@example("5_5_ _ 5")
@example(f"so {'x' * (LONGEST_WORD + 7)} x")
def test_words_found_one_after_another_are_where_they_were_matched(text):
    for sentence in cut(text):
        assert sentence.places() == _matched_places(sentence._plain)
