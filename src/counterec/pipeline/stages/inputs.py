"""What several stages read, as values."""

from __future__ import annotations

import polars as pl

from counterec.core.interactions import Interactions, catalogue_candidates
from counterec.core.space import AspectSpace, Candidates, Recommendations
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
    return untouched(parts(desk))


def reserve_of(config: RunConfig, desk: Desk) -> Candidates | None:
    """What the candidates were drawn from, where they were drawn."""
    return untouched(parts(desk)) if config.lists.protocol == "sampled" else None


def untouched(split: dict[str, Interactions]) -> Candidates:
    """For every user the catalogue without what they touched before the test part."""
    return catalogue_candidates(split["train"].joined(split["validation"]))


DEPTH = 100
"""How much of every ranking is kept beyond its list: what spares scoring a whole catalogue again for PN and PS."""


def depth(k: int) -> int:
    """How long the kept beginning of a ranking is, less one, as ``rank`` counts it."""
    return max(k + 1, DEPTH - 1)


def heads_of(desk: Desk, candidates: Candidates) -> Recommendations:
    """The beginning of every user's ranking."""
    return store.load_heads(desk.path(store.HEADS), candidates)


def ranking_inputs(config: RunConfig) -> tuple[str, ...]:
    """The files that ranking, and all that comes after it, depends on."""
    drawn = (store.CANDIDATES,) if config.lists.protocol == "sampled" else ()
    return (store.ASPECTS, store.VOCABULARY, store.SPLIT, store.MODEL, *drawn)
