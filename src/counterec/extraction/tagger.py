"""The class of each word in its sentence.

A word first gets the class it has on its own, from the word lists, the dictionaries or its ending. Where that is
ambiguous, the classes around it decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import starmap

from counterec.extraction.lexicon import (
    OPINION_NOUNS,
    VERBS_OF_FUNCTION,
    VERBS_OF_LIKING,
    polarity,
    predicate_polarity,
    verb_polarity,
)
from counterec.extraction.words import (
    CLASS_OF,
    GENERAL_NOUNS,
    NEGATIONS,
    PartOfSpeech,
    WordClass,
    base_forms,
    base_noun,
    base_verb,
    likeliest_part_of_speech,
    likeliest_tags,
    pattern,
)

_CACHED_PIECES = 50_000

# (ambiguous classes, what the sentence must look like there, the class they then have), applied in this order.
_DECISIONS = [
    # "it's"
    ("APOSTROPHE_S", "(?<=[PRONOUN DETERMINER RELATIVE QUESTION_WORD ADVERB]) APOSTROPHE_S", "COPULA"),
    # "the phone's screen"
    (
        "APOSTROPHE_S",
        """APOSTROPHE_S
        (?=[ADJECTIVE ADJECTIVE_OR_NOUN NOUN_OR_ADJECTIVE ADJECTIVE_OR_VERB PAST ADJECTIVE_OR_ADVERB]{0,2}
        [NOUN NOUN_OR_ADJECTIVE NOUN_OR_VERB VERB_OR_NOUN])""",
        "DETERMINER",
    ),
    ("APOSTROPHE_S", "APOSTROPHE_S", "COPULA"),
    # "I really like"
    (
        "LIKE",
        """(?<=[PRONOUN AUXILIARY]) LIKE | (?<=[PRONOUN AUXILIARY] [ADVERB NEGATION AUXILIARY]) LIKE
        | (?<=[PRONOUN AUXILIARY] [ADVERB NEGATION AUXILIARY]{2}) LIKE
        | (?<=[BREAK COMMA AND]) LIKE (?=DETERMINER) | ^ LIKE""",
        "VERB",
    ),
    ("LIKE", "LIKE", "PREPOSITION"),
    # "more comfortable"
    (
        "MORE",
        """MORE (?=[ADJECTIVE ADJECTIVE_OR_NOUN ADJECTIVE_OR_VERB ADJECTIVE_OR_ADVERB ADVERB PAST NOUN_OR_ADJECTIVE
        ING])""",
        "ADVERB",
    ),
    # "more room"
    ("MORE", "MORE (?=[NOUN NOUN_OR_VERB VERB_OR_NOUN GENERAL_NOUN])", "ADJECTIVE"),
    ("MORE", "MORE", "ADVERB"),
    # "a must", at the end of a phrase
    (
        "AUXILIARY",
        """(?<=[DETERMINER ADJECTIVE]) AUXILIARY
        (?=$ | [COMMA COLON OPEN CLOSE BREAK ADJECTIVE_OR_ADVERB SENSE_ING])""",
        "NOUN",
    ),
    # "way to expensive"
    ("TO", "(?<=COPULA ADVERB) TO (?=[ADJECTIVE ADJECTIVE_OR_NOUN])", "TOO"),
    # "looks really nice"
    (
        "SENSE",
        """(?<![DETERMINER ADJECTIVE ADJECTIVE_OR_NOUN ADJECTIVE_OR_VERB ADJECTIVE_OR_ADVERB]) SENSE
        (?=[ADVERB TOO NEGATION PREPOSITION RELATIVE]{0,3}
        [ADJECTIVE ADJECTIVE_OR_NOUN NOUN_OR_ADJECTIVE ADJECTIVE_OR_VERB PAST ADJECTIVE_OR_ADVERB])""",
        "COPULA",
    ),
    # "to work", "does n't work"
    (
        "NOUN_OR_VERB VERB_OR_NOUN SENSE ADJECTIVE_OR_VERB",
        """(?<=[TO AUXILIARY PRONOUN]) [NOUN_OR_VERB VERB_OR_NOUN SENSE ADJECTIVE_OR_VERB] (?!SENSE)
        | (?<=[TO AUXILIARY PRONOUN] [ADVERB NEGATION]) [NOUN_OR_VERB VERB_OR_NOUN SENSE ADJECTIVE_OR_VERB]
        | (?<=AUXILIARY [ADVERB NEGATION]{2}) [NOUN_OR_VERB VERB_OR_NOUN SENSE ADJECTIVE_OR_VERB]""",
        "VERB",
    ),
    # "the sound", "great taste"
    (
        "NOUN_OR_VERB VERB_OR_NOUN SENSE",
        """(?<=[DETERMINER ADJECTIVE ADJECTIVE_OR_NOUN ADJECTIVE_OR_VERB ADJECTIVE_OR_ADVERB])
        [NOUN_OR_VERB VERB_OR_NOUN SENSE]
        (?![ADVERB TOO]{0,2} [ADJECTIVE ADJECTIVE_OR_NOUN ADJECTIVE_OR_ADVERB])""",
        "NOUN",
    ),
    # "of use"
    ("NOUN_OR_VERB VERB_OR_NOUN", "(?<=PREPOSITION) [NOUN_OR_VERB VERB_OR_NOUN] (?!DETERMINER)", "NOUN"),
    # "Sound quality", "Service is"
    (
        "NOUN_OR_VERB SENSE",
        """^ [SENSE NOUN_OR_VERB]
        (?=[NOUN NOUN_OR_ADJECTIVE NOUN_OR_VERB COMMA COLON AND] | [ADVERB NEGATION AUXILIARY]{0,2} COPULA)""",
        "NOUN",
    ),
    ("SENSE", "SENSE", "VERB"),
    # "serves the", "Love the"
    (
        "NOUN_OR_VERB VERB_OR_NOUN",
        """(?<=[NOUN NOUN_OR_ADJECTIVE PRONOUN]) [NOUN_OR_VERB VERB_OR_NOUN] (?=[DETERMINER PRONOUN])
        | ^ [NOUN_OR_VERB VERB_OR_NOUN] (?=[DETERMINER PRONOUN RELATIVE])
        | (?<=[COMMA BREAK AND OPEN]) [NOUN_OR_VERB VERB_OR_NOUN] (?=DETERMINER)""",
        "VERB",
    ),
    # "the battery lasts", "that works"
    (
        "NOUN_OR_VERB VERB_OR_NOUN",
        """(?<=[NOUN NOUN_OR_ADJECTIVE]) VERB_OR_NOUN
        | (?<=[NOUN NOUN_OR_ADJECTIVE] ADVERB) [VERB_OR_NOUN NOUN_OR_VERB]
        | (?<=[NOUN NOUN_OR_ADJECTIVE NOUN_OR_VERB]) VERB_OR_NOUN (?=ADVERB)
        | (?<=[RELATIVE PRONOUN]) [NOUN_OR_VERB VERB_OR_NOUN]""",
        "VERB",
    ),
    ("NOUN_OR_VERB", "NOUN_OR_VERB", "NOUN"),
    ("VERB_OR_NOUN", "VERB_OR_NOUN", "VERB"),
    # "is fast", "faster processor"
    (
        "ADJECTIVE_OR_ADVERB",
        """(?<=[COPULA TOO DETERMINER NEGATION ADVERB AND COMMA BREAK COLON ADJECTIVE OPEN]) ADJECTIVE_OR_ADVERB
        | ADJECTIVE_OR_ADVERB
        (?=[NOUN NOUN_OR_ADJECTIVE ADJECTIVE ADJECTIVE_OR_NOUN ADJECTIVE_OR_VERB ADJECTIVE_OR_ADVERB ING])
        | (?<=^) ADJECTIVE_OR_ADVERB""",
        "ADJECTIVE",
    ),
    ("ADJECTIVE_OR_ADVERB", "ADJECTIVE_OR_ADVERB", "ADVERB"),
    # "is light", "very light"
    (
        "ADJECTIVE_OR_VERB ADJECTIVE_OR_NOUN NOUN_OR_ADJECTIVE",
        """(?<=[COPULA TOO]) [NOUN_OR_ADJECTIVE ADJECTIVE_OR_NOUN ADJECTIVE_OR_VERB]
        | (?<=[COPULA TOO] ADVERB) [NOUN_OR_ADJECTIVE ADJECTIVE_OR_NOUN ADJECTIVE_OR_VERB]
        | (?<=ADVERB) NOUN_OR_ADJECTIVE""",
        "ADJECTIVE",
    ),
    # "in plastic"
    (
        "ADJECTIVE_OR_NOUN",
        """(?<=[DETERMINER ADJECTIVE PREPOSITION]) ADJECTIVE_OR_NOUN
        (?![NOUN NOUN_OR_ADJECTIVE ADJECTIVE ADJECTIVE_OR_NOUN ADJECTIVE_OR_VERB ADVERB AND PAST ING GENERAL_NOUN
        OPINION_NOUN COMMA])""",
        "NOUN",
    ),
    ("ADJECTIVE_OR_VERB ADJECTIVE_OR_NOUN", "[ADJECTIVE_OR_NOUN ADJECTIVE_OR_VERB]", "ADJECTIVE"),
    ("NOUN_OR_ADJECTIVE", "NOUN_OR_ADJECTIVE", "NOUN"),
    # "was overcooked"
    (
        "PAST",
        """(?<=COPULA) PAST | (?<=COPULA [ADVERB NEGATION TOO]) PAST
        | (?<=[COPULA DETERMINER] [ADVERB NEGATION TOO]{2}) PAST
        | (?<=[DETERMINER ADJECTIVE]) PAST (?=[NOUN ADJECTIVE]) | (?<=^) PAST (?=NOUN)""",
        "ADJECTIVE",
    ),
    # "great sounding guitar"
    (
        "SENSE_ING",
        "SENSE_ING (?=[NOUN NOUN_OR_ADJECTIVE NOUN_OR_VERB ADJECTIVE_OR_NOUN ADJECTIVE_OR_VERB ADJECTIVE])",
        "ADJECTIVE",
    ),
    ("SENSE_ING", "SENSE_ING", "NOUN"),
    # "the dining room", "the setting is"
    ("ING", "(?<=[DETERMINER ADJECTIVE]) ING (?![DETERMINER PRONOUN])", "NOUN"),
    # "is comforting"
    (
        "ING",
        """(?<=[COPULA TOO]) ING (?![DETERMINER PRONOUN NOUN ADVERB PREPOSITION])
        | (?<=[COPULA TOO] ADVERB) ING (?![DETERMINER PRONOUN NOUN ADVERB PREPOSITION])""",
        "ADJECTIVE",
    ),
]
_COMPILED = [
    (frozenset(WordClass[name].value for name in ambiguous.split()), pattern(template), WordClass[result].value)
    for ambiguous, template, result in _DECISIONS
]
# No decision looks past these classes, and none changes them. So what stands between two of them is decided by
# itself, and the same pieces come up again and again.
_BORDER = "COMMA BREAK COLON OPEN CLOSE COPULA AND DETERMINER PRONOUN NOUN VERB QUESTION_WORD OTHER"
_PIECE = pattern(f"(?: ^ | (?<=([{_BORDER}])) ) ([^{_BORDER}]* [{_BORDER}]?)")
_NOUN = WordClass.NOUN.value
_OTHER_NOUN = pattern("[GENERAL_NOUN OPINION_NOUN]")


def tag(words: Sequence[str]) -> str:
    """Return the classes of a sentence's words, one letter per word."""
    return tagged(traits(words))


