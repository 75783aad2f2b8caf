"""What is counted in training texts, in one pass and in any order; what it means is decided elsewhere.

The counts grow with the words of a corpus, not with its length.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from counterec.extraction.grammar.adjectives import of_adjective
from counterec.extraction.grammar.clauses import Clauses
from counterec.extraction.grammar.closed import GENERAL_ADJECTIVES
from counterec.extraction.grammar.contrast import contrasted
from counterec.extraction.grammar.letters import base, settled
from counterec.extraction.grammar.lexemes import NOUN
from counterec.extraction.grammar.lexicon import polarity, predicate_polarity, sign_of
from counterec.extraction.grammar.reading import Reading, read
from counterec.extraction.grammar.sign import is_too_much, negation, sentiment
from counterec.extraction.grammar.ties import judges, ties

_CAPITALISED = re.compile(r"(?<=[a-z,;] )[A-Z][A-Za-z]*[a-z][A-Za-z]*(?:-[A-Za-z]+)*")
_NOUN, _ADJECTIVE = re.compile("[NO]"), re.compile("A")
_JOINED = re.compile("N(?=[,C]{1,2}D{0,2}A{0,2}(N{1,3})(?!N))")

Key = tuple[str, str]
"""An adjective and the noun it is said of; the noun is empty where all nouns are meant."""


@dataclass(slots=True)
class Evidence:
    """How an adjective behaves: its company of known opinions, and the stars of its reviews."""

    uses: int = 0
    company: list[int] = field(default_factory=lambda: [0, 0])
    """Sentences where the other opinions blame, and where they praise."""
    stars: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """Reviews with a rating, and the sum of the ratings."""

    def add(self, company: int, rating: float | None) -> None:
        """Count one use; a company of 0 says nothing."""
        self.uses += 1
        if company:
            self.company[company > 0] += 1
        if rating is not None:
            self.stars[0] += 1
            self.stars[1] += rating

    def merge(self, other: Evidence) -> None:
        """Count the uses of another key, too."""
        self.uses += other.uses
        for at in (0, 1):
            self.company[at] += other.company[at]
            self.stars[at] += other.stars[at]


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
    evidence: defaultdict[Key, Evidence] = field(default_factory=lambda: defaultdict(Evidence))
    predicates: Counter[str] = field(default_factory=Counter)
    """Adjectives said of something: "the wait was long"."""
    adjectives: Counter[str] = field(default_factory=Counter)
    opinions: list[int] = field(default_factory=lambda: [0, 0])
    """Known opinions that blame, and that praise."""
    ratings: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    """Rated reviews, the sum of the ratings, and of their squares."""


def count(texts: Iterable[tuple[str, float | None]]) -> Counts:
    """Count texts, each with its rating or None."""
    counts = Counts()
    for text, rating in texts:
        if rating is not None:
            for power in range(3):
                counts.ratings[power] += rating**power
        counts.capital.update([base(word.lower(), NOUN) for word in _CAPITALISED.findall(text)])
        for sentence in read(text):
            _add(counts, sentence, rating)
    return counts


def _add(counts: Counts, sentence: Reading, rating: float | None) -> None:
    words = sentence.words
    clauses = Clauses(words, settled(words))
    counts.sentences += 1
    counts.words.update(words)
    for match in _NOUN.finditer(clauses.letters):
        at = match.start()
        name = base(words[at], NOUN)
        counts.inside[name] += at > 0
        _add_noun(counts, clauses, at, name)
    for match in _JOINED.finditer(clauses.letters):
        one, other = sorted((base(words[match.start()], NOUN), base(words[match.end(1) - 1], NOUN)))
        counts.joined[one, other] += 1
    _add_adjectives(counts, clauses, rating)


def _add_noun(counts: Counts, clauses: Clauses, at: int, name: str) -> None:
    words, letters = clauses.words, clauses.letters
    counts.nouns[name] += 1
    if letters[at + 1 : at + 2] in ("N", "O"):
        return
    start = at
    while start and at - start < 2 and letters[start - 1] in "NA" and words[start - 1] not in GENERAL_ADJECTIVES:
        start -= 1
        counts.terms[(*words[start:at], name)] += 1
    while start and letters[start - 1] in "NA":
        start -= 1
    if start and words[start - 1] in ("this", "these"):
        counts.pointed_at[name] += 1


def _add_adjectives(counts: Counts, clauses: Clauses, rating: float | None) -> None:
    """Count every adjective that is said of a noun, with the company it keeps."""
    known = {at: _known_sign(clauses, at) for at, word in enumerate(clauses.words) if judges(word)}
    for sign in known.values():
        if sign:
            counts.opinions[sign > 0] += 1
    sides = contrasted(clauses.words)
    total = sum(sides[at] * sign for at, sign in known.items())
    for match in _ADJECTIVE.finditer(clauses.letters):
        at = match.start()
        word = clauses.words[at]
        if word in GENERAL_ADJECTIVES or is_too_much(clauses, at):
            continue
        counts.adjectives[word] += 1
        rules = ("copula",) if predicate_polarity(word) and not polarity(word) else ("adjacency", "copula")
        heads = {
            base(clauses.words[tie.noun[1] - 1], NOUN): tie.rule
            for tie in of_adjective(clauses, (at, at + 1))
            if tie.rule in rules
        }
        counts.predicates[word] += "copula" in heads.values()
        others = sides[at] * total - known.get(at, 0)
        turned = -1 if negation(clauses, at) is not None else 1
        company = turned * ((others > 0) - (others < 0))
        for head in heads:
            counts.evidence[word, head].add(company, rating if turned > 0 else None)
        if heads:
            counts.evidence[word, ""].add(company, rating if turned > 0 else None)


def _known_sign(clauses: Clauses, at: int) -> int:
    letter = clauses.letters[at]
    if letter not in "AQVF" or (letter == "A" and not polarity(clauses.words[at])):
        return 0
    if letter in "VF" and not any(True for _ in ties(clauses, at)):
        return 0
    return sentiment(clauses, at, sign_of(clauses.words[at], letter))[0]
