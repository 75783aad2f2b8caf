"""The class of a word on its own, from the word lists, the dictionaries, or its ending; it may be ambiguous."""

from __future__ import annotations

from functools import lru_cache

from counterec.extraction.grammar.dictionary import (
    PartOfSpeech,
    base_forms,
    base_noun,
    base_verb,
    likeliest_part_of_speech,
    likeliest_tags,
)
from counterec.extraction.grammar.extra_opinion_words import OPINION_NOUNS, VERBS_OF_LIKING
from counterec.extraction.grammar.function_words import CLASS_OF
from counterec.extraction.grammar.opinion_lexicon import polarity
from counterec.extraction.grammar.word_class_patterns import WordClass

_CACHED_WORDS = 200_000
_LONGEST_WORD = 30
_ADJECTIVE_ENDINGS = ("able", "ible", "ful", "less", "ous", "ish", "ive", "est", "ier")
_VERB_ENDINGS = ("ed", "ing")
_CLASS_BY_LAST_PART = {
    WordClass.PAST: WordClass.ADJECTIVE,
    WordClass.ING: WordClass.ADJECTIVE,
    WordClass.ADJECTIVE_OR_VERB: WordClass.ADJECTIVE,
    WordClass.ADJECTIVE_OR_NOUN: WordClass.ADJECTIVE,
    WordClass.ADJECTIVE: WordClass.ADJECTIVE,
    WordClass.ADVERB: WordClass.ADVERB,
}


@lru_cache(_CACHED_WORDS)
def lexical_class(word: str) -> WordClass:
    """Return the class of a word on its own."""
    known = CLASS_OF.get(word)
    if known:
        return known
    if not any(map(str.isalpha, word)) or len(word) > _LONGEST_WORD:
        return WordClass.OTHER
    return _class_of_compound(word) if "-" in word else _class_in_dictionary(word)


def _class_in_dictionary(word: str) -> WordClass:
    if polarity(word) and word.endswith("ing") and base_verb(word) not in VERBS_OF_LIKING:
        return WordClass.ADJECTIVE
    possible = set(base_forms().get(word, ()))
    likeliest = likeliest_part_of_speech(word) or (None if possible else likeliest_part_of_speech(word.capitalize()))
    if likeliest_tags().get(word) == "UH" and not possible:  # an interjection
        return WordClass.OTHER
    if likeliest:
        possible.add(likeliest)
    if not possible:
        return _class_by_ending(word)
    is_verb_form = likeliest == PartOfSpeech.VERB and word.endswith(_VERB_ENDINGS)
    if PartOfSpeech.ADJECTIVE in possible and not is_verb_form:
        return _class_of_adjective(word, possible, likeliest)
    return _class_of_other(word, possible, likeliest)


def _class_of_adjective(word: str, possible: set[str], likeliest: PartOfSpeech | None) -> WordClass:
    """Return the class of a word that can be an adjective."""
    if likeliest == PartOfSpeech.VERB:
        return WordClass.ADJECTIVE_OR_VERB
    if PartOfSpeech.ADVERB in possible and (likeliest == PartOfSpeech.ADVERB or word.endswith("er")):
        return WordClass.ADJECTIVE_OR_ADVERB
    if PartOfSpeech.NOUN not in possible:
        verb = PartOfSpeech.VERB in possible and not word.endswith(_VERB_ENDINGS)
        return WordClass.ADJECTIVE_OR_VERB if verb else WordClass.ADJECTIVE
    if likeliest == PartOfSpeech.NOUN:
        return WordClass.NOUN_OR_ADJECTIVE
    return WordClass.ADJECTIVE if polarity(word) else WordClass.ADJECTIVE_OR_NOUN


def _class_of_other(word: str, possible: set[str], likeliest: PartOfSpeech | None) -> WordClass:
    """Return the class of a word that is a verb form or cannot be an adjective."""
    noun, verb = PartOfSpeech.NOUN in possible, PartOfSpeech.VERB in possible
    if likeliest == PartOfSpeech.ADVERB or possible == {PartOfSpeech.ADVERB}:
        return WordClass.ADVERB
    if verb and word.endswith("ing"):
        return WordClass.NOUN if noun and likeliest == PartOfSpeech.NOUN else WordClass.ING
    if verb and not noun and (word.endswith("ed") or likeliest_tags().get(word) in ("VBN", "VBD")):
        return WordClass.PAST
    if verb and noun:
        prefers_verb = likeliest == PartOfSpeech.VERB and base_noun(word) not in OPINION_NOUNS
        return WordClass.VERB_OR_NOUN if prefers_verb else WordClass.NOUN_OR_VERB
    if verb:
        return WordClass.VERB
    return WordClass.ADJECTIVE if PartOfSpeech.ADJECTIVE in possible else WordClass.NOUN


def _class_by_ending(word: str) -> WordClass:
    """Return the class of a word that no dictionary has."""
    if word.endswith("ly"):
        return WordClass.ADVERB
    if polarity(word) or word.endswith(_ADJECTIVE_ENDINGS):
        return WordClass.ADJECTIVE
    if word.endswith("ed") and len(word) > 4:
        return WordClass.PAST
    return WordClass.ING if word.endswith("ing") and len(word) > 5 else WordClass.NOUN


def _class_of_compound(word: str) -> WordClass:
    """Return the class of a hyphenated word: by its last part ("long-lasting"), or by its first if it judges."""
    first, _, rest = word.partition("-")
    if polarity(word):
        verb_like = (WordClass.PAST, WordClass.VERB, WordClass.VERB_OR_NOUN)
        return WordClass.PAST if lexical_class(first or "x") in verb_like else WordClass.ADJECTIVE
    last = lexical_class(rest.rpartition("-")[2] or "x")
    return _CLASS_BY_LAST_PART.get(last, WordClass.NOUN)
