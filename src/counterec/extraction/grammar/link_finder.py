"""Which words of a sentence judge, and the links each of them has, by the constructions of its class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from counterec.extraction.grammar.adjective_links import adjective_links
from counterec.extraction.grammar.aspect_terms import is_fixed_term
from counterec.extraction.grammar.dictionary import base_verb
from counterec.extraction.grammar.extra_opinion_words import VERBS_OF_FUNCTION, VERBS_OF_LIKING
from counterec.extraction.grammar.function_words import GENERAL_ADJECTIVES
from counterec.extraction.grammar.noun_links import absence_links, opinion_noun_links
from counterec.extraction.grammar.opinion_lexicon import polarity, verb_polarity
from counterec.extraction.grammar.opinion_link import Construction, OpinionLink
from counterec.extraction.grammar.polarity_in_context import negation_before
from counterec.extraction.grammar.tagged_sentence import TaggedSentence
from counterec.extraction.grammar.verb_links import adverb_links, object_links, subject_links
from counterec.extraction.grammar.word_class_patterns import WordClass

_VERB_FORMS = WordClass.VERB + WordClass.PAST + WordClass.ING
_BEFORE_TRY = frozenset(("must", "should", "definitely", "to", "and", ",", "(", ":", "highly", "suggest", "recommend"))
_OPINION_NOUN = WordClass.OPINION_NOUN.value
_LEARNED = (Construction.ATTRIBUTE, Construction.PREDICATE, Construction.PRONOUN)
_AS_PREDICATE = (Construction.PREDICATE, Construction.PRONOUN)


def opinion_links(sentence: TaggedSentence, at: int) -> Iterable[OpinionLink]:
    """Return the links of the word at a position, by its class there."""
    word_class = sentence.tags[at]
    if word_class == WordClass.ADJECTIVE:
        return _of_adjective(sentence, at)
    if word_class in _VERB_FORMS:
        return _of_verb(sentence, at)
    if word_class == WordClass.OPINION_NOUN:
        return _of_noun(sentence, at)
    if word_class == WordClass.ADVERB:
        return _of_adverb(sentence, at)
    return absence_links(sentence, at) if sentence.words[at] == "no" else ()


def learned_links(sentence: TaggedSentence, at: int) -> Iterator[OpinionLink]:
    """Yield the links of an adjective that judges only because the corpus says so."""
    if sentence.tags[at] == WordClass.ADJECTIVE:
        for link in adjective_links(sentence, (at, at + 1)):
            if link.construction in _LEARNED:
                yield link


def _of_adjective(sentence: TaggedSentence, at: int) -> list[OpinionLink]:
    word = sentence.words[at]
    if sentence.tags.startswith(_OPINION_NOUN, at + 1) or is_fixed_term(word, sentence.words[at + 1 : at + 2]):
        return []  # "huge pain", where the noun judges; "hot dog"
    found = adjective_links(sentence, (at, at + 1))
    return found if polarity(word) else [link for link in found if link.construction in _AS_PREDICATE]


def _of_verb(sentence: TaggedSentence, at: int) -> Iterable[OpinionLink]:
    word, word_class, opinion = sentence.words[at], sentence.tags[at], (at, at + 1)
    lemma = base_verb(word)
    if word == "try":
        urged = at == 0 or sentence.words[at - 1] in _BEFORE_TRY  # "you must try the soup"
        return object_links(sentence, opinion) if urged else ()
    if lemma in VERBS_OF_LIKING:
        return object_links(sentence, opinion)
    past = word_class == WordClass.PAST
    before_preposition = sentence.tags[at + 1 : at + 2] == WordClass.PREPOSITION
    if past and before_preposition and (polarity(word) or verb_polarity(word)):
        return adjective_links(sentence, opinion)  # "Delighted with the sound"
    if verb_polarity(word) and word_class != WordClass.ING:
        return subject_links(sentence, opinion)
    if lemma in VERBS_OF_FUNCTION:
        return subject_links(sentence, opinion) if negation_before(sentence, at) is not None else ()
    return adjective_links(sentence, opinion) if past and polarity(word) else ()


def _of_noun(sentence: TaggedSentence, at: int) -> Iterator[OpinionLink]:
    first = at  # "*huge* pain" is one opinion
    while first and sentence.tags[first - 1] == WordClass.ADJECTIVE and _is_particular(sentence.words[first - 1]):
        first -= 1
    return opinion_noun_links(sentence, (first, at + 1))


def _of_adverb(sentence: TaggedSentence, at: int) -> Iterator[OpinionLink]:
    follower = sentence.tags[at + 1 : at + 2]
    if follower in (WordClass.ADJECTIVE, WordClass.PAST):
        participle = sentence.words[at + 1]
        if not polarity(participle) and _is_particular(participle):  # "well prepared"
            yield from adjective_links(sentence, (at, at + 2))
            if participle == "priced":
                yield OpinionLink((at + 1, at + 2), (at, at + 1), Construction.VERB_NAMES_ASPECT)
    elif follower != WordClass.NOUN:
        yield from adverb_links(sentence, (at, at + 1))


def _is_particular(adjective: str) -> bool:
    return adjective not in GENERAL_ADJECTIVES
