"""In how many of the nets, whose mean is the model, an answer holds: for one pair, and for an audience."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import (
    BoolVector,
    FloatMatrix,
    FloatVector,
    IntVector,
    freeze,
    require,
    require_shape,
    row_chunks,
)
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.audience.answer import AudienceAnswer
from counterec.core.explainers.audience.user_gaps import after_shared_change
from counterec.core.explainers.constraints import NONE, Constraints
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.question_builders import why_not
from counterec.core.list_rules import RankedLists
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import PairBatch, Scorer, has_offset, is_averaged, scores_of
from counterec.core.scorers.ranking import Progress, no_progress, rank
from counterec.core.space import AspectSpace

ROWS_AT_ONCE = 4096
"""Pairs scored in one call, to bound the memory of a whole run."""


@dataclass(frozen=True)
class Robustness:
    """Per pair, how many members agree with what is explained, and in how many of these the explanation holds."""

    nets: int
    """How many members there are."""
    asked: BoolVector
    """Which pairs have an explanation; the counts of the others are 0."""
    agree: IntVector
    hold: IntVector

    def __post_init__(self) -> None:
        freeze(self, asked=np.bool_, agree=np.int64, hold=np.int64)
        for name in ("agree", "hold"):
            require_shape(name, getattr(self, name), self.asked.shape)
        counted = (self.hold >= 0) & (self.hold <= self.agree) & (self.agree <= self.nets)
        require(counted.all(), f"an explanation holds in more nets than agree with it, or these are not of {self.nets}")

    def __len__(self) -> int:
        return len(self.asked)

    def rows(self, index: IntVector) -> Robustness:
        """Some of the rows, in this order."""
        return Robustness(self.nets, self.asked[index], self.agree[index], self.hold[index])


def robustness(
    scorer: Scorer,
    question: Question,
    answers: Explanations,
    progress: Progress = no_progress,
    member_lists: Sequence[Recommendations] = (),
) -> Robustness | None:
    """Count for every explained pair; None if the scorer is no mean of others.

    Each member scores all changed items in one go. ``member_lists`` are the members' own lists, where they are known;
    else each member ranks the candidates of each user. ``progress`` is called after each of them, with its share of the
    pairs.
    """
    if not is_averaged(scorer):
        return None
    rows = np.flatnonzero(answers.explained)
    asked, after = question.rows(rows), question.after(answers.delta)[rows]
    agree, hold = np.zeros((2, len(question)), dtype=np.int64)
    for number, member in enumerate(scorer.members if len(rows) else ()):
        agrees, crosses = member_verdicts(member, asked, after, member_lists[number] if member_lists else None)
        agree[rows] += agrees
        hold[rows] += agrees & crosses
        progress(len(question) * (number + 1) // len(scorer.members) - len(question) * number // len(scorer.members))
    return Robustness(len(scorer.members), answers.explained, agree, hold)


def member_verdicts(
    member: Scorer, asked: Question, after: FloatMatrix, lists: Recommendations | None
) -> tuple[BoolVector, BoolVector]:
    """Whether the member agrees about each pair, and whether the change brings the item across its own boundary."""
    raises = asked.direction is Direction.RAISE
    changed = _scores(member, asked.pairs.with_quality(after))
    if asked.lists is not None:
        return _judged_by_ranker(member, asked, asked.lists, changed)
    if asked.versus is not None:
        bounds = _scores(member, PairBatch.of(asked.space, asked.users, asked.versus))
        as_it_is = asked.pairs.item_quality
        before = _precedes(member, asked, as_it_is, _scores(member, asked.pairs), asked.versus, bounds)
        return before, ~_precedes(member, asked, after, changed, asked.versus, bounds)
    if lists is None or lists.k != asked.k:
        lists = rank(member, asked.space, asked.candidates, asked.k, np.unique(asked.users))
    of_user = lists.rows_of(asked.users)
    listed = (lists.items[of_user, : asked.k] == asked.items[:, None]).any(axis=1)
    boundary = asked.k - 1 if raises else asked.k  # to enter, an item passes the last of the list; to leave, the next
    ahead = _precedes(member, asked, after, changed, lists.items[of_user, boundary], lists.scores[of_user, boundary])
    return listed != raises, ahead == raises


def _judged_by_ranker(
    member: Scorer, asked: Question, lists: RankedLists, changed: FloatVector
) -> tuple[BoolVector, BoolVector]:
    """The same under a ranker: it makes the member's list, with the item as it is and as it is changed."""
    own = RankedLists(member, asked.space, lists.ranker, asked.candidates, lists.k)
    raises = asked.direction is Direction.RAISE
    agrees, crosses = np.zeros((2, len(asked)), dtype=bool)
    for row in np.argsort(asked.users, kind="stable").tolist():
        user, item = int(asked.users[row]), int(asked.items[row])
        versus = None if asked.versus is None else int(asked.versus[row])
        items, scores = own.scored(user)
        agrees[row] = own.stands(user, item, scores[np.searchsorted(items, item)], versus) is not raises
        crosses[row] = own.stands(user, item, changed[row], versus) is raises
    return agrees, crosses


