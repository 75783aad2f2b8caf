"""The synthetic reviews: reproducible, varied, and containing exactly the true mentions."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import polars as pl
import pytest

from counterec.data.tables import REVIEWS
from counterec.randomness import generator
from counterec.synthetic.reviews import (
    AspectOpinion,
    aspect_names,
    grammar,
    sentence,
    synthetic_mentions,
    synthetic_reviews,
)
from counterec.synthetic.world import SyntheticWorld, WorldSize, synthetic_world

SMALL = WorldSize(users=60, items=120, aspects=20, min_reviews=9, mean_reviews=12)


@pytest.fixture(scope="module")
def world() -> SyntheticWorld:
    return synthetic_world(SMALL, seed=3)


@pytest.fixture(scope="module")
def reviews(world: SyntheticWorld) -> pl.DataFrame:
    return synthetic_reviews(world, seed=3)


def test_reviews_have_the_schema_and_one_row_per_interaction(world: SyntheticWorld, reviews: pl.DataFrame) -> None:
    assert dict(reviews.schema) == dict(REVIEWS)
    assert len(reviews) == len(world.interactions)
    assert reviews.null_count().sum_horizontal().item() == 0
    assert reviews.select("user_id", "item_id").is_unique().all()


def test_the_same_seed_writes_the_same_texts(world: SyntheticWorld, reviews: pl.DataFrame) -> None:
    assert reviews.equals(synthetic_reviews(world, seed=3))


def test_every_mention_is_in_its_review(world: SyntheticWorld, reviews: pl.DataFrame) -> None:
    both = synthetic_mentions(world).join(reviews, on=["user_id", "item_id"], validate="m:1")
    assert len(both) == len(world.mentions)
    for aspect, text in both.select("aspect", "text").iter_rows():
        assert re.search(rf"\b{aspect}\b", text.lower()), (aspect, text)


def test_mentions_are_those_of_the_world(world: SyntheticWorld) -> None:
    mentions = synthetic_mentions(world)
    assert mentions.columns == ["user_id", "item_id", "aspect", "sentiment"]
    np.testing.assert_array_equal(mentions["sentiment"].to_numpy(), world.mentions.sentiments)
    assert set(mentions["aspect"]) <= set(aspect_names(SMALL.aspects))


def test_ratings_follow_the_mean_sentiment(world: SyntheticWorld, reviews: pl.DataFrame) -> None:
    means = synthetic_mentions(world).group_by("user_id", "item_id").agg(pl.col("sentiment").mean())
    both = reviews.join(means, on=["user_id", "item_id"])
    assert set(both["rating"]) <= {1.0, 2.0, 3.0, 4.0, 5.0}
    assert both.select(pl.corr("rating", "sentiment")).item() > 0.7


def test_no_slot_is_left_and_no_space_doubled(reviews: pl.DataFrame) -> None:
    assert not reviews["text"].str.contains(r"[{}*]|  |\ba [aeio]").any()


@pytest.mark.parametrize("positive", [True, False])
def test_every_way_to_express_a_mention_names_its_aspect_once(positive: bool) -> None:
    """A sentence of one to three mentions names each aspect once, whatever is drawn."""
    rng = generator(0, "test")
    names = aspect_names(100)
    for start, rule in product(range(0, 99, 3), ("one", "two_alike", "two_unlike", "three")):
        said = [AspectOpinion(name, positive) for name in names[start : start + 3]]
        count = {"one": 1, "three": 3}.get(rule, 2)
        text = sentence(grammar().say(rule, rng, said[:count], model="Veltra One")).lower()
        for mention in said[:count]:
            assert len(re.findall(rf"\b{mention.aspect}\b", text)) == 1, text
