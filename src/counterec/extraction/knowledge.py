"""What a corpus teaches: its proper names, reviewed things, terms and spellings, and what its adjectives mean.

A profile says how words of one side are used: how often the opinions around them praise, and the stars of their
reviews. Known opinions give the profiles of praise and of blame; adjectives that no lexicon judges give the neutral
one. A word takes a side if its own uses are much likelier under that profile than under the other two.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from counterec.extraction.corpus import AdjectiveUses, CorpusCounts, Key
from counterec.extraction.lexicon import MEASURES, polarity, predicate_polarity
from counterec.extraction.words import GENERAL_NOUNS, PartOfSpeech, base_forms, spelling_variants


@dataclass(frozen=True, slots=True)
class PolarityRules:
    """How much evidence it takes before an adjective gains a polarity."""

    least_uses: int = 8
    """An adjective needs at least this many uses beside other opinions or in rated reviews..."""
    least_odds: float = 3.0
    """...which are likelier under one side than under each other by at least this log-odds..."""
    least_odds_of_company: float = 1.5
    """...and so are the opinions around it alone, if there are any: low stars also go with what is cheap..."""
    predicate_share: float = 0.08
    """...and, if no lexicon knows it, it is a predicate ("the wait was long") in at least this share of its uses."""
    most_capitals: float = 0.5
    """A word that is capitalized in more than this share of its uses is part of a proper name."""


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


SIDES = (-1, 0, 1)
STARS_WEIGHT = 0.5
"""The stars rate the whole review, so they say less about one word than its sentence does."""
_PRIOR_PRAISE = {-1: 0.45, 0: 0.7, 1: 0.85}
_PRIOR_STARS = {-1: -0.4, 0: 0.0, 1: 0.2}
"""Assumed before anything is seen, in standard deviations from the mean rating."""
_PRIOR_WEIGHT = 20
"""The priors weigh as much as this many uses."""


@dataclass(frozen=True, slots=True)
class _Profile:
    praise: float
    stars: float

    def of_company(self, uses: AdjectiveUses) -> float:
        """Return the log-likelihood of the opinions around these uses."""
        blame, praise = uses.company
        return praise * math.log(self.praise) + blame * math.log(1 - self.praise)

    def of_stars(self, uses: AdjectiveUses, deviation: float) -> float:
        """Return the log-likelihood of the stars of these uses, up to a constant that all profiles share."""
        rated, total = uses.stars
        distance = (total / rated - self.stars) / deviation if rated and deviation else 0.0
        return -STARS_WEIGHT * rated * distance**2 / 2


def learned_polarities(
    counts: CorpusCounts, merged: Mapping[str, str], no_aspects: frozenset[str], rules: PolarityRules
) -> dict[Key, int]:
    """Return the polarity of adjectives for a noun or, with an empty noun, for any, unless it is known already."""
    sides = _Sides.of(counts)
    found: dict[Key, int] = {}
    for key, uses in sorted(_by_merged_noun(counts, merged).items()):
        word, noun = key
        if noun in no_aspects or max(sum(uses.company), uses.stars[0]) < rules.least_uses:
            continue
        known = _known(word)
        if _may_turn(word, noun) if known else _may_gain(word, counts, rules):
            profiles = sides.profiles(known, counts.adjective_uses[word, ""])
            side = _likeliest_side(known, uses, profiles, sides.deviation, rules)
            if side and side != known:
                found[key] = side
    return found


def _likeliest_side(
    known: int, uses: AdjectiveUses, profiles: Mapping[int, _Profile], deviation: float, rules: PolarityRules
) -> int:
    """Return the side of some uses, 0 if none is much likelier than the rest.

    A known opinion certainly judges, so its side need not be much likelier than neutral.
    """
    company = {side: profiles[side].of_company(uses) for side in SIDES}
    both = {side: company[side] + profiles[side].of_stars(uses, deviation) for side in SIDES}
    least = dict.fromkeys(SIDES, rules.least_odds) | ({0: rules.least_odds_of_company} if known else {})
    for side in (-1, 1):
        rivals = [other for other in SIDES if other != side]
        clear = all(company[side] - company[other] >= rules.least_odds_of_company for other in rivals)
        if (clear or not any(uses.company)) and all(both[side] - both[other] >= least[other] for other in rivals):
            return side
    return 0


def _may_turn(word: str, noun: str) -> bool:
    """Whether a known word's polarity can depend on the noun: that of "long" and "cheap" does, of "decent" does not."""
    return bool(noun) and word in MEASURES


def _may_gain(word: str, counts: CorpusCounts, rules: PolarityRules) -> bool:
    """Whether an unknown word may be an opinion: no participle ("is going"), no name, not only a part of terms."""
    forms = base_forms().get(word, {PartOfSpeech.ADJECTIVE: word})
    if PartOfSpeech.ADJECTIVE not in forms or forms.get(PartOfSpeech.VERB, word) != word:
        return False
    return (
        counts.capitalized[word] <= rules.most_capitals * counts.adjectives[word]
        and counts.predicates[word] >= rules.predicate_share * counts.adjectives[word]
    )


def _known(word: str) -> int:
    return polarity(word) or predicate_polarity(word)


@dataclass(frozen=True, slots=True)
class _Sides:
    """The uses of the words of each side, summed. A word is compared with the other words, without itself."""

    uses: Mapping[int, AdjectiveUses]
    mean: float
    deviation: float

    @classmethod
    def of(cls, counts: CorpusCounts) -> _Sides:
        number, total, squares = counts.ratings
        mean = total / number if number else 0.0
        deviation = math.sqrt(max(0.0, squares / number - mean**2)) if number else 0.0
        sums = {side: AdjectiveUses() for side in SIDES}
        for (word, noun), uses in counts.adjective_uses.items():
            if not noun:
                sums[_known(word)].merge(uses)
        return cls(sums, mean, deviation)

    def profiles(self, side: int, own: AdjectiveUses) -> dict[int, _Profile]:
        """Return the profile of each side, leaving out the uses of a word that is on one of them."""
        return {other: self._profile(other, own if other == side else AdjectiveUses()) for other in SIDES}

    def _profile(self, side: int, without: AdjectiveUses) -> _Profile:
        blame, praise = (all_ - own for all_, own in zip(self.uses[side].company, without.company, strict=True))
        rated, total = (all_ - own for all_, own in zip(self.uses[side].stars, without.stars, strict=True))
        stars = self.mean + self.deviation * _PRIOR_STARS[side]
        return _Profile(
            (praise + _PRIOR_WEIGHT * _PRIOR_PRAISE[side]) / (blame + praise + _PRIOR_WEIGHT),
            (total + _PRIOR_WEIGHT * stars) / (rated + _PRIOR_WEIGHT),
        )


def _by_merged_noun(counts: CorpusCounts, merged: Mapping[str, str]) -> dict[Key, AdjectiveUses]:
    found: defaultdict[Key, AdjectiveUses] = defaultdict(AdjectiveUses)
    for (word, noun), uses in counts.adjective_uses.items():
        found[word, merged.get(noun, noun)].merge(uses)
    return found
