"""The built-in world as a baseline sees it, with ratings and opinion words made from its mentions."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.baselines import BaselineData, TrainMentions
from counterec.core.planted import WorldSize, plant_world, planted_space

WORDS = 6
"""Opinion words of praise, and as many of blame."""


@pytest.fixture(scope="session")
def world():
    return plant_world(WorldSize(), seed=0)


@pytest.fixture(scope="session")
def data(world):
    return baseline_data(world)


@pytest.fixture(scope="session")
def few():
    """A small world, whose aspects Cornac meets in another order than ours."""
    return baseline_data(plant_world(WorldSize(users=60, items=120), seed=3))


def baseline_data(world) -> BaselineData:
    train, said = world.taken("train"), world.mentions
    told = world.part("train")[said.interactions]
    about, sentiments = said.interactions[told], said.sentiments[told]
    words = np.random.default_rng(0).integers(0, WORDS, len(about)) + WORDS * (sentiments > 0)
    users, items = world.interactions.users[about], world.interactions.items[about]
    mentions = TrainMentions(users, items, said.aspects[told], words, sentiments)
    return BaselineData(planted_space(world), train, world.taken("validation"), stars(train, mentions), mentions)


def stars(train, mentions) -> np.ndarray:
    """Three stars, and up to two more or fewer by the mean sentiment of the review."""
    keys = train.users * train.n_items + train.items
    rows = np.searchsorted(keys, mentions.users * train.n_items + mentions.items)
    total = np.bincount(rows, weights=mentions.sentiments, minlength=len(train))
    return 3 + 2 * total / np.maximum(np.bincount(rows, minlength=len(train)), 1)
