"""What every extractor must do, on any text. A test class inherits this and gives an ``extractor``."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.extraction.protocol import Extractor

REVIEWS = [
    "The screen is great. The battery is poor.",
    "I love the screen, but the speaker is terrible!",
    "Great battery and a lovely screen.",
    "Bought it in May.",
    "",
]
STRANGE = {
    "nothing": "",
    "spaces": " \t\n ",
    "punctuation": "...!!! ,,, ?? -- ()",
    "emoji": "😀😀👍🏽 🔋💀",
    "control characters": "\x00\x01great\x02 \x1bscreen\x7f",
    "another language": "Der Bildschirm ist wunderbar, aber der Akku hält nicht. 電池がすぐ切れる。Экран отличный!",
    "broken surrogate": "great \ud800 screen",
    "numbers": "5/5 10.5 3,000 1e9 4th",
    "apostrophes": "''''s n't 's'' ’’ it''s",
}
LONG = {
    "one word": "a" * 100_000,
    "one opinion": "great " * 20_000,
    "one noun": "screen " * 15_000,
    "one stop": "." * 100_000,
    "hyphens": "a-" * 50_000,
    "a list": "great screen and " * 6_000,
    "likes": "I like not " * 9_000,
}
# Arbitrary text, and text of words that the patterns care about, which arbitrary text hardly ever holds.
WORDS = "the screen battery life is not n't very great poor love like too and but , . : with of looks small work"
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(WORDS.split()), max_size=40).map(" ".join))


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, Python's own included: work counted without a clock."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


class ExtractorContract:
    @pytest.fixture
    def extractor(self) -> Extractor:
        raise NotImplementedError

    def test_has_a_name(self, extractor):
        assert extractor.name

    def test_finds_plain_opinions(self, extractor):
        found = extractor.fitted(REVIEWS).extract(REVIEWS)
        assert [{(mention.aspect, mention.sentiment) for mention in mentions} for mentions in found] == [
            {("screen", 1), ("battery", -1)},
            {("screen", 1), ("speaker", -1)},
            {("battery", 1), ("screen", 1)},
            set(),
            set(),
        ]

    def test_answers_every_text_in_order(self, extractor):
        alone = [extractor.extract([text])[0] for text in REVIEWS]
        assert extractor.extract(REVIEWS) == alone
        assert extractor.extract(REVIEWS[::-1]) == alone[::-1]
        assert extractor.extract([]) == []

    def test_what_it_learns_does_not_depend_on_the_order_of_texts(self, extractor):
        texts = REVIEWS * 3
        assert extractor.fitted(texts).extract(texts) == extractor.fitted(iter(texts[::-1])).extract(texts)

    def test_fitting_leaves_the_extractor_as_it_was(self, extractor):
        before = extractor.extract(REVIEWS)
        extractor.fitted(["The case is great. The case is bad."])
        assert extractor.extract(REVIEWS) == before

    def test_nothing_and_next_to_nothing_can_be_learned_from(self, extractor):
        for texts in ([], [""], ["..."], REVIEWS[:1]):
            assert extractor.fitted(texts).extract(["...", ""]) == [[], []]

    def test_names_the_aspect_as_the_text_has_it(self, extractor):
        text = "Nice. The BATTERIES are awful"
        (_, mention), *_ = [(m.start, m) for m in extractor.extract([text])[0]]
        assert (mention.aspect, text[mention.start : mention.end], mention.sentence) == ("battery", "BATTERIES", 1)

    @pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE.keys())
    def test_bears_strange_text(self, extractor, text):
        check_places(text, extractor.extract([text])[0])
        check_places(text, extractor.fitted([text]).extract([text])[0])

    @pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
    def test_does_work_linear_in_the_text(self, extractor, text):
        extractor.extract([text])  # words that are looked up once and remembered
        half, whole = (calls_of(lambda part=part: extractor.extract([part])) for part in (text[: len(text) // 2], text))
        assert whole < 3 * half + 1000  # quadratic would be four times as much

    def test_any_text_gives_mentions_that_stand_in_it(self, extractor):
        @given(TEXTS)
        def check(text: str) -> None:
            mentions = extractor.extract([text])[0]
            check_places(text, mentions)
            assert extractor.extract([text])[0] == mentions

        check()


def check_places(text, mentions) -> None:
    """Check that mentions are in order, lie inside the text and name something written there."""
    for mention in mentions:
        assert 0 <= mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end].strip()
        assert mention.opinion
        assert mention.sentiment in (-1, 1)
        assert mention.aspect == mention.aspect.lower()
    assert [mention.start for mention in mentions] == sorted(mention.start for mention in mentions)
    assert [mention.sentence for mention in mentions] == sorted(mention.sentence for mention in mentions)
