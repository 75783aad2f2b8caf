"""Sentences with each known phrase joined into one word: "top notch" becomes "top-notch"."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import compress, pairwise

from counterec.extraction.grammar.function_words import CLASS_OF
from counterec.extraction.grammar.opinion_lexicon import opinion_words
from counterec.extraction.grammar.tagger import tagged
from counterec.extraction.grammar.word_traits import judging, traits
from counterec.extraction.sentences import Sentence, cut


class JoinedSentence:
    """A sentence whose ``words`` have their phrases joined, what is known of them, and their places in the text."""

    __slots__ = ("_joins", "_places", "_sentence", "_traits", "words")

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._places: list[tuple[int, int]] = []
        words = sentence.words
        self._joins = [] if _beginnings().isdisjoint(pairwise(words)) else _joins(words)
        if self._joins:
            words = ["-".join(words[start:end]) for start, end in self._joins]
        self.words = words
        self._traits = traits(words)

    def judging(self) -> list[int]:
        """Return the positions of the words that may judge something."""
        return judging(self.words, self._traits)

    def tags(self) -> str:
        """Return the classes of the words, one letter per word."""
        return tagged(self._traits)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the characters of the text from the first word to the last, both included."""
        if not self._places:  # computed on first use: most sentences never need it
            self._places = self._sentence.places()
        if self._joins:
            first, last = self._joins[first][0], self._joins[last][1] - 1
        start = self._sentence.start
        return start + self._places[first][0], start + self._places[last][1]


def joined_sentences(text: str) -> list[JoinedSentence]:
    """Return the sentences of a text."""
    return [JoinedSentence(sentence) for sentence in cut(text)]


def _joins(words: list[str]) -> list[tuple[int, int]]:
    """Return the spans that become one word each, single words included; empty if there is no phrase."""
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
    """Return the hyphenated entries of the word lists, split at hyphens, longest first, by their first two words."""
    found: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for entry in sorted(CLASS_OF.keys() | opinion_words(), key=lambda entry: (-entry.count("-"), entry)):
        phrase = entry.split("-")
        if len(phrase) > 1 and all(phrase):
            found[phrase[0], phrase[1]].append(phrase)
    return dict(found)


@cache
def _beginnings() -> frozenset[tuple[str, str]]:
    """Return the first two words of all phrases."""
    return frozenset(_phrases())
