"""The merge table: misspellings and other spellings of a corpus's frequent nouns → the noun itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from counterec.extraction.grammar.lexemes import NOUN, base_forms, likely_tag
from counterec.extraction.grammar.spelling import shorter

LEAST_LETTERS = 5
"""Shorter words are one letter away from too many others."""
MUCH_MORE = 10
"""A misspelling is this many times as rare as the word it stands for."""


def merges(nouns: Mapping[str, int]) -> dict[str, str]:
    """Return the variants among the nouns of a corpus, counted in their base form, and what each stands for."""
    found = _plurals(nouns)
    found |= {word: found.get(meant, meant) for word, meant in _other_spellings(nouns).items()}
    frequent = _by_shorter(nouns)
    for word in sorted(nouns):
        if word not in found and not _is_word(word) and len(word) >= LEAST_LETTERS:
            meant = _meant(word, nouns, frequent)
            if meant:
                found[word] = found.get(meant, meant)
    return found


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
    """Return the plurals that no lexicon knows for such: "mics" → "mic"."""
    known = base_forms()
    return {
        word: word[:-1]
        for word in nouns
        if word.endswith("s") and nouns[word] <= nouns.get(word[:-1], 0) and known.get(word, {}).get(NOUN, word) == word
    }


def _is_word(word: str) -> bool:
    return word in likely_tag() or word in base_forms() or word.capitalize() in likely_tag()


def _meant(word: str, nouns: Mapping[str, int], frequent: Mapping[str, list[str]]) -> str | None:
    """Return the most frequent noun one letter away, if it is much more frequent."""
    near = {noun for form in (word, *shorter(word)) for noun in frequent.get(form, ())}
    near = {noun for noun in near if noun[0] == word[0] and nouns[noun] >= MUCH_MORE * nouns[word]}
    return min(near, key=lambda noun: (-nouns[noun], noun)) if near else None


def _by_shorter(nouns: Mapping[str, int]) -> dict[str, list[str]]:
    """Return the frequent nouns that give each form by leaving out one letter or none."""
    found: dict[str, list[str]] = defaultdict(list)
    for noun, uses in nouns.items():
        if uses >= MUCH_MORE and len(noun) >= LEAST_LETTERS and noun.isalpha():
            for form in (noun, *shorter(noun)):
                found[form].append(noun)
    return found
