"""What a corpus teaches: its names and items, its terms, its merge table, and what its adjectives mean there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from counterec.extraction.grammar.counts import Counts, Key
from counterec.extraction.grammar.function_words import GENERAL_NOUNS
from counterec.extraction.grammar.lexicon import polarity
from counterec.extraction.grammar.merging import merges
from counterec.extraction.grammar.polarities import PolarityRules, mined_polarities
from counterec.extraction.grammar.synonyms import SynonymRules, near_synonyms


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
    polarities: PolarityRules = field(default_factory=PolarityRules)
    """When an adjective gains a polarity."""
    near_synonyms: SynonymRules | None = None
    """When two nouns count as one because they are used alike; by default never."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What was learned; empty for an extractor that has seen no corpus."""

    no_aspects: frozenset[str] = frozenset()
    """Names, and the reviewed thing itself, which is no aspect of itself."""
    terms: frozenset[tuple[str, ...]] = frozenset()
    """Terms of two and three words that are aspects of their own."""
    merged: Mapping[str, str] = field(default_factory=dict)
    """The merge table: a variant → the word it is counted under."""
    near_synonyms: Mapping[str, str] = field(default_factory=dict)
    """What of the merge table is there because the corpus uses two nouns alike."""
    polarities: Mapping[Key, int] = field(default_factory=dict)
    """(adjective, noun) → what it means there; (adjective, "") → what it means of any noun."""
    fitted: bool = False
    """Whether a corpus was seen at all."""


def concluded(counts: Counts, rules: KnowledgeRules) -> Knowledge:
    """Conclude from counts."""
    spellings = merges(counts.nouns)
    no_aspects = frozenset(
        name for name in counts.nouns if _is_name(name, counts, rules) or _is_item(name, counts, rules)
    )
    nothing = no_aspects | GENERAL_NOUNS
    alike = near_synonyms(counts, spellings, nothing, rules.near_synonyms) if rules.near_synonyms else {}
    merged = {word: alike.get(meant, meant) for word, meant in spellings.items()} | alike
    return Knowledge(
        no_aspects=no_aspects,
        terms=frozenset(
            tuple(merged.get(word, word) for word in term) for term in counts.terms if _is_term(term, counts, rules)
        ),
        merged=merged,
        near_synonyms=alike,
        polarities=mined_polarities(counts, merged, nothing, rules.polarities),
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
