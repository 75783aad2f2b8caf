"""Near-synonyms: nouns that a corpus uses alike are merged on request, and others are not."""

from __future__ import annotations

import random

import pytest

from counterec.extraction import GrammarExtractor
from counterec.extraction.grammar.corpus_knowledge import KnowledgeRules
from counterec.extraction.grammar.near_synonyms import SynonymRules

OF_SCREENS = ("bright", "sharp", "dim", "crisp", "vivid", "blurry", "glossy", "matte", "cracked", "huge", "clear")
OF_STRAPS = ("soft", "comfortable", "itchy", "loose", "tight", "flimsy", "durable", "leathery", "slippery", "worn")
OF_BUTTONS = ("stiff", "clicky", "responsive", "sticky", "tiny", "flat", "round", "mushy", "plasticky", "wobbly")


def texts_of(noun, adjectives, times=2):
    return [f"The {noun} is {adjective}." for adjective in adjectives for _ in range(times)] + [
        f"Here is a {adjective} {noun}." for adjective in adjectives for _ in range(times)
    ]


TEXTS = [
    *texts_of("screen", OF_SCREENS, 3),
    *texts_of("display", OF_SCREENS),
    *texts_of("strap", OF_STRAPS),
    *texts_of("button", OF_BUTTONS),
    *texts_of("knob", OF_BUTTONS, 3),
    *["The knob and the button are here."] * 9,
]


def fitted(texts, rules=SynonymRules()):  # noqa: B008
    return GrammarExtractor(KnowledgeRules(near_synonyms=rules)).fitted(texts)


def names(extractor, text):
    return [mention.aspect for mention in extractor.extract([text])[0]]


def test_nouns_used_alike_become_one_aspect_named_by_the_more_frequent():
    extractor = fitted(TEXTS)
    assert extractor.learned()["near_synonyms"] == {"display": "screen"}
    assert extractor.learned()["merged"]["display"] == "screen"
    assert names(extractor, "A great display, great displays, a great strap.") == ["screen", "screen", "strap"]


def test_nothing_is_merged_by_default():
    extractor = GrammarExtractor().fitted(TEXTS)
    assert extractor.learned()["near_synonyms"] == {}
    assert names(extractor, "A great display and a great screen.") == ["display", "screen"]


def test_nouns_that_people_list_together_stay_apart():
    """Knobs and buttons are described alike, but people list them together."""
    without_lists = [text for text in TEXTS if " and " not in text]
    assert fitted(without_lists).learned()["near_synonyms"] == {"button": "knob", "display": "screen"}


def test_misspellings_follow_their_noun():
    extractor = fitted([*TEXTS, "The dispplay is here."])
    assert extractor.learned()["merged"]["dispplay"] == "screen"


def test_terms_follow_their_nouns():
    extractor = fitted([*TEXTS, *["The dashboard display is a topic."] * 20])
    assert names(extractor, "A great dashboard screen and a great dashboard display.") == ["dashboard screen"] * 2


@pytest.mark.parametrize(
    "rules", [SynonymRules(least_uses=500), SynonymRules(least_similarity=1.1), SynonymRules(least_shared=99)]
)
def test_too_little_evidence_merges_nothing(rules):
    assert fitted(TEXTS, rules).learned()["near_synonyms"] == {}


def test_the_order_of_texts_changes_nothing():
    shuffled = random.Random(5).sample(TEXTS, len(TEXTS))
    assert fitted(shuffled) == fitted(TEXTS)
