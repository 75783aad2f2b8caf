"""Extractors made from other tools, each tested against as much of the contract as it promises."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from counterec.errors import InvalidValueError
from counterec.extraction.adapters import CallableExtractor, SentiresExtractor, SpacyExtractor
from counterec.extraction.extractor import GrammarExtractor
from tests.contracts.extractor import ExtractorContract

pytestmark = pytest.mark.slow

TEXT = "Nice. The sound is great, but the battery life is poor."


def triples(mentions):
    return [(mention.aspect, mention.opinion, mention.sentiment) for mention in mentions]


class TestCallable:
    def test_places_what_a_function_finds(self):
        extractor = CallableExtractor(lambda _: [("Battery Life", "poor", -1), ("sound", "great", 1)])
        mentions = extractor.fitted([TEXT]).extract([TEXT])[0]
        assert triples(mentions) == [("sound", "great", 1), ("battery life", "poor", -1)]
        assert [TEXT[m.start : m.end] for m in mentions] == ["sound", "battery life"]
        assert {TEXT[m.sentence_start : m.sentence_end] for m in mentions} == {
            "The sound is great, but the battery life is poor"
        }

    def test_a_wrong_answer_of_the_function_is_refused(self):
        with pytest.raises(InvalidValueError, match=r"\('sound', 1\) is not a mention"):
            CallableExtractor(lambda _: [("sound", 1)]).extract([TEXT])  # type: ignore[list-item]


class TestContractOfACallable(ExtractorContract):
    @pytest.fixture
    def extractor(self):
        """The default extractor as a function that returns no places."""

        def function(text):
            return triples(GrammarExtractor().extract([text])[0])

        return CallableExtractor(function)

    def test_names_the_aspect_as_the_text_has_it(self):
        """Not promised: a function returns names, and "battery" is not found in "BATTERIES"."""


def token(text, pos, dep, idx, lemma=None):
    found = SimpleNamespace(text=text, lower_=text.lower(), pos_=pos, dep_=dep, idx=idx, lemma_=lemma or text.lower())
    found.children = []
    found.head = found
    return found


def hang(child, head):
    child.head = head
    head.children.append(child)


class StubPipeline:
    """Returns one fixed parse: "Great sounds, but the lid is not good." """

    def pipe(self, texts):
        for _ in texts:
            great, sounds = token("Great", "ADJ", "amod", 0), token("sounds", "NOUN", "ROOT", 6, "sound")
            lid, is_ = token("lid", "NOUN", "nsubj", 22), token("is", "AUX", "conj", 26)
            not_, good = token("not", "PART", "neg", 29), token("good", "ADJ", "acomp", 33)
            for child, head in ((great, sounds), (is_, sounds), (lid, is_), (not_, is_), (good, is_)):
                hang(child, head)
            yield SimpleNamespace(sents=[Sentence([great, sounds, lid, is_, not_, good])])


class Sentence(list):
    start_char, end_char = 0, 37


class TestSpacy:
    def test_follows_the_parse(self):
        text = "Great sounds, but the lid is not good."
        mentions = SpacyExtractor(StubPipeline()).fitted([text]).extract([text])[0]
        assert triples(mentions) == [("sound", "great", 1), ("lid", "good", -1)]
        assert [text[m.start : m.end] for m in mentions] == ["sounds", "lid"]


class TestSentires:
    def test_lexicon(self, tmp_path):
        path = tmp_path / "nus.lexicon"
        path.write_text("[1] sound | great 5 3\n\n[-1] battery life | poor 1 0\n[1]\tsound\t|\tloud\t2\t2\n")
        mentions = SentiresExtractor.from_lexicon(path).extract([TEXT, "The sound, again."])
        assert [triples(found) for found in mentions] == [[("sound", "great", 1), ("battery life", "poor", -1)], []]
        assert {mention.sentence for mention in mentions[0]} == {1}

    def test_profiles(self, tmp_path):
        praise, blame = tmp_path / "pos.sentence.txt", tmp_path / "neg.sentence.txt"
        sentence = "The sound is great, but the battery life is poor"
        praise.write_text(f"e\t1\tB00\nf sound\no great\t1\ns {sentence} (1)\n")
        blame.write_text(f"e\t1\tB00\nf battery life\no poor\t1\ns {sentence} (1)\n")
        extractor = SentiresExtractor.from_profiles(praise, blame)
        assert triples(extractor.extract([TEXT])[0]) == [("sound", "great", 1), ("battery life", "poor", -1)]
        assert extractor.extract(["Another text."]) == [[]]
