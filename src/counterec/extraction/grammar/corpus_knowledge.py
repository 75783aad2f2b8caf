"""What a corpus teaches: its proper names, reviewed things, terms and spellings, and what its adjectives mean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from counterec.extraction.grammar.corpus_counts import CorpusCounts, Key
from counterec.extraction.grammar.function_words import GENERAL_NOUNS
from counterec.extraction.grammar.learned_polarities import PolarityRules, learned_polarities
from counterec.extraction.grammar.opinion_lexicon import polarity
from counterec.extraction.grammar.spelling_variants import spelling_variants


@dataclass(frozen=True, slots=True)
class KnowledgeRules:
    """How much evidence a corpus must give before something is learned from it."""

    least_evidence: int = 5
    """A noun counts as a proper name, or as the reviewed thing, from this many such uses on."""
    name_share: float = 0.6
    """A proper name is capitalized in at least this share of its uses inside sentences."""
    item_share: float = 0.12
    """The reviewed thing follows *this* in at least this share of its uses..."""
    item_sentences: float = 0.004
    """...and in at least this share of all sentences."""
    least_term: int = 5
    """A term of several words is an aspect from this many uses on..."""
    term_share: float = 0.05
    """...if they are at least this share of its last word's uses, and more than chance would give."""
    polarities: PolarityRules = field(default_factory=PolarityRules)
    """When an adjective gains a polarity."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What was learned from a corpus; empty by default."""

    no_aspects: frozenset[str] = frozenset()
    """Proper names, and the reviewed thing, which is not an aspect of itself."""
    terms: frozenset[tuple[str, ...]] = frozenset()
    """Terms of two and three words that are aspects in their own right."""
    merged: Mapping[str, str] = field(default_factory=dict)
    """A variant of a noun → the noun it is counted as."""
    polarities: Mapping[Key, int] = field(default_factory=dict)
    """(adjective, noun) → its polarity for that noun; (adjective, "") → its polarity for any noun."""
    fitted: bool = False
    """Whether it comes from a corpus with at least one sentence."""


def learn(counts: CorpusCounts, rules: KnowledgeRules) -> Knowledge:
    """Return what the counts of a corpus teach."""
    merged = spelling_variants(counts.nouns)
    no_aspects = frozenset(
        name for name in counts.nouns if _is_proper_name(name, counts, rules) or _is_item(name, counts, rules)
    )
    never_aspects = no_aspects | GENERAL_NOUNS
    return Knowledge(
        no_aspects=no_aspects,
        terms=frozenset(
            tuple(merged.get(word, word) for word in term) for term in counts.terms if _is_term(term, counts, rules)
        ),
        merged=merged,
        polarities=learned_polarities(counts, merged, never_aspects, rules.polarities),
        fitted=counts.sentences > 0,
    )


def _is_proper_name(name: str, counts: CorpusCounts, rules: KnowledgeRules) -> bool:
    return counts.capitalized[name] >= max(rules.least_evidence, rules.name_share * counts.inner_nouns[name])


def _is_item(name: str, counts: CorpusCounts, rules: KnowledgeRules) -> bool:
    least = max(rules.least_evidence, rules.item_sentences * counts.sentences, rules.item_share * counts.nouns[name])
    return counts.after_this[name] >= least


def _is_term(term: tuple[str, ...], counts: CorpusCounts, rules: KnowledgeRules) -> bool:
    uses, head, others = counts.terms[term], counts.nouns[term[-1]], [counts.words[word] for word in term[:-1]]
    by_chance = head * math.prod(others) / max(1, counts.sentences) ** len(others)
    if any(polarity(word) for word in term[:-1]) or any(_is_item(word, counts, rules) for word in term[:-1]):
        return False
    return (
        uses >= max(rules.least_term, rules.term_share * head)
        and uses > by_chance
        and not set(term[:-1]) & GENERAL_NOUNS
    )
