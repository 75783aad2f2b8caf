"""Sentences and their words.

A text is first cut into sentences, then each sentence at its blanks, and each part into words. No word contains a blank
and none depends on what is beyond one, so a part that was seen before is looked up. The places of the words are
computed only for the sentences that turn out to matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

LONGEST_WORD = 100
"""Longer words are cut to this many letters, so that caches and counts stay small."""

_CACHED_PARTS = 100_000

# Patterns that are searched for begin with the few characters they can begin with, so most of a text is skipped fast.
_ENDING = r"[.!?…\n](?:(?<!\d\.)|(?!\d))"
_END = re.compile(f"{_ENDING}(?:{_ENDING})*")
_LETTER = r"[^\W\d_]"
_WORD_OF = r"""
      LETTER+ (?:['-]LETTER+)* | '(?:s|re|m|ve|d|ll)\b              # "sound", "wi-fi", "don't"
    | \d\w*(?:[.,:/]\d\w*)*                                         # "5.5", "10/10", "4th"
    | --+ | [,;:()\[\]"–—&+/*•] | (?<!\S)-(?!\S)
    """
_WORD = re.compile(_WORD_OF.replace("LETTER", _LETTER), re.VERBOSE)
_PLAIN_ENGLISH_WORD = re.compile(_WORD_OF.replace("LETTER", "[a-z]"), re.VERBOSE)  # the same and faster, for ASCII
# What contains full stops that end no sentence is replaced by zeros of the same length: a token, but not a word.
_WHOLE = re.compile(
    r"""
      https?://\S+ | www\.\S+ | \w+\.(?:com|net|org)\b             # addresses
    | \b(?:[^\W\d_]\.){2,}                                         # "e.g.", "U.S."
    | \b(?:mrs?|ms|dr|vs)\.
    """,
    re.VERBOSE,
)
_MAY_BE_WHOLE = re.compile(
    r"\.(?:(?:com|net|org)\b|(?<=\b[^\W\d_]\.)[^\W\d_]\.|(?<=www\.)|(?<=\bm[rs]\.)|(?<=\bmrs\.)|(?<=\b(?:dr|vs)\.))"
)
_MARKUP = re.compile(r"</?[a-z][^<>]{0,80}>|&(?:\#\d{1,6}|[a-z]{2,8});")
_LINE_ENDING = ("<br", "<p", "</p", "<li", "</li", "<div", "</div")
_CHARACTER_OF = {"&amp;": "&", "&quot;": '"', "&#34;": '"', "&#39;": "'", "&apos;": "'", "&rsquo;": "'", "&#8217;": "'"}
_WRAPPED_LINE = re.compile(r"(?<=[^\n]{60})(?<=[\w,])\n(?=[a-z])")
_SUFFIXES = frozenset(("'s", "'re", "'m", "'ve", "'d", "'ll"))
_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Token(NamedTuple):
    """A word, number or punctuation mark, and its place; ``word`` is in lower case, with a plain apostrophe."""

    word: str
    start: int
    end: int


class Sentence:
    """A sentence: its words and their places."""

    __slots__ = ("_plain", "start", "words")

    def __init__(self, plain: str, start: int) -> None:
        self._plain = plain
        self.start = start
        self.words: list[str] = list(chain.from_iterable(map(_words, plain.split())))

    def places(self) -> list[tuple[int, int]]:
        """Return the start and end of each word, counted from the start of the sentence."""
        plain, words = self._plain, self.words
        # Between words there is nothing that a word can begin with, save a hyphen: each is at its next occurrence.
        if "-" in words or (len(plain) > LONGEST_WORD and max(map(len, words)) == LONGEST_WORD):
            return _matched_places(plain)
        found, end = [], 0
        for word in words:
            start = plain.index(word, end)
            end = start + len(word)
            found.append((start, end))
        return found

    def tokens(self) -> list[Token]:
        """Return the words with their places in the text."""
        places = zip(self.words, self.places(), strict=True)
        return [Token(word, self.start + begin, self.start + end) for word, (begin, end) in places]


def cut(text: str) -> list[Sentence]:
    """Cut a text into sentences, each with at least one word.

    A full stop, exclamation mark, question mark or line break ends a sentence, even without a space after it, since
    reviews often omit it. One inside a number, an address or an abbreviation does not, nor does the break of a wrapped
    line. Markup is skipped, and an address is no word.
    """
    plain = _plain(text)
    found, start = [], 0
    for end in _END.finditer(plain):
        if end.start() > start:
            found.append(Sentence(plain[start : end.start()], start))
        start = end.end()
    if start < len(plain):
        found.append(Sentence(plain[start:], start))
    return [sentence for sentence in found if sentence.words]


def sentences(text: str) -> list[list[Token]]:
    """Return the words of each sentence with their places."""
    return [sentence.tokens() for sentence in cut(text)]


def _plain(text: str) -> str:
    """Return the text in lower case, at its length: plain apostrophes, blanks for markup, zeros for addresses."""
    plain = text.lower()
    if len(plain) != len(text):  # a few capitals become two characters in lower case
        plain = "".join([low if len(low := letter.lower()) == 1 else letter for letter in text])
    plain = plain.replace("’", "'")
    if "<" in plain or "&" in plain:
        plain = _MARKUP.sub(_without_markup, plain)
    if "\n" in plain:
        plain = _WRAPPED_LINE.sub(" ", plain)
    if "://" in plain or _MAY_BE_WHOLE.search(plain):
        plain = _WHOLE.sub(lambda match: "0" * len(match.group()), plain)
    return plain


def _without_markup(match: re.Match[str]) -> str:
    """Return the replacement of a piece of markup, of the same length: "<br>" is a line break, "&amp;" is "&"."""
    markup = match.group()
    character = _CHARACTER_OF.get(markup) or ("\n" if markup.startswith(_LINE_ENDING) else " ")
    return character.rjust(len(markup))


def _matched_places(plain: str) -> list[tuple[int, int]]:
    """Return the start and end of each word of a sentence by matching them again."""
    return [place for match in _pattern(plain).finditer(plain) for place in _places(match)]


@lru_cache(_CACHED_PARTS)
def _words(plain: str) -> tuple[str, ...]:
    """Return the words of a text in lower case."""
    words = _pattern(plain).findall(plain)
    if "'" in plain:
        words = [part for word in words for part in (_parts(word) if "'" in word else (word,))]
    return tuple(word[:LONGEST_WORD] for word in words)


def _pattern(plain: str) -> re.Pattern[str]:
    """Return the pattern that finds the words of a text in lower case."""
    return _PLAIN_ENGLISH_WORD if plain.isascii() else _WORD


def _places(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of a word's parts."""
    word, begin = match.group(), match.start()
    if "'" not in word:
        yield match.span()
        return
    at = 0
    for part in _parts(word):
        at = word.index(part, at) + len(part)
        yield begin + at - len(part), begin + at


def _parts(word: str) -> list[str]:
    """Cut a word at its apostrophes: "don't" is "do" and "n't", "it's" is "it" and "'s"."""
    at = len(word) - 3 if word.endswith("n't") else word.rindex("'")
    if word[at:] != "n't" and word[at:] not in _SUFFIXES:
        return _PLAIN_WORD.findall(word)
    first = word[:at]
    return [*(_parts(first) if "'" in first else [first] if first else []), word[at:]]
