"""Coverage: how much of the vocabulary the explanations use."""

from __future__ import annotations

from counterec.core.arrays import BoolMatrix


def coverage(named: BoolMatrix) -> float:
    """The share of all aspects that at least one explanation names; ``named`` is [pairs, aspects]."""
    return float(named.any(axis=0).mean())
