"""The extractors find what the built-in world planted, sharing no template and no word list with it."""

import pytest

from counterec.extraction.registry import make_extractor
from counterec.synthetic.matrices import WorldSize, plant_world
from counterec.synthetic.reviews import planted_mentions, planted_reviews


@pytest.mark.parametrize("name", ["grammar", "simple"])
@pytest.mark.parametrize("seed", [0, 1])
def test_finds_the_planted_mentions(seed, name):
    world = plant_world(WorldSize(users=120, items=200), seed)
    reviews = planted_reviews(world, seed)
    training = reviews.filter(world.part("train"))
    extractor = make_extractor(name).fitted(training["text"])
    found = {
        (user, item, mention.aspect, mention.sentiment)
        for user, item, mentions in zip(
            reviews["user_id"], reviews["item_id"], extractor.extract(reviews["text"].to_list()), strict=True
        )
        for mention in mentions
    }
    planted = set(planted_mentions(world).rows())
    hits = len(found & planted)
    precision, recall = hits / len(found), hits / len(planted)
    assert 2 * precision * recall / (precision + recall) >= 0.85
