"""What a pronoun points back to: a noun of its own sentence, or the only one of the sentence before."""

from __future__ import annotations

from counterec.extraction.grammar.clauses import Clauses, Span
from counterec.extraction.grammar.lexemes import NOUN
from counterec.extraction.grammar.listing import listed
from counterec.extraction.grammar.word_classes import base

PLURAL = frozenset(("they", "these", "those"))
POINTING = PLURAL | {"it", "this", "that"}
_COLLECTIVE = listed("staff crew team service people management")


def antecedent(clauses: Clauses, pronoun: int) -> Span | None:
    """Return the nouns of the same sentence that a pronoun points back to: the first for *it*, the last for *they*."""
    runs = clauses.runs_before(pronoun)
    if not runs:
        return None
    return runs[-1 if clauses.words[pronoun] in PLURAL else 0]


def meant_nouns(earlier: Clauses, pronoun: str) -> Span | None:
    """Return the only nouns of an earlier sentence, if a pronoun can mean them and they are not "this" thing itself."""
    runs = earlier.runs_before(len(earlier.words))
    if len(runs) != 1:
        return None
    start, end = runs[0]
    last = earlier.words[end - 1]
    several = base(last, NOUN) != last or last in _COLLECTIVE
    pointed_at = start and earlier.words[start - 1] in ("this", "these")
    return None if pointed_at or several != (pronoun in PLURAL) else runs[0]
