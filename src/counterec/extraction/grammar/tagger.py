"""The class of each word in its sentence.

A word first gets the class it has on its own. Where that is ambiguous, the classes around it decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import starmap

from counterec.extraction.grammar.word_class_patterns import WordClass, pattern
from counterec.extraction.grammar.word_traits import noun_kinds, own_classes, traits

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
