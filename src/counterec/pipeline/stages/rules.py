"""Tables of groups, boosts and seen items → the rules of the lists, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from counterec.core.rankers.at_most_per_group import NO_GROUP
from counterec.core.vocabulary import Vocabulary
from counterec.data.readers.rule_tables import boosts_of, read_rule_table
from counterec.errors import ReadError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.serialization import save_tensors
from counterec.pipeline.stage import Stage, StageContext


def rules_stage(config: RunConfig) -> Stage:
    """Tables → rules by number; items and users that the run does not know are counted and left out."""
    tables = config.lists.rule_tables
    return Stage(
        name="rules",
        config=config,
        settings=tuple(f"lists.{name}" for name in config.lists.rules if name not in tables),
        inputs=(layout.ASPECTS, layout.VOCABULARY),
        outputs=(layout.RULES,),
        code=("counterec.core.rankers", "counterec.data.readers.rule_tables", "counterec.pipeline.rankers"),
        work=lambda context: _number(context, tables, own=config.lists.ranker is not None),
        sources=tuple(tables.values()),
    )


def _number(context: StageContext, tables: Mapping[str, Path], own: bool) -> None:
    arrays = {"own": np.array([1])} if own else {}
    if "groups" in tables:
        arrays["groups"] = _groups(context, tables["groups"])
        arrays["most"] = np.array([context.config.lists.at_most_per_group])
    if "boosts" in tables:
        arrays["boosts"] = _boosts(context, tables["boosts"])
    if "seen" in tables:
        arrays["seen.users"], arrays["seen.items"] = _seen(context, tables["seen"])
    save_tensors(arrays, context.new(layout.RULES))


def _groups(context: StageContext, path: Path) -> np.ndarray:
    table = read_rule_table("groups", path).unique(maintain_order=True)
    twice = table.filter(pl.col("item").is_duplicated())["item"]
    if len(twice):
        raise ReadError(f"{path}: the item {twice[0]!r} has several groups; a rule needs one")
    items, table = _known(context, table, "item", context.folder.space.items)
    names = sorted(set(table["group"]))
    number = {name: place for place, name in enumerate(names)}
    groups = np.full(len(context.folder.space.items), NO_GROUP, dtype=np.int64)
    groups[items] = [number[name] for name in table["group"]]
    context.counts |= {"groups": len(names), "items_with_a_group": len(items)}
    return groups


def _boosts(context: StageContext, path: Path) -> np.ndarray:
    table = read_rule_table("boosts", path)
    twice = table.filter(pl.col("item").is_duplicated())["item"]
    if len(twice):
        raise ReadError(f"{path}: the item {twice[0]!r} has several boosts; a rule needs one")
    table = table.with_columns(pl.Series("boost", boosts_of(table, path)))
    items, table = _known(context, table, "item", context.folder.space.items)
    boosts = np.zeros(len(context.folder.space.items), dtype=np.float32)
    boosts[items] = table["boost"].to_numpy()
    context.counts |= {"boosted_items": len(items)}
    return boosts


def _seen(context: StageContext, path: Path) -> tuple[np.ndarray, np.ndarray]:
    space = context.folder.space
    _, table = _known(context, read_rule_table("seen", path), "user", space.users)
    items, table = _known(context, table, "item", space.items)
    context.counts |= {"seen": len(items)}
    return space.users.numbers(table["user"]), items


def _known(
    context: StageContext, table: pl.DataFrame, column: str, vocabulary: Vocabulary
) -> tuple[np.ndarray, pl.DataFrame]:
    """The rows whose user or item the run knows, and the numbers of these; the others are counted."""
    known = table.filter(pl.col(column).is_in(list(vocabulary.texts)))
    if len(known) < len(table):
        context.warn(
            f"lists: {len(table) - len(known):,} of {len(table):,} rows name a {column} that the run does not have"
        )
    return vocabulary.numbers(known[column]), known