def _precedes(
    member: Scorer,
    asked: Question,
    quality: FloatMatrix,
    scores: FloatVector,
    others: IntVector,
    other_scores: FloatVector,
) -> BoolVector:
    """Whether each item, with these qualities and scores, precedes the other; equal vectors share the aspect part."""
    gap = scores.astype(np.float64) - other_scores
    same = np.flatnonzero((quality == asked.space.item_quality[others]).all(axis=1))
    if has_offset(member) and member.aspect_part.aspects_only:
        users = asked.users[same]
        own, other = (member.offset(users, items[same]) for items in (asked.items, others))
        gap[same] = own.astype(np.float64) - other
    elif member.aspects_only:
        gap[same] = 0
    return (gap > 0) | ((gap == 0) & (asked.items < others))


def _scores(member: Scorer, pairs: PairBatch) -> FloatVector:
    chunks = [scores_of(member, pairs.rows(rows)) for rows in row_chunks(len(pairs), ROWS_AT_ONCE)]
    return np.concatenate(chunks)


@dataclass(frozen=True)
class AudienceRobustness:
    """Per member, how many of its own lists for the audience the item enters."""

    wanted: int
    entered: IntVector

    def __post_init__(self) -> None:
        freeze(self, entered=np.int64)
        require(self.entered.ndim == 1 and (self.entered >= 0).all(), "entered must hold one count for each net")

    @property
    def nets(self) -> int:
        """How many members there are."""
        return len(self.entered)

    @property
    def hold(self) -> int:
        """In how many of them enough lists are entered."""
        return int((self.entered >= self.wanted).sum())


def audience_robustness(
    scorer: Scorer,
    space: AspectSpace,
    lists: Recommendations,
    answer: AudienceAnswer,
    *,
    constraints: Constraints = NONE,
    member_lists: Sequence[Recommendations] = (),
) -> AudienceRobustness | None:
    """Ask every member; None if the scorer is no mean of others.

    ``constraints`` are those that the answer was sought with, and ``member_lists`` the members' own lists, where they
    are known.
    """
    if not is_averaged(scorer):
        return None
    users = answer.users
    asked = why_not(space, lists, users, np.full(len(users), answer.item), constraints=constraints)
    (quality,) = after_shared_change(asked.rows(slice(0, 1)), answer.delta[None])
    after = np.broadcast_to(quality, (len(users), len(quality)))
    entered = []
    for number, member in enumerate(scorer.members):
        agrees, crosses = member_verdicts(member, asked, after, member_lists[number] if member_lists else None)
        entered.append(int((agrees & crosses).sum()))
    return AudienceRobustness(answer.wanted, np.array(entered))
