"""The class of each word in its sentence, one letter a word.

A word first gets the letter of what it can be; where that is several things, the letters around it settle which.
The sentence then is a string of certain letters, and every construction is a regular expression over it:

N noun, O noun too general to be an aspect, Q noun that judges, A adjective, R adverb, V verb, F past form, Y *-ing*,
B linking verb, M modal or auxiliary, G negation, E *too*, I pronoun, D determiner, K relative, W question word,
P preposition, T *to*, C *and* or *or*, the marks ``,``, ``:``, ``(`` and ``)``, ``|`` what parts clauses, X the rest.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import starmap

from counterec.extraction.grammar import function_words
from counterec.extraction.grammar.lexemes import ADJECTIVE, ADVERB, NOUN, VERB, base_forms, likely_class, likely_tag
from counterec.extraction.grammar.lexicon import LIKINGS, OPINION_NOUNS, polarity

_CACHED_WORDS = 200_000
_CACHED_PIECES = 50_000
_LONGEST_WORD = 30
_ADJECTIVE_ENDINGS = ("able", "ible", "ful", "less", "ous", "ish", "ive", "est", "ier")

# The letters of doubt: U a noun or a verb, Z the same but rather a verb, J an adjective or a noun, L the same but
# rather a noun, H an adjective or a verb ("open"), a an adjective or an adverb ("fast"), e "more", S a verb of the
# senses or its noun ("sounds"), l "like", y "sounding", $ "'s". In this order each becomes a certain one.
_SETTLED = [
    (frozenset(doubts), re.compile(pattern), letters)
    for doubts, pattern, letters in [
        ("$", r"(?<=[IDKWR])\$", "B"),  # "it's"
        ("$", r"\$(?=[AJLHFa]{0,2}[NLUZ])", "D"),  # "the phone's screen"
        ("$", r"\$", "B"),
        ("l", r"(?<=[IM])l|(?<=[IM][RGM])l|(?<=[IM][RGM]{2})l|(?<=[|,C])l(?=D)|^l", "V"),  # "I really like"
        ("l", r"l", "P"),
        ("e", r"e(?=[AJHaRFLY])", "R"),  # "more comfortable"
        ("e", r"e(?=[NUZO])", "A"),  # "more room"
        ("e", r"e", "R"),
        ("M", r"(?<=[DA])M(?![A-Z])", "N"),  # "a must"
        ("T", r"(?<=BR)T(?=[AJ])", "E"),  # "way to expensive"
        ("S", r"(?<![DAJHa])S(?=[REGPK]{0,3}[AJLHFa])", "B"),  # "looks really nice"
        ("UZSH", r"(?<=[TMI])[UZSH](?!S)|(?<=[TMI][RG])[UZSH]|(?<=M[RG]{2})[UZSH]", "V"),  # "to work", "does n't work"
        ("UZS", r"(?<=[DAJHa])[UZS](?![RE]{0,2}[AJa])", "N"),  # "the sound", "great taste"
        ("UZ", r"(?<=P)[UZ](?!D)", "N"),  # "of use"
        ("US", r"^[SU](?=[NLU,:C]|[RGM]{0,2}B)", "N"),  # "Sound quality", "Service is"
        ("S", r"S", "V"),
        ("UZ", r"(?<=[NLI])[UZ](?=[DI])|^[UZ](?=[DIK])|(?<=[,|C(])[UZ](?=D)", "V"),  # "serves the", "Love the"
        ("UZ", r"(?<=[NL])Z|(?<=[NL]R)[ZU]|(?<=[NLU])Z(?=R)|(?<=[KI])[UZ]", "V"),  # "the battery lasts", "that works"
        ("U", r"U", "N"),
        ("Z", r"Z", "V"),
        ("a", r"(?<=[BEDGRC,|:A(])a|a(?=[NLAJHaY])|(?<=^)a", "A"),  # "is fast", "faster processor"
        ("a", r"a", "R"),
        ("HJL", r"(?<=[BE])[LJH]|(?<=[BE]R)[LJH]|(?<=R)L", "A"),  # "is light", "very light"
        ("J", r"(?<=[DAP])J(?![NLAJHRCFYOQ,])", "N"),  # "in plastic"
        ("HJ", r"[JH]", "A"),
        ("L", r"L", "N"),
        ("F", r"(?<=B)F|(?<=B[RGE])F|(?<=[BD][RGE]{2})F|(?<=[DA])F(?=[NA])|(?<=^)F(?=N)", "A"),  # "was overcooked"
        ("y", r"y(?=[NLUJHA])", "A"),  # "great sounding guitar"
        ("y", r"y", "N"),
        ("Y", r"(?<=[DA])Y(?![DI])", "N"),  # "the dining room", "the setting is"
        ("Y", r"(?<=[BE])Y(?![DINRP])|(?<=[BE]R)Y(?![DINRP])", "A"),  # "is comforting"
    ]
]
# No pattern looks past these letters, and none changes them: what stands between two is settled by itself, and is
# often met again.
_BORDERS = ",|:()BCDINVWX"
_PIECE = re.compile(f"(?:^|(?<=([{_BORDERS}])))([^{_BORDERS}]*[{_BORDERS}]?)")


def settled(words: list[str]) -> str:
    """Return the letters of a sentence's words."""
    both = "".join(map(_both_letters, words))
    letters = "".join(starmap(_certain, _PIECE.findall(both[::2])))
    nouns = both[1::2]
    if not nouns.strip("N"):
        return letters
    return "".join([noun if certain == "N" else certain for certain, noun in zip(letters, nouns, strict=True)])


