"""Near-synonyms: nouns that a corpus uses alike, as "couch" and "sofa".

A noun is described by its neighbours: the adjectives said of it, the words before it in terms, the words it stands
before. Two nouns are near-synonyms if each is the other's most similar one, they share many neighbours, and they hardly
ever stand in one list: "couch and sofa" is rare, "towels and pillows" is not.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from counterec.extraction.grammar.counts import Counts

Neighbour = tuple[str, str]
Vector = dict[Neighbour, float]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SynonymRules:
    """When two nouns are used alike."""

    least_uses: int = 30
    """Nouns with fewer uses are left alone; so are pairs of a noun and a neighbour that occur once."""
    least_similarity: float = 0.33
    """The cosine of their positive pointwise mutual information with their neighbours..."""
    least_shared: int = 9
    """...which share so many neighbours..."""
    most_listed: float = 0.5
    """...while they stand in lists less often than this share of what chance alone would put into one sentence."""
    most_nouns: int = 400
    """Neighbours of more nouns tell nothing apart."""


def near_synonyms(
    counts: Counts, merged: Mapping[str, str], no_aspects: frozenset[str], rules: SynonymRules
) -> dict[str, str]:
    """Return nouns that are used like a more frequent one, and that one; no chains, as likeness is mutual."""
    uses: Counter[str] = Counter()
    for noun, number in counts.nouns.items():
        uses[merged.get(noun, noun)] += number
    listed: Counter[Pair] = Counter()
    for (one, other), number in counts.joined.items():
        first, second = sorted((merged.get(one, one), merged.get(other, other)))
        listed[first, second] += number
    vectors = {
        noun: vector
        for noun, vector in _vectors(counts, merged).items()
        if uses[noun] >= rules.least_uses and noun.isalpha() and noun not in no_aspects
    }
    found = {}
    for one, other in _mutual(_similarities(vectors, rules)):
        by_chance = uses[one] * uses[other] / counts.sentences
        if listed[one, other] <= max(1, rules.most_listed * by_chance) and _alike(vectors[one], vectors[other], rules):
            rare, frequent = sorted((one, other), key=lambda noun: (uses[noun], noun))
            found[rare] = frequent
    return found


def _vectors(counts: Counts, merged: Mapping[str, str]) -> dict[str, Vector]:
    """Return the unit vector of every noun: its positive pointwise mutual information with its neighbours."""
    together: defaultdict[str, Counter[Neighbour]] = defaultdict(Counter)
    for (adjective, noun), evidence in counts.evidence.items():
        if noun:
            together[merged.get(noun, noun)]["said of it", adjective] += evidence.uses
    for term, number in counts.terms.items():
        if len(term) == 2:
            first, last = term[0], merged.get(term[1], term[1])
            together[last]["before it", first] += number
            together[merged.get(first, first)]["after it", last] += number
    of_noun = {noun: neighbours.total() for noun, neighbours in together.items()}
    of_neighbour: Counter[Neighbour] = Counter()
    for neighbours in together.values():
        of_neighbour.update(neighbours)
    total = of_neighbour.total()
    return {
        noun: _unit(
            {
                neighbour: math.log(number * total / (of_noun[noun] * of_neighbour[neighbour])) * number / (number + 1)
                for neighbour, number in sorted(neighbours.items())
                if number > 1
            }
        )
        for noun, neighbours in sorted(together.items())
    }


def _unit(information: Vector) -> Vector:
    positive = {neighbour: value for neighbour, value in information.items() if value > 0}
    length = math.hypot(*positive.values())
    return {neighbour: value / length for neighbour, value in positive.items()}


def _similarities(vectors: Mapping[str, Vector], rules: SynonymRules) -> dict[Pair, float]:
    having: defaultdict[Neighbour, list[str]] = defaultdict(list)
    for noun in sorted(vectors):
        for neighbour in vectors[noun]:
            having[neighbour].append(noun)
    found: defaultdict[Pair, float] = defaultdict(float)
    for neighbour in sorted(having):
        if len(having[neighbour]) <= rules.most_nouns:
            for one, other in combinations(having[neighbour], 2):
                found[one, other] += vectors[one][neighbour] * vectors[other][neighbour]
    return found


def _mutual(similarities: Mapping[Pair, float]) -> list[Pair]:
    """Return the pairs of which each noun is the other's most similar one."""
    nearest: dict[str, tuple[float, str]] = {}
    for (one, other), value in similarities.items():
        for noun, near in ((one, other), (other, one)):
            nearest[noun] = max(nearest.get(noun, (0.0, "")), (value, near))
    return sorted(pair for pair in similarities if nearest[pair[0]][1] == pair[1] and nearest[pair[1]][1] == pair[0])


def _alike(one: Vector, other: Vector, rules: SynonymRules) -> bool:
    shared = [value * other[neighbour] for neighbour, value in one.items() if neighbour in other]
    return len(shared) >= rules.least_shared and sum(shared) >= rules.least_similarity
