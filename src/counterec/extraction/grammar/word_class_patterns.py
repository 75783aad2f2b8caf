"""The word classes, and regular expressions written in their names.

A tagged sentence is a string with one letter per word, so a construction of English is a regular expression over that
string. Only this file knows the letters; everything else names the classes.
"""

from __future__ import annotations

import re
from enum import StrEnum

from counterec.extraction.grammar.plain_members import plain_members


@plain_members
class WordClass(StrEnum):
    """The class of a word in its sentence; the value is its letter."""

    NOUN = "N"
    GENERAL_NOUN = "O"
    """Too general to be an aspect: *thing*, *day*."""
    OPINION_NOUN = "Q"
    """A noun that judges: *problem*, *delight*."""
    ADJECTIVE = "A"
    ADVERB = "R"
    VERB = "V"
    PAST = "F"
    """A past tense or participle: *broke*, *overcooked*."""
    ING = "Y"
    """A form in *-ing*: *cooking*."""
    COPULA = "B"
    """Links a subject to what is said of it: the sound *is* great, it *looks* nice."""
    AUXILIARY = "M"
    """A modal or auxiliary verb: *can*, *does*, *have*."""
    NEGATION = "G"
    TOO = "E"
    """*too* and its synonyms."""
    PRONOUN = "I"
    DETERMINER = "D"
    RELATIVE = "K"
    """*that*, *which*, *who*."""
    QUESTION_WORD = "W"
    PREPOSITION = "P"
    TO = "T"
    AND = "C"
    """*and* or *or*."""
    COMMA = ","
    COLON = ":"
    """A colon or a dash."""
    OPEN = "("
    CLOSE = ")"
    BREAK = "|"
    """Separates clauses: *but*, *because*, a semicolon."""
    OTHER = "X"

    # Ambiguous classes: the neighbours decide which of the above it is. The likelier reading is named first.
    NOUN_OR_VERB = "U"
    VERB_OR_NOUN = "Z"
    ADJECTIVE_OR_NOUN = "J"
    NOUN_OR_ADJECTIVE = "L"
    ADJECTIVE_OR_VERB = "H"
    """*open*, *clean*."""
    ADJECTIVE_OR_ADVERB = "a"
    """*fast*."""
    MORE = "e"
    """*more* and *less*."""
    SENSE = "S"
    """A verb that may be a copula, or its noun: *sounds*, *looks*."""
    SENSE_ING = "y"
    """*sounding*, *looking*."""
    LIKE = "l"
    APOSTROPHE_S = "$"


_PARTS = {
    "MODIFIER": "[ADJECTIVE PAST ING OTHER]",
    "NOUNS": "(?P<noun> GENERAL_NOUN? NOUN{1,5} GENERAL_NOUN?)",
    "BACKWARD_NOUNS": "(?P<noun> GENERAL_NOUN? NOUN{1,5})",
    "BACKWARD_PHRASE": (  # "at the front desk"
        "[NOUN GENERAL_NOUN OPINION_NOUN]{1,5} [ADJECTIVE PAST ING OTHER ADVERB]{0,3} DETERMINER{0,2} PREPOSITION"
    ),
}
"""What many templates share; the names that begin with BACKWARD are written from right to left."""
_COMMENT = re.compile("#.*")
_NAME = re.compile("[A-Z][A-Z_]+")


def pattern(template: str) -> re.Pattern[str]:
    """Compile a regular expression over word classes, in which a name in capitals stands for its class.

    ``pattern("DETERMINER? ADJECTIVE{0,3} (?P<noun> NOUN{1,5})")`` finds "the nice little screen". White space and
    comments are ignored. Bound every repetition, so that the time stays linear in the length of a sentence.
    """
    return re.compile(_spelled(_COMMENT.sub("", template)))


def _spelled(template: str) -> str:
    def letters(name: re.Match[str]) -> str:
        part = _PARTS.get(name.group())
        return _spelled(part) if part else re.escape(WordClass[name.group()].value)

    return "".join(_NAME.sub(letters, template).split())
