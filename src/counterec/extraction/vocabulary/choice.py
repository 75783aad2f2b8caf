"""The choice of a corpus's aspects: names merged, names left out, and of the rest those that carry most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from counterec.core.arrays import require
from counterec.extraction.vocabulary.contexts import MentionContext, name_contexts
from counterec.extraction.vocabulary.name_uses import count_uses
from counterec.extraction.vocabulary.no_aspects import ALWAYS_ASPECTS, NoAspectRules, no_aspects
from counterec.extraction.vocabulary.same_thing import SameThingRules, spelled_alike, used_alike

TOO_RARE, CARRIES_LITTLE = "is mentioned too rarely", "carries less than the aspects kept"


@dataclass(frozen=True)
class NameChoice:
    """What the names that were found count as."""

    merged: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Another name → the aspect it is counted as."""
    left_out: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """A name that is no aspect, after merging → the reason."""

    def __post_init__(self) -> None:
        chained = sorted({name for name in self.merged.values() if name in self.merged})
        require(not chained, f"{', '.join(chained)}: merged into another name, so nothing can be merged into it")

    def without(self, names: Iterable[str], reason: str) -> NameChoice:
        """The same choice, with more names left out."""
        return NameChoice(self.merged, {**self.left_out, **dict.fromkeys(names, reason)})


@dataclass(frozen=True)
class Corpus:
    """What names are chosen by: training reviews and the mentions found in them."""

    mentions: Mapping[str, int]
    """How often each name was mentioned."""
    reviews: Iterable[tuple[str, str]] = ()
    """The item and the text of each review; none where mentions were brought without texts."""
    contexts: Iterable[MentionContext] = ()
    item_names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def choose_names(
    corpus: Corpus,
    *,
    merge: bool = True,
    leave_out: bool = True,
    same: SameThingRules = SameThingRules(),  # noqa: B008
    rules: NoAspectRules = NoAspectRules(),  # noqa: B008
) -> NameChoice:
    """Which names are merged, and which are no aspects in this corpus."""
    uses = count_uses(corpus.mentions, corpus.reviews)
    has_texts = bool(uses.reviews)
    contexts = name_contexts(corpus.contexts if has_texts and merge else ())
    merged = spelled_alike(corpus.mentions, contexts, uses if has_texts else None, same) if merge else {}
    counts = _counted(corpus.mentions, merged)
    left_out = no_aspects(counts, uses.merged(merged), corpus.item_names, rules) if leave_out and has_texts else {}
    if merge and has_texts:
        counts = {name: number for name, number in counts.items() if name not in left_out}
        alike = used_alike(counts, contexts, same, ALWAYS_ASPECTS)
        merged = {name: alike.get(aspect, aspect) for name, aspect in merged.items()} | alike
    return NameChoice(dict(sorted(merged.items())), dict(sorted(left_out.items())))


def _counted(mentions: Mapping[str, int], merged: Mapping[str, str]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for name, number in mentions.items():
        counts[merged.get(name, name)] += number
    return dict(counts)
