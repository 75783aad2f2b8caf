"""Warn of data that is too thin for reasons to mean much: few reviews per item, or one opinion per aspect."""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.opinions import Opinions

ENOUGH_REVIEWS = 3
"""Median number of reviews per item below which reasons rest on single opinions."""
MOST = 0.5
"""Share of recommended items with one opinion per aspect above which that is worth a warning."""
WHAT_HELPS = (
    "leave out items with few reviews (--min-item-reviews 5), keep fewer aspects (--most-aspects 20), "
    "or bring more reviews"
)


def warn_of_few_reviews(per_item: IntVector) -> str:
    """Return a warning if the median item has fewer than ``ENOUGH_REVIEWS`` reviews; else an empty text."""
    if not len(per_item) or (median := float(np.median(per_item))) >= ENOUGH_REVIEWS:
        return ""
    return (
        f"there are few reviews per item (median {median:g}, over {len(per_item):,} items), so reasons will rest on "
        f"single opinions: {WHAT_HELPS}"
    )


def warn_of_single_opinions(share: float | None) -> str:
    """Return a warning if most recommended items have one opinion per aspect; else an empty text."""
    if share is None or share <= MOST:
        return ""
    return f"{share:.0%} of the recommended items have one opinion per aspect: {WHAT_HELPS}"


def single_opinions(opinions: Opinions, items: IntVector) -> FloatVector:
    """Return 1 for items whose median reviewed aspect has one opinion, 0 for others, NaN without any opinion."""
    counts = (opinions.item_praises + opinions.item_complaints)[items].astype(np.float64)
    reviewed = counts > 0
    alone = (counts == 1).sum(axis=1)
    return np.where(reviewed.any(axis=1), (2 * alone > reviewed.sum(axis=1)).astype(np.float64), np.nan)
