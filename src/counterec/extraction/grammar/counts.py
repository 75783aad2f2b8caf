"""What a corpus is counted into; counts of its parts add up in any order.

The counts grow with the words of a corpus, not with its length.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from operator import add

Key = tuple[str, str]
"""An adjective and the noun it is said of; the noun is empty where all nouns are meant."""


STAR = 2**20
"""Ratings are added up in whole parts of a star, this many to one: so no order of adding can change a sum."""


@dataclass(slots=True)
class Evidence:
    """How an adjective behaves: its company of known opinions, and the stars of its reviews."""

    uses: int = 0
    blame: int = 0
    praise: int = 0
    rated: int = 0
    parts: int = 0

    @property
    def company(self) -> tuple[int, int]:
        """Sentences where the other opinions blame, and where they praise."""
        return self.blame, self.praise

    @property
    def stars(self) -> tuple[int, float]:
        """Reviews with a rating, and the sum of the ratings."""
        return self.rated, self.parts / STAR

    def add(self, company: int, parts: int | None) -> None:
        """Count one use; a company of 0 says nothing."""
        self.uses += 1
        if company > 0:
            self.praise += 1
        elif company:
            self.blame += 1
        if parts is not None:
            self.rated += 1
            self.parts += parts

    def merge(self, other: Evidence) -> None:
        """Add what was counted elsewhere, or of another key."""
        self.uses += other.uses
        self.blame += other.blame
        self.praise += other.praise
        self.rated += other.rated
        self.parts += other.parts


@dataclass(slots=True)
class Counts:
    """The counts of a corpus."""

    sentences: int = 0
    words: Counter[str] = field(default_factory=Counter)
    """Words as written, in lower case."""
    nouns: Counter[str] = field(default_factory=Counter)
    """Nouns in their base form."""
    inside: Counter[str] = field(default_factory=Counter)
    """Nouns that do not begin a sentence."""
    capital: Counter[str] = field(default_factory=Counter)
    """Words with one capital, after a word that has none at its end: so neither the first of a sentence nor shouted."""
    pointed_at: Counter[str] = field(default_factory=Counter)
    """Nouns after "this"."""
    terms: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Terms of two and three words, the last in its base form."""
    joined: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Two nouns of one list, in the order of the alphabet: "the screen and the keys"."""
    evidence: defaultdict[Key, Evidence] = field(default_factory=partial(defaultdict, Evidence))
    predicates: Counter[str] = field(default_factory=Counter)
    """Adjectives said of something: "the wait was long"."""
    adjectives: Counter[str] = field(default_factory=Counter)
    opinions: list[int] = field(default_factory=lambda: [0, 0])
    """Known opinions that blame, and that praise."""
    powers: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Rated reviews, the sum of the ratings, and of their squares, in parts of a star."""

    @property
    def ratings(self) -> tuple[int, float, float]:
        """Rated reviews, the sum of the ratings, and of their squares."""
        number, parts, squares = self.powers
        return number, parts / STAR, squares / STAR**2

    def merge(self, other: Counts) -> None:
        """Add what was counted elsewhere; the order of adding changes nothing."""
        self.sentences += other.sentences
        for name in _COUNTERS:
            getattr(self, name).update(getattr(other, name))
        for key, evidence in other.evidence.items():
            self.evidence[key].merge(evidence)
        self.opinions = list(map(add, self.opinions, other.opinions))
        self.powers = list(map(add, self.powers, other.powers))


_COUNTERS = ("words", "nouns", "inside", "capital", "pointed_at", "terms", "joined", "predicates", "adjectives")


def together(parts: Iterable[Counts]) -> Counts:
    """Add parts up, into the first of them."""
    rest = iter(parts)
    whole = next(rest, Counts())
    for part in rest:
        whole.merge(part)
    return whole
