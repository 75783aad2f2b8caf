"""Misspellings, other spellings and unlisted plurals of a corpus's nouns, and the noun each of them stands for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from counterec.extraction.grammar.dictionary import base_noun, is_english

LEAST_LETTERS = 5
"""Shorter words are one letter away from too many others."""
MUCH_MORE = 10
"""A misspelling is at least this many times rarer than the word it stands for."""


def spelling_variants(nouns: Mapping[str, int]) -> dict[str, str]:
    """Return the variants among a corpus's nouns, counted in their base form, each with the noun it stands for."""
    found = _plurals(nouns)
    found |= {word: found.get(meant, meant) for word, meant in _other_spellings(nouns).items()}
    frequent = _frequent_by_deletion(nouns)
    for word in sorted(nouns):
        if word not in found and not is_english(word) and len(word) >= LEAST_LETTERS:
            meant = _meant(word, nouns, frequent)
            if meant:
                found[word] = found.get(meant, meant)
    return found


def deletions(word: str) -> Iterator[str]:
    """Yield the word without each of its letters in turn; words that share a result are one letter apart."""
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]


def _other_spellings(nouns: Mapping[str, int]) -> dict[str, str]:
    """Return "wi-fi" → "wifi" and "colour" → "color", towards the more frequent of the two."""
    groups: dict[str, list[str]] = defaultdict(list)
    for word in nouns:
        groups[_skeleton(word)].append(word)
    found = {}
    for group in groups.values():
        best = min(group, key=lambda word: (-nouns[word], word))
        found.update({word: best for word in group if word != best})
    return found


def _skeleton(word: str) -> str:
    plain = word.replace("-", "").replace("'", "")
    return plain[:-3] + "or" if plain.endswith("our") and len(plain) > 5 else plain


def _plurals(nouns: Mapping[str, int]) -> dict[str, str]:
    """Return the plurals that the dictionary does not list: "mics" → "mic"."""
    return {
        word: word[:-1]
        for word in nouns
        if word.endswith("s") and nouns[word] <= nouns.get(word[:-1], 0) and base_noun(word) == word
    }


def _meant(word: str, nouns: Mapping[str, int], frequent: Mapping[str, list[str]]) -> str | None:
    """Return the most frequent noun one letter away, if it is much more frequent."""
    near = {noun for form in (word, *deletions(word)) for noun in frequent.get(form, ())}
    near = {noun for noun in near if noun[0] == word[0] and nouns[noun] >= MUCH_MORE * nouns[word]}
    return min(near, key=lambda noun: (-nouns[noun], noun)) if near else None


def _frequent_by_deletion(nouns: Mapping[str, int]) -> dict[str, list[str]]:
    """Return, for each form, the frequent nouns that become it by dropping at most one letter."""
    found: dict[str, list[str]] = defaultdict(list)
    for noun, uses in nouns.items():
        if uses >= MUCH_MORE and len(noun) >= LEAST_LETTERS and noun.isalpha():
            for form in (noun, *deletions(noun)):
                found[form].append(noun)
    return found
