"""Numbers as they are shown: with sensible digits."""

from __future__ import annotations


def percent(share: float | None) -> str:
    """“15%”; “under 1%” for little, “over 99%” for nearly all, nothing for what is not known."""
    if share is None:
        return ""
    if 0 < share < 0.01:
        return "under 1%"
    if 0.99 < share < 1:
        return "over 99%"
    return f"{100 * share:.0f}%"
