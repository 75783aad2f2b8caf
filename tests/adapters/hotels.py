"""Small frames of guests and hotels, in Polars and in pandas, and a model whose scores are known."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
import polars as pl

from counterec.adapters.tables import FrameTables

Library = Literal["polars", "pandas"]
LIBRARIES: tuple[Library, ...] = ("polars", "pandas")
NUMBERS = ["age", "budget", "price", "distance", "stars", "wifi"]
WEIGHTS = np.array([0.01, 0.004, -0.03, -0.4, 1.1, 0.7])
"""Of the columns in ``NUMBERS``."""

SCHEMA: dict[str, Any] = {
    "price": {"worse": "high", "format": "{:.0f} €"},
    "distance": {"worse": "high"},
    "stars": {"worse": "low"},
    "wifi": {"worse": "low"},
}


def guests(library: Library = "polars") -> Any:
    columns = {"user_id": ["cleo", "ann", "bob"], "age": [41, 30, 60], "budget": [120.5, 80.0, 200.0]}
    return frame(columns, library)


def hotels(library: Library = "polars", count: int = 12) -> Any:
    random = np.random.default_rng(5)
    columns = {
        "item_id": [f"H{number:02}" for number in reversed(range(count))],
        "price": random.integers(50, 300, count).tolist(),
        "distance": random.uniform(0, 9, count).round(2).tolist(),
        "stars": random.integers(1, 6, count).tolist(),
        "wifi": (random.random(count) < 0.6).tolist(),
    }
    return frame(columns, library)


def frame(columns: dict[str, list[Any]], library: Library) -> Any:
    return pl.DataFrame(columns) if library == "polars" else pd.DataFrame(columns)


def tables(library: Library = "polars", **more: Any) -> FrameTables:
    return FrameTables.of(guests(library), hotels(library), schema=SCHEMA, **more)


def liking(users: Any, items: Any) -> np.ndarray:
    """The known score, from two frames: a weighted sum of their numbers."""
    sides = {name: users if name in list(users.columns) else items for name in NUMBERS}
    columns = [np.asarray(sides[name][name].to_list(), dtype=float) for name in NUMBERS]
    return np.stack(columns, axis=1) @ WEIGHTS


def training_rows(library: Library = "polars", rows: int = 400) -> Any:
    """Rows that a model can be fitted on."""
    random = np.random.default_rng(7)
    columns = {
        "age": random.integers(18, 80, rows),
        "budget": random.uniform(50, 300, rows).round(1),
        "price": random.integers(40, 320, rows),
        "distance": random.uniform(0, 10, rows).round(2),
        "stars": random.integers(1, 6, rows),
        "wifi": random.random(rows) < 0.5,
    }
    return frame({name: values.tolist() for name, values in columns.items()}, library)


def training_scores(rows: Any) -> np.ndarray:
    return np.stack([np.asarray(rows[name].to_list(), dtype=float) for name in NUMBERS], axis=1) @ WEIGHTS
