"""Users, items and aspects as numbers: vocabularies, scales, and the aspect space (X and Y of Eq. 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

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
from counterec.core.attributes import Attribute, Schema
from counterec.core.counted_values import CommonValues, CountedValues, OwnValues
from counterec.core.opinions import CEILING, Ladder, Opinions, quality
from counterec.core.praise_shares import PraiseShares, relative_attention
from counterec.errors import UnknownIdError

ALWAYS_POSSIBLE = 3
"""The value of this many praises, or complaints, is possible for every aspect, even if no item has it."""

STEP_ROUNDING = 1e-3
"""A value this share of a step away from a whole number of steps is that number, off by rounding."""

StepRounding = Callable[[Any], Any]
"""Which of two neighbouring steps is meant: the nearest (``np.rint``), the lower or the upper."""

QualityRule = Literal["eq1", "share"]
"""How Y is made from opinions: by Eq. 1, or as the share of praise."""
AttentionRule = Literal["eq1", "relative"]
"""How X is made from mentions: by Eq. 1, or relative to how much everybody speaks of the aspect."""


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

    def checked_numbers(self, given: ArrayLike) -> IntVector:
        """Return numbers as a vector; one that no text has is an error, since -1 would silently be the last."""
        found = np.atleast_1d(np.asarray(given))
        if found.ndim != 1 or (len(found) and found.dtype.kind not in "iu"):
            example = found.flat[0] if found.size else given
            raise UnknownIdError(
                f"{example!r} is not the number of a {self.kind}; pass whole numbers in a row, such as those that "
                "numbers(ids) of the vocabulary returns"
            )
        outside = found[(found < 0) | (found >= len(self))]
        if len(outside):
            raise UnknownIdError(f"no {self.kind} {outside[0]}; there are {len(self)}, numbered 0 to {len(self) - 1}")
        return found.astype(np.int64)

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
        if self.schema is not None:
            require(self.schema.names == self.aspects.texts, f"the aspects are not the attributes {self.schema.names}")
        off = np.flatnonzero(~self._on_scale(self.item_quality).all(axis=1))
        for item in off[:1]:
            self.require_on_scale(self.item_quality[item], self.items.texts[item])
        if self.opinions is not None:
            require_shape("user_praises", self.opinions.user_praises, self.user_attention.shape)
            require_shape("item_praises", self.opinions.item_praises, self.item_quality.shape)
        require(
            self.scale.shares is None or self.opinions is not None,
            "values made from shares of praise need the opinions that they were made from",
        )

    @classmethod
    def of_attributes(
        cls,
        users: Vocabulary,
        items: Vocabulary,
        schema: Schema,
        item_quality: FloatMatrix,
        user_attention: FloatMatrix | None = None,
    ) -> AspectSpace:
        """The space of items with these attributes, given as codes; by default users care about all alike."""
        alike = np.ones((len(users), len(schema)))
        return cls(
            users=users,
            items=items,
            aspects=Vocabulary("attribute", schema.names),
            user_attention=alike if user_attention is None else user_attention,
            item_quality=item_quality,
            scale=AspectScale.of_schema(schema),
        )

    @property
    def schema(self) -> Schema | None:
        """The attributes that the aspects are; None where they are qualities from reviews, or plain numbers."""
        return self.scale.schema

    def _on_scale(self, qualities: FloatMatrix) -> BoolMatrix:
        scale = self.scale
        inside = (qualities >= scale.low) & (qualities <= scale.high)
        if scale.schema is None:
            return (qualities == scale.absent) | inside
        values = np.array([attribute.count for attribute in scale.schema.attributes])
        known = ~scale.is_category | ((qualities == np.rint(qualities)) & (qualities < values))
        return ((qualities == scale.absent) & scale.can_be_absent) | (inside & known)

    def require_on_scale(self, quality: FloatVector, item: str, or_between: bool = False) -> None:
        """Raise, naming the item and the first aspect at fault, unless all qualities are on the scale.

        With ``or_between`` they may also lie between *absent* and the scale, as the paper's changes do.
        """
        allowed = self._on_scale(quality)
        if or_between and self.schema is None:
            ends = np.stack([self.scale.low, self.scale.high, self.scale.absent])
            allowed |= (quality >= ends.min(axis=0)) & (quality <= ends.max(axis=0))
        for aspect in np.flatnonzero(~allowed):
            if self.schema is not None:
                require(False, _off_scale(self.schema[int(aspect)], float(quality[aspect]), item))
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
        *,
        quality_rule: QualityRule = "eq1",
        attention_rule: AttentionRule = "eq1",
        of_others: ItemMentions | None = None,
    ) -> AspectSpace:
        """Build X and Y from mentions, by Eq. 1 or by the other rules.

        ``of_others`` are mentions of the items by people who are not among the users: they count for Y only.
        """
        opinions = counted_opinions(mentions, len(users), len(items), len(aspects), of_others)
        by_user = opinions.user_praises + opinions.user_complaints
        by_item = opinions.item_praises + opinions.item_complaints
        balance = opinions.item_praises - opinions.item_complaints
        shares = PraiseShares.of(opinions) if quality_rule == "share" else None
        made = quality(by_item, balance, ceiling) if shares is None else shares.quality(opinions, ceiling)
        relative = attention_rule == "relative"
        return cls(
            users=users,
            items=items,
            aspects=aspects,
            user_attention=relative_attention(by_user, ceiling) if relative else attention(by_user, ceiling),
            item_quality=made,
            scale=AspectScale.of_reviews(len(aspects), ceiling, shares),
            opinions=opinions,
        )

    @cached_property
    def counted_values(self) -> CountedValues | None:
        """The values that opinions can give each aspect of each item; None where any value is possible."""
        scale = self.scale
        if scale.shares is not None and self.opinions is not None:
            praises, complaints = self.opinions.item_praises, self.opinions.item_complaints
            return OwnValues(scale.shares, praises, complaints, float(scale.high[0]))
        return None if scale.ladder is None else CommonValues(scale.ladder)

    def ladder_of(self, item: int, aspect: int) -> Ladder | None:
        """The values that opinions can give this aspect of this item, with their balances."""
        return None if self.counted_values is None else self.counted_values.ladder(item, aspect)

    @cached_property
    def possible(self) -> tuple[FloatVector, FloatVector]:
        """Per aspect, the least and the greatest value that a change may lead to if it must be possible.

        These are the least and the greatest that any item has; for attributes, on their steps. Values made from
        opinions may always go down to those of three complaints and up to those of three praises.
        """
        if self.schema is None:
            return self.held
        scale, everything, (least, greatest) = self.scale, np.arange(len(self.aspects)), self.held
        above, below = scale.on_steps(everything, least, np.ceil), scale.on_steps(everything, greatest, np.floor)
        last = [attribute.count - 1.0 for attribute in self.schema.attributes]
        return (
            np.where(scale.is_category, 0, np.where(above <= below, above, least)).astype(np.float32),
            np.where(scale.is_category, last, np.where(above <= below, below, greatest)).astype(np.float32),
        )

    @cached_property
    def held(self) -> tuple[FloatVector, FloatVector]:
        """Per aspect, the least and the greatest value that any item has, or that few opinions would give it."""
        present = self.item_quality != self.scale.absent
        least = np.where(present, self.item_quality, np.inf).min(axis=0, initial=np.inf)
        greatest = np.where(present, self.item_quality, -np.inf).max(axis=0, initial=-np.inf)
        if self.counted_values is not None:
            least = np.minimum(least, self.counted_values.of_few(0, ALWAYS_POSSIBLE))
            greatest = np.maximum(greatest, self.counted_values.of_few(ALWAYS_POSSIBLE, 0))
        nobody = ~np.isfinite(least)
        return np.where(nobody, self.scale.low, least), np.where(nobody, self.scale.high, greatest)

    @cached_property
    def without(self) -> FloatVector:
        """Per aspect, the value of an item *without* it, as necessity and sufficiency mean it: absent.

        An attribute that no item can lack is then the same for all: no, of what is yes or no, the commonest category,
        and the middle one of the numbers.
        """
        schema = self.schema
        if schema is None:
            return self.scale.absent
        alike = [_common(schema[aspect], codes) for aspect, codes in enumerate(self.item_quality.T)]
        return np.where(self.scale.can_be_absent, self.scale.absent, alike).astype(np.float32)


def _off_scale(attribute: Attribute, code: float, item: str) -> str:
    """What is wrong with the value of an attribute, without a word about codes that nobody has given."""
    name = f"{attribute.name!r} of {item!r}"
    if np.float32(code) == np.float32(attribute.absent):
        return f"{name} is missing; give a value, or say can_be_absent in the schema"
    if not attribute.is_number:
        return f"{name} has the code {code:g}, which no value has; its codes are 0 to {attribute.count - 1}"
    low, high = attribute.ends
    return f"{name} is {code:g}; its range is {low:g} to {high:g}"


def _common(attribute: Attribute, codes: FloatVector) -> float:
    """A value that all items could share: no, the commonest category (the first of equals), the middle number."""
    if attribute.kind == "yes_no" or not len(codes):
        return attribute.ends[0]
    if attribute.is_number:
        return float(np.sort(codes)[(len(codes) - 1) // 2])
    found, counts = np.unique(codes, return_counts=True)
    return float(found[counts.argmax()])


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
