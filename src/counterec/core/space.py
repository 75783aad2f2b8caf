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
    IntVector,
    freeze,
    require,
    require_finite,
    require_shape,
)
from counterec.errors import UnknownIdError

CEILING = 5.0
"""N of Eq. 1: the top of the rating scale, five stars in most systems."""


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

    For qualities from reviews: 1 to the ceiling, low is worse, and 0 means *never reviewed on it*.
    """

    low: FloatVector
    high: FloatVector
    low_is_worse: BoolVector
    absent: FloatVector
    is_category: BoolVector

    def __post_init__(self) -> None:
        freeze(self, low=np.float32, high=np.float32, low_is_worse=np.bool_, absent=np.float32, is_category=np.bool_)
        for name in ("low", "high", "low_is_worse", "absent", "is_category"):
            require_shape(f"scale.{name}", getattr(self, name), self.low.shape)
        for name in ("low", "high", "absent"):
            require_finite(f"scale.{name}", getattr(self, name))
        require((self.low < self.high).all(), "scale.low must lie below scale.high for every aspect")

    @classmethod
    def of_reviews(cls, aspects: int, ceiling: float = CEILING) -> AspectScale:
        """The scale of Eq. 1 for every aspect: 1 to the ceiling, low is worse, absent is 0."""
        return cls(
            low=np.full(aspects, 1.0),
            high=np.full(aspects, ceiling),
            low_is_worse=np.ones(aspects, dtype=bool),
            absent=np.zeros(aspects),
            is_category=np.zeros(aspects, dtype=bool),
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


def quality(frequency: ArrayLike, total_sentiment: ArrayLike, ceiling: float = CEILING) -> FloatMatrix:
    """Y of Eq. 1: 0 where never reviewed, else 1 + (N−1)/(1+exp(−t·s)).

    t is the number of mentions and s their mean sentiment, so t·s is the sum of the sentiments: an integer, which does
    not depend on the order of summation.
    """
    t = np.asarray(frequency, dtype=np.float64)
    ts = np.asarray(total_sentiment, dtype=np.float64)
    reviewed = 1 + (ceiling - 1) / (1 + np.exp(-ts))
    return np.where(t > 0, reviewed, 0.0).astype(np.float32)


@dataclass(frozen=True)
class AspectSpace:
    """X, Y and their scale: how much users care about each aspect, and how well items do on it."""

    users: Vocabulary
    items: Vocabulary
    aspects: Vocabulary
    user_attention: FloatMatrix
    item_quality: FloatMatrix
    scale: AspectScale

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

    def _on_scale(self, qualities: FloatMatrix) -> BoolMatrix:
        return (qualities == self.scale.absent) | ((qualities >= self.scale.low) & (qualities <= self.scale.high))

    def require_on_scale(self, quality: FloatVector, item: str) -> None:
        """Raise, naming the item and the first aspect at fault, unless all qualities are on the scale."""
        for aspect in np.flatnonzero(~self._on_scale(quality)):
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
        by_user = _tally(mentions.users, mentions.aspects, len(users), len(aspects))
        by_item = _tally(mentions.items, mentions.aspects, len(items), len(aspects))
        sentiment = _tally(mentions.items, mentions.aspects, len(items), len(aspects), mentions.sentiments)
        return cls(
            users=users,
            items=items,
            aspects=aspects,
            user_attention=attention(by_user, ceiling),
            item_quality=quality(by_item, sentiment, ceiling),
            scale=AspectScale.of_reviews(len(aspects), ceiling),
        )


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


def _tally(
    rows: IntVector, columns: IntVector, height: int, width: int, weights: IntVector | None = None
) -> FloatMatrix:
    """Sum the weights (1 each by default) per (row, column)."""
    flat = np.bincount(rows * width + columns, weights=weights, minlength=height * width)
    return flat.reshape(height, width).astype(np.float64)
