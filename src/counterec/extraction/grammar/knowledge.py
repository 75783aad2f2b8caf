"""What a corpus teaches: its names and items, its terms, its merge table, and what its adjectives mean there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from counterec.extraction.grammar.closed import GENERAL_NOUNS
from counterec.extraction.grammar.corpus import Counts, Evidence, Key
from counterec.extraction.grammar.lexemes import ADJECTIVE, base_forms
from counterec.extraction.grammar.lexicon import polarity, predicate_polarity
from counterec.extraction.grammar.merging import merges


@dataclass(frozen=True, slots=True)
class KnowledgeRules:
    """When a corpus says enough."""

    least_evidence: int = 5
    """A word is taken for a name, or for the reviewed thing, from this many such uses."""
    name_share: float = 0.6
    """A noun with a capital in more than this share of its uses inside sentences is a name."""
    item_share: float = 0.12
    """The reviewed thing follows "this" in this share of its uses..."""
    item_sentences: float = 0.004
    """...and in this share of all sentences."""
    least_term: int = 5
    """A term of several words is an aspect from this many uses..."""
    term_share: float = 0.05
    """...if they are this share of its last word's uses, and more than chance would have it."""
    least_uses: int = 8
    """An adjective gains a polarity from this many telling uses..."""
    least_z: float = 3.0
    """...if they are this many standard errors away from what is usual in the corpus..."""
    predicate_share: float = 0.1
    """...and it is said of something ("the wait was long") in this share of its uses."""
    clear_share: float = 0.75
    """A known polarity is turned for an aspect where this share of the telling uses is against it."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What was learned; empty for an extractor that has seen no corpus."""

    no_aspects: frozenset[str] = frozenset()
    """Names, and the reviewed thing itself, which is no aspect of itself."""
    terms: frozenset[tuple[str, ...]] = frozenset()
    """Terms of two and three words that are aspects of their own."""
    merged: Mapping[str, str] = field(default_factory=dict)
    """The merge table: a variant → the word it is counted under."""
    polarities: Mapping[Key, int] = field(default_factory=dict)
    """(adjective, noun) → what it means there; (adjective, "") → what it means of any noun."""
    fitted: bool = False
    """Whether a corpus was seen at all."""


def concluded(counts: Counts, rules: KnowledgeRules) -> Knowledge:
    """Conclude from counts."""
    return Knowledge(
        no_aspects=frozenset(
            name for name in counts.nouns if _is_name(name, counts, rules) or _is_item(name, counts, rules)
        ),
        terms=frozenset(term for term in counts.terms if _is_term(term, counts, rules)),
        merged=merges(counts.nouns),
        polarities=_polarities(counts, rules),
        fitted=counts.sentences > 0,
    )


def _is_name(name: str, counts: Counts, rules: KnowledgeRules) -> bool:
    return counts.capital[name] >= max(rules.least_evidence, rules.name_share * counts.inside[name])


def _is_item(name: str, counts: Counts, rules: KnowledgeRules) -> bool:
    least = max(rules.least_evidence, rules.item_sentences * counts.sentences, rules.item_share * counts.nouns[name])
    return counts.pointed_at[name] >= least


def _is_term(term: tuple[str, ...], counts: Counts, rules: KnowledgeRules) -> bool:
    uses, head, others = counts.terms[term], counts.nouns[term[-1]], [counts.words[word] for word in term[:-1]]
    by_chance = head * math.prod(others) / max(1, counts.sentences) ** len(others)
    if any(polarity(word) for word in term[:-1]) or any(_is_item(word, counts, rules) for word in term[:-1]):
        return False
    return (
        uses >= max(rules.least_term, rules.term_share * head)
        and uses > by_chance
        and not set(term[:-1]) & GENERAL_NOUNS
    )


def _polarities(counts: Counts, rules: KnowledgeRules) -> dict[Key, int]:
    usual = _Usual.of(counts)
    found: dict[Key, int] = {}
    for key in sorted(counts.evidence):
        word = key[0]
        known = polarity(word) or predicate_polarity(word)
        if not known and ADJECTIVE not in base_forms().get(word, (ADJECTIVE,)):
            continue  # a participle is said of things in many ways that are no opinion: "is going"
        if counts.predicates[word] < rules.predicate_share * counts.adjectives[word]:
            continue
        sign = usual.sign(counts.evidence[key], rules)
        if sign and (not known or (key[1] and sign != known and usual.is_clear(counts.evidence[key], sign, rules))):
            found[key] = sign
    return found


@dataclass(frozen=True, slots=True)
class _Usual:
    """What is usual in a corpus: the share of praise in company, the mean of the stars and their deviation."""

    praise: float
    stars: float
    deviation: float

    @classmethod
    def of(cls, counts: Counts) -> _Usual:
        blame, praise = counts.opinions
        number, total, squares = counts.ratings
        mean = total / number if number else 0.0
        deviation = math.sqrt(max(0.0, squares / number - mean**2)) if number else 0.0
        return cls((praise + 1) / (blame + praise + 2), mean, deviation)

    def sign(self, evidence: Evidence, rules: KnowledgeRules) -> int:
        """Return the side that company and stars take together, or 0 where they are near the usual."""
        scores = [score for score in (self._by_company(evidence, rules), self._by_stars(evidence, rules)) if score]
        if not scores:
            return 0
        together = sum(scores) / math.sqrt(len(scores))
        return 0 if abs(together) < rules.least_z else 1 if together > 0 else -1

    def is_clear(self, evidence: Evidence, sign: int, rules: KnowledgeRules) -> bool:
        """Whether most of the company is on this side, not merely more than usual."""
        blame, praise = evidence.company
        return (praise if sign > 0 else blame) >= rules.clear_share * max(1, blame + praise)

    def _by_company(self, evidence: Evidence, rules: KnowledgeRules) -> float:
        blame, praise = evidence.company
        number = blame + praise
        if number < rules.least_uses:
            return 0.0
        return (praise - number * self.praise) / math.sqrt(number * self.praise * (1 - self.praise))

    def _by_stars(self, evidence: Evidence, rules: KnowledgeRules) -> float:
        number, total = evidence.stars
        if number < rules.least_uses or not self.deviation:
            return 0.0
        return (total / number - self.stars) * math.sqrt(number) / self.deviation
