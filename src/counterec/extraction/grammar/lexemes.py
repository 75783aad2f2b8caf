"""What packaged lexicons know of English words: their likely class, their other classes, their base form.

Two lists are read as data, with nothing fetched and no package of theirs imported: Brill's lexicon inside TextBlob
(one tag a word, the likeliest in news) and LemmInflect's table (every class a form can have, and its base form).
"""

from __future__ import annotations

import csv
import gzip
import io
from functools import cache
from importlib.util import find_spec
from pathlib import Path

NOUN, VERB, ADJECTIVE, ADVERB = "noun", "verb", "adj", "adv"

_CLASS_OF_TAG = {"NN": NOUN, "JJ": ADJECTIVE, "RB": ADVERB, "VB": VERB}


@cache
def likely_tag() -> dict[str, str]:
    """Return the likeliest Penn tag of every word Brill's lexicon has in lower case."""
    found = {}
    for line in _packaged("textblob", "en/en-lexicon.txt").decode("utf-8").splitlines():
        word, _, tag = line.partition(" ")
        if tag and not line.startswith(";;;"):
            found[word] = tag.partition("|")[0]
    return found


@cache
def likely_class(word: str) -> str | None:
    """Return the class of a word's likeliest tag, or None where it has no open class."""
    return _CLASS_OF_TAG.get(likely_tag().get(word, "")[:2])


@cache
def base_forms() -> dict[str, dict[str, str]]:
    """Return, for every form LemmInflect knows, its classes and the base form in each."""
    found: dict[str, dict[str, str]] = {}
    text = gzip.decompress(_packaged("lemminflect", "resources/lemma_lu.csv.gz")).decode("utf-8")
    for form, kind, base in csv.reader(io.StringIO(text)):
        if form.islower():
            found.setdefault(form, {})[kind] = base.partition("/")[0]
    return found


def packaged_path(package: str, name: str) -> Path:
    """Return where a file lies inside an installed package, without importing it."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} is not installed; install counterec with its dependencies")
    return Path(spec.submodule_search_locations[0]) / name


def _packaged(package: str, name: str) -> bytes:
    return packaged_path(package, name).read_bytes()
