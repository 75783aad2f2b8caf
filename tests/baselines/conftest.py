"""The synthetic world as a baseline sees it."""

from __future__ import annotations

import pytest
from benchmarks.baselines import baseline_data

from counterec.synthetic.world import WorldSize, synthetic_world


@pytest.fixture(scope="session")
def world():
    return synthetic_world(WorldSize(), seed=0)


@pytest.fixture(scope="session")
def data(world):
    return baseline_data(world)


@pytest.fixture(scope="session")
def few():
    """A small world, whose aspects Cornac numbers in another order than we do."""
    return baseline_data(synthetic_world(WorldSize(users=60, items=120), seed=3))
