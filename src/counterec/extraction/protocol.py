"""What an extractor is, and your own say in its vocabulary.

An extractor turns a text into (aspect, opinion, sentiment), each with its place in the text. Your own words say which
aspects to keep, which words to forbid and which names mean the same. They come from a small TOML file::

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
from typing import Any, Protocol, runtime_checkable

import simplemma

from counterec.core.arrays import require
from counterec.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Mention:
    """One opinion on one aspect, found in a text.

    ``aspect`` is the canonical name (lower case, singular); ``text[start:end]`` is how the text itself puts it, perhaps
    as a pronoun, in the sentence ``text[sentence_start:sentence_end]``.
    """

    aspect: str
    opinion: str
    sentiment: int
    sentence: int
    start: int
    end: int
    sentence_start: int
    sentence_end: int

    def __post_init__(self) -> None:
        if self._is_valid():  # the common case: no message is formatted
            return
        require(
            any(map(str.isalnum, self.aspect)), f"the aspect {self.aspect!r} has no letter or digit; give it a name"
        )
        require(self.sentiment in (-1, 1), f"the sentiment is {self.sentiment!r}; it must be +1 or -1")
        require(
            0 <= self.start < self.end,
            f"the mention spans characters {self.start} to {self.end}; it must span at least one",
        )
        span = f"{self.sentence_start} to {self.sentence_end}"
        require(
            False, f"the mention at {self.start} to {self.end} is outside its sentence at {span}; it must be inside"
        )

    def _is_valid(self) -> bool:
        inside = 0 <= self.sentence_start <= self.start < self.end <= self.sentence_end
        aspect = self.aspect
        return inside and self.sentiment in (-1, 1) and (aspect.isalnum() or any(map(str.isalnum, aspect)))


class Extractor(Protocol):
    """Finds the mentions in texts.

    ``fitted`` learns from a corpus of training texts and returns a new extractor. ``extract`` then depends on each text
    alone, never on the other texts or their order.
    """

    name: str

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> Extractor:
        """Return an extractor that has learned from these texts, or itself if it learns nothing.

        ``ratings`` holds one rating per text, None for a review without one.
        """
        ...

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order of the text."""
        ...

    def learned(self) -> dict[str, Any]:
        """Return what was learned as plain, readable values."""
        ...


@runtime_checkable
class LearnsInParts(Protocol):
    """An extractor that can count the parts of a corpus separately and learn from all counts together.

    However the corpus is divided, and in whatever order its parts come, the result is that of ``fitted``.
    """

    def counted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> Any:
        """Return the counts of these texts, which can be sent from one process to another."""
        ...

    def concluded(self, parts: Iterable[Any]) -> Extractor:
        """Return an extractor that has learned from these counts."""
        ...


@runtime_checkable
class KeepsCounts(LearnsInParts, Protocol):
    """An extractor whose counts can be kept in a file: what was counted before a run was cut short is not lost."""

    def plain_counts(self, counts: Any) -> Any:
        """Return counts as plain lists, texts and numbers, as JSON can hold them."""
        ...

    def counts_from(self, plain: Any) -> Any:
        """Return the counts that ``plain_counts`` made these values of."""
        ...


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
