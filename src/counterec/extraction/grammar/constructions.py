"""The constructions that tie verbs, nouns and adverbs that judge to what they judge, as expressions over letters.

Every repetition is bounded, so that the time is linear in the length of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from counterec.extraction.grammar.clauses import Clauses, Span
from counterec.extraction.grammar.lexemes import VERB
from counterec.extraction.grammar.opinion_link import IMPLICIT, OTHERWISE, Tie
from counterec.extraction.grammar.word_classes import base

_NOUN = "(?P<noun>O?N{1,5}O?)"
_TOWARDS = re.compile(rf"R?P[RI]?D{{0,2}}(?:[RE]?[AFYX]){{0,3}}{_NOUN}")
_OBJECT = re.compile(rf"[RTP]{{0,2}}(?:OP)?[DKI]{{0,2}}(?:R?[AFYX]){{0,3}}{_NOUN}")
_AFTER_COPULA = re.compile(
    rf"(?:P[DI]{{0,2}}[AXNO]{{0,3}}|I?MI?V?)?,?K?R?BR?P?(?:K?D)?[AFYX]{{0,2}}{_NOUN}(?![RGE]{{0,2}}[AB])"
)
# These are read from right to left.
_COMPOUND = re.compile("(?P<noun>N{1,5})")
_PHRASE = r"[NOQ]{1,5}[AFYXR]{0,3}D{0,2}P"
_SUBJECT_OF_VERB = re.compile(
    rf"[RGMFEB]{{0,4}}(?:T[VAF][RGMB]{{0,3}})?,?(?:K,?)?(?:{_PHRASE}){{0,2}}(?P<noun>O?N{{1,5}})"
)
_OWNER = re.compile(rf"[AFYXRDE]{{0,4}}[MV][RGM]{{0,3}}(?:K,?)?(?:{_PHRASE}){{0,2}}(?P<noun>O?N{{1,5}})")
_VERB_BEFORE = re.compile("R{0,2}(?P<noun>[VFAYB])")


def of_verb(clauses: Clauses, opinion: Span, likes: bool) -> Iterator[Tie]:
    """Tie a verb: "I love the sound", "the case broke"."""
    noun = clauses.right(_OBJECT, opinion[1]) if likes else None
    if noun:
        for each in clauses.joined(noun, listed=True):
            yield Tie(each, opinion, "object")
        return
    noun = clauses.left(_SUBJECT_OF_VERB, opinion[0])
    if noun:
        yield Tie(noun, opinion, "subject")


def of_noun(clauses: Clauses, opinion: Span) -> Iterator[Tie]:
    """Tie a noun that judges: "problems with the screen", "battery problems", "the service is a joke"."""
    at, end = opinion
    for rule, noun in (
        ("preposition", clauses.right(_TOWARDS, end)),
        ("turned round", clauses.right(_AFTER_COPULA, end)),
        ("compound", clauses.left(_COMPOUND, at)),
    ):
        if noun:
            for each in clauses.joined(noun, listed=True) if rule != "compound" else [noun]:
                yield Tie(each, opinion, rule)
            return
    copula = clauses.copula(at)
    if copula is not None:
        for each in clauses.subjects(copula):
            yield Tie(each, opinion, "copula")
        return
    owner = clauses.left(_OWNER, at)
    if owner:
        yield Tie(owner, opinion, "owner")


def of_adverb(clauses: Clauses, opinion: Span) -> Iterator[Tie]:
    """Tie an adverb: "the food was cooked perfectly", "it works well"."""
    verb = clauses.left(_VERB_BEFORE, opinion[0])
    if not verb:
        return
    noun = clauses.left(_SUBJECT_OF_VERB, verb[0])
    if noun:
        yield Tie(noun, opinion, "manner")
    if base(clauses.words[verb[0]], VERB) in IMPLICIT:
        yield Tie(verb, opinion, OTHERWISE if noun else "implicit")
