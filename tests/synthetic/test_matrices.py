"""The synthetic world: reproducible, of the requested size, with choices and mentions that follow from its truth."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from counterec.core.opinions import quality
from counterec.core.space import attention
from counterec.errors import InvalidValueError
from counterec.synthetic.world import (
    CELL_PHONES,
    HELD_OUT,
    SyntheticWorld,
    WorldSize,
    synthetic_space,
    synthetic_world,
)

SMALL = WorldSize(users=40, items=90, aspects=12, min_reviews=9, mean_reviews=11)


@pytest.fixture(scope="module")
def world() -> SyntheticWorld:
    return synthetic_world(WorldSize(), seed=0)


@pytest.fixture(scope="module")
def small() -> SyntheticWorld:
    return synthetic_world(SMALL, seed=1)


def arrays(world: SyntheticWorld) -> list[np.ndarray]:
    made, said = world.interactions, world.mentions
    truth = [world.taste, world.quality]
    return [*truth, made.users, made.items, made.days, said.interactions, said.aspects, said.sentiments]


def test_the_same_seed_gives_the_same_world(small: SyntheticWorld) -> None:
    for once, again in zip(arrays(small), arrays(synthetic_world(SMALL, seed=1)), strict=True):
        np.testing.assert_array_equal(once, again)


def test_a_world_of_the_papers_cell_phones_is_sparse_with_a_long_tail() -> None:
    world = synthetic_world(CELL_PHONES, seed=0)
    reviewed_on = (synthetic_space(world).item_quality > 0).sum(axis=1)
    assert len(world.interactions) == 4_454
    assert 4 <= reviewed_on.mean() <= 5
    assert 25 <= reviewed_on.max() <= 40
    assert len(np.unique(world.interactions.items)) > 0.95 * CELL_PHONES.items


def test_users_care_for_a_handful_and_items_are_notable_for_a_handful(world: SyntheticWorld) -> None:
    assert 2.5 < (world.taste > 0).sum(axis=1).mean() < 4
    assert 4 < (world.quality != 0).sum(axis=1).mean() < 6
    assert np.abs(world.quality).max() <= 1
    assert (world.quality < 0).any()


def test_choices_follow_taste_and_quality(world: SyntheticWorld) -> None:
    fit = world.taste @ world.quality.T
    chosen = np.zeros(fit.shape, dtype=bool)
    chosen[world.interactions.users, world.interactions.items] = True
    of_chosen = np.array([fit[user, chosen[user]].mean() for user in range(world.size.users)])
    of_others = np.array([fit[user, ~chosen[user]].mean() for user in range(world.size.users)])
    assert of_chosen.mean() > of_others.mean() + 1.5 * fit.std()
    assert (of_chosen > of_others).mean() > 0.99


def test_mentions_are_of_notable_aspects_and_mostly_of_cared_for_ones(world: SyntheticWorld) -> None:
    made, said = world.interactions, world.mentions
    assert (world.quality[made.items[said.interactions], said.aspects] != 0).all()
    assert (world.taste[made.users[said.interactions], said.aspects] > 0).mean() > 0.7
    assert 1.5 < len(said) / len(made) < 3


def test_sentiment_follows_quality_with_some_noise(world: SyntheticWorld) -> None:
    said = world.mentions
    truth = np.sign(world.quality[world.interactions.items[said.interactions], said.aspects])
    assert 0.85 < (truth == said.sentiments).mean() < 1
    assert 0.1 < (said.sentiments < 0).mean() < 0.4


def test_the_parts_are_the_last_five_the_one_before_and_the_rest(small: SyntheticWorld) -> None:
    parts = {name: small.part(name) for name in ("train", "validation", "test")}
    np.testing.assert_array_equal(sum(mask.astype(int) for mask in parts.values()), 1)
    for user in range(SMALL.users):
        own = np.flatnonzero(small.interactions.users == user)
        assert parts["test"][own[-HELD_OUT:]].all()
        assert parts["validation"][own[-HELD_OUT - 1]]
        assert parts["train"][own[: -HELD_OUT - 1]].all()


def test_the_space_is_equation_one_of_the_training_mentions(small: SyntheticWorld) -> None:
    space, made, said = synthetic_space(small), small.interactions, small.mentions
    times = np.zeros(small.taste.shape)
    said_of, total = np.zeros(small.quality.shape), np.zeros(small.quality.shape)
    train = small.part("train")
    for number, aspect, sentiment in zip(said.interactions, said.aspects, said.sentiments, strict=True):
        if train[number]:
            times[made.users[number], aspect] += 1
            said_of[made.items[number], aspect] += 1
            total[made.items[number], aspect] += sentiment
    np.testing.assert_array_equal(space.user_attention, attention(times))
    np.testing.assert_array_equal(space.item_quality, quality(said_of, total))


@pytest.mark.parametrize(
    "wrong",
    [{"users": 0}, {"aspects": 1}, {"min_reviews": 6}, {"mean_reviews": 11.5}, {"items": 20}, {"notable": 1.0}],
)
def test_an_impossible_size_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidValueError):
        WorldSize(**wrong)  # type: ignore[arg-type]


def test_it_needs_numpy_alone() -> None:
    code = """
import sys
sys.modules.update(dict.fromkeys(["torch", "polars", "pydantic", "simplemma", "safetensors", "rich", "typer"]))
from counterec.synthetic.world import synthetic_space, synthetic_world
from counterec.synthetic.world import WorldSize
print(synthetic_space(synthetic_world(WorldSize(users=3), seed=0)).user_attention.shape)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.stdout.strip(), ended.stderr) == ("(3, 20)", "")
