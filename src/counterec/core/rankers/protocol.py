"""What a ranker is: from the scores of a user's candidates to the user's list.

Without one, the list is the first K in the order of ranking. A ranker may do anything else: skip what was bought, lift
what is promoted, allow two items of a brand. It then decides what is in the list, and so what takes an item off it.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from counterec.core.arrays import FloatVector, IntVector
from counterec.core.scorers.base import first_in_order
from counterec.errors import InvalidValueError, UsageError


@runtime_checkable
class Ranker(Protocol):
    """The rules after the score."""

    @property
    def monotone(self) -> bool:
        """Whether a higher score, all others unchanged, never takes an item off the list, nor behind another item.

        Then there is one score that decides about each item, and every goal and proof holds as without a ranker.
        """
        ...

    def ranked(self, user: int, candidates: IntVector, scores: FloatVector, k: int) -> IntVector:
        """Return the user's list, best first: at most ``k`` of the candidates, which are sorted by their numbers.

        The same arguments must always give the same list.
        """
        ...


def require_ranker(ranker: object) -> None:
    """Refuse what cannot make a list, by naming what it lacks."""
    if isinstance(ranker, type):
        raise UsageError(f"{ranker.__name__} is a class, not a ranker; pass an instance of it")
    lacks = [name for name in ("monotone", "ranked") if not hasattr(ranker, name)]
    if lacks:
        raise UsageError(
            f"{type(ranker).__name__} is not a ranker: it has no {' and no '.join(lacks)}; a ranker is an object with "
            "monotone (whether a higher score never does an item harm) and ranked(user, candidates, scores, k), a list"
        )


def list_by(ranker: Ranker, user: int, candidates: IntVector, scores: FloatVector, k: int) -> IntVector:
    """The user's list by a ranker, checked: anybody's may come back with anything."""
    found: Any = np.asarray(ranker.ranked(user, candidates, scores, k))
    name = type(ranker).__name__
    if found.size == 0:
        return np.empty(0, dtype=np.int64)
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise InvalidValueError(
            f"{name} returned an array of {found.dtype} with the shape {found.shape} for user {user}; "
            "ranked(user, candidates, scores, k) must return the numbers of items, a vector"
        )
    if len(found) > k:
        raise InvalidValueError(f"{name} returned {len(found)} items for user {user}; a list has at most {k}")
    strangers = np.setdiff1d(found, candidates)
    if len(strangers):
        raise InvalidValueError(f"{name} returned item {strangers[0]} for user {user}, which is no candidate of theirs")
    if len(np.unique(found)) < len(found):
        raise InvalidValueError(f"{name} returned an item twice for user {user}: {found.tolist()}")
    return found.astype(np.int64)


def whole_order(ranker: Ranker, user: int, candidates: IntVector, scores: FloatVector, k: int) -> tuple[IntVector, int]:
    """All candidates in their order under a ranker, and how many of them are the list.

    After the list come the items that a longer list would have, then what no list has, by the order of ranking.
    """
    listed = list_by(ranker, user, candidates, scores, k)
    longer = list_by(ranker, user, candidates, scores, len(candidates)) if len(candidates) > k else listed
    further = longer[~np.isin(longer, listed)]
    left = ~np.isin(candidates, longer) & ~np.isin(candidates, listed)
    rest = candidates[left][first_in_order(scores[left], candidates[left], int(left.sum()))]
    return np.concatenate([listed, further, rest]), len(listed)


def position_in(order: IntVector, listed: int, k: int, item: int) -> int:
    """The position of an item, counted from 1; what is not in the list comes after place K, also if that is empty."""
    place = int((order == item).argmax())
    return place + 1 if place < listed else place - listed + k + 1
