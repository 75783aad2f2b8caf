"""What the default extractor learns from a corpus: proper names, reviewed things, terms, spellings and polarities."""

from __future__ import annotations

import json
import random
from itertools import pairwise

from counterec.extraction.corpus import merged_counts
from counterec.extraction.extractor import GrammarExtractor

PLAIN = ["The screen is great.", "The camera was poor.", "I love the strap.", "We walked home."]


def names(extractor, text):
    return {mention.aspect for mention in extractor.extract([text])[0]}


def signs(extractor, text):
    return {(mention.aspect, mention.sentiment) for mention in extractor.extract([text])[0]}


def test_proper_names_are_not_aspects():
    fitted = GrammarExtractor().fitted([*PLAIN, *["We sent it back to Yamaha in May."] * 8])
    assert names(GrammarExtractor(), "A great Yamaha with a great screen.") == {"yamaha", "screen"}
    assert names(fitted, "A great Yamaha with a great screen.") == {"screen"}


def test_the_reviewed_thing_is_not_an_aspect_of_itself():
    fitted = GrammarExtractor().fitted([*PLAIN, *["I use this pedal at home."] * 8, "The pedal is here."])
    assert names(fitted, "The pedal is great, the knob is poor.") == {"knob"}


def test_terms_are_learned_from_words_that_occur_together():
    fitted = GrammarExtractor().fitted([*PLAIN * 5, *["The battery life is a topic."] * 8])
    assert names(fitted, "The battery life is great and the screen size is good.") == {"battery life", "size"}


def test_misspellings_are_merged_and_reported():
    fitted = GrammarExtractor().fitted([*["The keyboard is here."] * 30, "The keybord is here.", "The key-board too."])
    assert names(fitted, "A great keybord, and bad keyboards, and a nice key-board.") == {"keyboard"}
    assert fitted.learned()["merged"] == {"key-board": "keyboard", "keybord": "keyboard"}


def test_an_adjective_gains_a_polarity_for_an_aspect_from_the_stars():
    texts = ["The wait was long."] * 20 + ["The pizza was here."] * 60
    ratings = [1.0] * 20 + [5.0] * 60
    fitted = GrammarExtractor().fitted(texts, ratings)
    untaught = GrammarExtractor().fitted(texts)
    assert signs(fitted, "The parking was long. The wait was long.") >= {("wait", -1)}
    assert ["long", "wait", -1] in fitted.learned()["polarities"] or signs(untaught, "The wait was long.") == {
        ("wait", -1)
    }


def test_an_unknown_adjective_gains_a_polarity_from_the_opinions_around_it():
    praise = ["The food was great and the crust was frobby."] * 30
    blame = ["The food was awful and the crust was grumbish."] * 30
    fitted = GrammarExtractor().fitted(praise + blame)
    assert signs(GrammarExtractor(), "The crust was grumbish.") == set()
    assert signs(fitted, "The crust was grumbish.") == {("crust", -1)}


def test_the_order_of_texts_changes_nothing():
    texts = PLAIN * 4 + ["Yamaha made this pedal with a long battery life."] * 6
    ratings = [float(1 + at % 5) for at in range(len(texts))]
    rows = list(zip(texts, ratings, strict=True))
    shuffled = random.Random(3).sample(rows, len(rows))
    one = GrammarExtractor().fitted(*zip(*rows, strict=True))
    other = GrammarExtractor().fitted(*zip(*shuffled, strict=True))
    assert one == other
    assert json.dumps(one.learned()) == json.dumps(other.learned())


def test_a_corpus_counted_in_parts_teaches_the_same():
    mixed = [*PLAIN, "The lid was green and awful.", "The lid was green and great.", "A long wait, as Yamaha said."]
    texts = mixed * 4 + ["I use this pedal for its battery life."] * 9
    ratings = [None if at % 7 == 0 else at / 10 for at in range(len(texts))]  # sums of tenths depend on their order
    extractor = GrammarExtractor()
    bounds = [0, 9, 17, len(texts)]
    parts = [extractor.counted(texts[a:b], ratings[a:b]) for a, b in pairwise(bounds)]
    whole = extractor.counted(texts, ratings)
    assert whole == merged_counts(parts[::-1]) != extractor.counted(texts)
    assert extractor.concluded([whole]) == extractor.fitted(texts, ratings)
