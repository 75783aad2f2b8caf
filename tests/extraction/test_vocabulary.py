from __future__ import annotations

import random

import pytest

from counterec.extraction import SimpleExtractor
from counterec.extraction.vocabulary import VocabularyRules, learn

CORPUS = [
    "The battery life is great. I love the battery life.",
    "Its battery life was short. The life of a battery is short.",
    "We glorp it daily. They glorp to relax. You can glorp here.",
    "My Zonko is nice. Our Zonko arrived. The Zonko works. A Zonko helps. That old Zonko rocks. No Zonko here.",
    "This gadgetron is nice. I love this gadgetron. I bought this gadgetron. This gadgetron is mine.",
    "Is this gadgetron good? The gadgetron has a nice lid.",
    "The lid is good. A lid is a lid. The screen is a screen.",
]


@pytest.fixture
def vocabulary():
    return learn(CORPUS, VocabularyRules())


def test_learns_which_words_go_together(vocabulary):
    assert vocabulary.compounds == {("battery", "life")}


@pytest.mark.parametrize(("word", "what"), [("glorp", "a verb"), ("zonko", "a name"), ("gadgetron", "the item")])
def test_learns_what_is_no_aspect(vocabulary, word, what):
    assert word in vocabulary.not_nouns


@pytest.mark.parametrize("word", ["battery", "life", "lid", "screen"])
def test_keeps_nouns(vocabulary, word):
    assert word in vocabulary.frequent - vocabulary.not_nouns


def test_the_order_of_texts_does_not_matter(vocabulary):
    for seed in range(5):
        assert learn(random.Random(seed).sample(CORPUS, len(CORPUS)), VocabularyRules()) == vocabulary


def test_frequency_is_relative_up_to_an_absolute_count():
    rules = VocabularyRules(frequent_share=0.1, frequent_count=4)
    assert learn(["A lid."] * 1 + ["The box."] * 19, rules).frequent == {"box"}
    assert learn(["A lid."] * 2 + ["The box."] * 18, rules).frequent == {"lid", "box"}
    assert learn(["A lid."] * 4 + ["The box."] * 96, rules).frequent == {"lid", "box"}


def test_a_fitted_extractor_finds_known_aspects_only():
    fitted = SimpleExtractor(VocabularyRules(frequent_share=0.5)).fitted(
        ["The lid is good."] * 9 + ["The box is good."]
    )
    found = fitted.extract(["The lid is bad, the box is bad and the hinge is bad."])[0]
    assert [mention.aspect for mention in found] == ["lid"]


def test_a_two_word_aspect_is_found_as_one():
    text = "Sadly the Battery Life is poor"
    (mention,) = SimpleExtractor().fitted(CORPUS).extract([text])[0]
    assert (mention.aspect, text[mention.start : mention.end]) == ("battery life", "Battery Life")


def test_the_reviewed_thing_is_no_aspect_of_itself():
    (mentions,) = SimpleExtractor().fitted(CORPUS).extract(["A great gadgetron with a great lid."])
    assert [mention.aspect for mention in mentions] == ["lid"]
