"""The constructions that tie an adjective to what it is said of, as expressions over letters.

They are tried in order, and the first that finds something decides. Every repetition is bounded, so that the time is
linear in the length of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from counterec.extraction.grammar.clauses import Clauses, Span
from counterec.extraction.grammar.coreference import POINTING, antecedent
from counterec.extraction.grammar.lexemes import VERB
from counterec.extraction.grammar.listing import listed
from counterec.extraction.grammar.opinion_link import IMPLICIT, OTHERWISE, POINTING_BACK, Tie
from counterec.extraction.grammar.word_classes import base

_NOUN = "(?P<noun>O?N{1,5}O?)"
_ATTRIBUTIVE = re.compile(r"(?:,?C?[RE]{0,2}[AFYX]){0,3}(?P<noun>O?N{1,5}O?|[OQ]{1,2})")
_TOWARDS = re.compile(rf"R?P[RI]?D{{0,2}}(?:[RE]?[AFYX]){{0,3}}{_NOUN}")
_OBJECT = re.compile(rf"D{{0,2}}(?:[RE]?[AFYX]){{0,3}}{_NOUN}")
_TO_VERB = re.compile(r"(?:P[DIN]{1,2})?TR?(?P<noun>[VNB]R?)")
_OBJECT_OF_TO = re.compile(rf"(?:P[DIN]{{1,2}})?TR?[VNBM]R?P?D{{0,2}}[AFX]{{0,2}}{_NOUN}")
_AFTER_COPULA = re.compile(
    rf"(?:P[DI]{{0,2}}[AXNO]{{0,3}}|I?MI?V?)?,?K?R?BR?P?(?:K?D)?[AFYX]{{0,2}}{_NOUN}(?![RGE]{{0,2}}[AB])"
)
_HOW = re.compile(rf"D{{0,2}}[AFX]{{0,2}}{_NOUN}(?=[RM]{{0,2}}B)")
# These are read from right to left.
_BEFORE = re.compile(r"[REG]{0,3}(?:[:,][REG]{0,2})?(?P<noun>O?N{1,5})")
_DIRECTLY_BEFORE = re.compile(r"[REG]{0,3}(?P<noun>N{1,5})")

_EASE = listed("easy easier easiest simple simpler hard harder difficult tough tricky quick convenient effortless")
_BEST = listed("best worst favorite favourite")
_CARRYING = listed("with by about of on at regarding concerning")
_LIGHT_VERBS = listed("get find have make see be do go take")
_BREAKS = frozenset(("", ",", "C", "|", ")"))


class _Adjective(NamedTuple):
    """An adjective in its place."""

    clauses: Clauses
    opinion: Span
    word: str
    """The adjective itself."""
    copula: int | None
    """The linking verb it is a predicate of."""
    noun: Span | None
    """The nouns right after it."""
    general: bool
    """Whether the nouns after it are too general to be an aspect: "a great thing"."""
    end: int
    """Where its phrase ends."""

    def ties(self, nouns: Iterable[Span], rule: str) -> list[Tie]:
        """Tie it to some nouns."""
        return [Tie(noun, self.opinion, rule) for noun in nouns]


def of_adjective(clauses: Clauses, opinion: Span) -> list[Tie]:
    """Return the ties of an adjective by the first construction that finds any."""
    at, end = opinion
    copula = clauses.copula(at)
    breaks = clauses.letters[end : end + 1] in _BREAKS
    noun = None if breaks and copula is not None else clauses.right(_ATTRIBUTIVE, end)
    general = noun is not None and "N" not in clauses.letters[noun[0] : noun[1]]
    phrase_end = noun[1] if noun and general else end
    adjective = _Adjective(clauses, opinion, clauses.words[at], copula, noun, general, phrase_end)
    for construction in _CONSTRUCTIONS:
        found = construction(adjective)
        if found:
            return found
    return []


def _right_after(adjective: _Adjective) -> list[Tie]:
    """ "staff friendly, rooms dirty"."""
    clauses, (at, end) = adjective.clauses, adjective.opinion
    if adjective.copula is not None or clauses.letters[end : end + 1] not in _BREAKS:
        return []
    noun = clauses.left(_DIRECTLY_BEFORE, at)
    return adjective.ties([noun], "apposition") if noun else []


def _with_its_object(adjective: _Adjective) -> list[Tie]:
    """ "a fan of the sound", where the phrase ends in its preposition."""
    if not adjective.word.endswith(("-of", "-with")):
        return []
    noun = adjective.clauses.right(_OBJECT, adjective.opinion[1])
    return adjective.ties(adjective.clauses.joined(noun, listed=True), "preposition") if noun else []


def _before_a_noun(adjective: _Adjective) -> list[Tie]:
    """ "great sound", "the pan is the perfect size", "the best dish is the soup"."""
    clauses, noun = adjective.clauses, adjective.noun
    if not noun or adjective.general:
        return []
    found = adjective.ties(clauses.joined(noun), "adjacency")
    if adjective.copula is not None:
        found += adjective.ties(clauses.subjects(adjective.copula), "predicate noun")
    elif adjective.word in _BEST:
        named = clauses.right(_AFTER_COPULA, noun[1])
        found += adjective.ties([named], "turned round") if named else []
    return found


def _turned_round(adjective: _Adjective) -> list[Tie]:
    """ "how bright the screen is", "the best thing about it is the screen", "recommended is the soup"."""
    clauses, (at, end) = adjective.clauses, adjective.opinion
    if at and clauses.letters[at - 1] == "W":
        how = clauses.right(_HOW, end)
        return adjective.ties([how], "turned round") if how else []
    if adjective.general or clauses.letters[end : end + 1] == "B":
        noun = clauses.right(_AFTER_COPULA, adjective.end)
        return adjective.ties(clauses.joined(noun, listed=True), "turned round") if noun else []
    return []


def _easy_to(adjective: _Adjective) -> list[Tie]:
    """ "easy to use", "easy to get a table", "the keys are easy to find"."""
    if adjective.word not in _EASE:
        return []
    clauses, words = adjective.clauses, adjective.clauses.words
    verb = clauses.right(_TO_VERB, adjective.end)
    if verb and words[verb[0]] in _LIGHT_VERBS:
        verb = clauses.right(_OBJECT_OF_TO, adjective.end)
    if not verb:
        return []
    found = adjective.ties([verb], "to verb")
    if adjective.copula is not None and base(words[verb[0]], VERB) not in IMPLICIT:
        found += adjective.ties(clauses.subjects(adjective.copula), "copula")
    return found


def _said_of(adjective: _Adjective) -> list[Tie]:
    """ "the sound is great", "it sounds great"."""
    clauses, copula = adjective.clauses, adjective.copula
    if copula is None:
        return []
    found = adjective.ties(clauses.subjects(copula), "copula")
    if base(clauses.words[copula], VERB) in IMPLICIT:
        found += adjective.ties([(copula, copula + 1)], OTHERWISE if found else "implicit")
    return found


def _towards(adjective: _Adjective) -> list[Tie]:
    """ "happy with the sound"."""
    clauses, end = adjective.clauses, adjective.end
    noun = clauses.right(_TOWARDS, end)
    if not noun or _CARRYING.isdisjoint(clauses.words[end : end + 2]):
        return []
    return adjective.ties(clauses.joined(noun, listed=True), "preposition")


def _by_pronoun(adjective: _Adjective) -> list[Tie]:
    """ "I had the scallops and they were great"."""
    clauses = adjective.clauses
    pronoun = None if adjective.copula is None else clauses.pronoun(adjective.copula)
    if pronoun is None or clauses.words[pronoun] not in POINTING:
        return []
    noun = antecedent(clauses, pronoun)
    return adjective.ties([noun], "pronoun") if noun else adjective.ties([(pronoun, pronoun + 1)], POINTING_BACK)


def _beside(adjective: _Adjective) -> list[Tie]:
    """ "Battery: poor", "found the food bland in the end"."""
    if adjective.copula is not None or adjective.noun:
        return []
    noun = adjective.clauses.left(_BEFORE, adjective.opinion[0])
    return adjective.ties([noun], "apposition") if noun else []


_CONSTRUCTIONS = (
    _with_its_object,
    _right_after,
    _before_a_noun,
    _turned_round,
    _easy_to,
    _said_of,
    _towards,
    _by_pronoun,
    _beside,
)
