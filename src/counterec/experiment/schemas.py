"""The columns of the tables that an experiment leaves; its report is made from these and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from counterec.core.evaluation.necessity_verdicts import VERDICTS

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
    "valid": pl.Boolean,
    "redundant": pl.Float64,
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

STABILITY: Mapping[str, Any] = {**_KEYS, "other": pl.String, "jaccard": pl.Float64}
"""How like the aspects are that are named under other conditions."""

CURVES: Mapping[str, Any] = {
    **_KEYS,
    "in_list": pl.List(pl.Boolean),
    "deleted": pl.List(pl.Float64),
    "inserted": pl.List(pl.Float64),
}
"""What becomes of the item as its aspects are deleted, or inserted, in the order of an explanation: at each share."""

HINDSIGHT: Mapping[str, Any] = {
    **{name: MEASURED[name] for name in ("protocol", "seed", "masked")},
    "user_id": pl.String,
    "item_id": pl.String,
    **dict.fromkeys(("best", "bound", "unconstrained"), pl.Float64),
}
"""The best F1 in hindsight of any method that names only sets whose absence takes the item off."""

RETRAINING: Mapping[str, Any] = {
    **_KEYS,
    "listed": pl.Boolean,
    "holds": pl.Boolean,
    "nets": pl.Int64,
    "nets_hold": pl.Int64,
}
"""Explained pairs under a model trained again: whether the item is in its list and, if so, whether the same change
takes it off; and in how many of the nets, whose mean decides, the answer held before."""

HISTORY: Mapping[str, Any] = {
    **{name: MEASURED[name] for name in ("protocol", "seed")},
    "user_id": pl.String,
    "item_id": pl.String,
    "status": pl.String,
    "reviews": pl.Int64,
    "reviews_proof": pl.String,
    "past_reviews": pl.Int64,
    "sets": pl.Int64,
    "aspects": pl.Int64,
    "aspects_proof": pl.String,
}
"""How many past reviews of its user explain a pair, and how many aspects *minimal* explains it by; null where they do
not. ``status`` is that of the search for reviews, ``past_reviews`` how many the model knows, and ``sets`` how many sets
of them were scored."""

METRICS: Mapping[str, Any] = {**_KEYS, "metric": pl.String, "value": pl.Float64}
"""What metrics of other packages say of the pairs that a method had to explain and did."""

SWEEP: Mapping[str, Any] = {
    "protocol": pl.String,
    "seed": pl.Int64,
    "variant": pl.String,
    "lambda": pl.Float64,
    "alpha": pl.Float64,
    **PAIR,
}
"""Relaxed answers; λ and α are null for the variant *adaptive*, which raises λ for each pair until it flips."""
