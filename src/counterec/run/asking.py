"""What is asked of a run by ids, in numbers; what cannot be asked is an error that says why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.question import Kind, Question
from counterec.core.explainers.why import why, why_not, why_rather
from counterec.errors import InvalidValueError, UnknownIdError, UsageError

if TYPE_CHECKING:
    from counterec.run.opened import Run


def question_of(
    run: Run, user_id: str | None, item_id: str | None, kind: Kind, versus: str | None, constraints: Constraints
) -> Question:
    """The question that is asked, about everybody's list, one user's, or one item."""
    margin = run.config.explain.margin
    if versus is not None and not kind.startswith("why_rather"):
        raise UsageError(f"{kind} compares with no other item, yet {versus} is given: ask why_rather")
    if user_id is None:
        if kind != "why" or item_id is not None:
            raise UsageError(f"{kind} needs a user: in whose list?")
        return why(run.space, run.recommendations, constraints=constraints, margin=margin)
    user = run.space.users.number(user_id)
    if kind == "why":
        asked = why(run.space, run.recommendations.of_user(user), constraints=constraints, margin=margin)
        return asked if item_id is None else asked.rows(_listed(run, user_id, item_id, asked))
    items = np.array([_competing(run, user_id, item_id, f"{kind} needs an item: which one?")])
    users = np.array([user])
    if kind == "why_not":
        lists = run.recommendations.of_user(user)
        return why_not(run.space, lists, users, items, constraints=constraints, margin=margin)
    others = np.array([_competing(run, user_id, versus, f"{kind} needs a second item: rather than which?")])
    if item_id == versus:
        raise UsageError(f"why {item_id} rather than itself: name two items")
    takes = kind == "why_rather_takes"
    return why_rather(
        run.scorer,
        run.space,
        run.candidates,
        users,
        items,
        others,
        takes=takes,
        constraints=constraints,
        margin=margin,
    )


def qualities_of(run: Run, user_id: str, changes: Mapping[str, Mapping[str, float]]) -> dict[int, FloatVector]:
    """The whole vectors of items that compete for a user's list, some of their values being others."""
    qualities = {}
    for item_id, values in changes.items():
        item = _competing(run, user_id, item_id, "")
        quality = run.space.item_quality[item].copy()
        quality[run.space.aspects.numbers(values)] = list(values.values())
        try:
            run.space.require_on_scale(quality, item_id)
        except InvalidValueError as error:  # of a value that was asked about, not of the run's own
            raise UsageError(str(error)) from None
        qualities[item] = quality
    return qualities


def audience_of(run: Run, item_id: str, user_ids: Iterable[str]) -> IntVector:
    """Those of the users whose list the item competes for."""
    item, users = run.space.items.number(item_id), run.space.users.numbers(user_ids)
    open_to_it = np.array([user for user in users.tolist() if run.candidates.contain(user, item)], dtype=np.int64)
    if not len(open_to_it):
        raise UsageError(f"{item_id} competes for the list of none of these {len(users)} users")
    return open_to_it


def _listed(run: Run, user_id: str, item_id: str, asked: Question) -> BoolVector:
    chosen: BoolVector = asked.items == run.space.items.number(item_id)
    if not chosen.any():
        _competing(run, user_id, item_id, "")
        listed = ", ".join(run.space.items.texts[item] for item in asked.items)
        raise UnknownIdError(f"{item_id} is not in the list of {user_id}, which holds {listed}; ask why_not")
    return chosen


def _competing(run: Run, user_id: str, item_id: str | None, missing: str) -> int:
    if item_id is None:
        raise UsageError(missing)
    item = run.space.items.number(item_id)
    if not run.candidates.contain(run.space.users.number(user_id), item):
        raise UsageError(f"{item_id} does not compete for the list of {user_id}: it is not among their candidates")
    return item
