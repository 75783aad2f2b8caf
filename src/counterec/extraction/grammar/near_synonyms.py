"""Near-synonyms: nouns that a corpus uses alike, such as "couch" and "sofa".

A noun is described by its neighbours: its adjectives, the words before it in terms, and the words after it in terms.
Two nouns are near-synonyms if each is the most similar to the other, they share many neighbours, and they rarely
occur in one list: "couch and sofa" is rare, "towels and pillows" is not.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from counterec.extraction.grammar.corpus_counts import CorpusCounts

Neighbour = tuple[str, str]
"""Where it stands, and the word."""
Vector = dict[Neighbour, float]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SynonymRules:
    """How much evidence it takes before two nouns count as one."""

    least_uses: int = 30
    """Both nouns have at least this many uses..."""
    least_similarity: float = 0.33
    """...at least this cosine of their positive pointwise mutual information with their neighbours..."""
    least_shared: int = 9
    """...at least this many neighbours in common..."""
    most_listed: float = 0.5
    """...and at most this share of the lists that chance alone would put both into."""
    most_nouns: int = 400
    """Neighbours of more nouns than this distinguish nothing, and are ignored."""


def near_synonyms(
    counts: CorpusCounts, merged: Mapping[str, str], no_aspects: frozenset[str], rules: SynonymRules
) -> dict[str, str]:
    """Return each noun that is used like a more frequent one, with that one; similarity is mutual, so no chains."""
    uses: Counter[str] = Counter()
    for noun, number in counts.nouns.items():
        uses[merged.get(noun, noun)] += number
    in_lists: Counter[Pair] = Counter()
    for (one, other), number in counts.coordinated.items():
        first, second = sorted((merged.get(one, one), merged.get(other, other)))
        in_lists[first, second] += number
    vectors = {
        noun: vector
        for noun, vector in _vectors(counts, merged).items()
        if uses[noun] >= rules.least_uses and noun.isalpha() and noun not in no_aspects
    }
    found = {}
    for one, other in _mutually_nearest(_similarities(vectors, rules)):
        by_chance = uses[one] * uses[other] / counts.sentences
        rarely_listed = in_lists[one, other] <= max(1, rules.most_listed * by_chance)
        if rarely_listed and _are_alike(vectors[one], vectors[other], rules):
            rare, frequent = sorted((one, other), key=lambda noun: (uses[noun], noun))
            found[rare] = frequent
    return found


def _vectors(counts: CorpusCounts, merged: Mapping[str, str]) -> dict[str, Vector]:
    """Return one unit vector per noun: its positive pointwise mutual information with its neighbours.

    Neighbours that it has only once are ignored.
    """
    together: defaultdict[str, Counter[Neighbour]] = defaultdict(Counter)
    for (adjective, noun), counted in counts.adjective_uses.items():
        if noun:
            together[merged.get(noun, noun)]["described by", adjective] += counted.uses
    for term, number in counts.terms.items():
        if len(term) == 2:
            first, last = term[0], merged.get(term[1], term[1])
            together[last]["before", first] += number
            together[merged.get(first, first)]["after", last] += number
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


def _mutually_nearest(similarities: Mapping[Pair, float]) -> list[Pair]:
    """Return the pairs in which each noun is the most similar to the other."""
    nearest: dict[str, tuple[float, str]] = {}
    for (one, other), value in similarities.items():
        for noun, near in ((one, other), (other, one)):
            nearest[noun] = max(nearest.get(noun, (0.0, "")), (value, near))
    return sorted(pair for pair in similarities if nearest[pair[0]][1] == pair[1] and nearest[pair[1]][1] == pair[0])


def _are_alike(one: Vector, other: Vector, rules: SynonymRules) -> bool:
    shared = [value * other[neighbour] for neighbour, value in one.items() if neighbour in other]
    return len(shared) >= rules.least_shared and sum(shared) >= rules.least_similarity
