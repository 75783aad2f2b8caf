"""A spaCy pipeline with the user's own model as an extractor: its parse replaces our constructions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from counterec.extraction.grammar.opinion_lexicon import polarity
from counterec.extraction.protocol import Mention

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
        """Return the mentions of each text, in the order of the text."""
        return [sorted(set(_mentions(parsed)), key=_order) for parsed in self._pipeline.pipe(texts)]

    def learned(self) -> dict[str, Any]:
        """Return nothing."""
        return {}


def _mentions(parsed: Any) -> Iterator[Mention]:
    for number, sentence in enumerate(parsed.sents):
        for token in sentence:
            own = polarity(token.lower_) if token.pos_ in ("ADJ", "VERB", "ADV") else 0
            for noun in _nouns(token) if own else ():
                yield _mention(number, sentence, noun, token, -own if _is_negated(token) else own)


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


def _mention(number: int, sentence: Any, noun: Any, opinion: Any, sign: int) -> Mention:
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


def _order(mention: Mention) -> tuple[int, int, str]:
    return mention.start, mention.end, mention.opinion
