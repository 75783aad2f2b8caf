"""How a sentence is read: phrases joined, each token given the letter of its class, doubts settled by neighbours."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container
from functools import cache, lru_cache

import simplemma

from counterec.extraction.lexicon import polarities
from counterec.extraction.sentences import Token, sentences
from counterec.extraction.words import ADVERB, CLASS_OF, LIKING, MANNER, NOUN, OPINION, OTHER, VERB

_LONGEST_WORD = 30
_CACHED_WORDS = 100_000
_ADJECTIVES_IN_LY = frozenset({"friendly", "lovely", "ugly", "lively", "deadly", "costly", "silly", "heavenly"})

# In this order each letter of doubt becomes a certain one; the length stays.
_SETTLED = [
    (re.compile(pattern), letters)
    for pattern, letters in [
        (r"(^|[I|,:CQ])([RGW]{0,3})L", r"\1\2V"),  # "I really like", but "looks like"
        ("L", "P"),
        (r"(?<=E)[AH]|(?<=ER)[AH]", "O"),  # "too dark"
        (r"(?<=D)S|(?<=[OAHN])S(?![RGE]{0,3}O)", "N"),  # "the sound", "great taste", but "the room looks nice"
        (r"(?<=[DOAH])[FU](?![RGE]{0,3}O)", "N"),  # "great features"
        (r"^[SFU](?=[N,CQ:])|[SFU](?=[RGM]{0,2}B)", "N"),  # "Sound quality", "design is"
        ("S", "B"),
        (r"(?<=G)F|(?<=GR)F", "O"),  # "does not work", "never really works"
        ("[FU]", "W"),
        (r"Y(?=[OAHN])|(?<=O)Y", "R"),  # "horribly slow", "drains quickly"
        ("Y", "O"),
        (r"H(?=[AR]?[OH])", "A"),  # "a huge plus"
        ("H", "O"),
    ]
]


def read(text: str) -> list[list[Token]]:
    """Return the sentences of a text, each known phrase joined into one token ("top notch": "top-notch")."""
    return [_joined(sentence) for sentence in sentences(text)]


def classes(sentence: list[Token], not_nouns: Container[str] = ()) -> str:
    """Return a sentence's word classes, a letter a token; ``not_nouns`` holds names that are not to be nouns."""
    letters = "".join([word_class(token.word) for token in sentence])
    for pattern, replacement in _SETTLED:
        letters = pattern.sub(replacement, letters)
    return "".join(
        [
            OTHER if letter == NOUN and canonical(token.word) in not_nouns else letter
            for letter, token in zip(letters, sentence, strict=True)
        ]
    )


@lru_cache(_CACHED_WORDS)
def word_class(word: str) -> str:
    """Return the letter of a word that stands alone."""
    if word in CLASS_OF:
        return CLASS_OF[word]
    base = canonical(word)
    if CLASS_OF.get(base) == LIKING:
        return LIKING
    if polarity(word):
        return MANNER if word.endswith("ly") and word not in _ADJECTIVES_IN_LY else OPINION
    if word.endswith("ly"):
        return ADVERB
    if not word.replace("-", "").isalpha() or not 1 < len(word) <= _LONGEST_WORD:
        return OTHER
    return CLASS_OF.get(base) or (VERB if _is_participle(word) else NOUN)


@lru_cache(_CACHED_WORDS)
def polarity(word: str) -> int:
    """Return +1 or -1 for an opinion word, "over-priced" and "dog-friendly" included, and 0 for any other."""
    known = polarities()
    first, _, last = word.partition("-")
    return known.get(word) or known.get(first + last) or (known.get(last, 0) if first != "not" else 0)


@lru_cache(_CACHED_WORDS)
def canonical(word: str) -> str:
    """Return the base form under which a noun is counted: "batteries" is "battery"; "packaging" stays."""
    if word.endswith("ing") or len(word) > _LONGEST_WORD:
        return word
    return str(simplemma.lemmatize(word, lang="en")).lower()


def _is_participle(word: str) -> bool:
    return len(word) > 4 and word.endswith("ed") and not word.endswith("eed")


def _joined(sentence: list[Token]) -> list[Token]:
    """Return the sentence with its phrases joined, the longest where several begin at one word."""
    phrases, joined, at = _phrases(), [], 0
    while at < len(sentence):
        token, size = sentence[at], 1
        for phrase in phrases.get(token.word, ()):
            if [later.word for later in sentence[at : at + len(phrase)]] == phrase:
                size = len(phrase)
                token = Token("-".join(phrase), token.start, sentence[at + size - 1].end)
                break
        joined.append(token)
        at += size
    return joined


@cache
def _phrases() -> dict[str, list[list[str]]]:
    """Return the hyphenated entries of both word lists as lists of words, longest first, by their first word."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    for entry in sorted(CLASS_OF.keys() | polarities().keys(), key=lambda entry: (-entry.count("-"), entry)):
        phrase = entry.split("-")
        if len(phrase) > 1 and all(phrase):
            found[phrase[0]].append(phrase)
    return dict(found)
