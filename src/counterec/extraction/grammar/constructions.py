"""Which opinion speaks of which noun: the constructions of English that tie them, as expressions over letters.

Every repetition is bounded, so that the time is linear in the length of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from counterec.extraction.grammar.clauses import Clauses, Span
from counterec.extraction.grammar.letters import base
from counterec.extraction.grammar.listing import listed
from counterec.extraction.grammar.pointing import POINTING, antecedent

_NOUN = "(?P<noun>N{1,5}O?)"
_ATTRIBUTIVE = re.compile(r"(?:,?C?[RE]{0,2}[AFYX]){0,3}(?P<noun>N{1,5}O?|[OQ]{1,2})")
_TOWARDS = re.compile(rf"R?P[RI]?D{{0,2}}(?:[RE]?[AFYX]){{0,3}}{_NOUN}")
_OF = re.compile(rf"PD{{0,2}}(?:[RE]?[AFYX]){{0,3}}{_NOUN}")
_TO_VERB = re.compile(r"(?:P[DIN]{1,2})?TR?(?P<noun>[VNB]R?)")
_OBJECT_OF_TO = re.compile(rf"(?:P[DIN]{{1,2}})?TR?[VNBM]R?P?D{{0,2}}[AFX]{{0,2}}{_NOUN}")
_OBJECT = re.compile(rf"[RTP]{{0,2}}(?:OP)?[DKI]{{0,2}}(?:R?[AFYX]){{0,3}}{_NOUN}")
_AFTER_COPULA = re.compile(
    rf"(?:P[DI]{{0,2}}[AXNO]{{0,3}}|I?MI?V?)?,?K?R?BR?P?(?:K?D)?[AFYX]{{0,2}}{_NOUN}(?![RGE]{{0,2}}[AB])"
)
_HOW = re.compile(rf"D{{0,2}}[AFX]{{0,2}}{_NOUN}(?=[RM]{{0,2}}B)")
# These are read from right to left.
_BEFORE = re.compile(rf"[REG]{{0,3}}(?:[:,][REG]{{0,2}})?{_NOUN.replace('N{1,5}O?', 'O?N{1,5}')}")
_DIRECTLY_BEFORE = re.compile(r"[REG]{0,3}(?P<noun>N{1,5})")
_COMPOUND = re.compile("(?P<noun>N{1,5})")
_PHRASE = r"[NOQ]{1,5}[AFYXR]{0,3}D{0,2}P"
_SUBJECT_OF_VERB = re.compile(
    rf"[RGMFEB]{{0,4}}(?:T[VAF][RGMB]{{0,3}})?,?(?:K,?)?(?:{_PHRASE}){{0,2}}(?P<noun>O?N{{1,5}})"
)
_OWNER = re.compile(rf"[AFYXRDE]{{0,4}}[MV][RGM]{{0,3}}(?:K,?)?(?:{_PHRASE}){{0,2}}(?P<noun>O?N{{1,5}})")
_VERB_BEFORE = re.compile("R{0,2}(?P<noun>[VFAYB])")

OTHERWISE = "otherwise implicit"
"""The tie to a verb that names an aspect, for the case that its subject does not: "this pedal *sounds* great"."""
POINTING_BACK = "pointing back"
"""The tie to a pronoun whose noun stands in the sentence before; its own nouns are the pronoun."""
EASE = listed("easy easier easiest simple simpler hard harder difficult tough tricky quick convenient effortless")
"""Adjectives that judge what is done: *easy* to use."""
BEST = listed("best worst favorite favourite")
_CARRYING = listed("with by about of on at regarding concerning")
_LIGHT_VERBS = listed("get find have make see be do go take")
IMPLICIT = {
    "work": "performance",
    "run": "performance",
    "perform": "performance",
    "function": "performance",
    "operate": "performance",
    "look": "look",
    "sound": "sound",
    "feel": "feel",
    "taste": "taste",
    "smell": "smell",
    "fit": "fit",
    "price": "price",
    "use": "use",
    "install": "installation",
    "set": "setup",
    "assemble": "assembly",
    "clean": "cleaning",
    "carry": "portability",
    "play": "playability",
    "boot": "startup",
    "start": "startup",
    "load": "loading",
    "respond": "response",
    "charge": "charging",
}
"""Verbs that name an aspect themselves: it *sounds* great."""


class Tie(NamedTuple):
    """A run of nouns and an opinion on it, by their first token and the one after their last; and what ties them."""

    noun: Span
    opinion: Span
    rule: str


def of_adjective(clauses: Clauses, opinion: Span) -> Iterator[Tie]:
    """Tie an adjective: "great sound", "the sound is great", "happy with the sound", "easy to use", "Battery: poor"."""
    letters, words = clauses.letters, clauses.words
    at, end = opinion[0], opinion[1]
    copula = clauses.copula(at)
    breaks = letters[end : end + 1] in ("", ",", "C", "|", ")")
    directly = clauses.left(_DIRECTLY_BEFORE, at) if copula is None and breaks else None
    if directly:
        yield Tie(directly, opinion, "apposition")
        return
    noun = None if copula is not None and breaks else clauses.right(_ATTRIBUTIVE, end)
    if noun and letters[noun[0]] == "N":
        for each in clauses.joined(noun):
            yield Tie(each, opinion, "adjacency")
        if copula is not None:
            for each in clauses.subjects(copula):
                yield Tie(each, opinion, "predicate noun")
        elif words[at] in BEST:
            named = clauses.right(_AFTER_COPULA, noun[1])
            if named:
                yield Tie(named, opinion, "turned round")
        return
    how = clauses.right(_HOW, end) if at and letters[at - 1] == "W" else None
    if how:
        yield Tie(how, opinion, "turned round")
        return
    if noun:
        turned_round = clauses.right(_AFTER_COPULA, noun[1])
        if turned_round:
            for each in clauses.joined(turned_round, listed=True):
                yield Tie(each, opinion, "turned round")
            return
        end = noun[1]
    if words[at] in EASE:
        light = (
            clauses.right(_OBJECT_OF_TO, end) if words[end + 1 : end + 2] and words[end + 1] in _LIGHT_VERBS else None
        )
        verb = light or clauses.right(_TO_VERB, end)
        if verb and (light or words[verb[0]] not in _LIGHT_VERBS):
            yield Tie(verb, opinion, "to verb")
            if copula is not None and base(words[verb[0]], "verb") not in IMPLICIT:
                yield from (Tie(each, opinion, "copula") for each in clauses.subjects(copula))
            return
    found = False
    if copula is not None:
        for each in clauses.subjects(copula):
            yield Tie(each, opinion, "copula")
            found = True
        if base(words[copula], "verb") in IMPLICIT:
            yield Tie((copula, copula + 1), opinion, OTHERWISE if found else "implicit")
            found = True
        if not found:
            pronoun = clauses.pronoun(copula)
            if pronoun is not None and words[pronoun] in POINTING:
                noun = antecedent(clauses, pronoun)
                yield Tie(noun, opinion, "pronoun") if noun else Tie((pronoun, pronoun + 1), opinion, POINTING_BACK)
                return
    if found:
        return
    towards = clauses.right(_OF if noun else _TOWARDS, end)
    if towards and not _CARRYING.isdisjoint(words[end : end + 2]):
        for each in clauses.joined(towards, listed=True):
            yield Tie(each, opinion, "preposition")
        return
    if copula is None and not noun:
        before = clauses.left(_BEFORE, at)
        if before:
            yield Tie(before, opinion, "apposition")


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
    if base(clauses.words[verb[0]], "verb") in IMPLICIT:
        yield Tie(verb, opinion, OTHERWISE if noun else "implicit")
