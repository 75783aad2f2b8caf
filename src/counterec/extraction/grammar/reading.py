"""How a text is read: its sentences, with each known phrase joined into one word ("top notch": "top-notch")."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import pairwise

from counterec.extraction.grammar.closed import LETTER_OF
from counterec.extraction.grammar.lexicon import known_words
from counterec.extraction.sentences import Sentence, Token, cut


class Reading:
    """A sentence as it is read: ``words`` with phrases joined."""

    __slots__ = ("_joins", "_sentence", "words")

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._joins = _joins(sentence.words)
        self.words = sentence.words
        if self._joins:
            self.words = ["-".join(sentence.words[start:end]) for start, end in self._joins]

    def tokens(self) -> list[Token]:
        """Return the words with their places."""
        tokens = self._sentence.tokens()
        if not self._joins:
            return tokens
        places = [(tokens[start].start, tokens[end - 1].end) for start, end in self._joins]
        return [Token(word, *place) for word, place in zip(self.words, places, strict=True)]


def read(text: str) -> list[Reading]:
    """Return the sentences of a text."""
    return [Reading(sentence) for sentence in cut(text)]


def _joins(words: list[str]) -> list[tuple[int, int]]:
    """Return the spans of words to be joined, single words included; none where no phrase is found."""
    phrases = _phrases()
    begun = [at for at, pair in enumerate(pairwise(words)) if pair in phrases]
    spans: list[tuple[int, int]] = []
    done = 0
    for at in begun:
        size = next((len(p) for p in phrases[words[at], words[at + 1]] if words[at : at + len(p)] == p), 0)
        if size and at >= done:
            spans += [(single, single + 1) for single in range(done, at)]
            spans.append((at, at + size))
            done = at + size
    return spans + [(single, single + 1) for single in range(done, len(words))] if spans else []


@cache
def _phrases() -> dict[tuple[str, str], list[list[str]]]:
    """Return the hyphenated entries of the word lists as lists of words, longest first, by their first two words."""
    found: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for entry in sorted(LETTER_OF.keys() | known_words(), key=lambda entry: (-entry.count("-"), entry)):
        phrase = entry.split("-")
        if len(phrase) > 1 and all(phrase):
            found[phrase[0], phrase[1]].append(phrase)
    return dict(found)
