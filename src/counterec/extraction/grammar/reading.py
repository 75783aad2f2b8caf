"""How a text is read: its sentences, with each known phrase joined into one token ("top notch": "top-notch")."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from counterec.extraction.grammar.closed import LETTER_OF
from counterec.extraction.grammar.lexicon import known_words
from counterec.extraction.sentences import Token, sentences


def read(text: str) -> list[list[Token]]:
    """Return the sentences of a text."""
    return [_joined(sentence) for sentence in sentences(text)]


def _joined(sentence: list[Token]) -> list[Token]:
    """Return the sentence with its phrases joined, the longest where several begin at one word."""
    phrases = _phrases()
    if phrases.keys().isdisjoint([token.word for token in sentence]):
        return sentence
    joined, at = [], 0
    while at < len(sentence):
        token, size = sentence[at], 1
        for phrase in phrases.get(token.word, ()):
            if [later.word for later in sentence[at : at + len(phrase)]] == phrase:
                size = len(phrase)
                token = Token("-".join(phrase), token.start, sentence[at + size - 1].end)
                break
        joined.append(token)
        at += size
    return joined


@cache
def _phrases() -> dict[str, list[list[str]]]:
    """Return the hyphenated entries of the word lists as lists of words, longest first, by their first word."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    for entry in sorted(LETTER_OF.keys() | known_words(), key=lambda entry: (-entry.count("-"), entry)):
        phrase = entry.split("-")
        if len(phrase) > 1 and all(phrase):
            found[phrase[0]].append(phrase)
    return dict(found)
