"""The user's own words: what they keep, drop and rename, and the errors for a wrong file."""

from __future__ import annotations

import pytest

from counterec.errors import ConfigError
from counterec.extraction.extractor import GrammarExtractor
from counterec.extraction.protocol import AspectWords, CuratedExtractor, load_aspect_words
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


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Batteries", "battery"),
        ("touch screens", "touch screen"),
        ("bass", "bass"),
        ("packaging", "packaging"),
        ("a" * 99, "a" * 99),
    ],
)
def test_names_are_read_in_their_base_form(written, name, tmp_path):
    path = tmp_path / "aspects.toml"
    path.write_text(f'aspects = ["{written}"]', encoding="utf-8")
    assert load_aspect_words(path).aspects == {name}


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("aspects = 3", "aspects: write a list of names"),
        ('aspects = [""]', "aspects: write a list of names"),
        ("aspect = []", "aspect: there is no such key; use one of aspects, forbidden, synonyms"),
        ("synonyms = []", "synonyms: write a table"),
        ('aspects = ["a"]\nforbidden = ["a"]', "a: both an aspect and forbidden"),
        ('[synonyms]\na = ["b"]\nb = ["c"]', "b: both a synonym and a name"),
        ("aspects = [", "not a TOML file"),
    ],
)
def test_a_wrong_file_is_refused(toml, message, tmp_path):
    with pytest.raises(ConfigError, match=message):
        found(toml, tmp_path)


class TestContract(ExtractorContract):
    @pytest.fixture
    def extractor(self):
        return CuratedExtractor(GrammarExtractor(), AspectWords())
