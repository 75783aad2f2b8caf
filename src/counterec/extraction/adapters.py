"""Extractors made of a Python callable, the output of Sentires, or a spaCy pipeline.

A *lexicon* of Sentires, the toolkit that the paper used, has one line per pair, ``[1] quality | good 5 3``: the
sentiment, the feature, the opinion, and how often the corpus has them in either order. Its *profile* by sentences
lists, for each entity, ``f`` lines of features, below them ``o`` lines of opinions with a count, and below these the
sentences, each with a count in parentheses. Praise and blame are in two files.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from counterec.errors import InvalidValueError, ReadError
from counterec.extraction.lexicon import polarity
from counterec.extraction.protocol import Mention
from counterec.extraction.sentences import Token, sentences

Triple = tuple[str, str, int]
"""An aspect, an opinion, and +1 or -1."""


class CallableExtractor:
    """Calls a function for the (aspect, opinion, sentiment) triples of a text, and finds their places.

    An aspect is placed at its own words. If the text does not contain them, it is placed at its opinion; if it does not
    contain that either, it spans the first sentence. Nothing is learned from a corpus.
    """

    def __init__(self, function: Callable[[str], Iterable[Triple]], name: str = "callable") -> None:
        self.name = name
        self._function = function

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> CallableExtractor:  # noqa: ARG002
        """Return this extractor: a function learns nothing."""
        return self

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        return [self._mentions(text) for text in texts]

    def learned(self) -> dict[str, Any]:
        return {}

    def _mentions(self, text: str) -> list[Mention]:
        cut = sentences(text)
        found = {placed(cut, _checked(triple)) for triple in (self._function(text) if cut else ())}
        return sorted(found, key=lambda mention: (mention.start, mention.end, mention.aspect, mention.opinion))


def _checked(triple: Triple) -> Triple:
    try:
        aspect, opinion, sentiment = triple
        return str(aspect).strip().lower(), str(opinion).strip().lower(), int(sentiment)
    except (TypeError, ValueError):
        raise InvalidValueError(f"{triple!r} is not a mention; return (aspect, opinion, +1 or -1)") from None


def placed(cut: list[list[Token]], triple: Triple) -> Mention:
    """Return a triple as a mention, placed at its words in the sentences of a text."""
    for words in (triple[0].split(), triple[1].split()):
        for number, sentence in enumerate(cut):
            at = _position([token.word for token in sentence], words)
            if at is not None:
                return mention_at(triple, number, sentence, at, at + len(words))
    return mention_at(triple, 0, cut[0], 0, len(cut[0]))


def _position(words: list[str], wanted: list[str]) -> int | None:
    size = len(wanted)
    places = (at for at in range(len(words) - size + 1) if words[at : at + size] == wanted)
    return next(places, None) if size else None


def mention_at(triple: Triple, number: int, sentence: list[Token], start: int, end: int) -> Mention:
    """Return a triple as a mention at these tokens of a sentence."""
    aspect, opinion, sentiment = triple
    return Mention(
        aspect=aspect,
        opinion=opinion or aspect,
        sentiment=sentiment,
        sentence=number,
        start=sentence[start].start,
        end=sentence[end - 1].end,
        sentence_start=sentence[0].start,
        sentence_end=sentence[-1].end,
    )


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
        return [sorted(set(self._mentions(text)), key=_text_order) for text in texts]

    def learned(self) -> dict[str, Any]:
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


def _text_order(mention: Mention) -> tuple[int, int, str, str]:
    return mention.start, mention.end, mention.aspect, mention.opinion


_NOUNS = frozenset(("NOUN", "PROPN"))
_NEGATIONS = frozenset(("not", "n't", "never", "no", "hardly", "without"))


class SpacyExtractor:
    """Links opinion adjectives to nouns along a dependency parse: "great sound" (amod), "the sound is great" (nsubj).

    The pipeline is called through ``pipe`` and must tag, parse and lemmatize, as the English models do.
    """

    def __init__(self, pipeline: Any) -> None:
        self.name = "spacy"
        self._pipeline = pipeline

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> SpacyExtractor:  # noqa: ARG002
        """Return this extractor: its model is already trained."""
        return self

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        return [sorted(set(_parsed_mentions(parsed)), key=_parse_order) for parsed in self._pipeline.pipe(texts)]

    def learned(self) -> dict[str, Any]:
        return {}


def _parsed_mentions(parsed: Any) -> Iterator[Mention]:
    for number, sentence in enumerate(parsed.sents):
        for token in sentence:
            own = polarity(token.lower_) if token.pos_ in ("ADJ", "VERB", "ADV") else 0
            for noun in _nouns(token) if own else ():
                yield _parsed_mention(number, sentence, noun, token, -own if _is_negated(token) else own)


def _nouns(opinion: Any) -> Iterator[Any]:
    """Yield the nouns an opinion is about, and those coordinated with them."""
    subjects = [child for child in opinion.head.children if child.dep_ in ("nsubj", "nsubjpass")]
    firsts = [opinion.head] if opinion.dep_ == "amod" else subjects if opinion.dep_ in ("acomp", "conj") else []
    for first in firsts:
        if first.pos_ in _NOUNS:
            yield first
            yield from (other for other in first.children if other.dep_ == "conj" and other.pos_ in _NOUNS)


def _is_negated(opinion: Any) -> bool:
    near = [*opinion.children, *(opinion.head.children if opinion.dep_ == "acomp" else ())]
    return any(child.dep_ == "neg" or child.lower_ in _NEGATIONS for child in near)


def _parsed_mention(number: int, sentence: Any, noun: Any, opinion: Any, sign: int) -> Mention:
    return Mention(
        aspect=noun.lemma_.lower(),
        opinion=opinion.lower_,
        sentiment=sign,
        sentence=number,
        start=noun.idx,
        end=noun.idx + len(noun.text),
        sentence_start=sentence.start_char,
        sentence_end=sentence.end_char,
    )


def _parse_order(mention: Mention) -> tuple[int, int, str]:
    return mention.start, mention.end, mention.opinion
