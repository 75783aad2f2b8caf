"""What a sentence is made from. Each value checks, when it is built, every claim that its sentences make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal, get_args

import numpy as np

from counterec.core.arrays import require
from counterec.core.explainers.answer import Status
from counterec.core.explainers.question import Direction, crossed
from counterec.core.explainers.tolerances import MARGIN
from counterec.wording.change import Change

Asked = Literal["why", "why_not", "why_rather", "why_rather_takes"]
QUESTIONS: tuple[Asked, ...] = get_args(Asked)
"""The questions about one item and one user that have an explanation for an answer."""

STATUSES = tuple(status.label for status in Status)
EXPLAINED = Status.EXPLAINED.label
NO_TARGET = Status.NO_TARGET.label
ALREADY_TRUE = Status.ALREADY_TRUE.label
UNTOUCHED = (Status.NOTHING_TO_CHANGE.label, NO_TARGET, ALREADY_TRUE, Status.FAILED.label)
"""The statuses of answers that change nothing."""


@dataclass(frozen=True)
class Told:
    """An answer about one item and one user, with names for ids. What is not known is ``None`` and is not said."""

    question: Asked
    goal: str
    status: str
    item: str
    changes: Sequence[Change]
    """Of an explanation what it changes; of a miss the nearest one, if there is one."""
    k: int
    """How long the list is."""
    versus: str | None = None
    """The other item, where two are compared."""
    score_before: float | None = None
    score_after: float | None = None
    target: float | None = None
    position_before: int | None = None
    position_after: int | None = None
    necessary: bool | None = None
    sufficient: bool | None = None
    proof: str | None = None
    margin: float = MARGIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(self.changes))
        require(self.question in QUESTIONS, f"unknown question {self.question!r}; one of {', '.join(QUESTIONS)}")
        _require_named(self.item, self.status)
        require(bool(self.versus) == self.compares, f"{self.question} has versus {self.versus!r}")
        _require_changes(self.changes, status=self.status, worse=self.lowers, question=self.question)
        _require_scores(score_before=self.score_before, score_after=self.score_after, target=self.target)
        _require_positions(self.k, position_before=self.position_before, position_after=self.position_after)
        self._require_scores_agree()
        self._require_positions_agree()
        judged = self.necessary is not None or self.sufficient is not None
        require(
            not judged or (self.explained and self.lowers),
            f"{self.question} with status {self.status} is neither necessary nor sufficient for anything",
        )
        require(
            self.explained or self.proof in (None, "none"),
            f"proof is {self.proof}, but status {self.status} leaves nothing to prove",
        )

    @property
    def explained(self) -> bool:
        """Whether there is an explanation."""
        return self.status == EXPLAINED

    @property
    def lowers(self) -> bool:
        """Whether the item gets worse."""
        return self.question != "why_not"

    @property
    def compares(self) -> bool:
        """Whether it is about two items, not about an item and a list."""
        return self.question in ("why_rather", "why_rather_takes")

    def _crossed(self, score: float | None) -> bool | None:
        """Whether the score lies across the target, by the rule of the explainers and in their precision."""
        if score is None or self.target is None:
            return None
        direction = Direction.LOWER if self.lowers else Direction.RAISE
        scores, targets = (np.array([value], dtype=np.float32) for value in (score, self.target))
        return bool(crossed(scores, targets, direction, self.margin)[0])

    def _require_scores_agree(self) -> None:
        claim = f"{self.question} with status {self.status} and target {self.target}"
        if self.explained:
            require(self._crossed(self.score_before) is not True, f"{claim} begins across it, at {self.score_before}")
            require(self._crossed(self.score_after) is not False, f"{claim} does not cross it with {self.score_after}")
        elif self.status != ALREADY_TRUE:
            require(self._crossed(self.score_after) is not True, f"{claim} does cross it with {self.score_after}")

    def _require_positions_agree(self) -> None:
        claim = f"{self.question} with status {self.status} and a list of {self.k}"
        before, after = self.position_before, self.position_after
        if self.compares:
            if self.explained and before is not None and after is not None:
                require(after >= before, f"{claim} rises from position {before} to {after}")
            return
        listed_before = self.lowers != (self.status == ALREADY_TRUE)
        if before is not None and (self.lowers or self.status != NO_TARGET):
            require((before <= self.k) == listed_before, f"{claim} cannot begin at position {before}")
        if after is not None and self.explained:
            require((after <= self.k) != listed_before, f"{claim} cannot end at position {after}")


@dataclass(frozen=True)
class ToldAudience:
    """An answer to a seller: one item improved in one way for many users.

    All counts are of users, and of those who were asked about.
    """

    item: str
    changes: Sequence[Change]
    status: str
    asked: int
    wanted: int
    """Into the lists of how many it is to come, at least."""
    entered: int
    """Into the lists of how many it comes."""
    had_it: int
    """How many have it in their lists as it is."""
    kept_it: int
    """How many of these still have it after the change."""
    goal: str = "minimal"
    proof: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(self.changes))
        _require_named(self.item, self.status)
        _require_changes(self.changes, status=self.status, worse=False, question="audience")
        for name in ("asked", "wanted"):
            require(getattr(self, name) >= 1, f"{name} is {getattr(self, name)}; it must be 1 or more")
        require(self.entered >= 0, f"entered is {self.entered}; it must be 0 or more")
        require(
            0 <= self.kept_it <= self.had_it,
            f"kept_it is {self.kept_it} of had_it {self.had_it}; one cannot keep what one never had",
        )
        require(
            self.entered + self.had_it <= self.asked,
            f"entered is {self.entered} and had_it {self.had_it}, of {self.asked} asked: it enters where it is not",
        )
        require(
            bool(self.changes) or (self.entered == 0 and self.kept_it == self.had_it),
            f"nothing changes, and yet entered is {self.entered} and kept_it {self.kept_it} of {self.had_it}",
        )
        if self.status == ALREADY_TRUE:
            require(
                self.had_it >= min(self.wanted, self.asked),
                f"status already_true, but had_it is {self.had_it} of the {self.wanted} wanted",
            )
        else:
            require(
                self.explained == (self.entered >= self.wanted),
                f"status {self.status}, but entered is {self.entered} of the {self.wanted} wanted",
            )

    @property
    def explained(self) -> bool:
        """Whether it comes into as many lists as wanted."""
        return self.status == EXPLAINED


@dataclass(frozen=True)
class ToldRanking:
    """What becomes of one item when it, and perhaps others, are changed as given."""

    item: str
    changes: Sequence[Change]
    """What was changed of this item."""
    position_before: int
    position_after: int
    k: int
    score_before: float | None = None
    score_after: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(self.changes))
        _require_named(self.item, EXPLAINED)
        _require_changes(self.changes, status=EXPLAINED, worse=None, question="what_if")
        _require_scores(score_before=self.score_before, score_after=self.score_after)
        _require_positions(self.k, position_before=self.position_before, position_after=self.position_after)


def _require_named(item: str, status: str) -> None:
    require(bool(item), "the item has no name")
    require(status in STATUSES, f"unknown status {status!r}; one of {', '.join(STATUSES)}")


def _require_changes(changes: Sequence[Change], *, status: str, worse: bool | None, question: str) -> None:
    """``worse``: which way all of them go, if the question says so."""
    require(bool(changes) or status != EXPLAINED, f"{question} is explained by no change")
    require(not changes or status not in UNTOUCHED, f"{question} with status {status} changes something")
    aspects = [change.aspect for change in changes]
    require(len(set(aspects)) == len(aspects), f"an aspect changes twice: {', '.join(aspects)}")
    for change in changes:
        way = f"{change.aspect} goes from {change.before} to {change.after}"
        require(worse in (None, change.worse), f"{way}, which is not what {question} asks for")
        require(not (worse and change.added), f"{way}, but what was never reviewed cannot get worse")


def _require_scores(**scores: float | None) -> None:
    for name, score in scores.items():
        require(score is None or isfinite(score), f"{name} is {score}; it must be a finite number, or None")


def _require_positions(k: int, **positions: int | None) -> None:
    require(k >= 1, f"k is {k}; a list has at least 1 place")
    for name, position in positions.items():
        require(position is None or position >= 1, f"{name} is {position}; positions begin at 1")
