"""Pairs and lists of a run by the ids of people: checked, as one question by numbers, and as people see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, get_args

import numpy as np

from counterec.core.explainers.history.answer_row import By
from counterec.core.explainers.question_builders import why, why_not, why_rather
from counterec.core.lists import ABSENT_ITEM
from counterec.errors import UnknownIdError, UsageError
from counterec.pipeline import layout

if TYPE_CHECKING:
    from counterec.core.explainers.constraints import Constraints
    from counterec.core.explainers.question import Kind, Question
    from counterec.core.explainers.what_if import Reranking
    from counterec.pipeline.folder import RunFolder


class AskedPair(NamedTuple):
    """One pair by numbers; ``versus`` is the other item, where two are compared."""

    user: int
    item: int
    versus: int | None = None


def asked_pair(
    folder: RunFolder, kind: Kind, user_id: str, item_id: str | None, versus: str | None = None
) -> AskedPair:
    """The pair of these ids; an error names what cannot be asked about it."""
    _require_comparison(kind, versus)
    user = folder.space.users.number(user_id)
    if kind == "why":
        return AskedPair(user, _listed(folder, user_id, item_id))
    item = competing(folder, user_id, item_id, f"{kind} needs an item: which one?")
    if kind == "why_not":
        return AskedPair(user, item)
    other = competing(folder, user_id, versus, f"{kind} needs a second item: rather than which?")
    if item == other:
        raise UsageError(f"why {item_id} rather than itself: name two items")
    return AskedPair(user, item, other)


def question_about(folder: RunFolder, kind: Kind, pairs: Sequence[AskedPair], constraints: Constraints) -> Question:
    """One question about checked pairs, in their order; their users' stored lists say what has to be crossed."""
    users, items = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    distinct, place = np.unique(users, return_inverse=True)
    lists = folder.recommendations
    lists = lists.rows(lists.rows_of(distinct))
    margin = folder.config.explain.margin_share
    if kind == "why":
        return why(folder.space, lists, constraints=constraints, margin=margin, only=(place, items))
    if kind == "why_not":
        return why_not(folder.space, lists, users, items, constraints=constraints, margin=margin)
    others = np.array([pair.versus for pair in pairs], dtype=np.int64)
    takes = kind == "why_rather_takes"
    return why_rather(
        folder.scorer, folder.space, lists, users, items, others, takes=takes, constraints=constraints, margin=margin
    )


def question_about_lists(folder: RunFolder, kind: Kind, user_id: str | None, constraints: Constraints) -> Question:
    """Why is every item in everybody's list, or in one user's?"""
    if kind != "why":
        raise UsageError(f"{kind} needs a user: in whose list?" if user_id is None else f"{kind} needs an item")
    lists = folder.recommendations
    if user_id is not None:
        lists = lists.of_user(folder.space.users.number(user_id))
    return why(folder.space, lists, constraints=constraints, margin=folder.config.explain.margin_share)


def competing(folder: RunFolder, user_id: str, item_id: str | None, missing: str) -> int:
    """The number of an item that competes for a user's list; ``missing`` is said where none is named."""
    if item_id is None:
        raise UsageError(missing)
    item = folder.space.items.number(item_id)
    if not folder.candidates.contain(folder.space.users.number(user_id), item):
        raise UsageError(f"{item_id} does not compete for the list of {user_id}: it is not among their candidates")
    return item


def require_by(by: str, kind: Kind, versus: str | None = None) -> None:
    """Refuse what cannot be answered by past reviews: they say why an item is in a list, and nothing else."""
    if by not in get_args(By):
        raise UsageError(f"unknown by {by!r}; use one of {', '.join(get_args(By))}")
    if by != "aspects" and (kind != "why" or versus is not None):
        raise UsageError(f"by {by}, only why can be answered, not {kind}: past reviews say why an item is in a list")


def require_no_aspects(by: str, goal: str, *, constrained: bool) -> None:
    """Refuse what is said of aspects where an answer names none."""
    if by == "history" and (goal != "minimal" or constrained):
        raise UsageError(
            "by history no aspect changes: goals and constraints do not apply; leave them out, or ask by both"
        )


def _require_comparison(kind: Kind, versus: str | None) -> None:
    if versus is not None and not kind.startswith("why_rather"):
        raise UsageError(f"{kind} compares with no other item, but {versus} is given; ask why_rather")


def _listed(folder: RunFolder, user_id: str, item_id: str | None) -> int:
    """The number of an item of a user's list."""
    if item_id is None:
        raise UsageError("why needs an item: which one?")
    lists, item = folder.recommendations, folder.space.items.number(item_id)
    row = lists.rows_of(np.array([folder.space.users.number(user_id)]))[0]
    listed = [found for found in lists.items[row, : lists.k].tolist() if found >= 0]
    if item not in listed:
        competing(folder, user_id, item_id, "")
        names = ", ".join(folder.space.items.texts[found] for found in listed)
        raise UnknownIdError(f"{item_id} is not in the list of {user_id}, which holds {names}; ask why_not")
    return item


@dataclass(frozen=True, slots=True)
class ListedItem:
    """One place of a user's list, or below it."""

    position: int
    item_id: str
    name: str | None
    """None where the item has no name but its id."""
    score: float

    @property
    def shown(self) -> str:
        """What a person reads: the name, or the id where there is none."""
        return self.name or self.item_id


@dataclass(frozen=True, slots=True)
class RerankedItem:
    """One place of a new ranking."""

    position: int
    position_before: int
    item_id: str
    name: str | None
    score: float
    score_before: float
    changed: bool


def user_list(folder: RunFolder, user_id: str, below: int = 1) -> list[ListedItem]:
    """A user's list, best first, and so many items below it; of lists that rules decide, no more than one is known."""
    lists, items = folder.recommendations, folder.space.items.texts
    most = lists.k + below
    if below > 1 and lists.ranker is None and folder.has(layout.HEADS):
        lists = folder.heads
    (at,) = lists.rows_of(np.array([folder.space.users.number(user_id)])).tolist()
    found = zip(lists.items[at, :most].tolist(), lists.scores[at, :most].tolist(), strict=True)
    return [
        ListedItem(position, items[item], folder.item_names.get(items[item]), score)
        for position, (item, score) in enumerate(found, start=1)
        if item != ABSENT_ITEM
    ]


def reranked_item(folder: RunFolder, found: Reranking, at: int) -> RerankedItem:
    """The item at a place, counted from 0, of a new ranking."""
    item_id = folder.space.items.texts[found.items[at]]
    return RerankedItem(
        position=at + 1,
        position_before=int(found.positions_before[at]),
        item_id=item_id,
        name=folder.item_names.get(item_id),
        score=float(found.scores_after[at]),
        score_before=float(found.scores_before[at]),
        changed=bool(found.items[at] in found.changed),
    )
