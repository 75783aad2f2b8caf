"""From a sentence to its ties: each word that judges, by the constructions of its class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from counterec.extraction.grammar.adjectives import of_adjective
from counterec.extraction.grammar.clauses import Clauses
from counterec.extraction.grammar.constructions import of_adverb, of_noun, of_verb
from counterec.extraction.grammar.function_words import GENERAL_ADJECTIVES
from counterec.extraction.grammar.lexemes import NOUN, VERB
from counterec.extraction.grammar.lexicon import (
    FUNCTIONS,
    LIKINGS,
    OPINION_NOUNS,
    polarity,
    predicate_polarity,
    verb_polarity,
)
from counterec.extraction.grammar.opinion_link import Tie
from counterec.extraction.grammar.sign import negation
from counterec.extraction.grammar.terms import is_fixed_term
from counterec.extraction.grammar.word_classes import base

_CACHED_WORDS = 200_000
_LACKED = re.compile("[AFX]{0,2}(N{1,5})(?!N)")
_URGED = frozenset(("must", "should", "definitely", "to", "and", ",", "(", ":", "highly", "suggest", "recommend"))
_PRICED = frozenset(("priced",))


@lru_cache(_CACHED_WORDS)
def judges(word: str) -> bool:
    """Whether a word, in some class and place, judges something."""
    return bool(
        polarity(word)
        or verb_polarity(word)
        or predicate_polarity(word)
        or word in ("no", "try")
        or base(word, NOUN) in OPINION_NOUNS
        or base(word, VERB) in FUNCTIONS
    )


def ties(clauses: Clauses, at: int) -> Iterable[Tie]:
    """Return the ties of the word at a position, of whatever class it is there."""
    letter = clauses.letters[at]
    if letter == "A":
        return _of_adjective(clauses, at)
    if letter in "VFY":
        return _of_verb(clauses, at)
    if letter == "Q":
        return _of_noun(clauses, at)
    if letter == "R":
        return _of_adverb(clauses, at)
    return _of_absence(clauses, at) if clauses.words[at] == "no" else ()


def learned_ties(clauses: Clauses, at: int) -> Iterator[Tie]:
    """Return the ties of an adjective that only the corpus knows to judge."""
    if clauses.letters[at] == "A":
        for tie in of_adjective(clauses, (at, at + 1)):
            if tie.rule in ("adjacency", "copula", "pronoun"):
                yield tie


def _of_adjective(clauses: Clauses, at: int) -> list[Tie]:
    word = clauses.words[at]
    if clauses.letters[at + 1 : at + 2] == "Q" or is_fixed_term(word, clauses.words[at + 1 : at + 2]):
        return []  # "huge pain", where the noun judges; "hot dog"
    found = of_adjective(clauses, (at, at + 1))
    return found if polarity(word) else [tie for tie in found if tie.rule in ("copula", "pronoun")]


def _of_verb(clauses: Clauses, at: int) -> Iterator[Tie]:
    word, letter, opinion = clauses.words[at], clauses.letters[at], (at, at + 1)
    lemma = base(word, VERB)
    if word == "try":
        if at == 0 or clauses.words[at - 1] in _URGED:
            yield from of_verb(clauses, opinion, likes=True)
    elif lemma in LIKINGS:
        yield from of_verb(clauses, opinion, likes=True)
    elif (
        letter == "F" and clauses.letters[at + 1 : at + 2] == "P" and (polarity(word) or verb_polarity(word))
    ):  # "Delighted with the sound"
        yield from of_adjective(clauses, opinion)
    elif verb_polarity(word) and letter != "Y":
        yield from of_verb(clauses, opinion, likes=False)
    elif lemma in FUNCTIONS:
        if negation(clauses, at) is not None:
            yield from of_verb(clauses, opinion, likes=False)
    elif letter == "F" and polarity(word):
        yield from of_adjective(clauses, opinion)


def _of_noun(clauses: Clauses, at: int) -> Iterator[Tie]:
    first = at
    while first and clauses.letters[first - 1] == "A" and clauses.words[first - 1] not in GENERAL_ADJECTIVES:
        first -= 1
    return of_noun(clauses, (first, at + 1))


def _of_absence(clauses: Clauses, at: int) -> Iterator[Tie]:
    lacked = _LACKED.match(clauses.letters, at + 1)
    if lacked and at and clauses.letters[at - 1] in "BMVP":
        yield Tie(lacked.span(1), (at, at + 1), "absence")


def _of_adverb(clauses: Clauses, at: int) -> Iterator[Tie]:
    follower = clauses.letters[at + 1 : at + 2]
    if follower in ("A", "F"):
        participle = clauses.words[at + 1]
        if not polarity(participle) and participle not in GENERAL_ADJECTIVES:  # "well prepared"
            yield from of_adjective(clauses, (at, at + 2))
            if participle in _PRICED:
                yield Tie((at + 1, at + 2), (at, at + 1), "implicit")
    elif follower != "N":
        yield from of_adverb(clauses, (at, at + 1))
