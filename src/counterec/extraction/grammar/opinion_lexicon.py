"""Which words judge, and whether they praise or blame: VADER's lexicon, TextBlob's adjectives, lists of our own.

A word in none of them may be derived from an opinion word ("flavorless"), stretched ("greaaat"), or misspelled by one
letter.
"""

from __future__ import annotations

from functools import cache, lru_cache
from xml.etree import ElementTree

from counterec.extraction.grammar.dictionary import (
    PartOfSpeech,
    base_adjective,
    base_noun,
    base_verb,
    is_english,
    likeliest_part_of_speech,
    packaged_path,
)
from counterec.extraction.grammar.extra_opinion_words import (
    BAD_AS_PREDICATE,
    BAD_VERBS,
    GOOD_NOUNS,
    GOOD_VERBS,
    NEGATIVE,
    NEUTRAL,
    NEUTRAL_IN_VADER,
    POSITIVE,
    SIZES,
)
from counterec.extraction.grammar.function_words import CLASS_OF, GENERAL_ADJECTIVES, INTENSIFIERS
from counterec.extraction.grammar.spelling_variants import deletions
from counterec.extraction.grammar.word_class_patterns import WordClass

LEAST_VALENCE = 1.0
"""VADER's mean rating, from -4 to 4, at which a word starts to count as an opinion."""
LEAST_POLARITY = 0.3
"""TextBlob's mean polarity, from -1 to 1, at which an adjective starts to count as an opinion."""
LEAST_MISSPELLED = 7
"""Shorter words are one letter away from too many others."""

_CACHED_WORDS = 200_000
_VERBS = dict.fromkeys(GOOD_VERBS, 1) | dict.fromkeys(BAD_VERBS, -1)
_VERB_FORMS = WordClass.VERB + WordClass.PAST + WordClass.ING


@lru_cache(_CACHED_WORDS)
def polarity(word: str) -> int:
    """Return +1 or -1 for an opinion word ("over-priced" and "accomodating" included), and 0 for any other."""
    known = _known()
    if word in known:
        return known[word]
    if word in CLASS_OF:
        return 0  # "as-well"
    if "-" in word:
        first, _, last = word.partition("-")
        return known.get(first + last) or (known.get(last, 0) if first not in ("not", "non") else 0)
    return known.get(base_adjective(word), 0) or _derived(word, known) or _unlisted(word, known)


def predicate_polarity(word: str) -> int:
    """Return -1 for an adjective that judges only as a predicate ("the soup was cold", but "cold cuts"), else 0."""
    return -1 if word in BAD_AS_PREDICATE else 0


@lru_cache(_CACHED_WORDS)
def verb_polarity(word: str) -> int:
    """Return +1 or -1 for a form of a verb that judges its object or its subject, and 0 for any other."""
    return _VERBS.get(word) or _VERBS.get(base_verb(word), 0)


@lru_cache(_CACHED_WORDS)
def polarity_as(word: str, word_class: str) -> int:
    """Return +1 or -1 for a word that judges as a member of this class."""
    if word_class == WordClass.OPINION_NOUN:
        return 1 if base_noun(word) in GOOD_NOUNS else -1
    if word_class in _VERB_FORMS:
        return verb_polarity(word) or polarity(word) or 1
    return polarity(word) or predicate_polarity(word) or -1


def opinion_words() -> frozenset[str]:
    """Return every opinion word and phrase; a phrase is written with hyphens."""
    return frozenset(_known())


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


def _unlisted(word: str, known: dict[str, int]) -> int:
    return 0 if is_english(word) else _stretched(word, known) or _misspelled(word)


@cache
def _known() -> dict[str, int]:
    listed = _textblob() | _vader() | SIZES | dict.fromkeys(POSITIVE, 1) | dict.fromkeys(NEGATIVE, -1)
    left_out = INTENSIFIERS | (GENERAL_ADJECTIVES - {"favorite", "favourite", "ok", "okay"}) | NEUTRAL
    return {word: sign for word, sign in listed.items() if word not in left_out and len(word) > 2}


def _textblob() -> dict[str, int]:
    """Return the adjectives of TextBlob's lexicon, by the mean polarity of their senses."""
    senses: dict[str, list[float]] = {}
    may_judge = (None, PartOfSpeech.ADJECTIVE, PartOfSpeech.VERB)
    for entry in ElementTree.parse(packaged_path("textblob", "en/en-sentiment.xml")).getroot():
        word = entry.get("form", "")
        if entry.get("pos") == "JJ" and word.islower() and likeliest_part_of_speech(word) in may_judge:
            senses.setdefault(word, []).append(float(entry.get("polarity", "0")))
    means = {word: sum(values) / len(values) for word, values in senses.items()}
    return {word: 1 if mean > 0 else -1 for word, mean in means.items() if abs(mean) >= LEAST_POLARITY}


def _vader() -> dict[str, int]:
    """Return the single words of VADER's lexicon with a clear valence."""
    lines = packaged_path("vaderSentiment", "vader_lexicon.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t")[:2] for line in lines if line)
    valences = {word: float(valence) for word, valence in rows if word.isalpha() and word not in NEUTRAL_IN_VADER}
    return {word: 1 if valence > 0 else -1 for word, valence in valences.items() if abs(valence) >= LEAST_VALENCE}


def _stretched(word: str, known: dict[str, int]) -> int:
    """Return the polarity of "greaaat" and "gooood"."""
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
    signs = {sign for form in (word, *deletions(word)) for sign in _signs_by_deletion().get(form, ())}
    return signs.pop() if len(signs) == 1 else 0


@cache
def _signs_by_deletion() -> dict[str, frozenset[int]]:
    """Return, for each form, the polarities of the opinion words that become it by dropping at most one letter."""
    found: dict[str, set[int]] = {}
    for word, sign in _known().items():
        if len(word) >= LEAST_MISSPELLED and word.isalpha():
            for form in (word, *deletions(word)):
                found.setdefault(form, set()).add(sign)
    return {form: frozenset(signs) for form, signs in found.items()}
