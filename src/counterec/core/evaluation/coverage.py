"""Coverage: how much of the vocabulary is ever used to explain anything."""

from __future__ import annotations

from counterec.core.arrays import BoolMatrix


def coverage(named: BoolMatrix) -> float:
    """The share of all aspects that at least one explanation names; a row a pair, a column an aspect."""
    return float(named.any(axis=0).mean())
