"""Which words of a sentence contrast with each other: in "small, *but* clean", "small" is not praise."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.extraction.grammar.word_list import word_set

_CONTRASTS = word_set("but although though while whereas except yet however despite")


def contrast_sides(words: Sequence[str]) -> list[int]:
    """Return +1 or -1 for every word: words with the same number are on the same side of the contrast.

    Each contrast changes the side. One that opens the sentence holds up to the first comma: "although small, it was
    clean".
    """
    if _CONTRASTS.isdisjoint(words):
        return [1] * len(words)
    sides, side = [], 1
    opened = bool(words) and words[0] in _CONTRASTS
    for at, word in enumerate(words):
        if (at and word in _CONTRASTS) or (opened and word == ","):
            side, opened = -side, False
        sides.append(side)
    return sides
