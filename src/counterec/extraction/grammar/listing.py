"""Word lists, written as text."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())
