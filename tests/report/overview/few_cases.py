"""Cases few enough to count by hand."""

from __future__ import annotations

from typing import Any

import polars as pl

SCHEMA = {
    "user_id": pl.String,
    "item_id": pl.String,
    "position": pl.Int32,
    "status": pl.String,
    "aspects": pl.List(pl.String),
    "sizes": pl.List(pl.Float64),
    "strength": pl.Float64,
    "necessary": pl.Boolean,
    "lead_aspects": pl.Float32,
    "lead_history": pl.Float32,
    "below_id": pl.String,
    "activity": pl.Enum(["2–9", "10–30"]),
    "taste": pl.String,
}


def case(user: str, item: str, position: int, sizes: dict[str, float], **more: Any) -> dict[str, Any]:
    """One recommendation that is explained by changes of these sizes; without any it is not."""
    status = "explained" if sizes else "not_found"
    found = {"user_id": user, "item_id": item, "position": position, "status": status}
    return dict.fromkeys(SCHEMA) | found | {"aspects": list(sizes), "sizes": list(sizes.values())} | more


def cases(*rows: dict[str, Any]) -> pl.DataFrame:
    """The cases as a frame."""
    return pl.DataFrame(rows, schema=SCHEMA)


ANN = {"activity": "2–9", "taste": "battery", "below_id": "D"}
BEN = {"activity": "10–30", "taste": "price", "below_id": "C"}

FEW = cases(
    case("ann", "A", 1, {"battery": 0.5}, strength=2.0, necessary=True, lead_aspects=3.0, lead_history=1.0, **ANN),
    case("ann", "B", 2, {"battery": 0.6, "price": 0.2}, strength=4.0, necessary=False, **ANN),
    case("ann", "C", 3, {}, lead_aspects=1.0, lead_history=2.0, **ANN),
    case("ben", "A", 1, {"price": 1.0}, strength=1.0, necessary=True, **BEN),
    case("ben", "D", 2, {"battery": 0.1}, necessary=None, **BEN),
)
"""Two users: the battery decides three of five recommendations, the price two."""
