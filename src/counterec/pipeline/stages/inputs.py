"""What several stages read, as values."""

from __future__ import annotations

import polars as pl

from counterec.core.candidates import Candidates, catalogue_candidates
from counterec.core.interactions import Interactions
from counterec.core.lists import Recommendations
from counterec.core.space import AspectSpace
from counterec.data import tables
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import StageContext


def space_of(context: StageContext) -> AspectSpace:
    """X and Y."""
    return serialization.load_space(context.path(serialization.ASPECTS), context.path(serialization.VOCABULARY))[0]


def parts(context: StageContext) -> dict[str, Interactions]:
    """The parts of the split."""
    return parts_of(serialization.read_table(context.path(serialization.SPLIT)), space_of(context))


def parts_of(split: pl.DataFrame, space: AspectSpace) -> dict[str, Interactions]:
    """The training, validation and test interactions as numbers."""
    found = {}
    for part in tables.PARTS:
        rows = split.filter(pl.col("part") == part)
        users, items = space.users.numbers(rows["user_id"]), space.items.numbers(rows["item_id"])
        found[part] = Interactions(users, items, len(space.users), len(space.items))
    return found


def candidates_of(config: RunConfig, context: StageContext, space: AspectSpace) -> Candidates:
    """The items that compete, by the protocol of the run."""
    if config.lists.protocol == "sampled":
        return serialization.candidates_from(serialization.read_table(context.path(serialization.CANDIDATES)), space)
    return untouched(parts(context))


def reserve_of(config: RunConfig, context: StageContext) -> Candidates | None:
    """What the candidates were drawn from, where they were drawn."""
    return untouched(parts(context)) if config.lists.protocol == "sampled" else None


def untouched(split: dict[str, Interactions]) -> Candidates:
    """For every user the catalogue without what they touched before the test part."""
    return catalogue_candidates(split["train"].joined(split["validation"]))


DEPTH = 100
"""How much of every ranking is kept beyond its list: what spares scoring a whole catalogue again for PN and PS."""


def depth(k: int) -> int:
    """How long the kept beginning of a ranking is, less one, as ``rank`` counts it."""
    return max(k + 1, DEPTH - 1)


def heads_of(context: StageContext, candidates: Candidates) -> Recommendations:
    """The beginning of every user's ranking."""
    return serialization.load_heads(context.path(serialization.HEADS), candidates)


def ranking_inputs(config: RunConfig) -> tuple[str, ...]:
    """The files that ranking, and all that comes after it, depends on."""
    drawn = (serialization.CANDIDATES,) if config.lists.protocol == "sampled" else ()
    return (serialization.ASPECTS, serialization.VOCABULARY, serialization.SPLIT, serialization.MODEL, *drawn)
