"""From a run of nouns to a term: how far it reaches in the sentence, and the words of its name."""

from __future__ import annotations

from counterec.extraction.grammar.clauses import Clauses, Span
from counterec.extraction.grammar.function_words import GENERAL_ADJECTIVES
from counterec.extraction.grammar.lexemes import NOUN, VERB
from counterec.extraction.grammar.lexicon import polarity
from counterec.extraction.grammar.listing import listed
from counterec.extraction.grammar.opinion_link import IMPLICIT, OTHERWISE, POINTING_BACK, Tie
from counterec.extraction.grammar.word_classes import base

LONGEST_NAME = 3
"""The most words a name has."""

_UNREACHING = frozenset(("implicit", OTHERWISE, POINTING_BACK))
_FIXED = listed("""
    hard-drive hard-drives hard-disk hard-disks hard-copy hard-case hard-shell hot-dog hot-dogs hot-tub hot-tubs
    hot-water hot-pot hot-sauce hot-chocolate cold-water cold-cuts soft-drink soft-drinks soft-ware fast-food
    sweet-potato sour-cream happy-hour free-time flat-screen flat-panel dim-sum fine-dining high-school long-distance
    short-term long-term dead-end smart-phone blue-tooth classic-rock hard-rock
    heavy-metal sweet-spot
    """)
_CONTAINERS = listed("selection variety bottle glass choice range assortment quality list plate bowl cup pair set")


def is_fixed_term(word: str, follower: list[str]) -> bool:
    """Whether an adjective is one with the noun after it: *hot* dog."""
    return bool(follower) and f"{word}-{follower[0]}" in _FIXED


def reach(clauses: Clauses, tie: Tie) -> Span:
    """Return the tokens of a tie's term: its nouns, the adjectives that belong to them, and "of wine"."""
    start, end = tie.noun
    if tie.rule in _UNREACHING:
        return start, end
    words, letters = clauses.words, clauses.letters
    while start and letters[start - 1] in "AFY" and _belongs(words, start - 1, tie.opinion):
        start -= 1
    if end < len(words) and words[end] == "of" and base(words[end - 1], NOUN) in _CONTAINERS:
        of_what = end + 1
        while letters[of_what : of_what + 1] == "N":
            of_what += 1
        end = of_what if of_what > end + 1 else end
    return start, end


def _belongs(words: list[str], at: int, opinion: Span) -> bool:
    if opinion[0] <= at < opinion[1]:
        return False
    return is_fixed_term(words[at], words[at + 1 : at + 2]) or not (
        polarity(words[at]) or words[at] in GENERAL_ADJECTIVES
    )


def name_words(clauses: Clauses, tie: Tie) -> tuple[str, ...]:
    """Return the words of a term, the last in its base form; "selection of wine" is "wine selection"."""
    words = clauses.words
    if tie.rule in ("implicit", OTHERWISE, "to verb") and clauses.letters[tie.noun[0]] != "N":
        lemma = base(words[tie.noun[0]], VERB)
        return (IMPLICIT.get(lemma, lemma),)
    start, end = reach(clauses, tie)
    if words[end - 1].endswith("ing") and base(words[end - 1], VERB) in IMPLICIT:
        return (IMPLICIT[base(words[end - 1], VERB)],)
    if "of" in words[start:end]:
        of = words.index("of", start, end)
        return (*words[of + 1 : end], base(words[of - 1], NOUN))
    return (*words[start : end - 1], base(words[end - 1], NOUN))