def tagged(of_words: str) -> str:
    """Return the classes of a sentence's words, given their traits."""
    return with_noun_kinds(resolved(own_classes(of_words)), noun_kinds(of_words))


def resolved(tags: str) -> str:
    """Return tags with every ambiguous class decided, piece by piece."""
    return "".join(starmap(_resolved_piece, _PIECE.findall(tags)))


def resolved_at_once(tags: str) -> str:
    """Return what ``resolved`` returns, without cutting the sentence into pieces and without a cache."""
    present = set(tags)
    for ambiguous, found, result in _COMPILED:
        if not present.isdisjoint(ambiguous):
            tags = found.sub(result, tags)
    return tags


@lru_cache(_CACHED_PIECES)
def _resolved_piece(before: str, piece: str) -> str:
    """Return a resolved piece; ``before`` is the class it follows, empty at the beginning of a sentence."""
    return resolved_at_once(before + piece)[len(before) :]


def with_noun_kinds(tags: str, as_nouns: str) -> str:
    """Return tags in which each noun has its kind: some are too general to be an aspect, some judge."""
    for kind in _OTHER_NOUN.finditer(as_nouns):
        at = kind.start()
        if tags[at] == _NOUN:
            tags = tags[:at] + kind.group() + tags[at + 1 :]
    return tags


