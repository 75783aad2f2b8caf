"""The questions. Each is the same problem: a score to cross, within bounds on the change.

==================  ================================  ====================================================
question            target                            a change may
==================  ================================  ====================================================
``why``             the score of item K+1             worsen what the item has
``why_not``         the score of item K               improve anything, also what was never reviewed
``why_rather``      the other item's score            worsen what the item has or, with ``takes``, give it the
                                                      other item's value where its own is better
==================  ================================  ====================================================
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector, require
from counterec.core.candidates import Candidates
from counterec.core.explainers.constraints import NONE, Constraints, Floor
from counterec.core.explainers.question import Direction, Kind, Question
from counterec.core.explainers.tolerances import MARGIN
from counterec.core.lists import ABSENT_ITEM, Recommendations
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectScale, AspectSpace


def why(
    space: AspectSpace, recommendations: Recommendations, *, constraints: Constraints = NONE, margin: float = MARGIN
) -> Question:
    """Ask why each recommended item is in its list: what worsening takes it off?

    The target is the score of the first item below the list (Eq. 8). Every aspect the item has may be worsened, down
    to the floor.
    """
    rows, _, items = recommendations.pairs()
    users, quality = recommendations.users[rows], space.item_quality[items]
    return _question(
        "why",
        space,
        users,
        items,
        target=recommendations.target[rows],
        settled=np.zeros(len(users), dtype=bool),
        direction=Direction.LOWER,
        bounds=worsening_bounds(space.scale, quality, constraints.floor),
        candidates=recommendations.candidates,
        k=recommendations.k,
        constraints=constraints,
        margin=margin,
    )


def why_not(
    space: AspectSpace,
    recommendations: Recommendations,
    users: IntVector,
    items: IntVector,
    *,
    constraints: Constraints = NONE,
    margin: float = MARGIN,
) -> Question:
    """Ask why each of these items is not in the list of its user: what improvement brings it there?

    The target is the score of the last item of the list. Every aspect may be improved to the better end of its scale,
    including one that the item was never reviewed on. An item that is in the list gets *already true*.
    """
    users, items = np.asarray(users, dtype=np.int64), np.asarray(items, dtype=np.int64)
    for user, item in zip(users.tolist(), items.tolist(), strict=True):
        _require_candidate(space, recommendations.candidates, user, item)
    rows = recommendations.rows_of(users)
    listed = recommendations.items[rows, : recommendations.k] == items[:, None]
    filled = (recommendations.items[rows, : recommendations.k] != ABSENT_ITEM).sum(axis=1)
    last = recommendations.scores[rows, filled - 1]  # also of a list that is not full, which has every candidate in it
    return _question(
        "why_not",
        space,
        users,
        items,
        target=last,
        settled=listed.any(axis=1),
        direction=Direction.RAISE,
        bounds=improving_bounds(space.scale, space.item_quality[items]),
        candidates=recommendations.candidates,
        k=recommendations.k,
        constraints=constraints,
        margin=margin,
    )


def why_rather(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    users: IntVector,
    items: IntVector,
    versus: IntVector,
    *,
    takes: bool = False,
    constraints: Constraints = NONE,
    margin: float = MARGIN,
) -> Question:
    """Ask why each of these items is ahead of the one in ``versus``: what worsening puts the other one ahead?

    With ``takes`` an aspect does not get worse by some amount: the item takes the other's value, and only where its
    own is better, so that the answer is a true comparison of the two. If the other is ahead: *already true*.
    """
    users, items, versus = (np.asarray(numbers, dtype=np.int64) for numbers in (users, items, versus))
    for user, item, other in zip(users.tolist(), items.tolist(), versus.tolist(), strict=True):
        _require_candidate(space, candidates, user, item)
        _require_candidate(space, candidates, user, other)
        require(item != other, f"why {space.items.texts[item]!r} rather than itself: name two items")
    before, target = (scorer.score(PairBatch.of(space, users, either)) for either in (items, versus))
    quality, others = space.item_quality[items], space.item_quality[versus]
    if scorer.aspects_only:
        target = np.where((quality == others).all(axis=1), before, target)  # equal vectors have equal scores
    bounds = worsening_bounds(space.scale, quality, constraints.floor)
    return _question(
        "why_rather_takes" if takes else "why_rather",
        space,
        users,
        items,
        target=target,
        settled=(target > before) | ((target == before) & (versus < items)),
        direction=Direction.LOWER,
        bounds=_taking_bounds(bounds, others - quality) if takes else bounds,
        candidates=candidates,
        k=1,
        constraints=constraints,
        margin=margin,
        versus=versus,
        whole=takes,
    )


def _question(
    kind: Kind,
    space: AspectSpace,
    users: IntVector,
    items: IntVector,
    *,
    target: FloatVector,
    settled: BoolVector,
    direction: Direction,
    bounds: tuple[FloatMatrix, FloatMatrix],
    candidates: Candidates,
    k: int,
    constraints: Constraints,
    margin: float,
    versus: IntVector | None = None,
    whole: bool = False,
) -> Question:
    """The question within its constraints."""
    constraints.check(space)
    lowest, highest = constraints.within(space, users, space.item_quality[items], *bounds)
    if whole:  # a constraint that stops an aspect before the other's value rules it out
        lowest, highest = np.where(lowest == bounds[0], lowest, 0), np.where(highest == bounds[1], highest, 0)
    return Question(
        kind=kind,
        space=space,
        users=users,
        items=items,
        target=target,
        settled=settled,
        direction=direction,
        lowest=lowest,
        highest=highest,
        costs=constraints.cost_of(space),
        candidates=candidates,
        k=k,
        margin=margin,
        most=constraints.most,
        versus=versus,
        whole=whole,
    )


def _require_candidate(space: AspectSpace, candidates: Candidates, user: int, item: int) -> None:
    require(
        candidates.contain(user, item),
        f"{space.items.texts[item]} does not compete for the list of {space.users.texts[user]}",
    )


def worsening_bounds(
    scale: AspectScale, item_quality: FloatMatrix, floor: Floor = "absent"
) -> tuple[FloatMatrix, FloatMatrix]:
    """How far each aspect may move when it may only get worse: the bounds of the change, below and above.

    An absent aspect cannot get worse. The bound is *absent* only where that lies beyond the worse end of the scale.
    """
    _require_no_category(scale, "worse")
    beyond = np.where(scale.low_is_worse, scale.absent <= scale.low, scale.absent >= scale.high)
    end = np.where(beyond & (floor == "absent"), scale.absent, scale.worst)
    room = np.where(item_quality == scale.absent, 0, end - item_quality)
    return np.minimum(room, 0) * scale.low_is_worse, np.maximum(room, 0) * ~scale.low_is_worse


def improving_bounds(scale: AspectScale, item_quality: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    """How far each aspect may move when it may only get better: to the better end of its scale, absent ones included.

    From *absent*, the better end may lie in either direction.
    """
    _require_no_category(scale, "better")
    room, absent = scale.best - item_quality, item_quality == scale.absent
    return np.minimum(room, 0) * (absent | ~scale.low_is_worse), np.maximum(room, 0) * (absent | scale.low_is_worse)


def _taking_bounds(
    worsening: tuple[FloatMatrix, FloatMatrix], to_other: FloatMatrix
) -> tuple[FloatMatrix, FloatMatrix]:
    """Of the changes to the other's values, those that are worse and not beyond what is allowed."""
    lowest, highest = worsening
    return (
        np.where((to_other < 0) & (to_other >= lowest), to_other, 0),
        np.where((to_other > 0) & (to_other <= highest), to_other, 0),
    )


def _require_no_category(scale: AspectScale, end: str) -> None:
    require(not scale.is_category.any(), f"an aspect that is a category has no {end} value to move to")
