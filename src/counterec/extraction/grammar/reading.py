"""How a text is read: its sentences, with each known phrase joined into one token ("top notch": "top-notch")."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import pairwise

from counterec.extraction.grammar.closed import LETTER_OF
from counterec.extraction.grammar.lexicon import known_words
from counterec.extraction.sentences import Token, sentences


def read(text: str) -> list[list[Token]]:
    """Return the sentences of a text."""
    return [_joined(sentence) for sentence in sentences(text)]


def _joined(sentence: list[Token]) -> list[Token]:
    """Return the sentence with its phrases joined, the longest where several begin at one word."""
    phrases = _phrases()
    words = [token.word for token in sentence]
    begun = [at for at, pair in enumerate(pairwise(words)) if pair in phrases]
    joined, done = [], 0
    for at in begun:
        phrase = next(
            (phrase for phrase in phrases[words[at], words[at + 1]] if words[at : at + len(phrase)] == phrase), None
        )
        if phrase and at >= done:
            end = at + len(phrase)
            joined += sentence[done:at]
            joined.append(Token("-".join(phrase), sentence[at].start, sentence[end - 1].end))
            done = end
    return joined + sentence[done:] if joined else sentence


@cache
def _phrases() -> dict[tuple[str, str], list[list[str]]]:
    """Return the hyphenated entries of the word lists as lists of words, longest first, by their first two words."""
    found: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for entry in sorted(LETTER_OF.keys() | known_words(), key=lambda entry: (-entry.count("-"), entry)):
        phrase = entry.split("-")
        if len(phrase) > 1 and all(phrase):
            found[phrase[0], phrase[1]].append(phrase)
    return dict(found)
