"""Whom and what an updated run knows nothing of: they came after the training, and no review of theirs names an aspect.

An answer about them is true of the model, but says little of them: rows have a column for it, and sentences say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from counterec.core.space import AspectSpace
from counterec.core.space_growth import without_opinions

COLUMN = "without_history"
"""The column of explanations of an updated run: ``user``, ``item``, ``both``, or null."""


@dataclass(frozen=True)
class WithoutHistory:
    """The ids of users and items without a history."""

    users: frozenset[str]
    items: frozenset[str]

    @classmethod
    def of(cls, space: AspectSpace, arrived: Mapping[str, Sequence[str]]) -> WithoutHistory:
        """Of those that arrived after the training, those of whom no aspect is known."""
        users, items = without_opinions(space)
        return cls(
            frozenset(user for user in arrived["users"] if users[space.users.number(user)]),
            frozenset(item for item in arrived["items"] if items[space.items.number(item)]),
        )

    def marked(self, table: pl.DataFrame) -> pl.DataFrame:
        """Explanations with the column that says of whom nothing is known."""
        user, item = pl.col("user_id").is_in(list(self.users)), pl.col("item_id").is_in(list(self.items))
        which = (
            pl.when(user & item).then(pl.lit("both")).when(user).then(pl.lit("user")).when(item).then(pl.lit("item"))
        )
        return table.with_columns(which.otherwise(None).cast(pl.String).alias(COLUMN))
