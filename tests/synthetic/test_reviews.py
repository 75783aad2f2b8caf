"""The synthetic reviews: reproducible, varied, and containing exactly the true mentions."""

from __future__ import annotations

import re
from collections import Counter
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
    item_names,
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


def test_ids_and_times_keep_the_order_of_the_world(world: SyntheticWorld, reviews: pl.DataFrame) -> None:
    assert reviews.equals(reviews.sort("user_id", "time", "item_id"))
    numbers = reviews["user_id"].str.slice(1).cast(pl.Int64).to_numpy() - 1
    np.testing.assert_array_equal(numbers, world.interactions.users)


def test_the_same_seed_writes_the_same_texts(world: SyntheticWorld, reviews: pl.DataFrame) -> None:
    assert reviews.equals(synthetic_reviews(world, seed=3))


def test_another_seed_writes_other_texts(world: SyntheticWorld, reviews: pl.DataFrame) -> None:
    other = synthetic_reviews(world, seed=4)
    assert (reviews["text"] == other["text"]).mean() < 0.02


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


def test_sentences_vary(reviews: pl.DataFrame) -> None:
    said = [part for text in reviews["text"] for part in re.split(r"(?<=[.!]) ", text)]
    assert len(set(said)) / len(said) > 0.8
    assert Counter(said).most_common(1)[0][1] < 0.01 * len(said)


def test_no_slot_is_left_and_no_space_doubled(reviews: pl.DataFrame) -> None:
    assert not reviews["text"].str.contains(r"[{}*]|  |\ba [aeio]").any()


def test_people_write_differently(reviews: pl.DataFrame) -> None:
    texts = reviews["text"]
    assert 0.02 < (texts == texts.str.to_lowercase()).mean() < 0.3
    assert texts.str.contains("!", literal=True).any()
    assert texts.str.contains(r"\.[A-Za-z]").any()


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


def test_every_slot_names_a_rule() -> None:
    known = {name.rsplit(".", 1)[-1] for name in grammar().rules} | {"aspect", "a", "model"}
    for name, rule in grammar().rules.items():
        for slot in re.findall(r"\{(?:\d:)?([\w.]+)\}", " ".join(rule.texts)):
            assert slot in grammar().rules or slot in known, (name, slot)


def test_aspects_beyond_the_named_ones_are_numbered() -> None:
    names = aspect_names(106)
    assert names[:3] == ("battery", "screen", "camera")
    assert names[-1] == "feature 106"
    assert len(set(names)) == 106


def test_every_phone_has_a_name_of_its_own(world: SyntheticWorld) -> None:
    names = item_names(world, seed=3)
    assert next(iter(names)) == "P0001"
    assert len(set(names.values())) == len(names) == SMALL.items
    assert names != item_names(world, seed=4)
