"""A person's own words: what they keep, drop and rename, and what is said of a file that is wrong."""

from __future__ import annotations

import pytest

from counterec.errors import ConfigError
from counterec.extraction import GrammarExtractor
from counterec.extraction.curation import AspectWords, CuratedExtractor, load_aspect_words
from tests.contracts.extractor import ExtractorContract

TEXT = "The sound is great. The tone is great. The battery life is poor. A nice box."


def found(toml, tmp_path, extractor=None):
    path = tmp_path / "aspects.toml"
    path.write_text(toml, encoding="utf-8")
    curated = CuratedExtractor(extractor or GrammarExtractor(), load_aspect_words(path))
    return [mention.aspect for mention in curated.extract([TEXT])[0]]


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ("", ["sound", "tone", "battery life", "box"]),
        ('forbidden = ["Boxes"]', ["sound", "tone", "battery life"]),
        ('aspects = ["sound", "battery life"]', ["sound", "battery life"]),
        ('[synonyms]\nsound = ["tones"]', ["sound", "sound", "battery life", "box"]),
        ('aspects = ["sound"]\n[synonyms]\nsound = ["tone"]', ["sound", "sound"]),
        ('forbidden = ["life"]', ["sound", "tone", "box"]),
    ],
)
def test_words(toml, expected, tmp_path):
    assert found(toml, tmp_path) == expected


def test_a_term_can_be_asked_for_that_the_corpus_does_not_know(tmp_path):
    fitted = GrammarExtractor().fitted([TEXT])
    assert "battery life" in found('aspects = ["battery life"]', tmp_path, fitted)


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("aspects = 3", "aspects: write a list of names"),
        ('aspects = [""]', "aspects: write a list of names"),
        ("aspect = []", "aspect: there is no such key; one of aspects, forbidden, synonyms"),
        ("synonyms = []", "synonyms: write a table"),
        ('aspects = ["a"]\nforbidden = ["a"]', "a: both an aspect and forbidden"),
        ('[synonyms]\na = ["b"]\nb = ["c"]', "b: both a synonym and a name"),
        ("aspects = [", "not a TOML file"),
    ],
)
def test_a_file_that_is_wrong(toml, message, tmp_path):
    with pytest.raises(ConfigError, match=message):
        found(toml, tmp_path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_aspect_words(tmp_path / "none.toml")


class TestContract(ExtractorContract):
    @pytest.fixture
    def extractor(self):
        return CuratedExtractor(GrammarExtractor(), AspectWords())
