"""What everything that takes a model and two frames takes besides them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypedDict

from counterec.adapters.attribute_inference import SchemaLike
from counterec.adapters.frame_library import Frame
from counterec.adapters.pair_tables import PairTable
from counterec.adapters.tables import FrameTables, Recompute


class TableOptions(TypedDict, total=False):
    """What is said of the frames and of who competes."""

    schema: SchemaLike | None
    """What the columns of items do not show by themselves: ``{"price": {"worse": "high", "format": "{:.0f} €"}}``."""
    keep: Collection[str]
    """Attributes that must not move."""
    candidates: PairTable | None
    """Who competes, by user and item; by default every item for everybody."""
    seen: PairTable | None
    """Items that do not compete for a user's list."""
    recompute: Recompute | None
    """Computes derived attributes anew, from changed item rows to the same rows."""
    user_id: str | None
    item_id: str | None
    """The columns of ids; by default ``user_id`` and ``item_id``, or the index."""
    item_name: str | None
    """A column of names, for sentences."""


def tables_by(users: Frame, items: Frame, options: TableOptions) -> FrameTables:
    """The two frames as these options say."""
    name = options.get("item_name")
    return FrameTables.of(
        users,
        items,
        schema=options.get("schema"),
        keep=options.get("keep", ()),
        user_id=options.get("user_id"),
        item_id=options.get("item_id"),
        other_columns=() if name is None else (name,),
        recompute=options.get("recompute"),
    )
