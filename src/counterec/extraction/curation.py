"""Your own say in the vocabulary: which aspects to keep, which words to forbid, which names mean the same.

It comes from a small TOML file::

    aspects = ["sound", "battery life"]      # only these; without this line, all that are found
    forbidden = ["thing", "christmas"]

    [synonyms]
    sound = ["tone", "audio quality"]        # counted as "sound"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import simplemma

from counterec.core.arrays import require
from counterec.errors import ConfigError
from counterec.extraction.protocol import Extractor, Mention

_KEYS = ("aspects", "forbidden", "synonyms")
_LONGEST_WORD = 30
_CACHED_WORDS = 100_000


@dataclass(frozen=True, slots=True)
class AspectWords:
    """The user's own words; names are in lower case, the last word in its base form."""

    aspects: frozenset[str] = frozenset()
    """The aspects to keep; empty: all."""
    forbidden: frozenset[str] = frozenset()
    """Names that are not aspects."""
    synonyms: Mapping[str, str] = field(default_factory=dict)
    """Another name → the name it is counted as."""

    def __post_init__(self) -> None:
        both = self.aspects & self.forbidden
        require(not both, f"{', '.join(sorted(both))}: both an aspect and forbidden; choose one")
        chains = {name for name in self.synonyms.values() if name in self.synonyms}
        require(not chains, f"{', '.join(sorted(chains))}: both a synonym and a name that has synonyms; choose one")

    def name_of(self, found: Iterable[str]) -> str | None:
        """Return the name a mention is counted as, given its possible names, best first; None drops the mention."""
        names = [self.synonyms.get(name, name) for name in found]
        if not self.forbidden.isdisjoint(names):
            return None
        if self.aspects:
            return next((name for name in names if name in self.aspects), None)
        return next((self.synonyms[name] for name in found if name in self.synonyms), names[-1])


def load_aspect_words(path: Path) -> AspectWords:
    """Read the user's own words; an error is one line that names the file and the key."""
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a TOML file ({error})") from None
    unknown = sorted(settings.keys() - set(_KEYS))
    if unknown:
        raise ConfigError(f"{path}: {unknown[0]}: there is no such key; use one of {', '.join(_KEYS)}")
    synonyms = settings.get("synonyms", {})
    if not isinstance(synonyms, dict):
        raise ConfigError(f"{path}: synonyms: write a table, with one name and the list of its synonyms per line")
    meant = {other: _plain(name) for name in synonyms for other in _names(path, f"synonyms.{name}", synonyms[name])}
    try:
        return AspectWords(
            frozenset(_names(path, "aspects", settings.get("aspects", []))),
            frozenset(_names(path, "forbidden", settings.get("forbidden", []))),
            meant,
        )
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None


def _names(path: Path, key: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) and name.strip() for name in value):
        raise ConfigError(f'{path}: {key}: write a list of names, such as ["sound", "battery life"]')
    return [_plain(name) for name in value]


def _plain(name: str) -> str:
    """Return a name as mentions have it: in lower case, the last word in its base form."""
    *first, last = name.lower().split()
    return " ".join([*first, _base_form(last)])


@lru_cache(_CACHED_WORDS)
def _base_form(word: str) -> str:
    """Return the base form of a noun: "batteries" is "battery"; "packaging" stays."""
    if word.endswith("ing") or len(word) > _LONGEST_WORD:
        return word
    return str(simplemma.lemmatize(word, lang="en")).lower()


class CuratedExtractor:
    """Any extractor, with its mentions renamed and dropped as the user's own words say."""

    def __init__(self, extractor: Extractor, words: AspectWords) -> None:
        self.name = extractor.name
        self.extractor = extractor
        self.words = words

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> CuratedExtractor:
        """Return a copy whose extractor has learned from these texts."""
        return CuratedExtractor(self.extractor.fitted(texts, ratings), self.words)

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order of the text."""
        found = self.extractor.extract(texts)
        return [list(self._curated(text, mentions)) for text, mentions in zip(texts, found, strict=True)]

    def learned(self) -> dict[str, Any]:
        """Return what the underlying extractor has learned."""
        return self.extractor.learned()

    def _curated(self, text: str, mentions: list[Mention]) -> Iterator[Mention]:
        for mention in mentions:
            name = self.words.name_of(_names_of(text, mention))
            if name:
                yield replace(mention, aspect=name)


def _names_of(text: str, mention: Mention) -> list[str]:
    """Return the possible names of a mention: the words of the text, from all to the last, then the found name.

    So "battery life" can be kept even if the extractor found only "life".
    """
    written = text[mention.start : mention.end].split()
    return [_plain(" ".join(written[at:])) for at in range(len(written))] + [mention.aspect]
