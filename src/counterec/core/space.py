"""The aspect space: X and Y of Eq. 1, or attributes as people have them, on their scale."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counterec.core.arrays import (
    BoolMatrix,
    FloatMatrix,
    FloatVector,
    IntVector,
    freeze,
    require,
    require_finite,
    require_shape,
)
from counterec.core.attributes import Attribute, Schema
from counterec.core.counted_values import CommonValues, CountedValues, OwnValues
from counterec.core.mention_counts import ItemMentions, MentionNumbers, counted_opinions
from counterec.core.opinions import CEILING, Ladder, Opinions, quality
from counterec.core.praise_shares import PraiseShares, relative_attention
from counterec.core.scale import AspectScale
from counterec.core.vocabulary import Vocabulary

MOST_COMPLAINTS = 1e6
"""Stands for any number of complaints."""
ALWAYS_POSSIBLE = 3
"""The value of this many praises, or complaints, is possible for every aspect, even if no item has it."""

WELL_REVIEWED = 5
"""An item with this many opinions on an aspect is well reviewed on it."""
SHOWN_BY = 10
"""This many well-reviewed items show which shares of praise are possible; with fewer, every share is."""

QualityRule = Literal["eq1", "share"]
"""How Y is made from opinions: by Eq. 1, or as the share of praise."""
AttentionRule = Literal["eq1", "relative"]
"""How X is made from mentions: by Eq. 1, or relative to how much everybody speaks of the aspect."""


def attention(frequency: ArrayLike, ceiling: float = CEILING) -> FloatMatrix:
    """X of Eq. 1: 0 where never mentioned, else 1 + (N−1)·(2/(1+exp(−t)) − 1), t the number of mentions."""
    t = np.asarray(frequency, dtype=np.float64)
    mentioned = 1 + (ceiling - 1) * (2 / (1 + np.exp(-t)) - 1)
    return np.where(t > 0, mentioned, 0.0).astype(np.float32)


def _marked(qualities: FloatMatrix) -> NDArray[np.uint64]:
    """A number per row, Σₖ bits(yₖ)·wₖ modulo 2⁶⁴ with odd wₖ: equal rows have equal ones, others hardly ever."""
    bits = (np.ascontiguousarray(qualities, dtype=np.float32) + np.float32(0)).view(np.uint32)  # −0 is 0
    weights = (np.arange(1, bits.shape[1] + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)) | np.uint64(1)
    return (bits.astype(np.uint64) * weights).sum(axis=1, dtype=np.uint64)


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

    def items_like(self, quality: FloatVector) -> IntVector:
        """The items that have exactly these qualities, sorted."""
        given = np.asarray(quality, dtype=np.float32)[None]
        marks, order = self._marks
        first, last = (np.searchsorted(marks, _marked(given)[0], side=side) for side in ("left", "right"))
        alike = np.sort(order[first:last])
        return alike[(self.item_quality[alike] == given).all(axis=1)]

    def prepare(self) -> None:
        """Make now what is made once, when it is first asked for."""
        for made_once in ("_marks", "counted_values", "possible", "without"):
            getattr(self, made_once)

    @cached_property
    def _marks(self) -> tuple[NDArray[np.uint64], IntVector]:
        """One number per item, equal for equal qualities, sorted; and the items in that order."""
        marks = _marked(self.item_quality)
        order = np.argsort(marks, kind="stable")
        return marks[order], order

    def equal_items(self) -> tuple[IntVector, IntVector]:
        """Groups of items with equal qualities: the first item of each group, and the group of each item."""
        marks, order = self._marks
        starts = np.concatenate([np.ones(min(1, len(marks)), dtype=bool), marks[1:] != marks[:-1]])
        first, group = order[starts], np.empty_like(order)
        group[order] = np.cumsum(starts) - 1
        if (self.item_quality == self.item_quality[first][group]).all():
            return first, group
        return np.unique(self.item_quality, axis=0, return_index=True, return_inverse=True)[1:]

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
    def worst_shares(self) -> FloatVector:
        """Per aspect, the lowest share of praise of any well-reviewed item; 0 where too few items are well reviewed."""
        if self.opinions is None:
            return np.zeros(len(self.aspects))
        praises, total = self.opinions.item_praises, self.opinions.item_praises + self.opinions.item_complaints
        reviewed = total >= WELL_REVIEWED
        shares = np.where(reviewed, praises / np.maximum(total, 1), 1.0).min(axis=0, initial=1.0)
        return np.where(reviewed.sum(axis=0) >= SHOWN_BY, shares, 0.0)

    def lowest_possible(self, items: IntVector) -> FloatMatrix:
        """Return the least value that complaints may lead to, per item and aspect [items, aspects].

        Some item must have a value this low, and some well-reviewed item a share of praise this low. Few opinions may
        all be complaints: below ``WELL_REVIEWED`` any share is possible.
        """
        least = np.broadcast_to(self.possible[0], (len(items), len(self.aspects)))
        if self.opinions is None or self.counted_values is None:
            return least
        praises, complaints = self.opinions.item_praises[items], self.opinions.item_complaints[items]
        worst = np.maximum(self.worst_shares, 1e-9)
        most = np.maximum(complaints, WELL_REVIEWED - 1 - praises)
        most = np.maximum(most, np.floor(np.minimum(praises * (1 - worst) / worst, MOST_COMPLAINTS) + 1e-9))
        return np.maximum(least, self.counted_values.of_opinions(praises, most))

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
