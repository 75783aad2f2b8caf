"""Rules after the score: boosts, what a user has seen, and rankers, which make a list of scored candidates.

Boosts are offsets: ``BoostedScorer`` adds them to the scores of any scorer. What a user has seen is no candidate
(``Candidates.leave_out``). Every other rule is a ranker. It decides what is in the list, and so what takes an item off
it. Without one, the list is the first K in the order of ranking.

An item *stands* if it is in its user's list or, where two items are compared, if it comes before the other one in the
user's whole order. Under a monotone ranker one score decides about each item: above it the item stands, below it not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, freeze, require, require_finite
from counterec.core.candidates import Candidates
from counterec.core.remembered import remembered
from counterec.core.scorers.base import (
    DifferentiableScorer,
    PairBatch,
    Scorer,
    aspect_part_of,
    first_in_order,
    is_averaged,
    offsets_of,
    scores_of,
)
from counterec.core.space import AspectSpace
from counterec.errors import InvalidValueError, UsageError

if TYPE_CHECKING:
    from torch import Tensor


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


NO_GROUP = -1
"""The group of an item that belongs to none: there may be any number of these."""


@dataclass(frozen=True, eq=False)
class AtMostPerGroup:
    """The first K candidates, leaving out those whose group has had its places: ``most`` of each."""

    groups: IntVector = field(repr=False)
    """The group of every item; −1 for an item that belongs to none."""
    most: int

    def __post_init__(self) -> None:
        freeze(self, groups=np.int64)
        require(self.groups.ndim == 1, "groups must be a vector, the group of every item")
        require((self.groups >= NO_GROUP).all(), "a group is a number from 0 on, or -1 for an item of none")
        require(self.most >= 1, f"most is {self.most}; a list has at least one item of a group")

    @property
    def monotone(self) -> bool:
        """An item with a higher score comes earlier, and finds no more of its group before it."""
        return True

    def ranked(self, user: int, candidates: IntVector, scores: FloatVector, k: int) -> IntVector:  # noqa: ARG002
        """Walk down the ranking until the list is full."""
        order = first_in_order(scores, candidates, len(candidates))
        groups = self.groups[candidates[order]]
        allowed = (groups == NO_GROUP) | (_earlier_of_the_same(groups) < self.most)
        return candidates[order[allowed][:k]]


def _earlier_of_the_same(groups: IntVector) -> IntVector:
    """For each entry, how many earlier ones are equal."""
    by_group = np.argsort(groups, kind="stable")
    ordered = groups[by_group]
    count = np.empty(len(groups), dtype=np.int64)
    count[by_group] = np.arange(len(groups)) - np.searchsorted(ordered, ordered)
    return count


class BoostedScorer:
    """Any scorer plus the boost of each item: s + boost(item), in the units of the scores.

    A boost is an offset, so that every question, goal and proof works as without it.
    """

    aspects_only = False

    def __init__(self, scorer: Scorer, boosts: FloatVector) -> None:
        """``boosts`` [items] are 0 for most items."""
        self.boosts = np.asarray(boosts, dtype=np.float32)
        require(self.boosts.ndim == 1, "boosts must be a vector, a number for every item")
        require_finite("boosts", self.boosts)
        self._scorer, self.aspect_part = scorer, aspect_part_of(scorer)
        # What only some scorers can do is there only if this one can.
        if isinstance(scorer, DifferentiableScorer):
            self.score_tensor = self._score_tensor
        if is_averaged(scorer):
            self.members = tuple(BoostedScorer(member, self.boosts) for member in scorer.members)

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the boosted score of each pair."""
        return np.asarray(scores_of(self._scorer, pairs) + self.boosts[pairs.items], dtype=np.float32)

    def offset(self, users: IntVector, items: IntVector) -> FloatVector:
        """Return the offset of each pair, its boost included."""
        return offsets_of(self._scorer, users, items) + self.boosts[items]

    def _score_tensor(self, users: Tensor, items: Tensor, user_attention: Tensor, item_quality: Tensor) -> Tensor:
        scores: Tensor = getattr(self._scorer, "score_tensor")(users, items, user_attention, item_quality)  # noqa: B009
        return scores + scores.new_tensor(self.boosts)[items]


USERS_REMEMBERED = 256
"""Users whose scores are remembered: questions come user by user."""

FAR = 1e30
"""No ranker is asked about larger scores than this, unless a scorer returns them."""


