"""Items against a user's list: which of them could enter it, and answers about one or two of them.

It knows nothing of the page's elements, and is worked out off the event loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.arrays import BoolVector
from counterec.core.lists import ABSENT_ITEM
from counterec.wording import AnswerRecord

if TYPE_CHECKING:
    from counterec.core.explainers.budget import Budget
    from counterec.run import Run


@dataclass(frozen=True)
class Rivals:
    """The items that compete for a user's list: which are in it, and which comes next."""

    competes: BoolVector
    """By the number of the item."""
    listed: BoolVector
    first: int | None
    """The first item of the list; None if it is empty."""
    next: int | None
    """The best item that is not in the list; None if there is none."""

    def could_enter(self, item: int) -> bool:
        """Whether the item competes, and is not in the list."""
        return bool(self.competes[item] and not self.listed[item])


def rivals_of(run: Run, user_id: str) -> Rivals:
    """The items that compete for a user's list."""
    user, lists = run.space.users.number(user_id), run.recommendations
    competes, listed = np.zeros((2, len(run.space.items)), dtype=bool)
    competes[run.candidates.of(user)] = True
    row = lists.of_user(user).items[0]
    own = row[: lists.k][row[: lists.k] != ABSENT_ITEM]
    listed[own] = True
    below = [int(item) for item in row[lists.k :] if item != ABSENT_ITEM]
    others = below or np.flatnonzero(competes & ~listed)[:1].tolist()
    return Rivals(competes, listed, int(own[0]) if len(own) else None, others[0] if others else None)


def why_not_record(run: Run, user_id: str, item_id: str, budget: Budget | None = None) -> AnswerRecord:
    """What it would take to bring an item into the list."""
    return run.record(run.explain(user_id, item_id, question="why_not", budget=budget).row(0, named=True))


@dataclass(frozen=True)
class Contrast:
    """Why one item is ahead of another: by how much it would have to be worse, or to be like the other."""

    rather: AnswerRecord
    takes: AnswerRecord | None
    """The same with the other item's own values; None where the other is ahead."""


def contrast_of(run: Run, user_id: str, first: str, second: str, budget: Budget | None = None) -> Contrast:
    """Why the first item is ahead of the second for this user."""
    rather = _compared(run, user_id, first, second, takes=False, budget=budget)
    behind = rather.row.status == "already_true"
    return Contrast(rather, None if behind else _compared(run, user_id, first, second, takes=True, budget=budget))


def _compared(run: Run, user_id: str, first: str, second: str, *, takes: bool, budget: Budget | None) -> AnswerRecord:
    found = run.explain(
        user_id, first, question="why_rather_takes" if takes else "why_rather", versus=second, budget=budget
    )
    return run.record(found.row(0, named=True))
