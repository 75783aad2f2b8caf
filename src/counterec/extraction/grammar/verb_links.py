"""The constructions that link verbs, and the adverbs beside them, to the nouns they judge."""

from __future__ import annotations

from collections.abc import Iterator

from counterec.extraction.grammar.dictionary import base_verb
from counterec.extraction.grammar.opinion_link import ASPECT_OF_VERB, Construction, OpinionLink
from counterec.extraction.grammar.tagged_sentence import Span, TaggedSentence
from counterec.extraction.grammar.word_class_patterns import pattern

# "love *the sound*", "love everything about *its sound*"
_OBJECT = pattern("""
    [ADVERB TO PREPOSITION]{0,2} (?: GENERAL_NOUN PREPOSITION)? [DETERMINER RELATIVE PRONOUN]{0,2}
    (?: ADVERB? MODIFIER){0,3} NOUNS
""")
# These are written from right to left: "*the case* on the left just broke", "cooked *perfectly*"
_SUBJECT = pattern("""
    [ADVERB NEGATION AUXILIARY PAST TOO COPULA]{0,4}
    (?: TO [VERB ADJECTIVE PAST] [ADVERB NEGATION AUXILIARY COPULA]{0,3})?
    COMMA? (?: RELATIVE COMMA?)? (?: BACKWARD_PHRASE){0,2} BACKWARD_NOUNS
""")
_VERB_BEFORE = pattern("ADVERB{0,2} (?P<noun> [VERB PAST ADJECTIVE ING COPULA])")


def object_links(sentence: TaggedSentence, opinion: Span) -> Iterator[OpinionLink]:
    """Link a verb that judges its object ("I love the sound"); without an object, its subject."""
    noun = sentence.after(_OBJECT, opinion[1])
    if not noun:
        yield from subject_links(sentence, opinion)
        return
    for each in sentence.coordinated(noun, with_articles=True):
        yield OpinionLink(each, opinion, Construction.OBJECT)


def subject_links(sentence: TaggedSentence, opinion: Span) -> Iterator[OpinionLink]:
    """Link a verb that judges its subject: "the case broke"."""
    noun = sentence.before(_SUBJECT, opinion[0])
    if noun:
        yield OpinionLink(noun, opinion, Construction.SUBJECT)


def adverb_links(sentence: TaggedSentence, opinion: Span) -> Iterator[OpinionLink]:
    """Link an adverb to the subject of its verb, or to the verb: "the food was cooked perfectly", "it works well"."""
    verb = sentence.before(_VERB_BEFORE, opinion[0])
    if not verb:
        return
    noun = sentence.before(_SUBJECT, verb[0])
    if noun:
        yield OpinionLink(noun, opinion, Construction.MANNER)
    if base_verb(sentence.words[verb[0]]) in ASPECT_OF_VERB:
        named = Construction.VERB_NAMES_ASPECT_OTHERWISE if noun else Construction.VERB_NAMES_ASPECT
        yield OpinionLink(verb, opinion, named)
