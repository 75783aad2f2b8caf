"""The constructions that link an adjective to the nouns it is about, tried in order: the first that matches decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from counterec.extraction.grammar.coreference import REFERRING_PRONOUNS, antecedent
from counterec.extraction.grammar.dictionary import base_verb
from counterec.extraction.grammar.opinion_link import ASPECT_OF_VERB, Construction, OpinionLink
from counterec.extraction.grammar.tagged_sentence import Span, TaggedSentence
from counterec.extraction.grammar.word_class_patterns import WordClass, pattern
from counterec.extraction.grammar.word_list import word_set

# "great, really bright little *screen*"; "a great *thing*"
_ATTRIBUTE_OF = pattern("""
    (?: COMMA? AND? [ADVERB TOO]{0,2} MODIFIER){0,3}
    (?P<noun> GENERAL_NOUN? NOUN{1,5} GENERAL_NOUN? | [GENERAL_NOUN OPINION_NOUN]{1,2})
""")
# "a fan of *the sound*"
_OBJECT = pattern("DETERMINER{0,2} (?: [ADVERB TOO]? MODIFIER){0,3} NOUNS")
# "easy *to use*", "easy *for me to use*"
_TO_VERB = pattern("""
    (?: PREPOSITION [DETERMINER PRONOUN NOUN]{1,2})? TO ADVERB? (?P<noun> [VERB NOUN COPULA] ADVERB?)
""")
# "easy *to get a table*"
_OBJECT_OF_TO_VERB = pattern("""
    (?: PREPOSITION [DETERMINER PRONOUN NOUN]{1,2})? TO ADVERB? [VERB NOUN COPULA AUXILIARY] ADVERB?
    PREPOSITION? DETERMINER{0,2} [ADJECTIVE PAST OTHER]{0,2} NOUNS
