"""Whether an opinion, where it stands, is praise or blame: negation, "too", wishes, and what depends on the aspect."""

from __future__ import annotations

from counterec.extraction.lexicon import reversed_pairs
from counterec.extraction.reading import canonical, polarity
from counterec.extraction.sentences import Token
from counterec.extraction.words import AND, BREAK, COLON, COMMA, MODAL, NEGATION, OPINION, TOO

_WINDOW = 5
_BORDERS = frozenset((AND, BREAK, COLON, COMMA))
_WISHES = frozenset(("wish", "wished"))
_OTHERS = frozenset(("need", "needs", "never", "no"))
_COMPARATIVES = ("er", "worse")


def sentiment(sentence: list[Token], letters: str, at: int, aspect: str) -> int:
    """Return +1 or -1 for the opinion at a position, said of this aspect."""
    word = sentence[at].word
    before = _before(letters, at)
    negated = any(letters[i] == NEGATION or sentence[i].word == "nor" for i in before)
    own = polarity(word) or polarity(canonical(word)) or 1
    if (word, aspect) in reversed_pairs():
        own = -own
    if letters[at] == OPINION and TOO in letters[max(0, at - 2) : at]:
        return 1 if negated and own < 0 else -1  # "not too loud", but "not too good"
    if negated and at + 1 < len(sentence) and sentence[at + 1].word == "enough":
        return -1  # "not loud enough"
    if _compares_with_another(sentence, letters, at, before):
        return own if negated else -1  # "could not be better", "never had worse"; "could be better"
    return -own if negated else own


def _before(letters: str, at: int) -> range:
    """Return the positions of the few words before an opinion, within its clause."""
    start = at
    while start > max(0, at - _WINDOW) and letters[start - 1] not in _BORDERS:
        start -= 1
    return range(start, at)


def _compares_with_another(sentence: list[Token], letters: str, at: int, before: range) -> bool:
    """Whether the opinion compares the aspect with one that could be, should be, or never was."""
    words = {sentence[i].word for i in before}
    compares = sentence[at].word.endswith(_COMPARATIVES) or "more" in words
    return bool(words & _WISHES) or (compares and (MODAL in letters[before.start : at] or bool(words & _OTHERS)))
