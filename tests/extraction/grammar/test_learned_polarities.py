"""The polarity of adjectives for one noun, learned from the opinions around them and from stars."""

from __future__ import annotations

from counterec.extraction.extractor import GrammarExtractor

PRAISED = ["The staff was friendly and the lobby was lovely."] * 40
BLAMED = ["The carpet was dirty and the lift was awful."] * 40
CHEAP = ["The chairs were cheap and ugly."] * 12 + ["The meals were cheap and delicious."] * 12


def polarities(texts, ratings=None):
    return {tuple(key): sign for *key, sign in GrammarExtractor().fitted(texts, ratings).learned()["polarities"]}


def signs(extractor, text):
    return {(mention.aspect, mention.sentiment) for mention in extractor.extract([text])[0]}


def test_an_adjective_of_measure_can_reverse_for_one_noun():
    fitted = GrammarExtractor().fitted(PRAISED + BLAMED + CHEAP)
    assert signs(fitted, "The chairs were cheap.") == {("chair", -1)}
    assert signs(fitted, "The meals were cheap.") == {("meal", 1)}


def test_an_adjective_that_judges_by_itself_is_never_reversed():
    texts = PRAISED + BLAMED + ["The chairs were decent and ugly."] * 12
    assert ("decent", "chair") not in polarities(texts)


def test_opinions_across_a_contrast_count_as_their_opposite():
    with_but = PRAISED + BLAMED + ["The rooms were smallish, but lovely."] * 20
    without = PRAISED + BLAMED + ["The rooms were smallish and lovely."] * 20
    assert polarities(with_but)["smallish", "room"] == -1
    assert polarities(without).get(("smallish", "room")) != -1


def test_a_polarity_learned_for_one_noun_does_not_apply_to_others():
    texts = PRAISED + BLAMED + ["The door was open and the lock was awful."] * 12
    texts += ["The bar was open and the music was lovely."] * 4 + ["The gate was open and the road was lovely."] * 8
    fitted = GrammarExtractor().fitted(texts)
    assert polarities(texts) == {("open", "door"): -1}
    assert signs(fitted, "The door was open.") == {("door", -1)}
    assert signs(fitted, "The bar was open.") == set()


def test_an_adjective_does_not_judge_because_a_verb_of_the_same_form_does():
    assert signs(GrammarExtractor(), "The bar was open and the metro is close.") == set()
    assert signs(GrammarExtractor(), "The drawer does not open.") == {("drawer", -1)}
