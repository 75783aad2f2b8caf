"""What if: the new ranking of a user's candidates after given changes of one or several items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector, freeze, require, require_shape
from counterec.core.candidates import Candidates
from counterec.core.explainers.constraints import NONE, Constraints
from counterec.core.list_rules import Ranker, position_in, whole_order
from counterec.core.lists import ABSENT_ITEM, Recommendations
from counterec.core.scorers.base import PairBatch, Scorer, aspect_part_of, first_in_order, offsets_of, scores_of
from counterec.core.scorers.catalogue import Catalogue, catalogue_of
from counterec.core.scorers.rank_position import score_among
from counterec.core.space import AspectSpace
from counterec.errors import ConfigError


@dataclass(frozen=True)
class Reranking:
    """A user's candidates in their new order, with their scores and positions before.

    Positions count from 1. Where a ranker's list is not full, what is not in it still comes after place K.
    """

    user: int
    k: int
    items: IntVector
    scores_before: FloatVector
    scores_after: FloatVector
    positions_before: IntVector
    changed: IntVector
    """The items that were changed."""
    qualities: FloatMatrix
    """Their new qualities, one row per item."""
    listed: int | None = None
    """How many items the new list has, where a ranker makes it; None: K, or all there are."""

    def __post_init__(self) -> None:
        freeze(
            self,
            items=np.int64,
            scores_before=np.float32,
            scores_after=np.float32,
            positions_before=np.int64,
            changed=np.int64,
            qualities=np.float32,
        )
        for name in ("scores_before", "scores_after", "positions_before"):
            require_shape(name, getattr(self, name), self.items.shape)
        require_shape("qualities", self.qualities, (len(self.changed), self.qualities.shape[1]))

    def place(self, item: int) -> int:
        """The new position of an item."""
        return position_in(self.items, self._listed, self.k, item)

    @property
    def _listed(self) -> int:
        return self.k if self.listed is None else self.listed

    @property
    def entered(self) -> IntVector:
        """The items that enter the list."""
        return self.items[: self._listed][self.positions_before[: self._listed] > self.k]

    @property
    def left(self) -> IntVector:
        """The items that leave the list."""
        return self.items[self._listed :][self.positions_before[self._listed :] <= self.k]


def what_if(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    k: int,
    user: int,
    changes: Mapping[int, FloatVector],
    *,
    constraints: Constraints = NONE,
    ranker: Ranker | None = None,
    catalogue: Catalogue | None = None,
) -> Reranking:
    """Rank the candidates anew with these qualities of these items; all others stay as they are.

    ``catalogue``, if given, is that of this scorer and space: whoever asks often keeps it.
    """
    standing = UserStanding(scorer, space, candidates, k, user, ranker=ranker, catalogue=catalogue)
    return standing.reranked(changes, constraints)


class UserStanding:
    """A user's candidates as they stand now, scored once; any number of changes is then ranked quickly.

    It needs no working room of the catalogue later on: one that is made may be asked from any thread.
    """

    def __init__(
        self,
        scorer: Scorer,
        space: AspectSpace,
        candidates: Candidates,
        k: int,
        user: int,
        *,
        ranker: Ranker | None = None,
        catalogue: Catalogue | None = None,
    ) -> None:
        space.users.checked_numbers(user)
        self.k, self.user = k, user
        self._space, self._ranker, self._part = space, ranker, aspect_part_of(scorer)
        self._items = candidates.of(user)
        self._view = (catalogue or catalogue_of(scorer, space)).for_user(user)
        self._before_part = self._view.aspect_part.scores(self._items)
        self._before = self._view.with_offsets(self._items, self._before_part)
        order, listed = _order(user, self._items, self._before, k, ranker)
        places = np.arange(1, len(self._items) + 1)
        self._positions = np.empty(len(self._items), dtype=np.int64)
        self._positions[order] = np.where(places <= listed, places, places - listed + k)

    def reranked(self, changes: Mapping[int, FloatVector], constraints: Constraints = NONE) -> Reranking:
        """The candidates ranked anew with these qualities of these items."""
        changed, quality = _arrays(changes)
        _require_possible(self._space, self.user, self._items, changed, quality, constraints)
        after, items = self._before.copy(), self._items
        changed_part = _scores(self._part, self._space, self.user, items, self._before_part, changed, quality)
        after[np.searchsorted(items, changed)] = self._view.with_offsets(changed, changed_part)
        order, listed = _order(self.user, items, after, self.k, self._ranker)
        return Reranking(
            user=self.user,
            k=self.k,
            items=items[order],
            scores_before=self._before[order],
            scores_after=after[order],
            positions_before=self._positions[order],
            changed=changed,
            qualities=quality,
            listed=None if self._ranker is None else listed,
        )


def what_if_near_the_list(
    scorer: Scorer,
    space: AspectSpace,
    heads: Recommendations,
    k: int,
    user: int,
    changes: Mapping[int, FloatVector],
    *,
    constraints: Constraints = NONE,
) -> Reranking | None:
    """The same from the stored beginning of the user's ranking, its head; None where that does not decide.

    It decides if every changed item is in the head and stays ahead of its end: no item behind the head precedes the
    last one of it. Where a changed item gets the vector of another candidate, the two share a score, and all are asked.
    """
    changed, quality = _arrays(changes)
    candidates = heads.candidates.of(user)
    _require_possible(space, user, candidates, changed, quality, constraints)
    (row,) = heads.rows_of(np.array([user])).tolist()
    filled = heads.items[row] != ABSENT_ITEM
    items, before = heads.items[row, filled], heads.scores[row, filled]
    same = (quality == space.item_quality[changed]).all(axis=1)
    if not np.isin(changed, items).all() or _have_twins(scorer, space, candidates, quality, same):
        return None
    places = (items[:, None] == changed).argmax(axis=0)
    parts = scores_of(aspect_part_of(scorer), PairBatch.for_user(space, user, changed, quality))
    scores = np.asarray(parts + offsets_of(scorer, np.full(len(changed), user), changed), dtype=np.float32)
    after = before.copy()
    after[places] = np.where(same, before[places], scores)
    everyone = len(items) == len(candidates)
    ahead = (after > before[-1]) | ((after == before[-1]) & (items <= items[-1]))
    if not everyone and not ahead.all():
        return None
    order = first_in_order(after, items, len(items))
    return Reranking(user, k, items[order], before[order], after[order], order + 1, changed, quality)


def _have_twins(
    scorer: Scorer, space: AspectSpace, candidates: IntVector, quality: FloatMatrix, same: BoolVector
) -> bool:
    """Whether a changed item gets the vector of another candidate, or of another changed one."""
    if not aspect_part_of(scorer).aspects_only:
        return False
    for row in np.flatnonzero(~same).tolist():
        alike = np.isin(space.items_like(quality[row]), candidates).any()
        if alike or (quality == quality[row]).all(axis=1).sum() > 1:
            return True
    return False


def _arrays(changes: Mapping[int, FloatVector]) -> tuple[IntVector, FloatMatrix]:
    """The changed items, sorted, and their new qualities."""
    changed = np.array(sorted(changes), dtype=np.int64)
    require(len(changed) > 0, "what if nothing changes? Name an item, an aspect and its new value")
    return changed, np.array([changes[item] for item in changed.tolist()], dtype=np.float32)


def _require_possible(
    space: AspectSpace,
    user: int,
    candidates: IntVector,
    changed: IntVector,
    quality: FloatMatrix,
    constraints: Constraints,
) -> None:
    """Raise unless each of the items competes, and its new qualities are on the scale and allowed."""
    constraints.check(space)
    space.items.checked_numbers(changed)
    for item, vector in zip(changed.tolist(), quality, strict=True):
        name = space.items.texts[item]
        at = np.searchsorted(candidates, item)
        competes = at < len(candidates) and candidates[at] == item
        require(competes, f"{name} does not compete for the list of {space.users.texts[user]}")
        space.require_on_scale(vector, name, or_between=constraints.values == "continuous")
        _require_allowed(space, constraints, user, item, vector)


def _order(user: int, items: IntVector, scores: FloatVector, k: int, ranker: Ranker | None) -> tuple[IntVector, int]:
    """The places of the items in their order, and how many of them are the list."""
    if ranker is None:
        return first_in_order(scores, items, len(items)), k
    order, listed = whole_order(ranker, user, items, np.asarray(scores, dtype=np.float32), k)
    return np.searchsorted(items, order), listed


def _scores(
    scorer: Scorer,
    space: AspectSpace,
    user: int,
    items: IntVector,
    before: FloatVector,
    changed: IntVector,
    quality: FloatMatrix,
) -> FloatVector:
    """The scores of the changed items, offsets apart; one that now equals another in every aspect gets exactly its."""
    scores = scores_of(scorer, PairBatch.for_user(space, user, changed, quality)).copy()
    if not scorer.aspects_only:
        return scores
    for row, vector in enumerate(quality):
        same = np.flatnonzero((quality[:row] == vector).all(axis=1))
        scores[row] = score_among(space, items, before, vector, float(scores[same[0] if len(same) else row]))
    return scores


def _require_allowed(space: AspectSpace, constraints: Constraints, user: int, item: int, vector: FloatVector) -> None:
    """A given change is not searched for: if it breaks a constraint, that is an error which names it."""
    before = space.item_quality[item]
    moved = np.flatnonzero(vector != before)
    movable = constraints.movable(space, np.array([user]))[0]
    least, most = constraints.value_bounds(space)
    name, schema = space.items.texts[item], space.schema
    for aspect in moved:
        said = f"{name}: {space.aspects.texts[aspect]} at {vector[aspect]:g}"
        if schema is not None:
            said = f"{name}: {schema.names[aspect]} at {schema[int(aspect)].value(float(vector[aspect]))}"
            if schema[int(aspect)].derived:
                raise ConfigError(f"{said}: this attribute is derived; change what it follows from")
            if schema[int(aspect)].kept:
                raise ConfigError(f"{said}: this attribute must not move")
        if space.aspects.texts[aspect] in constraints.keep:
            raise ConfigError(f"{said}: this aspect must not move")
        if not movable[aspect]:
            raise ConfigError(f"{said}: {space.users.texts[user]} does not care about it, and the mask is on")
        if not least[aspect] <= vector[aspect] <= most[aspect]:
            raise ConfigError(f"{said}: its bounds are {least[aspect]:g} to {most[aspect]:g}")
    if constraints.most is not None and len(moved) > constraints.most:
        raise ConfigError(f"{name}: {len(moved)} aspects change, and at most {constraints.most} may")
