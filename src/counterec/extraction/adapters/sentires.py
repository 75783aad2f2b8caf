"""The output files of Sentires, the toolkit that the paper used, as an extractor.

Its *lexicon* has one line per pair, ``[1] quality | good 5 3``: the sentiment, the feature, the opinion, and how often
the corpus has them in either order. Its *profile* by sentences lists, for each entity, ``f`` lines of features, below
them ``o`` lines of opinions with a count, and below these the sentences, each with a count in parentheses. Praise and
blame are in two files.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from counterec.errors import ReadError
from counterec.extraction.adapters.callable import Triple, placed
from counterec.extraction.protocol import Mention
from counterec.extraction.sentences import sentences

_PAIR = re.compile(r"\[(-?1)\]\s*([^|]+?)\s*\|\s*(.+?)(?:\s+[\d.]+)*\s*")
_COUNT = re.compile(r"\s*\(\d+\)\s*$")


class SentiresExtractor:
    """Finds in texts what Sentires found in them.

    With a lexicon, a sentence mentions every pair whose feature and opinion it contains. With profiles, the sentences
    listed there have the mentions listed there.
    """

    def __init__(
        self, pairs: dict[tuple[str, str], int] | None = None, profile: dict[str, list[Triple]] | None = None
    ) -> None:
        self.name = "sentires"
        self._by_feature: dict[str, list[Triple]] = defaultdict(list)
        for (feature, opinion), sign in sorted((pairs or {}).items()):
            self._by_feature[feature.split()[0]].append((feature, opinion, sign))
        self._profile = profile or {}

    @classmethod
    def from_lexicon(cls, path: Path) -> SentiresExtractor:
        """Read a ``.lexicon`` file."""
        return cls(pairs=dict(_pairs(path)))

    @classmethod
    def from_profiles(cls, praise: Path, blame: Path) -> SentiresExtractor:
        """Read the two profiles by sentences."""
        found: dict[str, list[Triple]] = defaultdict(list)
        for path, sign in ((praise, 1), (blame, -1)):
            for feature, opinion, sentence in _profiled(path):
                found[_key(_words(sentence))].append((feature, opinion, sign))
        return cls(profile=dict(found))

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> SentiresExtractor:  # noqa: ARG002
        """Return this extractor: Sentires has already learned."""
        return self

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order of the text."""
        return [sorted(set(self._mentions(text)), key=_order) for text in texts]

    def learned(self) -> dict[str, Any]:
        """Return nothing."""
        return {}

    def _mentions(self, text: str) -> Iterator[Mention]:
        cut = sentences(text)
        for number, sentence in enumerate(cut):
            words = [token.word for token in sentence]
            for triple in (*self._paired(words), *self._profile.get(_key(words), ())):
                yield replace(placed([sentence], triple), sentence=number)

    def _paired(self, words: list[str]) -> Iterator[Triple]:
        line = f" {' '.join(words)} "
        for word in words:
            for triple in self._by_feature.get(word, ()):
                if f" {triple[0]} " in line and f" {triple[1]} " in line:
                    yield triple


def _pairs(path: Path) -> Iterator[tuple[tuple[str, str], int]]:
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        match = _PAIR.fullmatch(line.strip().lower())
        if not match:
            raise ReadError(f"{path} line {number}: {line[:60]!r} is not a pair such as '[1] quality | good 5 3'")
        yield (match.group(2), match.group(3)), int(match.group(1))


def _profiled(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the (feature, opinion, sentence) triples of a profile."""
    feature = opinion = ""
    for line in _lines(path):
        kind, rest = line[:1], line[1:].strip()
        if kind == "f":
            feature = rest.lower()
        elif kind == "o":
            opinion = rest.split("\t")[0].lower()
        elif kind not in ("e", "") and feature and opinion and _COUNT.search(rest):
            yield feature, opinion, _COUNT.sub("", rest)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise ReadError(f"{path}: cannot be read ({error.strerror})") from None


def _words(sentence: str) -> list[str]:
    return [token.word for cut in sentences(sentence) for token in cut]


def _key(words: list[str]) -> str:
    return " ".join(word for word in words if any(map(str.isalnum, word)))


def _order(mention: Mention) -> tuple[int, int, str, str]:
    return mention.start, mention.end, mention.aspect, mention.opinion
