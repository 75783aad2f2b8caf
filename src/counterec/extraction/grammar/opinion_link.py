"""The link between an opinion and the nouns it is about, and the constructions that make one."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from counterec.extraction.grammar.plain_members import plain_members
from counterec.extraction.grammar.tagged_sentence import Span


@plain_members
class Construction(StrEnum):
    """What links an opinion to its nouns."""

    ATTRIBUTE = "attribute"
    """*great sound*."""
    PREDICATE = "predicate"
    """The *sound* is *great*."""
    PREDICATE_NOUN = "predicate noun"
    """The *pan* is the *perfect* size."""
    INVERTED = "inverted"
    """The *best* thing about it is the *screen*; how *bright* the *screen* is."""
    APPOSITION = "apposition"
    """*staff friendly*, rooms dirty; *Battery: poor*."""
    PREPOSITION = "preposition"
    """*happy* with the *sound*; *problems* with the *screen*."""
    PRONOUN = "pronoun"
    """I had the *scallops* and they were *great*."""
    PRONOUN_OF_PREVIOUS = "pronoun of the previous sentence"
    """The scallops arrived. *They* were *great*. The nouns of the link are the pronoun."""
    TO_VERB = "to verb"
    """*easy* to *use*."""
    OBJECT = "object"
    """I *love* the *sound*."""
    SUBJECT = "subject"
    """The *case broke*."""
    OWNER = "owner"
    """The *phone* has a *problem*."""
    COMPOUND = "compound"
    """*battery problems*."""
    MANNER = "manner"
    """The *food* was cooked *perfectly*."""
    ABSENCE = "absence"
    """There is *no charger*."""
    VERB_NAMES_ASPECT = "verb names the aspect"
    """It *sounds great*."""
    VERB_NAMES_ASPECT_OTHERWISE = "verb names the aspect, unless the subject does"
    """This pedal *sounds great*: a link to the verb, for the case that "pedal" is no aspect."""


ASPECT_OF_VERB = {
    **dict.fromkeys(("work", "run", "perform", "function", "operate"), "performance"),
    **dict.fromkeys(("boot", "start"), "startup"),
    **{verb: verb for verb in ("look", "sound", "feel", "taste", "smell", "fit", "price", "use")},
    "install": "installation",
    "set": "setup",
    "assemble": "assembly",
    "clean": "cleaning",
    "carry": "portability",
    "play": "playability",
    "load": "loading",
    "respond": "response",
    "charge": "charging",
}
"""Verbs that name an aspect, and the aspect: it *sounds* great."""


class OpinionLink(NamedTuple):
    """A run of nouns, an opinion on it, and the construction that links them."""

    noun: Span
    opinion: Span
    construction: Construction
