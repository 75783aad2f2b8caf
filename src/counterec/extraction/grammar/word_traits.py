"""What the grammar knows of a word on its own, as three letters, so that a sentence is a string of them.

The letters of a word are its class, the kind of noun that it is wherever it is a noun, and whether it may judge. They
are worked out once per distinct word. Every third letter of a sentence is one trait of all its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from counterec.extraction.grammar.dictionary import base_noun, base_verb
from counterec.extraction.grammar.extra_opinion_words import OPINION_NOUNS, VERBS_OF_FUNCTION
from counterec.extraction.grammar.function_words import GENERAL_NOUNS, NEGATIONS
from counterec.extraction.grammar.opinion_lexicon import polarity, predicate_polarity, verb_polarity
from counterec.extraction.grammar.word_class_lookup import lexical_class
from counterec.extraction.grammar.word_class_patterns import WordClass
from counterec.extraction.memo import Memo

_CACHED_WORDS = 200_000
_JUDGES, _JUDGES_NEGATED, _JUDGES_NOT = "!", "?", "."  # letters of no class
_MAY_BE_ADVERB = WordClass.ADVERB + WordClass.ADJECTIVE_OR_ADVERB + WordClass.MORE
_NOUN_KINDS = dict.fromkeys(GENERAL_NOUNS, WordClass.GENERAL_NOUN) | dict.fromkeys(
    OPINION_NOUNS, WordClass.OPINION_NOUN
)


def traits(words: Iterable[str]) -> str:
    """Return the letters of a sentence's words, three per word."""
    return "".join(map(_TRAITS.__getitem__, words))


def own_classes(of_words: str) -> str:
    """Return each word's class on its own, perhaps ambiguous."""
    return of_words[::3]


def noun_kinds(of_words: str) -> str:
    """Return the kind of noun that each word is wherever it is a noun."""
    return of_words[1::3]


def judging(words: Sequence[str], of_words: str) -> list[int]:
    """Return the positions of the words that may judge something."""
    if _JUDGES_NEGATED in of_words and not NEGATIONS.isdisjoint(words):
        of_words = of_words.replace(_JUDGES_NEGATED, _JUDGES)
    found = []
    at = of_words.find(_JUDGES)
    while at >= 0:
        found.append(at // 3)
        at = of_words.find(_JUDGES, at + 3)
    return found


def judgement(word: str) -> str:
    """Whether a word judges something in some class and place, as a letter; some do only where they are negated."""
    if (
        polarity(word)
        or verb_polarity(word)
        or predicate_polarity(word)
        or word in ("no", "try")
        or base_noun(word) in OPINION_NOUNS
    ):
        return _JUDGES
    if base_verb(word) not in VERBS_OF_FUNCTION:
        return _JUDGES_NOT
    return _JUDGES if lexical_class(word) in _MAY_BE_ADVERB else _JUDGES_NEGATED


def _traits(word: str) -> str:
    kind = _NOUN_KINDS.get(base_noun(word), WordClass.NOUN)
    return lexical_class(word) + kind + judgement(word)


_TRAITS = Memo(_traits, _CACHED_WORDS)
