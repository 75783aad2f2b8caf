"""About how long a run will take, from counts. A rough guide for people, not a measurement."""

from __future__ import annotations

from counterec.pipeline.config import RunConfig

CHARACTERS_PER_SECOND = 400_000
"""Texts that are learned from and extracted, on one core."""
REVIEWS_PER_SECOND = 200
"""Reviews that a model is chosen and trained on."""
USERS_PER_SECOND = 30
"""Users whose lists are explained by one method."""


def estimated_seconds(config: RunConfig, users: int, reviews: int, characters: int) -> float:
    """Return characters / c + reviews / r + users · methods / u, with the rates above."""
    nets = config.model.hybrid.nets if config.model.kind == "hybrid" else 1
    training = reviews * nets / REVIEWS_PER_SECOND
    return characters / CHARACTERS_PER_SECOND + training + users * len(config.explain.methods) / USERS_PER_SECOND


def in_words(seconds: float) -> str:
    """Return a duration to one digit, as an estimate deserves."""
    if seconds < 50:
        return "less than a minute"
    if seconds < 5_400:
        return f"about {_round(seconds / 60)} minutes" if seconds > 90 else "about a minute"
    return f"about {_round(seconds / 3_600)} hours"


def _round(value: float) -> int:
    step = 10 ** (len(str(int(value))) - 1)
    return int(round(value / step) * step)
