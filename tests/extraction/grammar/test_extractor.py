"""What the default extractor finds, construction by construction: what it must link, and what it must not."""

from __future__ import annotations

import pytest

from counterec.extraction.extractor import GrammarExtractor
from tests.contracts.extractor import ExtractorContract

KNOWN = {
    "attribute": [
        ("A great screen!", "screen+"),
        ("It has a nice, really bright little screen.", "screen+"),
        ("Terrible sound and awful bass.", "sound- bass-"),
        ("Great food and service.", "food+ service+"),
        ("Good camera, weak battery", "camera+ battery-"),
        ("Great screen and the camera is poor.", "screen+ camera-"),
        ("A well made case.", "case+"),
        ("Great screen and camera.", "screen+ camera+"),
        ("It has a big screen and the camera is poor.", "screen+ camera-"),
        ("The hot dog arrived.", ""),
    ],
    "predicate": [
        ("The sound is great.", "sound+"),
        ("The sound and the build are great.", "sound+ build+"),
        ("The screen, the camera and the strap are great.", "screen+ camera+ strap+"),
        ("The battery life is short but the screen looks really good.", "battery life- screen+"),
        ("The camera, however, is mediocre.", "camera-"),
        ("The clerk at the front desk was rude.", "clerk-"),
        ("The soup I had before the show was delicious.", "soup+"),
        ("The viewer (it opens pages) is useful.", "viewer+"),
        ("The service is one of the best.", "service+"),
        ("The soup was cold.", "soup-"),
        ("We ate cold cuts.", ""),
        ("The sound is really quite great.", "sound+"),
        ("The screen looks dull.", "screen-"),
        ("Batteries were awful.", "battery-"),
        ("The battery is great and reliable.", "battery+"),
        ("The screen is great but the strap is poor.", "screen+ strap-"),
        ("The quality of the screen is superb.", "quality+"),
        ("The screen, which is gorgeous, cost extra.", "screen+"),
        ("The screen's great", "screen+"),
        ("The speaker sounds great, and the sounds are clear.", "speaker+ sound+"),
        ("Sound is fine.", "sound+"),
    ],
    "verbs": [
        ("I love the sound.", "sound+"),
        ("I really like the strap, the case and the grip.", "strap+ case+ grip+"),
        ("It looks like a strap.", ""),
        ("The case broke.", "case-"),
        ("It lacks bass.", "bass-"),
        ("The charger doesn't work.", "charger-"),
        ("The charger works.", ""),
        ("You must try the soup.", "soup+"),
        ("I will try the soup.", ""),
        ("The food was cooked perfectly.", "food+"),
        ("We loved its design and weight.", "design+ weight+"),
        ("I hate the case.", "case-"),
        ("The camera disappoints.", "camera-"),
        ("The sensor works badly.", "sensor-"),
    ],
    "nouns that judge": [
        ("I had problems with the screen.", "screen-"),
        ("No complaints about the lid.", "lid+"),
        ("There were battery issues.", "battery-"),
        ("The service is a joke.", "service-"),
        ("There is no charger in the box.", "charger-"),
    ],
    "prepositions": [
        ("I am happy with the strap.", "strap+"),
        ("I was not impressed by the camera.", "camera-"),
        ("Delighted with its weight.", "weight+"),
        ("It is better than the strap.", ""),
    ],
    "lists and colons": [
        ("Battery: poor. Sound - excellent!", "battery- sound+"),
        ("Staff friendly, rooms dirty", "staff+ room-"),
    ],
    "inverted": [
        ("The best thing about it is the screen.", "screen+"),
        ("The worst part is the speaker.", "speaker-"),
        ("I like how bright the screen is.", "screen+"),
    ],
    "aspects named by verbs": [
        ("It sounds great.", "sound+"),
        ("It is easy to use.", "use+"),
        ("It was reasonably priced.", "price+"),
    ],
    "pronouns": [
        ("I ordered the scallops and they were delicious.", "scallop+"),
        ("The scallops arrived. They were delicious.", "scallop+"),
        ("I bought this phone. It is great.", ""),
        ("It is great.", ""),
    ],
    "negation": [
        ("The battery was not very good.", "battery-"),
        ("The battery isn’t good.", "battery-"),
        ("I don't like the strap.", "strap-"),
        ("The screen is not bad.", "screen+"),
        ("I don't need overpriced food.", "food-"),
        ("The signal is never reliable and hardly usable.", "signal-"),
        ("Not only is the screen sharp, but the price is fair.", "screen+ price+"),
    ],
    "degrees, wishes and comparisons": [
        ("The strap is too long.", "strap-"),
        ("The case is not too heavy.", "case+"),
        ("The horn is not loud enough.", "horn-"),
        ("The pizza is way to expensive.", "pizza-"),
        ("The service could have been a lot more attentive.", "service-"),
        ("The packaging couldn't be better.", "packaging+"),
        ("I wish the lens were good.", "lens-"),
        ("It needs better speakers.", "speaker-"),
        ("The case would be great if it were larger.", "case-"),
        ("The seating is pretty drafty.", "seating-"),
        ("The screen is too dark.", "screen-"),
        ("The price could be better.", "price-"),
        ("The warranty is a huge pain, the lid awfully good.", "warranty- lid+"),
    ],
    "polarity that depends on the noun": [
        ("The price is high.", "price-"),
        ("A high resolution.", "resolution+"),
        ("The price is low.", "price+"),
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
    "words that no lexicon has": [
        ("The waiter was accomodating.", "waiter+"),
        ("The sound is greaaat", "sound+"),
        ("The broth was flavorless.", "broth-"),
        ("An unaccommodating waiter.", "waiter-"),
        ("The ingredients taste fresher.", "ingredient+"),
    ],
    "nothing": [
        ("I bought it for my sister last month.", ""),
        ("It arrived on Tuesday in a brown box.", ""),
        ("Awesome, wonderful and terrible!", ""),
        ("Is the screen good or bad?", ""),
        ("It would be great if the screen turned.", ""),
        ("I wonder about the screen?", ""),
        ("A nice thing.", ""),
        ("My previous one was of another brand.", ""),
        ("Love it!!!", ""),
        (",.;:!?", ""),
    ],
}
SENTENCES = [(text, expected) for sentences in KNOWN.values() for text, expected in sentences]


def found(text, extractor=None):
    mentions = (extractor or GrammarExtractor()).extract([text])[0]
    return {mention.aspect + "-+"[mention.sentiment > 0] for mention in mentions}


def split_names(expected):
    """Split "battery life- screen+" after each sign."""
    return {name.strip() for name in expected.replace("+", "+|").replace("-", "-|").split("|") if name.strip()}


@pytest.mark.parametrize(("text", "expected"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_known_sentence(text, expected):
    assert found(text) == split_names(expected)


def test_a_mention_gives_its_opinion_and_its_place():
    text = "Hm. The front camera was not very good."
    (mention,) = GrammarExtractor().extract([text])[0]
    assert mention.opinion == "not very good"
    assert text[mention.start : mention.end] == "front camera"
    assert text[mention.sentence_start : mention.sentence_end] == "The front camera was not very good"
    assert mention.sentence == 1


def test_a_pronoun_is_named_by_its_noun_and_placed_in_its_own_sentence():
    text = "The scallops arrived. They were delicious."
    (mention,) = GrammarExtractor().extract([text])[0]
    assert (mention.aspect, text[mention.start : mention.end], mention.sentence) == ("scallop", "They", 1)


class TestContract(ExtractorContract):
    @pytest.fixture
    def extractor(self):
        return GrammarExtractor()


class TestContractOfTheFitted(ExtractorContract):
    @pytest.fixture
    def extractor(self):
        return GrammarExtractor().fitted(["The screen, the battery and the speaker are great.", "The battery is bad."])
