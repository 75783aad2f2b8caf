"""The counts of a corpus; the counts of its parts add up in any order.

They grow with the vocabulary of a corpus, not with its length.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from operator import add

Key = tuple[str, str]
"""An adjective and the noun it describes; an empty noun stands for all nouns."""

STAR = 2**20
"""Ratings are summed as integers, in units of 1/STAR, so that the order of adding cannot change a sum."""


@dataclass(slots=True)
class AdjectiveUses:
    """How an adjective is used: with which known opinions around it, and in reviews of how many stars."""

    uses: int = 0
    among_blame: int = 0
    """Sentences in which the other opinions blame."""
    among_praise: int = 0
    """Sentences in which the other opinions praise."""
    rated: int = 0
    """Uses in reviews with a rating."""
    units: int = 0
    """The sum of their ratings, in units of 1/STAR."""

    @property
    def company(self) -> tuple[int, int]:
        """Sentences in which the other opinions blame, and in which they praise."""
        return self.among_blame, self.among_praise

    @property
    def stars(self) -> tuple[int, float]:
        """Uses in reviews with a rating, and the sum of the ratings."""
        return self.rated, self.units / STAR

    def add(self, company: int, units: int | None) -> None:
        """Count one use among opinions of this sign (0 if undecided) in a review of this rating, if it has one."""
        self.uses += 1
        if company > 0:
            self.among_praise += 1
        elif company:
            self.among_blame += 1
        if units is not None:
            self.rated += 1
            self.units += units

    def merge(self, other: AdjectiveUses) -> None:
        """Add the counts of another part of the corpus, or of another key."""
        self.uses += other.uses
        self.among_blame += other.among_blame
        self.among_praise += other.among_praise
        self.rated += other.rated
        self.units += other.units


@dataclass(slots=True)
class CorpusCounts:
    """The counts of a corpus, or of a part of it."""

    sentences: int = 0
    words: Counter[str] = field(default_factory=Counter)
    """Words as written, in lower case."""
    nouns: Counter[str] = field(default_factory=Counter)
    """Nouns in their base form."""
    inner_nouns: Counter[str] = field(default_factory=Counter)
    """Nouns that do not begin a sentence."""
    capitalized: Counter[str] = field(default_factory=Counter)
    """Capitalized words that neither begin a sentence nor stand among words in capitals."""
    after_this: Counter[str] = field(default_factory=Counter)
    """Nouns after *this* or *these*."""
    terms: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Terms of two and three words, the last in its base form."""
    coordinated: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Two nouns of one list, in alphabetical order: "the screen and the keys"."""
    adjective_uses: defaultdict[Key, AdjectiveUses] = field(default_factory=partial(defaultdict, AdjectiveUses))
    predicates: Counter[str] = field(default_factory=Counter)
    """Adjectives as predicates: "the wait was long"."""
    adjectives: Counter[str] = field(default_factory=Counter)
    opinions: list[int] = field(default_factory=lambda: [0, 0])
    """Known opinions that blame, and that praise."""
    rating_sums: list[int] = field(default_factory=lambda: [0, 0, 0])
    """The number of rated reviews, the sum of their ratings, and of the squares, in units of 1/STAR."""

    @property
    def ratings(self) -> tuple[int, float, float]:
        """The number of rated reviews, the sum of their ratings, and of the squares."""
        number, units, squares = self.rating_sums
        return number, units / STAR, squares / STAR**2

    def merge(self, other: CorpusCounts) -> None:
        """Add the counts of another part of the corpus."""
        self.sentences += other.sentences
        for name in COUNTERS:
            getattr(self, name).update(getattr(other, name))
        for key, uses in other.adjective_uses.items():
            self.adjective_uses[key].merge(uses)
        self.opinions = list(map(add, self.opinions, other.opinions))
        self.rating_sums = list(map(add, self.rating_sums, other.rating_sums))


COUNTERS = (
    *("words", "nouns", "inner_nouns", "capitalized", "after_this"),
    *("terms", "coordinated", "predicates", "adjectives"),
)
"""The fields that count keys."""


def merged_counts(parts: Iterable[CorpusCounts]) -> CorpusCounts:
    """Add up the counts of all parts, into the first of them."""
    rest = iter(parts)
    whole = next(rest, CorpusCounts())
    for part in rest:
        whole.merge(part)
    return whole
