"""Sentences and their words, in one pass of one regular expression."""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple

_WORD = r"""
      (?P<word>  [^\W\d_]+ (?:['-][^\W\d_]+)* | '(?:s|re|m|ve|d|ll)\b )    # "sound", "wi-fi", "don't"
    | (?P<end>   [.!?…\n]+ )
    | (?P<other> \d\w*(?:[.,:/]\d\w*)*                                      # "5.5", "10/10", "4th"
               | --+ | [,;:()\[\]"–—&+/*•] | (?<!\S)-(?!\S) )
"""
_WHOLE = r"""
      (?P<whole> https?://\S+ | www\.\S+ | \w+\.(?:com|net|org)\b           # addresses: their full stops end nothing
               | (?:[^\W\d_]\.){2,}                                         # "e.g.", "U.S."
               | \b(?:mr|mrs|ms|dr|vs)\. )
    |
"""
_TOKEN = re.compile(_WORD, re.VERBOSE)
_ANY_TOKEN = re.compile(_WHOLE + _WORD, re.VERBOSE)
# Most texts have no full stop that ends nothing, and are spared the search for one at every word.
_FULL_STOP_WITHIN = re.compile(r"\.[^\W\d_]|\b(?:mrs?|ms|dr|vs)\.|://")

_MARKUP = re.compile(r"</?[a-z][^<>]{0,80}>|&(?:\#\d{1,6}|[a-z]{2,8});")
_LINE_ENDING = ("<br", "<p", "</p", "<li", "</li", "<div", "</div")
_MEANT = {"&amp;": "&", "&quot;": '"', "&#34;": '"', "&#39;": "'", "&apos;": "'", "&rsquo;": "'", "&#8217;": "'"}
_WRAPPED_LINE = re.compile(r"(?<=[^\n]{60})(?<=[\w,])\n(?=[a-z])")
_SUFFIXES = frozenset(("'s", "'re", "'m", "'ve", "'d", "'ll"))
_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


LONGEST_WORD = 100
"""Longer words are cut to this many letters, so that what is kept about words stays small."""


class Token(NamedTuple):
    """A word, a number or a mark, and where it stands; ``word`` is in lower case with a plain apostrophe."""

    word: str
    start: int
    end: int


_token = partial(tuple.__new__, Token)  # spares a call in Python for every word of a corpus


def sentences(text: str) -> list[list[Token]]:
    """Cut a text into sentences of tokens; a sentence has at least one token.

    A full stop, exclamation or question mark or a line break ends a sentence, with or without a space after it,
    because reviews often leave it out; inside a number, an address or an abbreviation it does not, nor does the break
    of a wrapped line. Markup is passed over.
    """
    found: list[list[Token]] = []
    current: list[Token] = []
    plain = _plain(text)
    tokens = _ANY_TOKEN if _FULL_STOP_WITHIN.search(plain) else _TOKEN
    for match in tokens.finditer(plain):
        kind = match.lastgroup
        if kind == "end":
            if current:
                found.append(current)
                current = []
            continue
        word, start = match.group(), match.start()
        if kind == "word" and "'" in word:
            current.extend(_parts(word, start))
        else:
            current.append(_token((word[:LONGEST_WORD], start, match.end())))
    if current:
        found.append(current)
    return found


def _plain(text: str) -> str:
    """Return a text of the same length in lower case, with plain apostrophes and blanks for markup."""
    plain = text.lower()
    if len(plain) != len(text):  # a few capitals have two letters in lower case
        plain = "".join([low if len(low := letter.lower()) == 1 else letter for letter in text])
    plain = plain.replace("’", "'")
    if "<" in plain or "&" in plain:
        plain = _MARKUP.sub(_without_markup, plain)
    return _WRAPPED_LINE.sub(" ", plain) if "\n" in plain else plain


def _without_markup(match: re.Match[str]) -> str:
    """Return what stands for a piece of markup, in its length: "<br>" ends a line, "&amp;" is "&"."""
    markup = match.group()
    meant = _MEANT.get(markup) or ("\n" if markup.startswith(_LINE_ENDING) else " ")
    return meant.ljust(len(markup))


def _parts(word: str, start: int) -> list[Token]:
    """Cut a word at its apostrophes: "don't" is "do" and "n't", "it's" is "it" and "'s"."""
    cut = len(word) - 3 if word.endswith("n't") else word.rindex("'")
    if word[cut:] != "n't" and word[cut:] not in _SUFFIXES:
        return [Token(part.group(), start + part.start(), start + part.end()) for part in _PLAIN_WORD.finditer(word)]
    first = word[:cut]
    before = _parts(first, start) if "'" in first else [Token(first, start, start + cut)] if first else []
    return [*before, Token(word[cut:], start + cut, start + len(word))]
