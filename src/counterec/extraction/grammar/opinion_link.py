"""What the constructions make: a tie between nouns and an opinion on them."""

from __future__ import annotations

from typing import NamedTuple

from counterec.extraction.grammar.clauses import Span

OTHERWISE = "otherwise implicit"
"""The tie to a verb that names an aspect, for the case that its subject does not: "this pedal *sounds* great"."""
POINTING_BACK = "pointing back"
"""The tie to a pronoun whose noun stands in the sentence before; its own nouns are the pronoun."""

IMPLICIT = {
    **dict.fromkeys(("work", "run", "perform", "function", "operate"), "performance"),
    **dict.fromkeys(("boot", "start"), "startup"),
    **{verb: verb for verb in ("look", "sound", "feel", "taste", "smell", "fit", "price", "use")},
    "install": "installation",
    "set": "setup",
    "assemble": "assembly",
    "clean": "cleaning",
    "carry": "portability",
    "play": "playability",
    "load": "loading",
    "respond": "response",
    "charge": "charging",
}
"""Verbs that name an aspect themselves: it *sounds* great."""

NAMED_BY_VERBS = frozenset(IMPLICIT.values())


class Tie(NamedTuple):
    """A run of nouns and an opinion on it, by their first token and the one after their last; and what ties them."""

    noun: Span
    opinion: Span
    rule: str
