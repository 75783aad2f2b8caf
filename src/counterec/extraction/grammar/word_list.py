"""Word lists, written as text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())
