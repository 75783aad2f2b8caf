"""What stands around mentions, and how alike the surroundings of two names are.

A name is described by the opinions on it, the words beside it and the other words of its sentences, each weighed by its
positive pointwise mutual information with the name. The likeness of two names is the cosine of these.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from counterec.core.arrays import FloatMatrix
from counterec.extraction.grammar.dictionary import base_noun
from counterec.extraction.grammar.word_list import word_set
from counterec.extraction.vocabulary.name_uses import words_of

LEAST_FEATURE = 3
"""What stands beside mentions less often than this is ignored."""
MOST_FEATURES = 20_000
"""Of the surroundings, the most common ones are kept: this bounds the memory."""
_EMPTY = word_set("""
    the a an and or but of to in on at for with was were is are it i we my our your this that there very so had have has
    be as not no
    """)


class MentionContext(NamedTuple):
    """A mention with the text around it."""

    name: str
    opinion: str
    before: str
    """The part of the sentence before the mention."""
    after: str
    """And the part after it."""
    sentence: tuple[int, ...]
    """Which sentence of which review it is in."""


@dataclass
class NameContexts:
    """The surroundings of each name, and the sentences it stands in; those of merged names add up."""

    features: defaultdict[str, Counter[tuple[str, str]]] = field(default_factory=lambda: defaultdict(Counter))
    sentences: defaultdict[str, set[tuple[int, ...]]] = field(default_factory=lambda: defaultdict(set))

    def merge(self, name: str, into: str) -> None:
        """Count one name as another."""
        self.features[into].update(self.features.pop(name, Counter()))
        self.sentences[into] |= self.sentences.pop(name, set())


def name_contexts(mentions: Iterable[MentionContext]) -> NameContexts:
    """Collect what stands around mentions."""
    found = NameContexts()
    for mention in mentions:
        features = found.features[mention.name]
        before, after = words_of(mention.before), words_of(mention.after)
        own = set(mention.name.split())
        features["opinion", mention.opinion.split()[-1] if mention.opinion else ""] += 1
        for place, words in (("before", before[::-1]), ("after", after)):
            for distance, word in enumerate(words[:2]):
                features[f"{place} {distance}", word] += 1
        features.update(
            ("sentence", base_noun(word)) for word in {*before, *after} - _EMPTY if word.isalpha() and word not in own
        )
        found.sentences[mention.name].add(mention.sentence)
    return found


def context_rows(names: Sequence[str], features: Mapping[str, Counter[tuple[str, str]]]) -> FloatMatrix:
    """How often each of the common surroundings stands around each name: one row per name."""
    common: Counter[tuple[str, str]] = Counter()
    for name in names:
        common.update(features.get(name, {}))
    kept = [feature for feature, number in common.items() if number >= LEAST_FEATURE]
    kept = sorted(kept, key=lambda feature: (-common[feature], feature))[:MOST_FEATURES]
    column = {feature: at for at, feature in enumerate(kept)}
    counts = np.zeros((len(names), len(kept)), dtype=np.float32)
    for row, name in enumerate(names):
        for feature, number in features.get(name, {}).items():
            if feature in column:
                counts[row, column[feature]] = number
    return counts


def likeness(counts: FloatMatrix) -> FloatMatrix:
    """The likeness of each row to each; that of a row to itself is 0."""
    by_name, by_feature = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        information = np.log(counts * counts.sum() / (by_name * by_feature)) * counts / (counts + 1)
    information = np.where(information > 0, information, np.float32(0))
    lengths = np.linalg.norm(information, axis=1, keepdims=True)
    unit = np.divide(information, lengths, out=np.zeros_like(information), where=lengths > 0)
    alike: FloatMatrix = unit @ unit.T
    np.fill_diagonal(alike, 0)
    return alike
