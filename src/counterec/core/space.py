"""Users, items and aspects as numbers: vocabularies, scales, and the aspect space (X and Y of Eq. 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from counterec.core.arrays import (
    BoolMatrix,
    BoolVector,
    FloatMatrix,
    FloatVector,
    IntMatrix,
    IntVector,
    freeze,
    require,
    require_finite,
    require_shape,
)
from counterec.core.opinions import CEILING, Ladder, Opinions, quality
from counterec.errors import UnknownIdError

ALWAYS_POSSIBLE = 3
"""A balance of this much, up or down, is possible for every aspect, even if no item of the catalogue has it."""


@dataclass(frozen=True)
class Vocabulary:
    """The texts of one kind (users, items or aspects), numbered in their sorted order."""

    kind: str
    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        for before, after in zip(self.texts, self.texts[1:], strict=False):
            require(before < after, f"{self.kind} {after!r} is repeated or out of order after {before!r}")

    @classmethod
    def of(cls, kind: str, texts: Iterable[str]) -> Vocabulary:
        """Number the distinct texts in their sorted order."""
        return cls(kind, tuple(sorted(set(texts))))

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def _number_of(self) -> Mapping[str, int]:
        return {text: number for number, text in enumerate(self.texts)}

    def __contains__(self, text: str) -> bool:
        return text in self._number_of

    def number(self, text: str) -> int:
        """Return the number of a text; an unknown text is an error that suggests similar ones."""
        if text not in self._number_of:
            raise UnknownIdError(f"no {self.kind} {text!r} here{self._suggestion(text)}")
        return self._number_of[text]

    def numbers(self, texts: Iterable[str]) -> IntVector:
        """Return the numbers of many texts."""
        return np.fromiter((self.number(text) for text in texts), dtype=np.int64)

    def _suggestion(self, text: str) -> str:
        import difflib

        near = difflib.get_close_matches(text, self.texts[:20_000], n=3)
        if near:
            return f"; did you mean {', '.join(map(repr, near))}?"
        return f"; there are {len(self)}, such as {', '.join(map(repr, self.texts[:3]))}" if len(self) else ""


@dataclass(frozen=True)
class AspectScale:
    """Per aspect: its lowest and highest value, which end is worse, the value of *absent*, and if it is a category.

    For qualities from reviews: 1 to the ceiling, low is worse, and 0 means *never reviewed on it*. ``ladder`` holds the
    values that opinions can give, where qualities are made from opinions; without it, any value is possible.
    """

    low: FloatVector
    high: FloatVector
    low_is_worse: BoolVector
    absent: FloatVector
    is_category: BoolVector
    ladder: Ladder | None = None

    def __post_init__(self) -> None:
        freeze(self, low=np.float32, high=np.float32, low_is_worse=np.bool_, absent=np.float32, is_category=np.bool_)
        for name in ("low", "high", "low_is_worse", "absent", "is_category"):
            require_shape(f"scale.{name}", getattr(self, name), self.low.shape)
        for name in ("low", "high", "absent"):
            require_finite(f"scale.{name}", getattr(self, name))
        require((self.low < self.high).all(), "scale.low must lie below scale.high for every aspect")
        if self.ladder is not None:
            rising = self.low_is_worse.all() and not self.is_category.any() and (self.absent < self.low).all()
            require(rising, "values made from opinions rise with praise, and absent lies below them")

    @classmethod
    def of_reviews(cls, aspects: int, ceiling: float = CEILING) -> AspectScale:
        """The scale of Eq. 1 for every aspect: 1 to the ceiling, low is worse, absent is 0."""
        return cls(
            low=np.full(aspects, 1.0),
            high=np.full(aspects, ceiling),
            low_is_worse=np.ones(aspects, dtype=bool),
            absent=np.zeros(aspects),
            is_category=np.zeros(aspects, dtype=bool),
            ladder=Ladder.of_reviews(ceiling),
        )

    def __len__(self) -> int:
        return len(self.low)

    @property
    def worst(self) -> FloatVector:
        """The worse end of each aspect."""
        return np.where(self.low_is_worse, self.low, self.high)

    @property
    def best(self) -> FloatVector:
        """The better end of each aspect."""
        return np.where(self.low_is_worse, self.high, self.low)

    @property
    def span(self) -> FloatVector:
        """The difference between the highest and the lowest value of each aspect."""
        return self.high - self.low


def attention(frequency: ArrayLike, ceiling: float = CEILING) -> FloatMatrix:
    """X of Eq. 1: 0 where never mentioned, else 1 + (N−1)·(2/(1+exp(−t)) − 1), t the number of mentions."""
    t = np.asarray(frequency, dtype=np.float64)
    mentioned = 1 + (ceiling - 1) * (2 / (1 + np.exp(-t)) - 1)
    return np.where(t > 0, mentioned, 0.0).astype(np.float32)


@dataclass(frozen=True)
class AspectSpace:
    """X, Y and their scale: how much users care about each aspect, and how well items do on it."""

    users: Vocabulary
    items: Vocabulary
    aspects: Vocabulary
    user_attention: FloatMatrix
    item_quality: FloatMatrix
    scale: AspectScale
    opinions: Opinions | None = None
    """The praises and complaints behind X and Y, where there are any."""

    def __post_init__(self) -> None:
        freeze(self, user_attention=np.float32, item_quality=np.float32)
        require(len(self.aspects) > 0, "an aspect space needs at least one aspect")
        require_shape("user_attention", self.user_attention, (len(self.users), len(self.aspects)))
        require_shape("item_quality", self.item_quality, (len(self.items), len(self.aspects)))
        require_shape("scale", self.scale.low, (len(self.aspects),))
        require_finite("user_attention", self.user_attention)
        require_finite("item_quality", self.item_quality)
        off = np.flatnonzero(~self._on_scale(self.item_quality).all(axis=1))
        for item in off[:1]:
            self.require_on_scale(self.item_quality[item], self.items.texts[item])
        if self.opinions is not None:
            require_shape("user_praises", self.opinions.user_praises, self.user_attention.shape)
            require_shape("item_praises", self.opinions.item_praises, self.item_quality.shape)

    def _on_scale(self, qualities: FloatMatrix) -> BoolMatrix:
        return (qualities == self.scale.absent) | ((qualities >= self.scale.low) & (qualities <= self.scale.high))

    def require_on_scale(self, quality: FloatVector, item: str, or_between: bool = False) -> None:
        """Raise, naming the item and the first aspect at fault, unless all qualities are on the scale.

        With ``or_between`` they may also lie between *absent* and the scale, as the paper's changes do.
        """
        allowed = self._on_scale(quality)
        if or_between:
            ends = np.stack([self.scale.low, self.scale.high, self.scale.absent])
            allowed |= (quality >= ends.min(axis=0)) & (quality <= ends.max(axis=0))
        for aspect in np.flatnonzero(~allowed):
            low, high, absent = (end[aspect] for end in (self.scale.low, self.scale.high, self.scale.absent))
            name = f"item_quality of {item!r} on {self.aspects.texts[aspect]!r}"
            require(False, f"{name} is {quality[aspect]:g}; its scale is {low:g} to {high:g}, or {absent:g} for absent")

    @classmethod
    def from_mentions(
        cls,
        users: Vocabulary,
        items: Vocabulary,
        aspects: Vocabulary,
        mentions: MentionNumbers,
        ceiling: float = CEILING,
    ) -> AspectSpace:
        """Build X and Y by Eq. 1 from mentions."""
        opinions = _counted(mentions, len(users), len(items), len(aspects))
        by_user = opinions.user_praises + opinions.user_complaints
        by_item = opinions.item_praises + opinions.item_complaints
        balance = opinions.item_praises - opinions.item_complaints
        return cls(
            users=users,
            items=items,
            aspects=aspects,
            user_attention=attention(by_user, ceiling),
            item_quality=quality(by_item, balance, ceiling),
            scale=AspectScale.of_reviews(len(aspects), ceiling),
            opinions=opinions,
        )

    @cached_property
    def possible(self) -> tuple[FloatVector, FloatVector]:
        """Per aspect, the least and the greatest value that a change may lead to if it must be possible.

        These are the least and the greatest that any item has. Values made from opinions may always go down to those
        of a balance of −3 and up to those of 3.
        """
        present = self.item_quality != self.scale.absent
        least = np.where(present, self.item_quality, np.inf).min(axis=0, initial=np.inf)
        greatest = np.where(present, self.item_quality, -np.inf).max(axis=0, initial=-np.inf)
        if self.scale.ladder is not None:
            least = np.minimum(least, self.scale.ladder.value(-ALWAYS_POSSIBLE))
            greatest = np.maximum(greatest, self.scale.ladder.value(ALWAYS_POSSIBLE))
        nobody = ~np.isfinite(least)
        return np.where(nobody, self.scale.low, least), np.where(nobody, self.scale.high, greatest)


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


def _counted(mentions: MentionNumbers, users: int, items: int, aspects: int) -> Opinions:
    """Count the praises and the complaints by user and by item."""

    def count(rows: IntVector, height: int, sentiment: int) -> IntMatrix:
        chosen = mentions.sentiments == sentiment
        places = rows[chosen] * aspects + mentions.aspects[chosen]
        return np.bincount(places, minlength=height * aspects).reshape(height, aspects)

    return Opinions(
        user_praises=count(mentions.users, users, 1),
        user_complaints=count(mentions.users, users, -1),
        item_praises=count(mentions.items, items, 1),
        item_complaints=count(mentions.items, items, -1),
    )
