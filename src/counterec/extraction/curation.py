"""What a person says about the vocabulary: which aspects to keep, which words to forbid, which names mean the same.

It is written in a small TOML file::

    aspects = ["sound", "battery life"]      # these alone; left out: all that are found
    forbidden = ["thing", "christmas"]

    [synonyms]
    sound = ["tone", "audio quality"]        # counted as "sound"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from counterec.core.arrays import require
from counterec.errors import ConfigError
from counterec.extraction.protocol import Extractor, Mention
from counterec.extraction.reading import canonical

_KEYS = ("aspects", "forbidden", "synonyms")


@dataclass(frozen=True, slots=True)
class AspectWords:
    """A person's own words; names are in lower case, each word in its base form."""

    aspects: frozenset[str] = frozenset()
    """The aspects to keep; all, where none is named."""
    forbidden: frozenset[str] = frozenset()
    """Names that are no aspects."""
    synonyms: Mapping[str, str] = field(default_factory=dict)
    """Another name → the name it is counted under."""

    def __post_init__(self) -> None:
        both = self.aspects & self.forbidden
        require(not both, f"{', '.join(sorted(both))}: both an aspect and forbidden; choose one")
        chains = {name for name in self.synonyms.values() if name in self.synonyms}
        require(not chains, f"{', '.join(sorted(chains))}: both a synonym and a name that has synonyms; choose one")

    def name_of(self, found: Iterable[str]) -> str | None:
        """Return the name to count a mention under, given the names it could have, best first; None to drop it."""
        names = [self.synonyms.get(name, name) for name in found]
        if not self.forbidden.isdisjoint(names):
            return None
        if self.aspects:
            return next((name for name in names if name in self.aspects), None)
        return next((self.synonyms[name] for name in found if name in self.synonyms), names[-1])


def load_aspect_words(path: Path) -> AspectWords:
    """Read a person's own words; an error is one line that names the file and the key."""
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a TOML file ({error})") from None
    unknown = sorted(settings.keys() - set(_KEYS))
    if unknown:
        raise ConfigError(f"{path}: {unknown[0]}: there is no such key; one of {', '.join(_KEYS)}")
    synonyms = settings.get("synonyms", {})
    if not isinstance(synonyms, dict):
        raise ConfigError(f"{path}: synonyms: write a table, a name and the list of its synonyms on each line")
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
    return " ".join([*first, canonical(last)])


class CuratedExtractor:
    """Any extractor, its mentions renamed and dropped as a person's own words say."""

    def __init__(self, extractor: Extractor, words: AspectWords) -> None:
        self.name = extractor.name
        self.extractor = extractor
        self.words = words

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> CuratedExtractor:
        """Return this extractor, having learned from these texts."""
        return CuratedExtractor(self.extractor.fitted(texts, ratings), self.words)

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order they stand there."""
        found = self.extractor.extract(texts)
        return [list(self._curated(text, mentions)) for text, mentions in zip(texts, found, strict=True)]

    def learned(self) -> dict[str, Any]:
        """Return what the extractor that does the work has learned."""
        return self.extractor.learned()

    def _curated(self, text: str, mentions: list[Mention]) -> Iterator[Mention]:
        for mention in mentions:
            name = self.words.name_of(_names_of(text, mention))
            if name:
                yield replace(mention, aspect=name)


def _names_of(text: str, mention: Mention) -> list[str]:
    """Return the names a mention could have: what the text itself says there, from long to short, and the found name.

    So "battery life" can be asked for in a corpus where the extractor knows only "life".
    """
    written = text[mention.start : mention.end].split()
    return [_plain(" ".join(written[at:])) for at in range(len(written))] + [mention.aspect]