_CACHED_WORDS = 200_000
_JUDGES, _JUDGES_NEGATED, _JUDGES_NOT = "!", "?", "."  # letters of no class
_MAY_BE_ADVERB = WordClass.ADVERB + WordClass.ADJECTIVE_OR_ADVERB + WordClass.MORE
_NOUN_KINDS = dict.fromkeys(GENERAL_NOUNS, WordClass.GENERAL_NOUN) | dict.fromkeys(
    OPINION_NOUNS, WordClass.OPINION_NOUN
)


def traits(words: Iterable[str]) -> str:
    """Return the letters of a sentence's words, three per word."""
    return "".join(map(_traits, words))


def own_classes(of_words: str) -> str:
    """Return each word's class on its own, perhaps ambiguous."""
    return of_words[::3]


def noun_kinds(of_words: str) -> str:
    """Return the kind of noun that each word is wherever it is a noun."""
    return of_words[1::3]


def judging(words: Sequence[str], of_words: str) -> list[int]:
    """Return the positions of the words that may judge something."""
    if _JUDGES_NEGATED in of_words and not NEGATIONS.isdisjoint(words):
        of_words = of_words.replace(_JUDGES_NEGATED, _JUDGES)
    found = []
    at = of_words.find(_JUDGES)
    while at >= 0:
        found.append(at // 3)
        at = of_words.find(_JUDGES, at + 3)
    return found


def judgement(word: str) -> str:
    """Whether a word judges something in some class and place, as a letter; some do only where they are negated."""
    if (
        polarity(word)
        or verb_polarity(word)
        or predicate_polarity(word)
        or word in ("no", "try")
        or base_noun(word) in OPINION_NOUNS
    ):
        return _JUDGES
    if base_verb(word) not in VERBS_OF_FUNCTION:
        return _JUDGES_NOT
    return _JUDGES if lexical_class(word) in _MAY_BE_ADVERB else _JUDGES_NEGATED


@lru_cache(_CACHED_WORDS)
def _traits(word: str) -> str:
    kind = _NOUN_KINDS.get(base_noun(word), WordClass.NOUN)
    return lexical_class(word) + kind + judgement(word)


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
