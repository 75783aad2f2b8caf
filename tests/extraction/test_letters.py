"""A sentence is settled piece by piece, and comes out as if it were settled whole."""

from __future__ import annotations

from itertools import starmap

from hypothesis import example, given, settings
from hypothesis import strategies as st

from counterec.extraction.grammar.word_classes import _PIECE, _certain, settled

EVERY_LETTER = "NOQARVFYBMGEIDKWPTC,:()|XUZJLHaeSly$"


@given(st.text(alphabet=EVERY_LETTER, max_size=14))
@settings(max_examples=500)
@example("IRRlBRTADREF")
def test_pieces_are_settled_as_the_whole_is(letters):
    assert "".join(starmap(_certain, _PIECE.findall(letters))) == _certain("", letters)


def test_some_nouns_are_too_general_and_some_judge():
    assert settled(["the", "thing", "had", "a", "problem", "with", "the", "lid"]) == "DOMDQPDN"
