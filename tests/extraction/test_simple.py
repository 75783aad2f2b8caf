from __future__ import annotations

import pytest

from counterec.extraction import SimpleExtractor
from tests.contracts.extractor import ExtractorContract

KNOWN = {
    "attributive": [
        ("A great screen!", "screen+"),
        ("It has a nice, really bright little screen.", "screen+"),
        ("Terrible sound and awful bass.", "sound- bass-"),
        ("Great screen and camera.", "screen+ camera+"),
        ("Great screen and the camera is poor.", "screen+ camera-"),
        ("Good camera, weak battery", "camera+ battery-"),
        ("It has a big screen and the camera is poor.", "screen+ camera-"),
    ],
    "copula": [
        ("The sound is great.", "sound+"),
        ("The sound is really quite great.", "sound+"),
        ("The screen looks dull.", "screen-"),
        ("Batteries were awful.", "battery-"),
        ("The battery is great and reliable.", "battery+"),
        ("The screen and the camera are great.", "screen+ camera+"),
        ("The screen, the camera and the strap are great.", "screen+ camera+ strap+"),
        ("The screen is great but the strap is poor.", "screen+ strap-"),
        ("The quality of the screen is superb.", "quality+"),
        ("The screen, which is gorgeous, cost extra.", "screen+"),
        ("The camera, however, is mediocre.", "camera-"),
        ("The screen's great", "screen+"),
        ("The speaker sounds great, and the sounds are clear.", "speaker+ sound+"),
        ("Sound is fine.", "sound+"),
    ],
    "verbs": [
        ("I love the sound.", "sound+"),
        ("We loved its design and weight.", "design+ weight+"),
        ("I hate the case.", "case-"),
        ("I really like the strap.", "strap+"),
        ("It looks like a strap.", ""),
        ("It lacks bass.", "bass-"),
        ("The charger doesn't work.", "charger-"),
        ("The charger works.", ""),
        ("The camera disappoints.", "camera-"),
        ("The battery drains quickly.", "battery-"),
    ],
    "prepositions": [
        ("I am happy with the strap.", "strap+"),
        ("I was not impressed by the camera.", "camera-"),
        ("No complaints about the lid.", "lid+"),
    ],
    "turned around": [
        ("The best thing about it is the screen.", "screen+"),
        ("The worst part is the speaker.", "speaker-"),
        ("I like how bright the screen is.", "screen+"),
        ("The storage is disappointing and so is the lens.", "storage- lens-"),
        ("Battery: poor. Sound - excellent!", "battery- sound+"),
    ],
    "negation": [
        ("The battery was not very good.", "battery-"),
        ("The battery isn’t good.", "battery-"),
        ("I don't like the strap.", "strap-"),
        ("The signal is never reliable and hardly usable.", "signal-"),
        ("The screen is not bad.", "screen+"),
        ("Neither the lens nor the screen is good.", "lens- screen-"),
        ("Not only is the screen sharp, but the price is fair.", "screen+ price+"),
        ("It is not cheap, good screen though.", "screen+"),
        ("The camera is far from perfect.", "camera-"),
    ],
    "degrees": [
        ("The strap is too long.", "strap-"),
        ("The case is not too heavy.", "case+"),
        ("The horn is not loud enough.", "horn-"),
        ("The screen is too dark.", "screen-"),
        ("The sensor works badly.", "sensor-"),
        ("The price could be better.", "price-"),
        ("The packaging couldn't be better.", "packaging+"),
        ("I wish the lens were good.", "lens-"),
        ("I never had a worse strap.", "strap-"),
        ("The warranty is a huge pain, the lid awfully good.", "warranty- lid+"),
    ],
    "what depends on the aspect": [
        ("The price is high.", "price-"),
        ("The price is low.", "price+"),
        ("A high resolution.", "resolution+"),
        ("The speakers are loud.", "speaker+"),
        ("The fan is loud.", ""),
        ("The engine is loud.", "engine-"),
    ],
    "phrases": [
        ("The camera is top notch.", "camera+"),
        ("The speaker let me down.", "speaker-"),
        ("The charger stopped working.", "charger-"),
        ("The lens is great as well.", "lens+"),
    ],
    "nothing": [
        ("I bought it for my sister last month.", ""),
        ("It arrived on Tuesday in a brown box.", ""),
        ("My previous one was of another brand.", ""),
        ("It is great.", ""),
        ("Awesome, wonderful and terrible!", ""),
        ("Love it!!!", ""),
        (",.;:!?", ""),
    ],
}
SENTENCES = [(text, expected) for sentences in KNOWN.values() for text, expected in sentences]


def found(text):
    return {mention.aspect + "-+"[mention.sentiment > 0] for mention in SimpleExtractor().extract([text])[0]}


@pytest.mark.parametrize(("text", "expected"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_known_sentence(text, expected):
    assert found(text) == set(expected.split())


def test_says_which_opinion_and_where():
    text = "Hm. The screen is crisp and bright."
    crisp, bright = SimpleExtractor().extract([text])[0]
    assert (crisp.opinion, bright.opinion) == ("crisp", "bright")
    assert {(m.sentence, text[m.start : m.end]) for m in (crisp, bright)} == {(1, "screen")}


def test_opinion_words_never_become_aspects():
    text = "great awful love terrible nice, the best is the worst and the good is bad; a fast slow is cheap."
    assert found(text) == set()


def test_texts_without_words_teach_nothing():
    assert SimpleExtractor().fitted(["", "..."]) == SimpleExtractor()


class TestContract(ExtractorContract):
    @pytest.fixture
    def extractor(self):
        return SimpleExtractor()


class TestContractOfTheFitted(ExtractorContract):
    @pytest.fixture
    def extractor(self):
        return SimpleExtractor().fitted(["The screen, the battery and the speaker are great.", "The battery is bad."])
