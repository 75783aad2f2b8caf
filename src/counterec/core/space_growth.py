"""New users, items and opinions for a space that a model was trained on: X and Y grow, and nothing is trained again.

The aspects and their scale stay, and so does what values are made relative to: the share of praise that Y is drawn
towards, and how much everybody speaks of an aspect, are those of the training. So X and Y change for those alone whom a
new opinion concerns, and mean what they meant to the model.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from counterec.core.arrays import BoolVector, IntMatrix, IntVector, freeze, require
from counterec.core.counted_attention import CountedAttention
from counterec.core.mention_counts import MentionNumbers, counted_opinions
from counterec.core.opinions import Opinions, quality
from counterec.core.space import AspectSpace
from counterec.core.vocabulary import Vocabulary


@dataclass(frozen=True)
class Renumbering:
    """The new numbers of the users and items that there were, in their old order, and how many there are now."""

    users: IntVector
    items: IntVector
    n_users: int
    n_items: int

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, items=np.int64)
        for name, count in (("users", self.n_users), ("items", self.n_items)):
            numbers = getattr(self, name)
            require((np.diff(numbers) > 0).all(), f"{name} must keep their order")
            inside = (numbers >= 0) & (numbers < count)
            require(inside.all(), f"{name} get numbers outside 0 to {count - 1}")

    @classmethod
    def between(cls, space: AspectSpace, users: Vocabulary, items: Vocabulary) -> Renumbering:
        """From the numbers of a space to those of vocabularies that hold all its users and items."""
        return cls(users.numbers(space.users.texts), items.numbers(space.items.texts), len(users), len(items))


def grown_space(space: AspectSpace, users: Vocabulary, items: Vocabulary, mentions: MentionNumbers) -> AspectSpace:
    """The space with these users and items, all of its own among them, and with more mentions, by their numbers."""
    before = space.opinions
    require(before is not None, "this aspect space keeps no opinions, so none can be added; make it from reviews")
    assert before is not None
    to = Renumbering.between(space, users, items)
    more = counted_opinions(mentions, len(users), len(items), len(space.aspects))
    opinions = Opinions(
        **{
            field.name: getattr(more, field.name) + _renumbered(getattr(before, field.name), field.name, to)
            for field in fields(Opinions)
        }
    )
    return replace(
        space,
        users=users,
        items=items,
        user_attention=CountedAttention.of(space).rows(opinions.user_praises + opinions.user_complaints),
        item_quality=_quality(space, opinions),
        opinions=opinions,
    )


def _renumbered(counts: IntMatrix, name: str, to: Renumbering) -> IntMatrix:
    """The counts under the new numbers; 0 for whoever is new."""
    numbers, height = (to.users, to.n_users) if name.startswith("user_") else (to.items, to.n_items)
    found = np.zeros((height, counts.shape[1]), dtype=counts.dtype)
    found[numbers] = counts
    return found


def _quality(space: AspectSpace, opinions: Opinions) -> np.ndarray:
    """Y, by the rule that made it."""
    ceiling, praises, complaints = float(space.scale.high[0]), opinions.item_praises, opinions.item_complaints
    if space.scale.shares is not None:
        return space.scale.shares.quality(opinions, ceiling)
    return quality(praises + complaints, praises - complaints, ceiling)


def without_opinions(space: AspectSpace) -> tuple[BoolVector, BoolVector]:
    """Which users have never mentioned an aspect, and which items were never reviewed on one."""
    return (space.user_attention == 0).all(axis=1), (space.item_quality == space.scale.absent).all(axis=1)
