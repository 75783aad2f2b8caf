"""The counts of a part of a corpus as plain lists and numbers, to be kept in a file, and back."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from counterec.extraction.grammar.corpus_counts import COUNTERS, AdjectiveUses, CorpusCounts


def plain_counts(counts: CorpusCounts) -> dict[str, Any]:
    """Counts as JSON can hold them: of each counter its keys and, in the same order, its numbers."""
    return {
        "sentences": counts.sentences,
        "opinions": counts.opinions,
        "rating_sums": counts.rating_sums,
        **{name: [list(getattr(counts, name)), list(getattr(counts, name).values())] for name in COUNTERS},
        "adjective_uses": [list(counts.adjective_uses), list(map(astuple, counts.adjective_uses.values()))],
    }


def counts_from(plain: dict[str, Any]) -> CorpusCounts:
    """The inverse of ``plain_counts``."""
    counts = CorpusCounts(plain["sentences"], opinions=plain["opinions"], rating_sums=plain["rating_sums"])
    for name in COUNTERS:
        getattr(counts, name).update(dict(zip(map(_key, plain[name][0]), plain[name][1], strict=True)))
    for key, uses in zip(*plain["adjective_uses"], strict=True):
        counts.adjective_uses[_key(key)] = AdjectiveUses(*uses)
    return counts


def _key(found: Any) -> Any:
    """JSON has no tuples."""
    return tuple(found) if isinstance(found, list) else found
