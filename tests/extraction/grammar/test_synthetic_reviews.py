"""The extractor finds the mentions of the synthetic reviews, sharing no template and no word list with them."""

import pytest

from counterec.extraction.extractor import GrammarExtractor
from counterec.synthetic.reviews import synthetic_mentions, synthetic_reviews
from counterec.synthetic.world import WorldSize, synthetic_world


@pytest.mark.parametrize("seed", [0, 1])
def test_finds_the_true_mentions(seed):
    world = synthetic_world(WorldSize(users=120, items=200), seed)
    reviews = synthetic_reviews(world, seed)
    training = reviews.filter(world.part("train"))
    extractor = GrammarExtractor().fitted(training["text"])
    found = {
        (user, item, mention.aspect, mention.sentiment)
        for user, item, mentions in zip(
            reviews["user_id"], reviews["item_id"], extractor.extract(reviews["text"].to_list()), strict=True
        )
        for mention in mentions
    }
    true = set(synthetic_mentions(world).rows())
    hits = len(found & true)
    precision, recall = hits / len(found), hits / len(true)
    assert 2 * precision * recall / (precision + recall) >= 0.85
