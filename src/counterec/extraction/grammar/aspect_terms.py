"""From a run of nouns to a term: the words it covers in the sentence, and the words of its name."""

from __future__ import annotations

from counterec.extraction.grammar.dictionary import base_noun, base_verb
from counterec.extraction.grammar.function_words import GENERAL_ADJECTIVES
from counterec.extraction.grammar.opinion_lexicon import polarity
from counterec.extraction.grammar.opinion_link import ASPECT_OF_VERB, Construction, OpinionLink
from counterec.extraction.grammar.tagged_sentence import Span, TaggedSentence
from counterec.extraction.grammar.word_class_patterns import WordClass
from counterec.extraction.grammar.word_list import word_set

LONGEST_NAME = 3
"""The most words a name has."""

_VERB_NAMES_ASPECT = (Construction.VERB_NAMES_ASPECT, Construction.VERB_NAMES_ASPECT_OTHERWISE)
_SINGLE_WORD = (*_VERB_NAMES_ASPECT, Construction.PRONOUN_OF_PREVIOUS)
_MAY_BE_VERB = (*_VERB_NAMES_ASPECT, Construction.TO_VERB)
_MODIFIERS = WordClass.ADJECTIVE + WordClass.PAST + WordClass.ING
_FIXED_TERMS = word_set("""
    hard-drive hard-drives hard-disk hard-disks hard-copy hard-case hard-shell hot-dog hot-dogs hot-tub hot-tubs
    hot-water hot-pot hot-sauce hot-chocolate cold-water cold-cuts soft-drink soft-drinks soft-ware fast-food
    sweet-potato sour-cream happy-hour free-time flat-screen flat-panel dim-sum fine-dining high-school long-distance
    short-term long-term dead-end smart-phone blue-tooth classic-rock hard-rock heavy-metal sweet-spot
    """)
_FIXED_BEGINNINGS = frozenset(term.partition("-")[0] for term in _FIXED_TERMS)
_CONTAINERS = word_set("""
    selection variety bottle glass choice range assortment quality list plate bowl cup pair set
    """)


def is_fixed_term(word: str, follower: list[str]) -> bool:
    """Whether an adjective forms a fixed term with the noun after it: *hot* dog."""
    return word in _FIXED_BEGINNINGS and bool(follower) and f"{word}-{follower[0]}" in _FIXED_TERMS


def term_span(sentence: TaggedSentence, link: OpinionLink) -> Span:
    """Return the words of a link's term: its nouns, the adjectives that belong to them, and "of wine"."""
    start, end = link.noun
    if link.construction in _SINGLE_WORD:
        return start, end
    words, tags = sentence.words, sentence.tags
    while start and tags[start - 1] in _MODIFIERS and _belongs(words, start - 1, link.opinion):
        start -= 1
    if end < len(words) and words[end] == "of" and base_noun(words[end - 1]) in _CONTAINERS:
        of_what = end + 1
        while tags[of_what : of_what + 1] == WordClass.NOUN:
            of_what += 1
        end = of_what if of_what > end + 1 else end
    return start, end


def _belongs(words: list[str], at: int, opinion: Span) -> bool:
    if opinion[0] <= at < opinion[1]:
        return False
    return is_fixed_term(words[at], words[at + 1 : at + 2]) or not (
        polarity(words[at]) or words[at] in GENERAL_ADJECTIVES
    )


def term_words(sentence: TaggedSentence, link: OpinionLink) -> tuple[str, ...]:
    """Return the words of a term's name, the last in its base form; "selection of wine" becomes "wine selection"."""
    words = sentence.words
    if link.construction in _MAY_BE_VERB and sentence.tags[link.noun[0]] != WordClass.NOUN:
        lemma = base_verb(words[link.noun[0]])
        return (ASPECT_OF_VERB.get(lemma, lemma),)
    start, end = term_span(sentence, link)
    last = words[end - 1]
    if last.endswith("ing") and base_verb(last) in ASPECT_OF_VERB:
        return (ASPECT_OF_VERB[base_verb(last)],)
    if end - start == 1:  # the most frequent case
        return (base_noun(last),)
    if "of" in words[start:end]:
        of = words.index("of", start, end)
        return (*words[of + 1 : end], base_noun(words[of - 1]))
    return (*words[start : end - 1], base_noun(last))
