"""Estimate how long a run takes, from counts. A guide for people, right within about a factor of two."""

from __future__ import annotations

from counterec.core.compute_limits import available_cores
from counterec.core.scorers.settings import EPOCH_SAMPLES, VALIDATION_USERS
from counterec.pipeline.config import RunConfig
from counterec.pipeline.space_choice import MOST_INTERACTIONS, RULES, SIZES
from counterec.pipeline.space_choice import NETS as CHOOSING_NETS

START = 3.0
"""Seconds that every run takes."""
CHARACTERS = 550_000
"""Characters of text per second and core: learning and extraction."""
EPOCHS = 25
"""Epochs that a net usually takes."""
INTERACTIONS = 220_000
"""Training interactions per second of an epoch."""
VALIDATED = 110_000_000
"""Scores per second of a validation, which ranks the catalogue for some users."""
OPERATIONS = 1.5e10
"""Operations per second and core of the item-to-item regression, for a few λ."""
MOST_ITEMS = 20_000
"""The regression is over at most this many users or items."""
ANSWERS = 100
"""Users per second and core whose lists are explained by one method."""


def estimated_seconds(config: RunConfig, users: int, items: int, reviews: int, characters: int) -> float:
    """Return the expected seconds of a run on this machine.

    ``reviews`` are those of the users who stay; ``characters`` is the length of all texts that are extracted.
    """
    cores = available_cores()
    interactions = max(users, reviews - users * (config.split.held_out + config.split.validation))
    validation = min(users, VALIDATION_USERS) * items / VALIDATED

    def train(nets: int, most: int) -> float:
        return nets * EPOCHS * (min(interactions, most) / INTERACTIONS + validation)

    chosen = (0 if config.aspects.most else len(SIZES)) + (len(RULES) - 1 if config.aspects.quality == "auto" else 0)
    training = train(chosen * CHOOSING_NETS, MOST_INTERACTIONS)
    if config.model.kind == "hybrid":
        training += train(config.model.hybrid.nets, EPOCH_SAMPLES // 5)
        training += min(users, items, MOST_ITEMS) ** 3 / OPERATIONS / cores
    else:
        training += train(1, EPOCH_SAMPLES // 5)
    texts = characters / CHARACTERS / cores
    return START + texts + training + users * len(config.explain.methods) / ANSWERS / cores


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
