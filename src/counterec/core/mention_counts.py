"""Mentions as numbers, and the praises and complaints that they add up to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import IntMatrix, IntVector, freeze, require, require_shape
from counterec.core.opinions import Opinions


@dataclass(frozen=True)
class MentionNumbers:
    """Mentions as numbers: the user, the item, the aspect, and whether it was praised (+1) or criticised (−1)."""

    users: IntVector
    items: IntVector
    aspects: IntVector
    sentiments: IntVector

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, items=np.int64, aspects=np.int64, sentiments=np.int64)
        for name in ("users", "items", "aspects", "sentiments"):
            require_shape(f"mentions.{name}", getattr(self, name), self.users.shape)
        require(np.isin(self.sentiments, (-1, 1)).all(), "the sentiment of a mention must be +1 or -1")


@dataclass(frozen=True)
class ItemMentions:
    """Mentions of items by people who are not among the users: the item, the aspect, and praise (+1) or blame (−1)."""

    items: IntVector
    aspects: IntVector
    sentiments: IntVector

    def __post_init__(self) -> None:
        freeze(self, items=np.int64, aspects=np.int64, sentiments=np.int64)
        for name in ("items", "aspects", "sentiments"):
            require_shape(f"mentions.{name}", getattr(self, name), self.items.shape)
        require(np.isin(self.sentiments, (-1, 1)).all(), "the sentiment of a mention must be +1 or -1")


def counted_opinions(
    mentions: MentionNumbers, users: int, items: int, aspects: int, of_others: ItemMentions | None = None
) -> Opinions:
    """Count the praises and the complaints by user and by item."""

    def count(said: MentionNumbers | ItemMentions, rows: IntVector, height: int, sentiment: int) -> IntMatrix:
        chosen = said.sentiments == sentiment
        places = rows[chosen] * aspects + said.aspects[chosen]
        return np.bincount(places, minlength=height * aspects).reshape(height, aspects)

    def of_items(sentiment: int) -> IntMatrix:
        counts = count(mentions, mentions.items, items, sentiment)
        return counts if of_others is None else counts + count(of_others, of_others.items, items, sentiment)

    return Opinions(
        user_praises=count(mentions, mentions.users, users, 1),
        user_complaints=count(mentions, mentions.users, users, -1),
        item_praises=of_items(1),
        item_complaints=of_items(-1),
    )
