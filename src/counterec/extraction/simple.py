"""The simple extractor: a lexicon, word classes without a tagger, and patterns of adjacency."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from counterec.extraction.patterns import pairs
from counterec.extraction.protocol import Mention
from counterec.extraction.reading import canonical, classes, read
from counterec.extraction.sentences import Token
from counterec.extraction.sentiment import sentiment
from counterec.extraction.vocabulary import Vocabulary, VocabularyRules, learn


@dataclass(frozen=True)
class SimpleExtractor:
    """Finds nouns with an opinion word near by.

    Unfitted, it takes any word for a noun that it does not know better. Fitted, it knows the corpus's nouns and
    two-word aspects, and finds only aspects that the corpus has often enough.
    """

    name = "simple"  # not a field: what is frozen cannot be the protocol's plain attribute

    rules: VocabularyRules = field(default_factory=VocabularyRules)
    vocabulary: Vocabulary | None = None

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> SimpleExtractor:  # noqa: ARG002
        """Return this extractor with the vocabulary of these texts, or itself where they have no words."""
        vocabulary = learn(texts, self.rules)
        return replace(self, vocabulary=vocabulary) if vocabulary.frequent else self

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order they stand there."""
        return [list(self._mentions(text)) for text in texts]

    def learned(self) -> dict[str, Any]:
        """Return the vocabulary of the corpus, as plain values that a person can read."""
        if self.vocabulary is None:
            return {}
        return {
            "nouns": sorted(self.vocabulary.frequent),
            "no_aspects": sorted(self.vocabulary.not_nouns),
            "terms": sorted(map(" ".join, self.vocabulary.compounds)),
        }

    def _mentions(self, text: str) -> Iterator[Mention]:
        not_nouns = self.vocabulary.not_nouns if self.vocabulary else ()
        for number, sentence in enumerate(read(text)):
            letters, span = classes(sentence, not_nouns), (sentence[0].start, sentence[-1].end)
            for noun, opinion in pairs(letters):
                name = canonical(sentence[noun].word)
                if self.vocabulary is None or name in self.vocabulary.frequent:
                    aspect, start = self._aspect(sentence, noun)
                    sign = sentiment(sentence, letters, opinion, name)
                    yield Mention(aspect, sentence[opinion].word, sign, number, start, sentence[noun].end, *span)

    def _aspect(self, sentence: list[Token], noun: int) -> tuple[str, int]:
        """Return an aspect's name and where it begins, one word earlier if the two are a known compound."""
        name = canonical(sentence[noun].word)
        before = sentence[noun - 1] if noun > 0 else None
        if before and self.vocabulary and (before.word, name) in self.vocabulary.compounds:
            return f"{before.word} {name}", before.start
        return name, sentence[noun].start
