"""Which words judge, and whether they praise or blame: VADER's lexicon, TextBlob's adjectives, lists of our own.

A word no lexicon has may be a misspelling of an opinion word: one letter left out, added, changed or swapped.
"""

from __future__ import annotations

from functools import cache, lru_cache
from xml.etree import ElementTree

from counterec.extraction.grammar.function_words import GENERAL_ADJECTIVES, INTENSIFIERS, LETTER_OF
from counterec.extraction.grammar.lexemes import base_forms, likely_class, likely_tag, packaged_path
from counterec.extraction.grammar.listing import listed
from counterec.extraction.grammar.opinions import (
    AS_PREDICATE,
    BAD_VERBS,
    DISTANCES,
    GOOD_VERBS,
    NEGATIVE,
    NEUTRAL,
    POSITIVE,
)
from counterec.extraction.grammar.spelling import shorter
from counterec.extraction.lexicon import polarities, reversed_pairs
from counterec.extraction.words import AMOUNTS

LEAST_POLARITY = 0.3
"""TextBlob's mean polarity, on -1 to 1, from which an adjective counts as an opinion."""
LEAST_MISSPELLED = 7
"""Shorter words are one letter away from too many others."""

OPINION_NOUNS = listed("""
    problem issue trouble complaint disappointment delight pleasure gem joke disaster nightmare mess lack hassle pain
    annoyance drawback downside flaw defect fault failure bargain steal winner treat perfection masterpiece beauty
    crap junk garbage rubbish ripoff rip-off bummer letdown let-down glitch plus minus nuisance ease improvement
    excellence shame waste shortcoming weakness bonus highlight concern gripe bug crash error must must-have
    """)
"""Nouns that judge: *problem*, *delight*."""

LIKINGS = listed("""
    love like enjoy adore appreciate recommend hate dislike loathe regret avoid lack admire despise prefer suggest
    """)
"""Verbs that judge their object: I *love* the sound."""

FUNCTIONS = listed(
    "work function respond charge start load hold last boot support read recognize open connect close fit stay help"
)
"""Verbs that judge only where negated: it does not *work*."""

GOOD_NOUNS = listed("""
    compliment delight pleasure gem bargain steal winner treat perfection masterpiece beauty plus ease improvement
    excellence bonus highlight must must-have
    """)
"""The opinion nouns that praise; the others blame."""

_CACHED_WORDS = 200_000
_VERBS = dict.fromkeys(GOOD_VERBS, 1) | dict.fromkeys(BAD_VERBS, -1)


@lru_cache(_CACHED_WORDS)
def polarity(word: str) -> int:
    """Return +1 or -1 for an opinion word ("over-priced" and "accomodating" included), and 0 for any other."""
    known = _known()
    if word in known:
        return known[word]
    if word in LETTER_OF:
        return 0  # "as-well"
    if "-" in word:
        first, _, last = word.partition("-")
        return known.get(first + last) or (known.get(last, 0) if first not in ("not", "non") else 0)
    return known.get(_positive(word), 0) or _derived(word, known) or _unknown(word, known)


def predicate_polarity(word: str) -> int:
    """Return -1 for an adjective that judges only what it is said of ("the soup was cold", but "cold cuts"), else 0."""
    return -1 if word in AS_PREDICATE else 0


def _positive(word: str) -> str:
    """Return the adjective a comparative or superlative is made from ("fresher": "fresh")."""
    return base_forms().get(word, {}).get("adj", word)


def _derived(word: str, known: dict[str, int]) -> int:
    """Return the polarity that a word's parts give it: "flavorless", "unaccommodating", "overcooked"."""
    if word.endswith("less") and len(word) > 7 and word not in NEUTRAL:
        return -known.get(word[:-4] + "ful", 1)
    for prefix in ("un", "in", "im", "dis", "non"):
        root = word.removeprefix(prefix)
        if root != word and len(root) > 4 and root in known:
            return -known[root]
    if word.startswith(("over", "under")) and word.endswith("ed") and len(word) > 9:
        return -1
    return 0


def _unknown(word: str, known: dict[str, int]) -> int:
    if word in likely_tag() or word in base_forms() or word.capitalize() in likely_tag():
        return 0
    return _stretched(word, known) or _misspelled(word)


@lru_cache(_CACHED_WORDS)
def sign_of(word: str, letter: str) -> int:
    """Return +1 or -1 for a word that judges, as a member of a class."""
    if letter == "Q":
        return 1 if base_forms().get(word, {}).get("noun", word) in GOOD_NOUNS else -1
    if letter in "VFY":
        return verb_polarity(word) or polarity(word) or 1
    return polarity(word) or predicate_polarity(word) or -1


@cache
def turned_pairs() -> frozenset[tuple[str, str]]:
    """Return the (opinion, noun) pairs that mean the opposite of what the opinion means elsewhere: a *short* walk."""
    return reversed_pairs() | {(amount, distance) for amount in AMOUNTS for distance in DISTANCES}


@lru_cache(_CACHED_WORDS)
def verb_polarity(word: str) -> int:
    """Return +1 or -1 for a form of a verb that judges its object or its subject, and 0 for any other."""
    lemma = base_forms().get(word, {}).get("verb", word)
    return _VERBS.get(word) or _VERBS.get(lemma, 0)


def known_words() -> frozenset[str]:
    """Return every opinion word and phrase, a phrase written with hyphens."""
    return frozenset(_known())


@cache
def _known() -> dict[str, int]:
    listed = _textblob() | polarities() | dict.fromkeys(POSITIVE, 1) | dict.fromkeys(NEGATIVE, -1)
    left_out = INTENSIFIERS | (GENERAL_ADJECTIVES - {"favorite", "favourite", "ok", "okay"}) | NEUTRAL
    return {word: sign for word, sign in listed.items() if word not in left_out and len(word) > 2}


def _textblob() -> dict[str, int]:
    """Return the adjectives of TextBlob's lexicon, by the mean polarity of their senses."""
    senses: dict[str, list[float]] = {}
    for entry in ElementTree.parse(packaged_path("textblob", "en/en-sentiment.xml")).getroot():
        word = entry.get("form", "")
        if entry.get("pos") == "JJ" and word.islower() and likely_class(word) in (None, "adj", "verb"):
            senses.setdefault(word, []).append(float(entry.get("polarity", "0")))
    means = {word: sum(values) / len(values) for word, values in senses.items()}
    return {word: 1 if mean > 0 else -1 for word, mean in means.items() if abs(mean) >= LEAST_POLARITY}


def _stretched(word: str, known: dict[str, int]) -> int:
    """Return the polarity of "greaaat" and "sooo gooood"."""
    if not any(a == b == c for a, b, c in zip(word, word[1:], word[2:], strict=False)):
        return 0
    for most in (2, 1):
        shorter = "".join(c for at, c in enumerate(word) if word[max(0, at - most) : at] != c * most)
        if shorter in known:
            return known[shorter]
    return 0


def _misspelled(word: str) -> int:
    if len(word) < LEAST_MISSPELLED or not word.isascii():
        return 0
    signs = {sign for form in (word, *shorter(word)) for sign in _by_shorter().get(form, ())}
    return signs.pop() if len(signs) == 1 else 0


@cache
def _by_shorter() -> dict[str, frozenset[int]]:
    """Return the polarities of the opinion words that give each form by leaving out one letter or none."""
    found: dict[str, set[int]] = {}
    for word, sign in _known().items():
        if len(word) >= LEAST_MISSPELLED and word.isalpha():
            for form in (word, *shorter(word)):
                found.setdefault(form, set()).add(sign)
    return {form: frozenset(signs) for form, signs in found.items()}
