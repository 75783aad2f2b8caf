"""Sentences and their words, in one pass of one regular expression."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
      (?P<skip>  https?://\S+ | www\.\S+                       # addresses: their full stops end nothing
               | (?:[^\W\d_]\.){2,}                            # "e.g.", "U.S."
               | \b(?:mr|mrs|ms|dr|vs)\. )
    | (?P<word>  (?:['’](?:s|re|m|ve|d|ll)|n['’]t)\b           # the second half of "it's" and "don't"
               | [^\W\d_]+?(?=n['’]t\b)                         # and its first half
               | [^\W\d_]+(?:-[^\W\d_]+)* )                    # "sound", "wi-fi"
    | (?P<number>\d\w*(?:[.,:/]\d\w*)* )                       # "5.5", "10/10", "4th"
    | (?P<end>   [.!?…\n]+ )
    | (?P<mark>  --+ | [,;:()\[\]"–—&+/*•] | (?<!\S)-(?!\S) )
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Token(NamedTuple):
    """A word, a number or a mark, and where it stands; ``word`` is in lower case with a plain apostrophe."""

    word: str
    start: int
    end: int


def sentences(text: str) -> list[list[Token]]:
    """Cut a text into sentences of tokens; a sentence has at least one token.

    A full stop, exclamation or question mark or a line break ends a sentence, with or without a space after it,
    because reviews often leave it out; inside a number, an address or an abbreviation it does not.
    """
    found: list[list[Token]] = []
    current: list[Token] = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "end":
            if current:
                found.append(current)
                current = []
        else:
            start, end = match.span()
            current.append(Token(match.group().lower().replace("’", "'"), start, end))
    if current:
        found.append(current)
    return found
