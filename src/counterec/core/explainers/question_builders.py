"""The questions. Each is the same problem: a score to cross, within bounds on the change.

==================  ================================  ====================================================
question            target                            a change may
==================  ================================  ====================================================
``why``             the score of item K+1             worsen what the item has
``why_not``         the score of item K               improve anything, also what was never reviewed
``why_rather``      the other item's score            worsen what the item has or, with ``takes``, give it the
                                                      other item's value where its own is better
==================  ================================  ====================================================

How far a change may go, and to which values, ``change_bounds`` says. Where a ranker made the lists, it decides what has
to be crossed: ``ranker_targets`` puts that in the place of the target, as soon as a scorer is known.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector, require
from counterec.core.explainers.change_bounds import change_bounds
from counterec.core.explainers.constraints import NONE, Constraints
from counterec.core.explainers.question import Direction, Kind, Question
from counterec.core.explainers.tolerances import MARGIN, margin_of
from counterec.core.lists import ABSENT_ITEM, Recommendations
from counterec.core.scorers.base import PairBatch, Scorer, aspect_part_of, offsets_of, require_scorer, scores_of
from counterec.core.space import AspectSpace


def why(
    space: AspectSpace,
    recommendations: Recommendations,
    *,
    constraints: Constraints = NONE,
    margin: float = MARGIN,
    only: tuple[IntVector, IntVector] | None = None,
) -> Question:
    """Ask why each recommended item is in its list: what worsening takes it off?

    The target is the score of the first item below the list (Eq. 8). Every aspect that the item has may get worse.
    ``only`` are the pairs to ask about, if not all: rows of the lists, and an item of each.
    """
    rows, items = recommendations.pairs()[::2] if only is None else only
    return _question(
        "why",
        space,
        recommendations,
        rows,
        items,
        target=recommendations.target[rows],
        target_item=recommendations.items[rows, recommendations.k],
        settled=np.zeros(len(rows), dtype=bool),
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

    The target is the score of the last item of the list. Every aspect may be improved, including one that the item was
    never reviewed on. An item that is in the list gets *already true*.
    """
    users, items = np.asarray(users, dtype=np.int64), np.asarray(items, dtype=np.int64)
    for user, item in zip(users.tolist(), items.tolist(), strict=True):
        _require_candidate(space, recommendations, user, item)
    rows = recommendations.rows_of(users)
    listed = recommendations.items[rows, : recommendations.k] == items[:, None]
    filled = (recommendations.items[rows, : recommendations.k] != ABSENT_ITEM).sum(axis=1)
    last = recommendations.scores[rows, filled - 1]  # also of a list that is not full, which has every candidate in it
    return _question(
        "why_not",
        space,
        recommendations,
        rows,
        items,
        target=last,
        target_item=recommendations.items[rows, filled - 1],
        settled=listed.any(axis=1),
        constraints=constraints,
        margin=margin,
    )


def why_rather(
    scorer: Scorer,
    space: AspectSpace,
    recommendations: Recommendations,
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
    require_scorer(scorer)
    users, items, versus = (np.asarray(numbers, dtype=np.int64) for numbers in (users, items, versus))
    for user, item, other in zip(users.tolist(), items.tolist(), versus.tolist(), strict=True):
        _require_candidate(space, recommendations, user, item)
        _require_candidate(space, recommendations, user, other)
        require(item != other, f"why {space.items.texts[item]!r} rather than itself: name two items")
    part = aspect_part_of(scorer)
    before, target = (scores_of(part, PairBatch.of(space, users, either)) for either in (items, versus))
    if part.aspects_only:
        same = (space.item_quality[items] == space.item_quality[versus]).all(axis=1)
        target = np.where(same, before, target)  # equal vectors have equal scores, offsets apart
    before, target = before + offsets_of(scorer, users, items), target + offsets_of(scorer, users, versus)
    return _question(
        "why_rather_takes" if takes else "why_rather",
        space,
        recommendations,
        recommendations.rows_of(users),
        items,
        target=target,
        target_item=versus,
        settled=(target > before) | ((target == before) & (versus < items)),
        constraints=constraints,
        margin=margin,
        versus=versus,
    )


def _question(
    kind: Kind,
    space: AspectSpace,
    recommendations: Recommendations,
    rows: IntVector,
    items: IntVector,
    *,
    target: FloatVector,
    target_item: IntVector,
    settled: BoolVector,
    constraints: Constraints,
    margin: float,
    versus: IntVector | None = None,
) -> Question:
    """The question within its constraints; ``rows`` are those of the users' lists."""
    constraints.check(space)
    constraints = constraints.of(space)
    users, spread, largest = recommendations.users[rows], recommendations.spread[rows], recommendations.largest[rows]
    lowest, highest = change_bounds(kind, space, users, items, versus, constraints)
    return Question(
        kind=kind,
        space=space,
        users=users,
        items=items,
        target=target,
        settled=settled,
        direction=Direction.RAISE if kind == "why_not" else Direction.LOWER,
        lowest=lowest,
        highest=highest,
        costs=constraints.cost_of(space),
        candidates=recommendations.candidates,
        k=recommendations.k if versus is None else 1,
        spread=spread,
        largest=largest,
        margin=margin_of(spread, largest, margin),
        constraints=constraints,
        most=constraints.most,
        versus=versus,
        target_item=target_item,
        whole=kind == "why_rather_takes",
        list_length=recommendations.k,
        ranker=recommendations.ranker,
    )


def _require_candidate(space: AspectSpace, recommendations: Recommendations, user: int, item: int) -> None:
    require(
        recommendations.candidates.contain(user, item),
        f"{space.items.texts[item]} does not compete for the list of {space.users.texts[user]}",
    )
