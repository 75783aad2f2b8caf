"""The constructions that tie an adjective to what it is said of, as expressions over letters.

They are tried in order, and the first that finds something decides. Every repetition is bounded, so that the time is
linear in the length of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterec.extraction.grammar.clauses import Clauses, Span
from counterec.extraction.grammar.letters import base
from counterec.extraction.grammar.lexemes import VERB
from counterec.extraction.grammar.listing import listed
from counterec.extraction.grammar.pointing import POINTING, antecedent
from counterec.extraction.grammar.tie import IMPLICIT, OTHERWISE, POINTING_BACK, Tie

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


@dataclass(frozen=True, slots=True)
class _Adjective:
    """An adjective in its place."""

    clauses: Clauses
    opinion: Span
    copula: int | None
    """The linking verb it is a predicate of."""
    noun: Span | None
    """The nouns right after it."""

    @property
    def word(self) -> str:
        """The adjective itself."""
        return self.clauses.words[self.opinion[0]]

    @property
    def general(self) -> bool:
        """Whether the nouns after it are too general to be an aspect: "a great thing"."""
        return self.noun is not None and "N" not in self.clauses.letters[self.noun[0] : self.noun[1]]

    @property
    def end(self) -> int:
        """Where its phrase ends."""
        return self.noun[1] if self.noun and self.general else self.opinion[1]

    def tie(self, noun: Span, rule: str) -> Tie:
        """Tie it to some nouns."""
        return Tie(noun, self.opinion, rule)


def of_adjective(clauses: Clauses, opinion: Span) -> list[Tie]:
    """Return the ties of an adjective by the first construction that finds any."""
    copula = clauses.copula(opinion[0])
    breaks = clauses.letters[opinion[1] : opinion[1] + 1] in _BREAKS
    noun = None if breaks and copula is not None else clauses.right(_ATTRIBUTIVE, opinion[1])
    adjective = _Adjective(clauses, opinion, copula, noun)
    for construction in _CONSTRUCTIONS:
        found = list(construction(adjective))
        if found:
            return found
    return []


def _right_after(adjective: _Adjective) -> Iterator[Tie]:
    """ "staff friendly, rooms dirty"."""
    clauses, (at, end) = adjective.clauses, adjective.opinion
    if adjective.copula is None and clauses.letters[end : end + 1] in _BREAKS:
        noun = clauses.left(_DIRECTLY_BEFORE, at)
        if noun:
            yield adjective.tie(noun, "apposition")


def _with_its_object(adjective: _Adjective) -> Iterator[Tie]:
    """ "a fan of the sound", where the phrase ends in its preposition."""
    if adjective.word.endswith(("-of", "-with")):
        noun = adjective.clauses.right(_OBJECT, adjective.opinion[1])
        if noun:
            yield from (adjective.tie(each, "preposition") for each in adjective.clauses.joined(noun, listed=True))


def _before_a_noun(adjective: _Adjective) -> Iterator[Tie]:
    """ "great sound", "the pan is the perfect size", "the best dish is the soup"."""
    clauses, noun = adjective.clauses, adjective.noun
    if not noun or adjective.general:
        return
    yield from (adjective.tie(each, "adjacency") for each in clauses.joined(noun))
    if adjective.copula is not None:
        yield from (adjective.tie(each, "predicate noun") for each in clauses.subjects(adjective.copula))
    elif adjective.word in _BEST:
        named = clauses.right(_AFTER_COPULA, noun[1])
        if named:
            yield adjective.tie(named, "turned round")


def _turned_round(adjective: _Adjective) -> Iterator[Tie]:
    """ "how bright the screen is", "the best thing about it is the screen", "recommended is the soup"."""
    clauses, (at, end) = adjective.clauses, adjective.opinion
    if at and clauses.letters[at - 1] == "W":
        how = clauses.right(_HOW, end)
        if how:
            yield adjective.tie(how, "turned round")
    elif adjective.general or clauses.letters[end : end + 1] == "B":
        noun = clauses.right(_AFTER_COPULA, adjective.end)
        if noun:
            yield from (adjective.tie(each, "turned round") for each in clauses.joined(noun, listed=True))


def _easy_to(adjective: _Adjective) -> Iterator[Tie]:
    """ "easy to use", "easy to get a table", "the keys are easy to find"."""
    if adjective.word not in _EASE:
        return
    clauses, words = adjective.clauses, adjective.clauses.words
    verb = clauses.right(_TO_VERB, adjective.end)
    if verb and words[verb[0]] in _LIGHT_VERBS:
        verb = clauses.right(_OBJECT_OF_TO, adjective.end)
    if verb:
        yield adjective.tie(verb, "to verb")
        if adjective.copula is not None and base(words[verb[0]], VERB) not in IMPLICIT:
            yield from (adjective.tie(each, "copula") for each in clauses.subjects(adjective.copula))


def _said_of(adjective: _Adjective) -> Iterator[Tie]:
    """ "the sound is great", "it sounds great"."""
    if adjective.copula is None:
        return
    clauses, copula = adjective.clauses, adjective.copula
    subjects = list(clauses.subjects(copula))
    yield from (adjective.tie(each, "copula") for each in subjects)
    if base(clauses.words[copula], VERB) in IMPLICIT:
        yield adjective.tie((copula, copula + 1), OTHERWISE if subjects else "implicit")


def _towards(adjective: _Adjective) -> Iterator[Tie]:
    """ "happy with the sound"."""
    clauses, end = adjective.clauses, adjective.end
    noun = clauses.right(_TOWARDS, end)
    if noun and not _CARRYING.isdisjoint(clauses.words[end : end + 2]):
        yield from (adjective.tie(each, "preposition") for each in clauses.joined(noun, listed=True))


def _by_pronoun(adjective: _Adjective) -> Iterator[Tie]:
    """ "I had the scallops and they were great"."""
    clauses = adjective.clauses
    pronoun = None if adjective.copula is None else clauses.pronoun(adjective.copula)
    if pronoun is not None and clauses.words[pronoun] in POINTING:
        noun = antecedent(clauses, pronoun)
        yield adjective.tie(noun, "pronoun") if noun else adjective.tie((pronoun, pronoun + 1), POINTING_BACK)


def _beside(adjective: _Adjective) -> Iterator[Tie]:
    """ "Battery: poor", "found the food bland in the end"."""
    if adjective.copula is None and not adjective.noun:
        noun = adjective.clauses.left(_BEFORE, adjective.opinion[0])
        if noun:
            yield adjective.tie(noun, "apposition")


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
