"""What a corpus's adjectives mean there, of one noun or of all: those that behave like opinions of one side join it.

A profile says how words of one side behave: how often the other opinions around them praise, and the stars of their
reviews. Known opinions give the profiles of praise and of blame, adjectives that no lexicon judges give the neutral
one. A word takes a side if its own uses are much likelier under that profile than under the other two.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from counterec.extraction.grammar.counts import Counts, Evidence, Key
from counterec.extraction.grammar.lexemes import ADJECTIVE, VERB, base_forms
from counterec.extraction.grammar.lexicon import polarity, predicate_polarity
from counterec.extraction.grammar.opinions import MEASURES

SIDES = (-1, 0, 1)
_USUAL_PRAISE = {-1: 0.45, 0: 0.7, 1: 0.85}
_USUAL_STARS = {-1: -0.4, 0: 0.0, 1: 0.2}
"""What is assumed before anything is seen: of stars, in standard deviations from their mean."""
STARS_WEIGHT = 0.5
"""The stars are those of the whole review, so they say less of one word than its sentence does."""
_ASSUMED = 20
"""As many uses as the assumptions weigh."""


@dataclass(frozen=True, slots=True)
class PolarityRules:
    """When an adjective has said enough."""

    least_uses: int = 8
    """An adjective gains a polarity from this many uses in company or in rated reviews..."""
    least_odds: float = 3.0
    """...if they are this much likelier of that side than of another; the logarithm of the odds..."""
    least_odds_of_company: float = 1.5
    """...and so is its company by itself, where it has any: low stars alone go with what is cheap, too..."""
    predicate_share: float = 0.08
    """...and, where no lexicon knows it, it is said of something ("the wait was long") in this share of its uses."""
    most_capitals: float = 0.5
    """A word with a capital in more than this share of its uses is part of a name."""


@dataclass(frozen=True, slots=True)
class _Profile:
    praise: float
    stars: float

    def of_company(self, evidence: Evidence) -> float:
        """Return the logarithm of how likely this company is."""
        blame, praise = evidence.company
        return praise * math.log(self.praise) + blame * math.log(1 - self.praise)

    def of_stars(self, evidence: Evidence, deviation: float) -> float:
        """Return the logarithm of how likely these stars are, up to what all profiles share."""
        rated, total = evidence.stars
        far = (total / rated - self.stars) / deviation if rated and deviation else 0.0
        return -STARS_WEIGHT * rated * far**2 / 2


def mined_polarities(
    counts: Counts, merged: Mapping[str, str], no_aspects: frozenset[str], rules: PolarityRules
) -> dict[Key, int]:
    """Return what adjectives mean of a noun, or, with an empty noun, of any, where that is not yet known."""
    others = _Others.of(counts)
    found: dict[Key, int] = {}
    for key, uses in sorted(_by_merged_noun(counts, merged).items()):
        word, noun = key
        if noun in no_aspects or max(sum(uses.company), uses.stars[0]) < rules.least_uses:
            continue
        known = _known(word)
        if _may_turn(word, noun) if known else _may_gain(word, counts, rules):
            side = _side(known, uses, others.profiles(known, counts.evidence[word, ""]), others.deviation, rules)
            if side and side != known:
                found[key] = side
    return found


def _side(known: int, uses: Evidence, profiles: Mapping[int, _Profile], deviation: float, rules: PolarityRules) -> int:
    """Return the side that some uses are on, 0 where none is much likelier than the rest.

    That a known opinion judges is no question, so it need not be much likelier than neutral.
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
    """Whether a known word's sign may hang on the noun: that of "long" and "cheap" does, that of "decent" does not."""
    return bool(noun) and word in MEASURES


def _may_gain(word: str, counts: Counts, rules: PolarityRules) -> bool:
    """Whether an unknown word may be an opinion: no participle ("is going"), no name, not only part of terms."""
    classes = base_forms().get(word, {ADJECTIVE: word})
    if ADJECTIVE not in classes or classes.get(VERB, word) != word:
        return False
    return (
        counts.capital[word] <= rules.most_capitals * counts.adjectives[word]
        and counts.predicates[word] >= rules.predicate_share * counts.adjectives[word]
    )


def _known(word: str) -> int:
    return polarity(word) or predicate_polarity(word)


@dataclass(frozen=True, slots=True)
class _Others:
    """The words of each side, together; a word is compared with the others, not with itself."""

    uses: Mapping[int, Evidence]
    mean: float
    deviation: float

    @classmethod
    def of(cls, counts: Counts) -> _Others:
        number, total, squares = counts.ratings
        mean = total / number if number else 0.0
        deviation = math.sqrt(max(0.0, squares / number - mean**2)) if number else 0.0
        uses = {side: Evidence() for side in SIDES}
        for (word, noun), evidence in counts.evidence.items():
            if not noun:
                uses[_known(word)].merge(evidence)
        return cls(uses, mean, deviation)

    def profiles(self, side: int, own: Evidence) -> dict[int, _Profile]:
        """Return the profile of each side, without a word of one side, given its own uses."""
        return {other: self._profile(other, own if other == side else Evidence()) for other in SIDES}

    def _profile(self, side: int, without: Evidence) -> _Profile:
        blame, praise = (all_ - own for all_, own in zip(self.uses[side].company, without.company, strict=True))
        rated, total = (all_ - own for all_, own in zip(self.uses[side].stars, without.stars, strict=True))
        stars = self.mean + self.deviation * _USUAL_STARS[side]
        return _Profile(
            (praise + _ASSUMED * _USUAL_PRAISE[side]) / (blame + praise + _ASSUMED),
            (total + _ASSUMED * stars) / (rated + _ASSUMED),
        )


def _by_merged_noun(counts: Counts, merged: Mapping[str, str]) -> dict[Key, Evidence]:
    found: defaultdict[Key, Evidence] = defaultdict(Evidence)
    for (word, noun), evidence in counts.evidence.items():
        found[word, merged.get(noun, noun)].merge(evidence)
    return found