@lru_cache(_CACHED_PIECES)
def _certain(before: str, piece: str) -> str:
    """Return a piece, doubts settled; ``before`` is the letter it follows, none at the beginning of a sentence."""
    letters = before + piece
    present = set(letters)
    for doubts, pattern, replacement in _SETTLED:
        if not present.isdisjoint(doubts):
            letters = pattern.sub(replacement, letters)
    return letters[len(before) :]


@lru_cache(_CACHED_WORDS)
def _both_letters(word: str) -> str:
    """Return a word's letter, and the one it has where it is a noun: some are too general, some judge."""
    return letter(word) + _NARROWED.get(base(word, NOUN), "N")


@lru_cache(_CACHED_WORDS)
def letter(word: str) -> str:
    """Return the letter of a word that stands alone, perhaps one of doubt."""
    known = function_words.LETTER_OF.get(word)
    if known:
        return known
    if not any(map(str.isalpha, word)) or len(word) > _LONGEST_WORD:
        return "X"
    return _hyphenated(word) if "-" in word else _open(word)


def _open(word: str) -> str:
    """Return the letter of a word of an open class."""
    kinds = set(base_forms().get(word, ()))
    if polarity(word) and word.endswith("ing") and base(word, VERB) not in LIKINGS:
        return "A"
    first = likely_class(word) or (likely_class(word.capitalize()) if not kinds else None)
    tag = likely_tag().get(word, "")
    if tag == "UH" and not kinds:
        return "X"
    if first:
        kinds.add(first)
    if not kinds:
        return _guessed(word)
    if ADJECTIVE in kinds and first == VERB and not word.endswith(("ed", "ing")):
        return "H"
    if ADJECTIVE in kinds and first != VERB:
        if {ADVERB, ADJECTIVE} <= kinds and (first == ADVERB or word.endswith("er")):
            return "a"
        if VERB in kinds and NOUN not in kinds and not word.endswith(("ed", "ing")):
            return "H"
        if NOUN not in kinds:
            return "A"
        return "L" if first == NOUN else "A" if polarity(word) else "J"
    if first == ADVERB or kinds == {ADVERB}:
        return "R"
    if word.endswith("ing") and VERB in kinds:
        return "N" if first == NOUN and NOUN in kinds else "Y"
    if (tag in ("VBN", "VBD") or word.endswith("ed")) and VERB in kinds and NOUN not in kinds:
        return "F"
    if {NOUN, VERB} <= kinds:
        return "Z" if first == VERB and base(word, NOUN) not in OPINION_NOUNS else "U"
    if VERB in kinds:
        return "V"
    return "A" if ADJECTIVE in kinds else "N"


def _guessed(word: str) -> str:
    """Return the letter of a word no lexicon has, by its ending."""
    if word.endswith("ly"):
        return "R"
    if polarity(word) or word.endswith(_ADJECTIVE_ENDINGS):
        return "A"
    if word.endswith("ed") and len(word) > 4:
        return "F"
    return "Y" if word.endswith("ing") and len(word) > 5 else "N"


def _hyphenated(word: str) -> str:
    """Return the letter of a compound: that of its last part ("long-lasting"), or of a phrase of ours by its first."""
    first, _, rest = word.partition("-")
    if polarity(word):
        return "F" if letter(first or "x") in "FVZ" else "A"
    last = letter(rest.rpartition("-")[2] or "x")
    return {"F": "A", "Y": "A", "H": "A", "J": "A", "A": "A", "R": "R"}.get(last, "N")


@lru_cache(_CACHED_WORDS)
def base(word: str, kind: str) -> str:
    """Return the base form of a word as a member of a class."""
    return base_forms().get(word, {}).get(kind, word)


_NARROWED = dict.fromkeys(function_words.GENERAL_NOUNS, "O") | dict.fromkeys(OPINION_NOUNS, "Q")
