"""Which words of a sentence stand against each other: "small, *but* clean" says of "small" that it is no praise."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.extraction.grammar.listing import listed

_CONTRASTS = listed("but although though while whereas except yet however despite")


def contrasted(words: Sequence[str]) -> list[int]:
    """Return +1 or -1 for every word, words of one number being on one side; each contrast begins the other.

    A contrast that opens the sentence holds to the first comma: "although small, it was clean".
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
