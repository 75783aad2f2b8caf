"""Choose the aspects of a corpus: the names that many users use about many items.

Every rule is a count.

- Other spellings of a name are merged ("mini bar", "minibar").
- A name of several words counts as its last word if that word is used alone more often: a "queen bed" is a bed, but
  "battery life" is not a life.
- What reviewers call *this* is the item itself, not an aspect of it: "this strap", "these strings".
- The names that are left are ranked by how many users use them and about how many items. Misspellings, brands and
  single products rank low because few items have them.
- An aspect is called what reviewers call it most often: "graphics", not "graphic".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from types import MappingProxyType

from counterec.core.arrays import require
from counterec.extraction.words import word_set

CALLED_THIS = 0.055
"""A name is that of the item itself if *this* or *these* precedes more than this share of its uses.

One standard deviation of the count is granted to chance."""

NEVER_ASPECTS = word_set("""
    thing something anything everything nothing one other lot bit way kind sort type part piece line
    time day week month year night morning hour minute moment
    problem issue complaint reason point case fact idea question surprise difference experience
    people person guy man woman kid child son daughter friend family husband wife mother father brother sister relative
    roommate colleague everyone anyone guest customer user reviewer
    product item stuff gear equipment purchase buy order review star rating opinion choice option alternative pick
    job work use need hand home end side place spot
""")
"""Words that are not aspects of anything, whatever the items are."""

NO_COUNTS: Mapping[str, Counter[str]] = MappingProxyType({})


@dataclass(frozen=True)
class NameForms:
    """How reviewers write names."""

    heads: Mapping[str, Counter[str]] = field(default_factory=lambda: NO_COUNTS)
    """Name → how often each form of its last word is written: "graphic" → {"graphics": 90, "graphic": 10}."""
    called_this: Mapping[str, int] = field(default_factory=Counter)
    """Name → how often *this* or *these* precedes it."""


@dataclass(frozen=True)
class AspectNames:
    """The possible aspects of a corpus, most widely used first, and the names that count as each."""

    ranked: tuple[str, ...]
    """Aspects by the names they are shown under."""
    counted_as: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Extracted name → the aspect that it counts as, for every name that differs from its aspect."""

    def __post_init__(self) -> None:
        require(len(set(self.ranked)) == len(self.ranked), "an aspect is ranked twice")

    def most_used(self, size: int) -> tuple[str, ...]:
        """Return the ``size`` most widely used aspects, in alphabetical order."""
        return tuple(sorted(self.ranked[:size]))

    def counted_as_kept(self, kept: Iterable[str]) -> dict[str, str]:
        aspects = set(kept)
        return {name: aspect for name, aspect in self.counted_as.items() if aspect in aspects}


def rank_names(
    uses: Iterable[tuple[str, str, str]],
    mentions: Mapping[str, int],
    forms: NameForms,
    least: int,
    *,
    as_given: bool = False,
) -> AspectNames:
    """Rank names by the number of users times the number of items that they are used by and about.

    ``uses`` are distinct (user, item, name) triples, ``mentions`` the number of mentions of each name; a name needs at
    least ``least``. With ``as_given`` names are neither merged, nor left out, nor renamed.
    """
    merged = {} if as_given else merge_names(mentions)
    total: Counter[str] = Counter()
    for name, count in mentions.items():
        total[merged.get(name, name)] += count
    users, items = defaultdict(set), defaultdict(set)
    for user, item, found in uses:
        name = merged.get(found, found)
        users[name].add(user)
        items[name].add(item)
    kinds = _names_of_the_item(merged, forms)
    ranked = sorted(
        (name for name in total if total[name] >= least and (as_given or not (name in kinds or _is_stopped(name)))),
        key=lambda name: (-len(users[name]) * len(items[name]), name),
    )
    shown = {name: name for name in ranked} if as_given else _name_as_written(ranked, forms)
    counted_as = {name: shown[aspect] for name, aspect in merged.items() if aspect in shown}
    counted_as |= {name: aspect for name, aspect in shown.items() if name != aspect}
    return AspectNames(tuple(shown[name] for name in ranked), dict(sorted(counted_as.items())))


def merge_names(mentions: Mapping[str, int]) -> dict[str, str]:
    """Return the names that count as another one, given how often each is mentioned."""
    spelled = _merge_spellings(mentions)
    counts: Counter[str] = Counter()
    for name, count in mentions.items():
        counts[spelled.get(name, name)] += count
    heads = {name: head for name in counts if (head := name.split()[-1]) != name and counts[head] > counts[name]}
    return {name: heads.get(aspect, aspect) for name, aspect in spelled.items()} | heads


def _merge_spellings(mentions: Mapping[str, int]) -> dict[str, str]:
    """Merge names that differ in spaces and hyphens only into the most frequent of them."""
    groups = defaultdict(list)
    for name in mentions:
        groups[name.replace(" ", "").replace("-", "")].append(name)
    merged = {}
    for group in groups.values():
        first, *others = sorted(group, key=lambda name: (-mentions[name], name))
        merged.update(dict.fromkeys(others, first))
    return merged


def _is_stopped(name: str) -> bool:
    """Return whether the last word of a name is on the stop list, or is a single letter."""
    head = name.split()[-1]
    return head in NEVER_ASPECTS or len(head) < 2


def _names_of_the_item(merged: Mapping[str, str], forms: NameForms) -> set[str]:
    """Return the names that reviewers use for the item itself."""
    written, this = Counter[str](), Counter[str]()
    for name, heads in forms.heads.items():
        aspect = merged.get(name, name)
        written[aspect] += sum(heads.values())
        this[aspect] += forms.called_this.get(name, 0)
    return {name for name, count in written.items() if this[name] - sqrt(this[name]) > CALLED_THIS * count}


def _name_as_written(names: Iterable[str], forms: NameForms) -> dict[str, str]:
    """Return what each name is called most often. No two names are called the same: the later one keeps its own."""
    shown: dict[str, str] = {}
    taken = set(names)
    for name in names:
        *first, head = name.split()
        heads = forms.heads.get(name, Counter())
        called = " ".join([*first, max(heads, key=lambda form: (heads[form], form == head, form), default=head)])
        shown[name] = called if called not in taken else name
        taken.add(called)
    return shown