class RankedLists:
    """What a ranker makes of the scores of each user's candidates."""

    def __init__(self, scorer: Scorer, space: AspectSpace, ranker: Ranker, candidates: Candidates, k: int) -> None:
        require_ranker(ranker)
        self.ranker, self.k = ranker, k
        from counterec.core.scorers.catalogue import catalogue_of  # imports PyTorch

        self._catalogue, self._candidates = catalogue_of(scorer, space), candidates
        self._remembered = remembered(self._score_candidates, USERS_REMEMBERED)

    def scored(self, user: int) -> tuple[IntVector, FloatVector]:
        """The candidates of a user and their scores."""
        return self._remembered(user)

    def _score_candidates(self, user: int) -> tuple[IntVector, FloatVector]:
        items = self._candidates.of(user)
        scores = np.asarray(self._catalogue.for_user(user).scores(items), dtype=np.float32)
        scores.flags.writeable = False
        return items, scores

    def listed(self, user: int, item: int | None = None, score: float | np.float32 = 0.0) -> IntVector:
        """The list of a user, with another score of one item, if one is given."""
        items, scores = self._with(user, item, score)
        return list_by(self.ranker, user, items, scores, self.k)

    def order(self, user: int, item: int | None = None, score: float | np.float32 = 0.0) -> tuple[IntVector, int]:
        """All candidates of a user in their order, and how many of them are the list."""
        items, scores = self._with(user, item, score)
        return whole_order(self.ranker, user, items, scores, self.k)

    def position(self, user: int, item: int, score: float | np.float32 | None = None) -> int:
        """Where an item stands, counted from 1; what is not in the list comes after place K."""
        order, listed = self.order(user) if score is None else self.order(user, item, score)
        return position_in(order, listed, self.k, item)

    def stands(self, user: int, item: int, score: float | np.float32, versus: int | None = None) -> bool:
        """Whether an item with this score is in the list or, if another one is given, comes before that."""
        if versus is None:
            return bool((self.listed(user, item, score) == item).any())
        order, _ = self.order(user, item, score)
        return bool((order == item).argmax() < (order == versus).argmax())

    def _with(self, user: int, item: int | None, score: float | np.float32) -> tuple[IntVector, FloatVector]:
        items, scores = self.scored(user)
        if item is not None:
            scores = scores.copy()
            scores[np.searchsorted(items, item)] = score
        return items, scores

    def threshold(self, user: int, item: int, versus: int | None = None) -> tuple[float, float]:
        """The largest score with which the item does not stand, and the next one, with which it does.

        Found by bisection over all numbers of single precision, which a monotone ranker allows. An end is NaN if the
        item stands with any score, or with none.
        """
        far = np.float32(max(FAR, 2 * float(np.abs(self.scored(user)[1]).max(initial=0))))
        return threshold(lambda score: self.stands(user, item, score, versus), far)


def threshold(stands: Callable[[np.float32], bool], far: np.float32) -> tuple[float, float]:
    """The largest score between −far and far that does not stand, and the next one, where ``stands`` never falls."""
    low, high = _place_of(-far), _place_of(far)
    if stands(_score_at(low)):
        return float("nan"), float(-far)
    if not stands(_score_at(high)):
        return float(far), float("nan")
    while high - low > 1:
        middle = (low + high) // 2
        if stands(_score_at(middle)):
            high = middle
        else:
            low = middle
    return float(_score_at(low)), float(_score_at(high))


def _place_of(score: np.float32) -> int:
    """The number of a float, in the order of floats; −0 and 0 have the same."""
    bits = int(np.array([score], dtype=np.float32).view(np.int32)[0])
    return bits if bits >= 0 else -(bits & 0x7FFFFFFF)


def _score_at(place: int) -> np.float32:
    """The float of this number."""
    found = np.array([abs(place)], dtype=np.int32).view(np.float32)[0]
    return np.float32(-found if place < 0 else found)


class RankedPositions:
    """Positions count from 1; what is not in the list comes after place K."""

    def __init__(self, scorer: Scorer, space: AspectSpace, ranker: Ranker, candidates: Candidates, k: int) -> None:
        self._lists = RankedLists(scorer, space, ranker, candidates, k)

    def before(self, user: int, item: int) -> int:
        """The position of an item as it is."""
        return self._lists.position(user, item)

    def after(self, user: int, item: int, quality: FloatVector, score: float) -> int:  # noqa: ARG002
        """The position that an item would have with these qualities, which have this score."""
        return self._lists.position(user, item, score)

    def entered(self, user: int, item: int, score: float) -> IntVector:
        """The items that enter the list if an item gets this score."""
        return np.setdiff1d(self._lists.listed(user, item, score), self._lists.listed(user))
