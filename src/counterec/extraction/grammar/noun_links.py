"""The constructions that link a noun that judges, and "no", to the nouns they are about."""

from __future__ import annotations

from collections.abc import Iterator

from counterec.extraction.grammar.opinion_link import Construction, OpinionLink
from counterec.extraction.grammar.tagged_sentence import Span, TaggedSentence
from counterec.extraction.grammar.word_class_patterns import WordClass, pattern

# "there is no *charger*"
_LACKED = pattern("[ADJECTIVE PAST OTHER]{0,2} (?P<noun> NOUN{1,5}) (?!NOUN)")
_BEFORE_NO = WordClass.COPULA + WordClass.AUXILIARY + WordClass.VERB + WordClass.PREPOSITION
# These are written from right to left: "*battery* problems", "*the phone* has a problem"
_COMPOUND = pattern("(?P<noun> NOUN{1,5})")
_OWNER = pattern("""
    [ADJECTIVE PAST ING OTHER ADVERB DETERMINER TOO]{0,4} [AUXILIARY VERB] [ADVERB NEGATION AUXILIARY]{0,3}
    (?: RELATIVE COMMA?)? (?: BACKWARD_PHRASE){0,2} BACKWARD_NOUNS
""")


def opinion_noun_links(sentence: TaggedSentence, opinion: Span) -> Iterator[OpinionLink]:
    """Link a noun that judges: "problems with the screen", "battery problems", "the service is a joke"."""
    at, end = opinion
    for construction, noun in (
        (Construction.PREPOSITION, sentence.noun_after_preposition(end)),
        (Construction.INVERTED, sentence.noun_after_copula(end)),
    ):
        if noun:
            for each in sentence.coordinated(noun, with_articles=True):
                yield OpinionLink(each, opinion, construction)
            return
    compound = sentence.before(_COMPOUND, at)
    if compound:
        yield OpinionLink(compound, opinion, Construction.COMPOUND)
        return
    copula = sentence.copula(at)
    if copula is not None:
        for each in sentence.subjects(copula):
            yield OpinionLink(each, opinion, Construction.PREDICATE)
        return
    owner = sentence.before(_OWNER, at)
    if owner:
        yield OpinionLink(owner, opinion, Construction.OWNER)


def absence_links(sentence: TaggedSentence, at: int) -> Iterator[OpinionLink]:
    """Link "no" to what is missing: "there is no charger"."""
    lacked = sentence.after(_LACKED, at + 1)
    if lacked and at and sentence.tags[at - 1] in _BEFORE_NO:
        yield OpinionLink(lacked, (at, at + 1), Construction.ABSENCE)
