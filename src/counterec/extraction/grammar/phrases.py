"""How a text is read: its sentences, with each known phrase joined into one word ("top notch": "top-notch")."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import compress, pairwise

from counterec.extraction.grammar.function_words import LETTER_OF
from counterec.extraction.grammar.lexicon import known_words
from counterec.extraction.sentences import Sentence, cut


class Reading:
    """A sentence as it is read: ``words`` with phrases joined."""

    __slots__ = ("_joins", "_places", "_sentence", "words")

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._places: list[tuple[int, int]] = []
        self._joins = _joins(sentence.words)
        self.words = sentence.words
        if self._joins:
            self.words = ["-".join(sentence.words[start:end]) for start, end in self._joins]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return where the words from the first to the last, both included, stand in the text."""
        if not self._places:  # worked out where it is asked for
            self._places = self._sentence.places()
        if self._joins:
            first, last = self._joins[first][0], self._joins[last][1] - 1
        start = self._sentence.start
        return start + self._places[first][0], start + self._places[last][1]


def read(text: str) -> list[Reading]:
    """Return the sentences of a text."""
    return [Reading(sentence) for sentence in cut(text)]


def _joins(words: list[str]) -> list[tuple[int, int]]:
    """Return the spans of words to be joined, single words included; none where no phrase is found."""
    phrases = _phrases()
    begun = compress(range(len(words)), map(phrases.__contains__, pairwise(words)))
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
