"""Users: what somebody cares about, and what they have reviewed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from counterec.pipeline.layout import SPLIT

if TYPE_CHECKING:
    from counterec.run import Run

TASTES = 6
"""How many aspects are shown of what a user cares about."""
PARTS = {"train": "", "validation": "held out, to choose settings", "test": "held out, to test"}
"""What the parts of the split are to a reader."""


@dataclass(frozen=True)
class Taste:
    """An aspect that a user cares about."""

    aspect: str
    mentions: int | None
    """How often they have mentioned it; None where that is not counted."""
    share: float
    """How much they care, of the most that anybody can."""


@dataclass(frozen=True)
class KnownItem:
    """An item that a user has reviewed, or otherwise knows."""

    item_id: str
    name: str
    note: str


def taste(run: Run, user_id: str) -> tuple[Taste, ...]:
    """The aspects that a user cares about most; none where all users care about all aspects alike."""
    space, user = run.space, run.space.users.number(user_id)
    attention = space.user_attention[user]
    if (attention == attention[0]).all():
        return ()
    mentions = None
    if space.opinions is not None:
        mentions = space.opinions.user_praises[user] + space.opinions.user_complaints[user]
    most = float(np.abs(space.user_attention).max())
    order = np.argsort(-attention, kind="stable")[:TASTES]
    return tuple(
        Taste(
            space.aspects.texts[aspect],
            None if mentions is None else int(mentions[aspect]),
            float(attention[aspect]) / most,
        )
        for aspect in order.tolist()
        if attention[aspect] > 0
    )


def known_items(run: Run, user_id: str) -> tuple[KnownItem, ...] | None:
    """What a user has reviewed, by name; None where the run does not say."""
    if not run.has(SPLIT):
        return None
    rows = run.split.filter(pl.col("user_id") == user_id).select("item_id", "part").rows()
    found = [KnownItem(item_id, run.item_name(item_id), PARTS.get(part, "")) for item_id, part in rows]
    return tuple(sorted(found, key=lambda item: (item.note, item.name)))