""")
# "how bright *the screen is*"
_SUBJECT_OF_HOW = pattern("DETERMINER{0,2} [ADJECTIVE PAST OTHER]{0,2} NOUNS (?=[ADVERB AUXILIARY]{0,2} COPULA)")
# These are written from right to left: "*Battery*: poor", "*staff* friendly"
_NOUN_BEFORE = pattern("[ADVERB TOO NEGATION]{0,3} (?: [COLON COMMA] [ADVERB TOO NEGATION]{0,2})? BACKWARD_NOUNS")
_NOUN_DIRECTLY_BEFORE = pattern("[ADVERB TOO NEGATION]{0,3} (?P<noun> NOUN{1,5})")

_EASE = word_set("""
    easy easier easiest simple simpler hard harder difficult tough tricky quick convenient effortless
    """)
_SUPERLATIVES = word_set("best worst favorite favourite")
_LINKING_PREPOSITIONS = word_set("with by about of on at regarding concerning")
_LIGHT_VERBS = word_set("get find have make see be do go take")
_NOUN = WordClass.NOUN.value
_PHRASE_ENDS = frozenset(("", WordClass.COMMA, WordClass.AND, WordClass.BREAK, WordClass.CLOSE))


class _Adjective(NamedTuple):
    """An adjective in its sentence."""

    sentence: TaggedSentence
    opinion: Span
    word: str
    """The adjective itself."""
    copula: int | None
    """The linking verb it is a predicate of."""
    noun: Span | None
    """The nouns right after it."""
    is_general: bool
    """Whether the nouns after it are too general to be an aspect: "a great thing"."""
    end: int
    """Where its phrase ends."""

    def links(self, nouns: Iterable[Span], construction: Construction) -> list[OpinionLink]:
        """Link it to some nouns."""
        return [OpinionLink(noun, self.opinion, construction) for noun in nouns]


def adjective_links(sentence: TaggedSentence, opinion: Span) -> list[OpinionLink]:
    """Return the links of an adjective by the first construction that finds any."""
    at, end = opinion
    tags, copula = sentence.tags, sentence.copula(at)
    noun = None
    if copula is None or tags[end : end + 1] not in _PHRASE_ENDS:
        noun = sentence.after(_ATTRIBUTE_OF, end)
    is_general = noun is not None and _NOUN not in tags[noun[0] : noun[1]]
    phrase_end = noun[1] if noun and is_general else end
    adjective = _Adjective(sentence, opinion, sentence.words[at], copula, noun, is_general, phrase_end)
    for construction in _POSSIBLE[noun is not None and not is_general, copula is not None]:
        found = construction(adjective)
        if found:
            return found
    return []


def _with_own_preposition(adjective: _Adjective) -> list[OpinionLink]:
    """ "a fan of the sound", where the opinion ends in its preposition ("fan-of")."""
    if not adjective.word.endswith(("-of", "-with")):
        return []
    sentence = adjective.sentence
    noun = sentence.after(_OBJECT, adjective.opinion[1])
    nouns = sentence.coordinated(noun, with_articles=True) if noun else ()
    return adjective.links(nouns, Construction.PREPOSITION)


def _directly_after_noun(adjective: _Adjective) -> list[OpinionLink]:
    """ "staff friendly, rooms dirty"."""
    sentence, (at, end) = adjective.sentence, adjective.opinion
    if sentence.tags[end : end + 1] not in _PHRASE_ENDS:
        return []
    noun = sentence.before(_NOUN_DIRECTLY_BEFORE, at)
    return adjective.links([noun], Construction.APPOSITION) if noun else []


def _before_noun(adjective: _Adjective) -> list[OpinionLink]:
    """ "great sound", "the pan is the perfect size", "the best dish is the soup"."""
    sentence, noun = adjective.sentence, adjective.noun
    if not noun:
        return []
    found = adjective.links(sentence.coordinated(noun), Construction.ATTRIBUTE)
    if adjective.copula is not None:
        found += adjective.links(sentence.subjects(adjective.copula), Construction.PREDICATE_NOUN)
    elif adjective.word in _SUPERLATIVES:
        named = sentence.noun_after_copula(noun[1])
        found += adjective.links([named], Construction.INVERTED) if named else []
    return found


def _inverted(adjective: _Adjective) -> list[OpinionLink]:
    """ "how bright the screen is", "the best thing about it is the screen", "recommended is the soup"."""
    sentence, (at, end) = adjective.sentence, adjective.opinion
    if at and sentence.tags[at - 1] == WordClass.QUESTION_WORD:
        noun = sentence.after(_SUBJECT_OF_HOW, end)
        return adjective.links([noun], Construction.INVERTED) if noun else []
    if adjective.is_general or sentence.tags[end : end + 1] == WordClass.COPULA:
        noun = sentence.noun_after_copula(adjective.end)
        nouns = sentence.coordinated(noun, with_articles=True) if noun else ()
        return adjective.links(nouns, Construction.INVERTED)
    return []


def _easy_to(adjective: _Adjective) -> list[OpinionLink]:
    """ "easy to use", "easy to get a table", "the keys are easy to find"."""
    if adjective.word not in _EASE:
        return []
    sentence, words = adjective.sentence, adjective.sentence.words
    verb = sentence.after(_TO_VERB, adjective.end)
    if verb and words[verb[0]] in _LIGHT_VERBS:
        verb = sentence.after(_OBJECT_OF_TO_VERB, adjective.end)
    if not verb:
        return []
    found = adjective.links([verb], Construction.TO_VERB)
    if adjective.copula is not None and base_verb(words[verb[0]]) not in ASPECT_OF_VERB:
        found += adjective.links(sentence.subjects(adjective.copula), Construction.PREDICATE)
    return found


def _predicate(adjective: _Adjective) -> list[OpinionLink]:
    """ "the sound is great", "it sounds great"."""
    sentence, copula = adjective.sentence, adjective.copula
    if copula is None:
        return []
    found = adjective.links(sentence.subjects(copula), Construction.PREDICATE)
    if base_verb(sentence.words[copula]) in ASPECT_OF_VERB:
        named = Construction.VERB_NAMES_ASPECT_OTHERWISE if found else Construction.VERB_NAMES_ASPECT
        found += adjective.links([(copula, copula + 1)], named)
    return found


def _with_preposition(adjective: _Adjective) -> list[OpinionLink]:
    """ "happy with the sound"."""
    sentence, end = adjective.sentence, adjective.end
    if _LINKING_PREPOSITIONS.isdisjoint(sentence.words[end : end + 2]):
        return []
    noun = sentence.noun_after_preposition(end)
    if not noun:
        return []
    return adjective.links(sentence.coordinated(noun, with_articles=True), Construction.PREPOSITION)


def _of_pronoun(adjective: _Adjective) -> list[OpinionLink]:
    """ "I had the scallops and they were great"."""
    sentence = adjective.sentence
    pronoun = None if adjective.copula is None else sentence.pronoun_subject(adjective.copula)
    if pronoun is None or sentence.words[pronoun] not in REFERRING_PRONOUNS:
        return []
    noun = antecedent(sentence, pronoun)
    if noun:
        return adjective.links([noun], Construction.PRONOUN)
    return adjective.links([(pronoun, pronoun + 1)], Construction.PRONOUN_OF_PREVIOUS)


def _beside_noun(adjective: _Adjective) -> list[OpinionLink]:
    """ "Battery: poor", "found the food bland in the end"."""
    if adjective.noun:
        return []
    noun = adjective.sentence.before(_NOUN_BEFORE, adjective.opinion[0])
    return adjective.links([noun], Construction.APPOSITION) if noun else []


_POSSIBLE = {
    (True, False): (_with_own_preposition, _directly_after_noun, _before_noun),
    (True, True): (_with_own_preposition, _before_noun),
    (False, False): (
        *(_with_own_preposition, _directly_after_noun, _inverted, _easy_to),
        *(_with_preposition, _beside_noun),
    ),
    (False, True): (
        *(_with_own_preposition, _inverted, _easy_to),
        *(_predicate, _with_preposition, _of_pronoun),
    ),
}
"""The constructions in order, by whether nouns that can be an aspect follow, and whether a linking verb precedes."""
