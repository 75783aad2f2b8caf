"""What a misspelt word and the word that is meant have in common."""

from __future__ import annotations

from collections.abc import Iterator


def shorter(word: str) -> Iterator[str]:
    """Return a word without each of its letters in turn; two words that meet there are one letter apart."""
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]
