"""The scale of each aspect: its ends, which of them is worse, what stands for *absent*, and its steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector, freeze, require, require_finite, require_shape
from counterec.core.attributes import Schema
from counterec.core.opinions import CEILING, Ladder
from counterec.core.praise_shares import PraiseShares

STEP_ROUNDING = 1e-3
"""A value this share of a step away from a whole number of steps is that number, off by rounding."""

StepRounding = Callable[[Any], Any]
"""Which of two neighbouring steps is meant: the nearest (``np.rint``), the lower or the upper."""


@dataclass(frozen=True)
class AspectScale:
    """Per aspect: its lowest and highest value, which end is worse, the value of *absent*, and if it is a category.

    For qualities from reviews: 1 to the ceiling, low is worse, and 0 means *never reviewed on it*. ``ladder`` holds the
    values that opinions can give, where qualities are made from opinions by Eq. 1; ``shares`` says how they are made
    from the share of praise. Without either, any value is possible. ``schema`` holds the attributes that the scale was
    made from, where aspects are attributes of other kinds.
    """

    low: FloatVector
    high: FloatVector
    low_is_worse: BoolVector
    absent: FloatVector
    is_category: BoolVector
    ladder: Ladder | None = None
    shares: PraiseShares | None = None
    schema: Schema | None = None

    def __post_init__(self) -> None:
        freeze(self, low=np.float32, high=np.float32, low_is_worse=np.bool_, absent=np.float32, is_category=np.bool_)
        for name in ("low", "high", "low_is_worse", "absent", "is_category"):
            require_shape(f"scale.{name}", getattr(self, name), self.low.shape)
        for name in ("low", "high", "absent"):
            require_finite(f"scale.{name}", getattr(self, name))
        require((self.low < self.high).all(), "scale.low must lie below scale.high for every aspect")
        require(self.ladder is None or self.shares is None, "values come from a ladder or from shares, not from both")
        if self.shares is not None:
            require_shape("shares.mean", self.shares.mean, self.low.shape)
        if self.ladder is not None or self.shares is not None:
            rising = self.low_is_worse.all() and not self.is_category.any() and (self.absent < self.low).all()
            require(rising, "values made from opinions rise with praise, and absent lies below them")
        if self.schema is not None:
            require(len(self.schema) == len(self.low), f"{len(self.schema)} attributes for {len(self.low)} aspects")
            require(self.ladder is None and self.shares is None, "attributes of a schema are not made from opinions")

    @classmethod
    def of_schema(cls, schema: Schema) -> AspectScale:
        """The scale of attributes: their ranges and codes, in the order of the schema."""
        low, high = np.array([attribute.ends for attribute in schema.attributes]).T
        return cls(
            low=low,
            high=high,
            low_is_worse=np.array([attribute.worse != "high" for attribute in schema.attributes]),
            absent=schema.numbers("absent"),
            is_category=~schema.flags("is_number"),
            schema=schema,
        )

    @classmethod
    def of_reviews(cls, aspects: int, ceiling: float = CEILING, shares: PraiseShares | None = None) -> AspectScale:
        """The scale of Eq. 1, or of shares of praise, for every aspect: 1 to the ceiling, low is worse, absent is 0."""
        return cls(
            low=np.full(aspects, 1.0),
            high=np.full(aspects, ceiling),
            low_is_worse=np.ones(aspects, dtype=bool),
            absent=np.zeros(aspects),
            is_category=np.zeros(aspects, dtype=bool),
            ladder=Ladder.of_reviews(ceiling) if shares is None else None,
            shares=shares,
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
        """The difference between the highest and the lowest value of each aspect; 1 between any two categories."""
        if self.schema is None:
            return self.high - self.low
        return np.where(self.is_category, np.float32(1), self.high - self.low)

    @cached_property
    def either_way(self) -> BoolVector:
        """Which aspects have no worse end: a change may lead either way, whatever is asked."""
        return self._flags("either_way", default=False)

    @cached_property
    def can_be_absent(self) -> BoolVector:
        """Which aspects an item may lack."""
        return self._flags("can_be_absent", default=True)

    @cached_property
    def steps(self) -> FloatVector | None:
        """What each number moves by; None where any value is possible, or opinions give the values."""
        return (
            None if self.schema is None else np.array([a.steps if a.is_number else 1.0 for a in self.schema.attributes])
        )

    def _flags(self, name: str, *, default: bool) -> BoolVector:
        return np.full(len(self), default) if self.schema is None else self.schema.flags(name)

    def on_steps(self, aspects: IntVector, values: FloatVector, rounding: StepRounding = np.rint) -> FloatVector:
        """The whole multiple of its step that each value is rounded to; the value itself where there are no steps."""
        if self.steps is None:
            return values
        step = self.steps[aspects]
        counted, nearest = np.asarray(values, dtype=np.float64) / step, np.rint(np.asarray(values) / step)
        # In single precision, a whole number of steps is hardly ever exactly one.
        same = np.abs(counted - nearest) <= np.maximum(STEP_ROUNDING, 2.0**-22 * np.abs(counted))
        return np.where(same, nearest, rounding(counted)) * step
