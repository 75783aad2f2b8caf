"""How much an aspect carries: how often it is mentioned, over how many users and items, and how much it tells apart.

    carries(a) = √(users · items) · log₂(1 + apart by item) · log₂(1 + apart by user)

where *users* and *items* are those with a mention of it, and *apart* is how many times as often as chance two reviews
of one item (by one user) both mention it: 1 where it is mentioned of every item alike. Five pairs are added to what was
found and to what chance would give, so that a rare aspect stays near 1.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatVector, IntVector

_PRIOR = 5.0


def carried(
    aspects: IntVector, users: IntVector, items: IntVector, user_reviews: IntVector, item_reviews: IntVector
) -> FloatVector:
    """How much each aspect carries, by its number.

    One entry of the first three per review and aspect that it mentions; the last two are how many reviews each user
    has written and each item has.
    """
    count = int(aspects.max(initial=-1)) + 1
    reviews = max(1, int(user_reviews.sum()))
    share = np.bincount(aspects, minlength=count) / reviews
    score = np.ones(count)
    for owners, total in ((items, item_reviews), (users, user_reviews)):
        places, number = np.unique(aspects * len(total) + owners, return_counts=True)
        of, owner = np.divmod(places, len(total))
        having = np.bincount(of, minlength=count)
        pairs = np.bincount(of, number * (number - 1), minlength=count)
        expected = share * np.bincount(of, number * (total[owner] - 1), minlength=count)
        score *= np.sqrt(having) * np.log2(1 + (pairs + _PRIOR) / (expected + _PRIOR))
    return score
