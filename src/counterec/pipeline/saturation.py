"""Saturation: where items have many reviews, Eq. 1 gives most of their values the top of the scale.

By Eq. 1 six praises more than complaints are worth 4.99 of 5, and so are sixty: such values tell no items apart, and a
model then goes by rare words. Where many values are at the top, shares of praise are the better rule.
"""

from __future__ import annotations

import numpy as np

from counterec.core.space import AspectSpace, AttentionRule, QualityRule
from counterec.pipeline.config import AspectsConfig

AT_THE_TOP = 0.9975
"""A value this far up its scale is at the top: 4.99 of 5."""
WELL_REVIEWED = 20
"""An item with this many opinions is well reviewed."""
SATURATED = 1 / 3
"""With so large a share of the values of well-reviewed items at the top, Eq. 1 tells few items apart."""


def share_at_the_top(space: AspectSpace) -> float:
    """Of the values of well-reviewed items, the share that is at the top of the scale."""
    if space.opinions is None:
        return 0.0
    opinions = space.opinions.item_praises + space.opinions.item_complaints
    values = space.item_quality[opinions.sum(axis=1) >= WELL_REVIEWED]
    values = values[values != space.scale.absent[0]]
    return float(np.mean(values >= top_of(space))) if len(values) else 0.0


def top_of(space: AspectSpace) -> float:
    """From this value on, a value is at the top."""
    return float(space.scale.low[0] + AT_THE_TOP * space.scale.span[0])


def rules_of(settings: AspectsConfig, at_the_top: float) -> tuple[QualityRule, AttentionRule]:
    """The rules for Y and X, by the share at the top under Eq. 1; what is left open is Eq. 1 until it saturates."""
    quality, attention = settings.quality, settings.attention
    if quality == "auto":
        quality = "share" if at_the_top >= SATURATED else "eq1"
    if attention == "auto":
        attention = "relative" if at_the_top >= SATURATED else "eq1"
    return quality, attention
