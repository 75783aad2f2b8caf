"""The columns of the tables that an experiment leaves; its report is made from these and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from counterec.core.evaluation.necessity import VERDICTS

PAIR: Mapping[str, Any] = {
    "user_id": pl.String,
    "item_id": pl.String,
    "position": pl.Int64,
    "joint": pl.Boolean,
    "explained": pl.Boolean,
    "aspects": pl.List(pl.String),
    "in_test": pl.Boolean,
    "praised": pl.Int64,
    "precision": pl.Float64,
    "recall": pl.Float64,
    "f1": pl.Float64,
    **dict.fromkeys(VERDICTS, pl.Boolean),
    "l2": pl.Float64,
    "l1": pl.Float64,
    "complexity": pl.Float64,
    "strength": pl.Float64,
    "strength_sigmoid": pl.Float64,
    "proof": pl.String,
}
"""The columns of one pair; null where a measure does not apply."""

MEASURED: Mapping[str, Any] = {
    "protocol": pl.String,
    "seed": pl.Int64,
    "method": pl.String,
    "shape": pl.String,
    "masked": pl.Boolean,
}
"""Who said it, and where."""

ROWS: Mapping[str, Any] = {**MEASURED, **PAIR}

_KEYS: Mapping[str, Any] = {**MEASURED, "user_id": pl.String, "item_id": pl.String}

ELSEWHERE: Mapping[str, Any] = {
    **_KEYS,
    "ground": pl.String,
    "necessary": pl.Boolean,
    "sufficient": pl.Boolean,
}
"""Verdicts in other conditions, null for a pair without an explanation; ``ground`` names the condition."""

SWEEP: Mapping[str, Any] = {
    "protocol": pl.String,
    "seed": pl.Int64,
    "variant": pl.String,
    "lambda": pl.Float64,
    "alpha": pl.Float64,
    **PAIR,
}
"""Relaxed answers; λ and α are null for the variant *adaptive*, which raises λ for each pair until it flips."""
