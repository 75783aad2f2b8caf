"""What several stages read, as values."""

from __future__ import annotations

import polars as pl

from counterec.core.interactions import Interactions, catalogue_candidates
from counterec.core.space import AspectSpace, Candidates
from counterec.data import tables
from counterec.pipeline import store
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Desk


def space_of(desk: Desk) -> AspectSpace:
    """X and Y."""
    return store.load_space(desk.path(store.ASPECTS), desk.path(store.VOCABULARY))[0]


def parts(desk: Desk) -> dict[str, Interactions]:
    """The parts of the split."""
    return parts_of(store.read_table(desk.path(store.SPLIT)), space_of(desk))


def parts_of(split: pl.DataFrame, space: AspectSpace) -> dict[str, Interactions]:
    """The training, validation and test interactions as numbers."""
    found = {}
    for part in tables.PARTS:
        rows = split.filter(pl.col("part") == part)
        users, items = space.users.numbers(rows["user_id"]), space.items.numbers(rows["item_id"])
        found[part] = Interactions(users, items, len(space.users), len(space.items))
    return found


def candidates_of(config: RunConfig, desk: Desk, space: AspectSpace) -> Candidates:
    """The items that compete, by the protocol of the run."""
    if config.lists.protocol == "sampled":
        return store.candidates_from(store.read_table(desk.path(store.CANDIDATES)), space)
    done = parts(desk)
    return catalogue_candidates(done["train"].joined(done["validation"]))


def ranking_inputs(config: RunConfig) -> tuple[str, ...]:
    """The files that ranking, and all that comes after it, depends on."""
    drawn = (store.CANDIDATES,) if config.lists.protocol == "sampled" else ()
    return (store.ASPECTS, store.VOCABULARY, store.SPLIT, store.MODEL, *drawn)
