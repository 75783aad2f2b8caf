"""Rows few enough to count by hand, built pair by pair."""

from __future__ import annotations

from typing import Any

import polars as pl

from counterec.report.experiment_rows import SCHEMAS, ExperimentRows
from tests.report.rows import frame


def row(user: str, item: str = "i", **instead: Any) -> dict[str, Any]:
    """One pair of the relaxed answers, without an explanation."""
    cell = {"protocol": "full", "seed": 0, "method": "relaxed", "shape": "multi", "masked": False}
    place = {"user_id": user, "item_id": item, "position": 1, "joint": True}
    rest = {"explained": False, "aspects": [], "in_test": False, "praised": 0}
    return dict.fromkeys(SCHEMAS["rows"]) | cell | place | rest | instead


def answer(user: str, necessary: bool | None, sufficient: bool | None, item: str = "i", **more: Any) -> dict[str, Any]:
    """One pair with an explanation; the kind rule always decides for it, the strict rule always against it."""
    ties = dict.fromkeys(("necessary_kind", "sufficient_kind"), True)
    ties |= dict.fromkeys(("necessary_strict", "sufficient_strict"), False)
    found = {"explained": True, "aspects": ["a"], "necessary": necessary, "sufficient": sufficient}
    return row(user, item, **{**found, **(ties if necessary is not None else {}), **more})


def experiment_of(rows: list[dict[str, Any]], **frames: pl.DataFrame) -> ExperimentRows:
    empty = {name: pl.DataFrame(schema=schema) for name, schema in SCHEMAS.items()}
    return ExperimentRows(**{**empty, "rows": frame("rows", rows), **frames}, methods={})


def counted(user: str, item: str, f1: float, method: str, **more: Any) -> dict[str, Any]:
    """One pair that counts on the user's side and is necessary and sufficient."""
    return answer(user, True, True, item, in_test=True, praised=1, f1=f1, method=method, **more)
