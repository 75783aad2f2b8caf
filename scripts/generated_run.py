"""A run of any size, made cheaply from generated mentions: to try how things grow."""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl

from counterec import make_config, make_run
from counterec.synthetic.reviews import item_names, synthetic_mentions
from counterec.synthetic.world import WorldSize, synthetic_world


def make_generated(folder: Path, size: WorldSize) -> None:
    """Make a run of this size, without texts; its small net is hardly trained, and only *minimal* explains it."""
    world = synthetic_world(size, 0)
    names = item_names(world, 0)
    with tempfile.TemporaryDirectory() as work:
        mentions, items = Path(work) / "mentions.parquet", Path(work) / "items.parquet"
        opinion = pl.when(pl.col("sentiment") > 0).then(pl.lit("good")).otherwise(pl.lit("bad"))
        synthetic_mentions(world).with_columns(opinion=opinion).write_parquet(mentions)
        pl.DataFrame({"id": list(names), "name": list(names.values())}).write_parquet(items)
        settings = {
            "data": {"sources": [str(mentions)], "format": "mentions", "items": str(items), "min_user_reviews": 7},
            "model": {"kind": "net"},
            "training": {"hidden": [16, 8], "epochs": 1},
            "explain": {"methods": ["minimal"]},
        }
        make_run(make_config(settings, "page_opening"), folder)
