"""Targets under a ranker: the score that decides whether an item stands where it does, found for each pair by itself.

A monotone ranker has such a score: with it, every goal works as without a ranker, and every proof means the same. Any
other ranker has none: the target is unknown, and the list itself, made again with the item's new score, decides.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.explainers.question import Direction, Question
from counterec.core.list_rules import RankedLists, Ranker
from counterec.core.lists import ABSENT_ITEM
from counterec.core.scorers.base import Scorer
from counterec.errors import InvalidValueError, UsageError


def under_ranker(scorer: Scorer, question: Question, ranker: Ranker | None = None) -> Question:
    """The question as its ranker decides it, or the one given; itself where there is none, or it is decided already."""
    decides = ranker or question.ranker
    if question.lists is not None or decides is None:
        return question
    if question.ranker is not None and decides is not question.ranker:
        raise UsageError(
            f"the lists were made by a {type(question.ranker).__name__}, and are to be explained under another ranker, "
            f"a {type(decides).__name__}: make them with rank(..., ranker=...) by the same one"
        )
    return _decided(scorer, question, decides)


def _decided(scorer: Scorer, question: Question, ranker: Ranker) -> Question:
    # Where two items are compared, the whole order decides about them, and it begins with the list.
    length = question.k if question.list_length is None else question.list_length
    lists = RankedLists(scorer, question.space, ranker, question.candidates, length)
    question = replace(question, ranker=ranker, lists=lists)
    question = replace(question, settled=_settled(question))
    if not ranker.monotone:
        return replace(question, target=np.full(len(question), np.nan), target_item=None)
    target = _targets(question)
    whatever = np.isnan(target) & ~_too_few(question, length)
    target, target_item = _snapped(question, target)
    return replace(question, target=target, target_item=target_item, whatever_score=whatever)


def _too_few(question: Question, length: int) -> BoolVector:
    """Which pairs have no other candidate that could take the item's place: there is no score to cross."""
    if question.direction is Direction.RAISE or question.versus is not None:
        return np.zeros(len(question), dtype=bool)
    return np.array([len(question.candidates.of(user)) <= length for user in question.users.tolist()], dtype=bool)


def _settled(question: Question) -> BoolVector:
    """Which pairs stand as they are where the question wants them."""
    wanted = question.direction is Direction.RAISE
    found = np.zeros(len(question), dtype=bool)
    for row in _by_user(question):
        found[row] = question.stands(row, _own_score(question, row)) is wanted
    return found


def _targets(question: Question) -> FloatVector:
    """Per pair the largest score with which it does not stand or, if it is to rise, the smallest with which it does."""
    target = np.full(len(question), np.nan, dtype=np.float32)
    lists, falls = question.require_lists(), question.direction is Direction.LOWER
    for row in _by_user(question):
        versus = None if question.versus is None else int(question.versus[row])
        below, above = lists.threshold(int(question.users[row]), int(question.items[row]), versus)
        _require_sides(question, row, below, above)
        never = np.isnan(below) or np.isnan(above)  # no score decides: it stands with any, or with none
        target[row] = np.nan if never else below if falls else above
    return target


def _require_sides(question: Question, row: int, below: float, above: float) -> None:
    """Refuse a ranker whose item does not stand, as it is, on the side of the threshold that its score is on."""
    own, stands = _own_score(question, row), question.settled[row] == (question.direction is Direction.RAISE)
    if bool(own > below or np.isnan(below)) is not bool(stands):
        raise InvalidValueError(
            f"{type(question.ranker).__name__} calls itself monotone, but is not for user {question.users[row]} and "
            f"item {question.items[row]}: {above if np.isnan(below) else below:g} decides about the item, and yet not "
            f"at its own score, {own:g}; set monotone to False"
        )


def _snapped(question: Question, target: FloatVector) -> tuple[FloatVector, IntVector]:
    """Targets that miss another candidate's score by one unit in the last place are that score; and whose it is.

    So ties say nothing of a target: a margin is larger than any such unit. The item is −1 where there is none.
    """
    target, found = target.copy(), np.full(len(question), ABSENT_ITEM)
    lists = question.require_lists()
    for row in np.flatnonzero(~np.isnan(target)).tolist():
        items, scores = lists.scored(int(question.users[row]))
        near = np.abs(scores - target[row]) <= np.spacing(np.abs(target[row]))
        near &= items != question.items[row]
        if near.any():
            found[row], target[row] = items[near.argmax()], scores[near.argmax()]
    return target, found


def _by_user(question: Question) -> list[int]:
    """The rows, those of a user in a row, so that a user's candidates are scored once."""
    rows: list[int] = np.argsort(question.users, kind="stable").tolist()
    return rows


def _own_score(question: Question, row: int) -> float:
    items, scores = question.require_lists().scored(int(question.users[row]))
    return float(scores[np.searchsorted(items, question.items[row])])
