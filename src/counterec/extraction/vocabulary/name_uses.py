"""How a corpus uses names: as something an item has ("the bed was"), or as what it is ("this is a great capo").

Every review is read once. A name counts where its words stand, the last one in the singular; of names that overlap, the
longest counts: in "the tube amp" that is "tube amp".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from counterec.extraction.grammar.dictionary import base_noun
from counterec.extraction.grammar.word_list import word_set

Name = tuple[str, ...]

_WORDS = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[.!?,;:]")
_OWNED = word_set("the its their our your my his her")
_PLACES = word_set("of in on at by to for from off along down up into around near over through across towards")
_THIS = word_set("this these")
_DETERMINERS = _OWNED | _THIS | {"a", "an"}
_ENDS = word_set(". ! ? , ; : in of for with to and on at is was are were but or")
_BE = word_set("is was are were it's that's")
_DOES = word_set("""
    is was are were has had seems seemed looks looked feels felt sounds sounded works worked isn't wasn't aren't weren't
    could can would will
    """)
_FURTHEST = 3
"""A determiner stands at most this many words before the name."""
LONGEST = 3
"""The most words of a name that is looked for."""


@dataclass(slots=True)
class NameUses:
    """How often a name is used, and how."""

    uses: int = 0
    had: int = 0
    """As something that an item has: "the bed", "its sound", "breakfast was"; not "to the airport"."""
    this: int = 0
    """After *this* or *these*: "this capo"; not "for this price"."""
    is_a: int = 0
    """As what something is: "it is a great resort"."""
    reviews: Counter[str] = field(default_factory=Counter)
    """In how many reviews of each item."""

    def add(self, other: NameUses) -> None:
        """Add the uses of another name of the same thing."""
        self.uses += other.uses
        self.had += other.had
        self.this += other.this
        self.is_a += other.is_a
        self.reviews.update(other.reviews)


@dataclass(frozen=True)
class CorpusUses:
    """The uses of all names, and the number of reviews of each item."""

    of: dict[str, NameUses]
    reviews: Counter[str]

    def merged(self, names: Mapping[str, str]) -> CorpusUses:
        """The uses where names count as others."""
        found: dict[str, NameUses] = {}
        for name, uses in self.of.items():
            found.setdefault(names.get(name, name), NameUses()).add(uses)
        return CorpusUses(found, self.reviews)

    def crowding(self, name: str) -> float:
        """How much more often than chance another review of the same item uses the name, too.

        Pairs of reviews of one item that both use it, over those to be expected if the first uses it and the second
        were any review of the corpus; two pairs are added to both, so that rare names stay near 1.
        """
        uses, total = self.of[name].reviews, sum(self.reviews.values())
        share = sum(uses.values()) / max(1, total)
        pairs = sum(number * (number - 1) for number in uses.values())
        expected = share * sum(number * (self.reviews[item] - 1) for item, number in uses.items())
        return (pairs + _PRIOR) / (expected + _PRIOR)


_PRIOR = 2.0


def count_uses(names: Iterable[str], reviews: Iterable[tuple[str, str]]) -> CorpusUses:
    """Count the uses of names in reviews, each given by its item and its text."""
    known = {tuple(name.split()): NameUses() for name in names}
    lasts, by_item = {name[-1] for name in known}, Counter[str]()
    for item, text in reviews:
        by_item[item] += 1
        words = words_of(text)
        used = set()
        for name, start, end in _found(words, known, lasts):
            _add(known[name], words, start, end)
            used.add(name)
        for name in used:
            known[name].reviews[item] += 1
    return CorpusUses({" ".join(name): uses for name, uses in known.items()}, by_item)


def words_of(text: str) -> list[str]:
    """The words and marks of a text, in lower case."""
    return _WORDS.findall(text.lower().replace("’", "'"))


def _found(words: Sequence[str], known: dict[Name, NameUses], lasts: set[str]) -> Iterator[tuple[Name, int, int]]:
    """Yield the names in a text with their places; of names that end at one word, the longest."""
    for end, word in enumerate(words):
        last = base_noun(word)
        if last not in lasts:
            continue
        for start in range(max(0, end - LONGEST + 1), end + 1):
            name = (*words[start:end], last)
            if name in known:
                yield name, start, end
                break


def _add(uses: NameUses, words: Sequence[str], start: int, end: int) -> None:
    uses.uses += 1
    determiner, before = _determiner(words, start)
    if determiner in _THIS:
        uses.this += before not in _PLACES
    elif determiner == "a" and before in _BE:
        uses.is_a += 1
    elif (determiner in _OWNED and before not in _PLACES) or (end + 1 < len(words) and words[end + 1] in _DOES):
        uses.had += 1


def _determiner(words: Sequence[str], start: int) -> tuple[str, str]:
    """The determiner that belongs to the name at a place, and the word before it; empty where there is none."""
    for at in range(start - 1, max(-1, start - 1 - _FURTHEST), -1):
        if words[at] in _ENDS:
            break
        if words[at] in _DETERMINERS:
            return "a" if words[at] == "an" else words[at], words[at - 1] if at else ""
    return "", ""
