"""What packaged dictionaries know about English words: the likeliest part of speech, all parts of speech, base forms.

Two lists are read as data; nothing is downloaded and neither package is imported. Brill's lexicon, inside TextBlob,
gives one tag per word, the likeliest in news. LemmInflect's table gives every part of speech a form can have, and its
base form in each.
"""

from __future__ import annotations

import csv
import gzip
import io
from enum import StrEnum
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

_CACHED_WORDS = 200_000


class PartOfSpeech(StrEnum):
    """The open classes, by the names that LemmInflect's table uses."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adj"
    ADVERB = "adv"


_OF_TAG = {
    "NN": PartOfSpeech.NOUN,
    "JJ": PartOfSpeech.ADJECTIVE,
    "RB": PartOfSpeech.ADVERB,
    "VB": PartOfSpeech.VERB,
}


@cache
def likeliest_tags() -> dict[str, str]:
    """Return the likeliest Penn tag of every word in Brill's lexicon."""
    found = {}
    for line in _packaged("textblob", "en/en-lexicon.txt").decode("utf-8").splitlines():
        word, _, tag = line.partition(" ")
        if tag and not line.startswith(";;;"):
            found[word] = tag.partition("|")[0]
    return found


@cache
def likeliest_part_of_speech(word: str) -> PartOfSpeech | None:
    """Return the part of speech of a word's likeliest tag, or None if it is not an open class."""
    return _OF_TAG.get(likeliest_tags().get(word, "")[:2])


@cache
def base_forms() -> dict[str, dict[str, str]]:
    """Return, for every form LemmInflect knows, its parts of speech and the base form in each."""
    found: dict[str, dict[str, str]] = {}
    text = gzip.decompress(_packaged("lemminflect", "resources/lemma_lu.csv.gz")).decode("utf-8")
    for form, part_of_speech, base in csv.reader(io.StringIO(text)):
        if form.islower():
            found.setdefault(form, {})[part_of_speech] = base.partition("/")[0]
    return found


def is_english(word: str) -> bool:
    """Whether either dictionary has this word."""
    return word in likeliest_tags() or word in base_forms() or word.capitalize() in likeliest_tags()


@lru_cache(_CACHED_WORDS)
def base_noun(word: str) -> str:
    """Return the singular of a noun; the word itself if it is not known as a noun."""
    return base_forms().get(word, {}).get(PartOfSpeech.NOUN, word)


@lru_cache(_CACHED_WORDS)
def base_verb(word: str) -> str:
    """Return the infinitive of a verb; the word itself if it is not known as a verb."""
    return base_forms().get(word, {}).get(PartOfSpeech.VERB, word)


@lru_cache(_CACHED_WORDS)
def base_adjective(word: str) -> str:
    """Return the adjective that a comparative or superlative comes from ("fresher": "fresh"), or the word itself."""
    return base_forms().get(word, {}).get(PartOfSpeech.ADJECTIVE, word)


def packaged_path(package: str, name: str) -> Path:
    """Return the path of a file inside an installed package, without importing the package."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} is not installed; install counterec with its dependencies")
    return Path(spec.submodule_search_locations[0]) / name


def _packaged(package: str, name: str) -> bytes:
    return packaged_path(package, name).read_bytes()
