"""Names of one thing: other spellings, short forms, longer names of the same, and words that are used alike.

=================  ====================================================  =========================================
by                 rule                                                  example
=================  ====================================================  =========================================
spelling           the same letters, or *c* and *k* for one sound        mini bar, minibar; mic, mike
short form         the beginning of a longer word, of the same items     mic, microphone; amp, amplifier
longer name        the more frequent of its parts that is used alike     internet access, wireless internet, internet
use                each is used most like the other, never together      gym, fitness center; price, rate
=================  ====================================================  =========================================

Each rule sees what the ones before it have merged. A name goes to the more frequent one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import FloatMatrix
from counterec.extraction.grammar.dictionary import is_english
from counterec.extraction.grammar.word_list import word_set
from counterec.extraction.vocabulary.contexts import NameContexts, context_rows, likeness
from counterec.extraction.vocabulary.name_uses import CorpusUses, NameUses

_LEAST_LETTERS = 3
_USUAL_NAMES = 200
"""How alike a name usually is to others is known by its likeness to this many of the most frequent names."""
_ENDINGS = word_set("s es d ed r er ers ing ings ness ly y al ion ions ment ments able")


@dataclass(frozen=True)
class SameThingRules:
    """How much evidence it takes before two names count as one."""

    most_names: int = 600
    """Only the most frequent names are compared by their use: that of rare ones is not known."""
    times_usual: float = 2.8
    """Two names are only as alike as they are more alike than usual: this many times as much as both are to others."""
    part_alike: float = 0.15
    """A longer name is one with a part of it that is as alike as this and among the nearest..."""
    among: int = 5
    """...this many names; ..."""
    nearest_alike: float = 0.1
    """...or as this, and the nearest."""
    least_uses: int = 20
    """Words are compared by their use from this many mentions on..."""
    least_alike: float = 0.2
    """...and are one if they are as alike as this..."""
    most_together: float = 0.7
    """...and in one sentence at most this share of what chance would give; ..."""
    very_alike: float = 0.25
    """...or if they are as alike as this..."""
    very_alike_together: float = 2.5
    """...and together at most this many times as often as by chance: what is listed side by side is two things."""
    least_mentions: int = 5
    """Short forms, and *c* for *k*, are known from this many mentions on..."""
    short_together: float = 2.0
    """...if both are said of the same items at least this many times as often as by chance..."""
    short_alike: float = 0.1
    """...and are as alike as this."""
    rounds: int = 3
    """Merging makes other names alike: the rules are applied at most this often."""


def spelled_alike(
    mentions: Mapping[str, int], contexts: NameContexts, uses: CorpusUses | None, rules: SameThingRules
) -> dict[str, str]:
    """Each name that is a spelling or a short form of a more frequent one, with that one.

    Without ``uses``, by spelling only.
    """
    merging = _Merging(Counter(mentions), contexts, replace(rules, times_usual=0))
    merging.apply(_spellings(merging.counts, rules))
    if uses is not None:
        merging.apply(_short_forms(*merging.alike(), merging.counts, uses, rules))
    return merging.merged


def used_alike(
    mentions: Mapping[str, int], contexts: NameContexts, rules: SameThingRules, apart: Collection[str] = ()
) -> dict[str, str]:
    """Each name that is used like a part of it, or like another name, with the more frequent one.

    Names in ``apart`` are merged into no other.
    """
    merging = _Merging(Counter(mentions), contexts, rules)
    for _ in range(rules.rounds):
        before = len(merging.merged)
        merging.apply(_mutually_nearest(*merging.alike(), merging, rules, apart))
        merging.apply(_longer_names(*merging.alike(), merging.counts, rules))
        if len(merging.merged) == before:
            break
    return merging.merged


class _Merging:
    """Names, how often each is mentioned, and what was merged so far."""

    def __init__(self, counts: Counter[str], contexts: NameContexts, rules: SameThingRules) -> None:
        self.counts, self.contexts = counts, contexts
        self.merged: dict[str, str] = {}
        self._times_usual = rules.times_usual
        frequent = sorted(counts, key=lambda name: (-counts[name], name))[: rules.most_names]
        self._rows = dict(zip(frequent, context_rows(frequent, contexts.features), strict=True))

    def apply(self, found: Mapping[str, str]) -> None:
        """Merge names into others; what was merged into one of them before goes along."""
        for name in found:
            into = found[name]
            while into in found and found[into] != name:
                into = found[into]
            if into == name or name not in self.counts or into not in self.counts:
                continue
            self.merged = {old: into if now == name else now for old, now in self.merged.items()} | {name: into}
            self.counts[into] += self.counts.pop(name)
            self.contexts.merge(name, into)
            if name in self._rows:
                row = self._rows.pop(name)
                self._rows[into] = self._rows[into] + row if into in self._rows else row

    def alike(self) -> tuple[list[str], FloatMatrix]:
        """The most frequent names, and how alike they are."""
        names = sorted(self._rows, key=lambda name: (-self.counts[name], name))
        rows = np.stack([self._rows[name] for name in names]) if names else np.zeros((0, 0), dtype=np.float32)
        alike = likeness(rows)
        usual = np.sqrt(alike[:, :_USUAL_NAMES].mean(axis=1)) if names else np.zeros(0)
        return names, np.where(alike >= self._times_usual * np.outer(usual, usual), alike, 0)


def _to_the_most_frequent(groups: Iterator[list[str]], counts: Mapping[str, int]) -> dict[str, str]:
    found = {}
    for group in groups:
        first, *others = sorted(group, key=lambda name: (-counts[name], name))
        found.update(dict.fromkeys(others, first))
    return found


def _spellings(counts: Mapping[str, int], rules: SameThingRules) -> dict[str, str]:
    """Names with the same letters: "mini bar" and "minibar"; and *c* and *k* for the same sound: "mic" and "mike"."""
    by_letters, by_sound = defaultdict(list), defaultdict(list)
    for name in sorted(counts):
        if any(map(str.isalpha, name)):  # numbers that stand for names are not spelled
            by_letters[name.replace(" ", "").replace("-", "")].append(name)
        if name.isalpha() and counts[name] >= rules.least_mentions:
            by_sound[re.sub("ck?(?![eiy])|k", "k", name).removesuffix("e")].append(name)
    of_sound = (_sounding_alike(group) for group in by_sound.values())
    return _to_the_most_frequent(of_sound, counts) | _to_the_most_frequent(iter(by_letters.values()), counts)


def _sounding_alike(names: list[str]) -> list[str]:
    """Of names that sound alike, those that differ in *c* and *k*, not in an *e* alone: not "tub" and "tube"."""
    differing = [name for name in names if any(("c" in name) != ("c" in other) for other in names)]
    return differing or names[:1]


def _short_forms(
    names: Sequence[str], alike: FloatMatrix, counts: Mapping[str, int], uses: CorpusUses, rules: SameThingRules
) -> dict[str, str]:
    """The beginnings of words that have no mere ending, are not two words in one, and are said of the same items."""
    at = {name: row for row, name in enumerate(names)}
    words = sorted(name for name in at if name.isalpha() and counts[name] >= rules.least_mentions)
    found: dict[str, str] = {}
    for place, short in enumerate(words):
        for long in words[place + 1 :]:
            if not long.startswith(short):
                break
            rest = long[len(short) :]
            is_word = rest in _ENDINGS or is_english(rest) or min(len(short), len(rest)) < _LEAST_LETTERS
            is_alike = not is_word and alike[at[short], at[long]] >= rules.short_alike
            if is_alike and _of_the_same_items(uses.of[short], uses.of[long], uses, rules):
                rare, frequent = sorted((short, long), key=lambda name: (counts[name], name))
                found[rare] = frequent
    return found


def _of_the_same_items(one: NameUses, other: NameUses, uses: CorpusUses, rules: SameThingRules) -> bool:
    ones, others = one.reviews, other.reviews
    total = max(1, sum(uses.reviews.values()))
    both = sum(number * others[item] for item, number in ones.items())
    expected = sum(number * uses.reviews[item] for item, number in ones.items()) * sum(others.values()) / total
    return both >= rules.short_together * expected and both > 0


def _longer_names(
    names: Sequence[str], alike: FloatMatrix, counts: Mapping[str, int], rules: SameThingRules
) -> dict[str, str]:
    """Names of several words that are used like one of their parts: "internet access" like "internet"."""
    at = {name: row for row, name in enumerate(names)}
    found = {}
    for name in names:
        words = name.split()
        parts = {" ".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)}
        near = np.sort(alike[at[name]])[::-1]
        best = max(
            (part for part in sorted(parts - {name}) if part in at and counts[part] > counts[name]),
            key=lambda part: alike[at[name], at[part]],
            default=None,
        )
        if best is None:
            continue
        value = alike[at[name], at[best]]
        is_near = value >= rules.part_alike and value >= near[min(rules.among, len(near)) - 1]
        if is_near or (value >= rules.nearest_alike and value == near[0]):
            found[name] = best
    return found


def _mutually_nearest(
    names: Sequence[str], alike: FloatMatrix, merging: _Merging, rules: SameThingRules, apart: Collection[str]
) -> dict[str, str]:
    """Names that are each the most like the other, and stand in one sentence less often than chance would have it."""
    if not len(names):
        return {}
    nearest = alike.argmax(axis=1)
    total = len(set().union(*merging.contexts.sentences.values()))
    found = {}
    for row, other in enumerate(nearest.tolist()):
        if nearest[other] != row or other < row or alike[row, other] < rules.least_alike:
            continue
        frequent, rare = names[row], names[other]
        ones, others = (merging.contexts.sentences[name] for name in (frequent, rare))
        by_chance = len(ones) * len(others) / max(1, total)
        most = rules.very_alike_together if alike[row, other] >= rules.very_alike else rules.most_together
        frequent_enough = merging.counts[rare] >= rules.least_uses and rare not in apart
        if frequent_enough and len(ones & others) <= most * by_chance:
            found[rare] = frequent
    return found
