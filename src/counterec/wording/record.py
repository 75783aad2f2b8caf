"""The record of an answer: what a sentence is made from.

A record checks, when it is built, every claim that its sentences make.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from counterec.core.arrays import require
from counterec.core.explainers.answer_row import (
    ALREADY_TRUE,
    EXPLAINED,
    NO_TARGET,
    OUT_OF_BUDGET,
    STATUSES,
    UNCHANGED,
    AnswerRow,
)
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.history.answer_row import HistoryRow
from counterec.core.explainers.question import Direction, crossed
from counterec.core.explainers.tolerances import ROUNDING
from counterec.wording.change import Change

HAIR = 0.01
"""An item is ahead *by a hair* if it is so by less than this share of the spread of the scores."""

MISSED = ("not_found", "cannot_flip", "nothing_to_change")
"""The statuses of questions to which no change is an answer."""

NAMED_PART = 0.2
"""A part of the lead is named as a reason if it is at least this share of it."""


@dataclass(frozen=True)
class AnswerRecord:
    """The answer about one user and one item: its row, the items' names, and its changes on their scales."""

    row: AnswerRow
    item: str
    """The name of the item."""
    changes: Sequence[Change]
    """The changes of the row, in its order."""
    k: int
    """The length of the list."""
    versus: str | None = None
    """The name of the other item, where two are compared."""
    position_after: int | None = None
    instead: str | None = None
    """Of *why*: the name of the first item below the list, which takes the place of the item if that falls off."""
    spread: float | None = None
    """The standard deviation of the scores of the user's candidates."""
    constraints: Constraints | None = None
    """What the question was asked with."""
    past: Sequence[str] = ()
    """The names of the past items that carry the history part of the lead, in the order of the row."""
    facts: bool = False
    """Whether aspects are attributes of a schema, of which nobody has to review anything."""
    may_be_unknown: bool = True
    """Whether there is any attribute that an item may lack."""
    new_user: bool = False
    """Whether nothing is known of the user: they came after the training, and no review of theirs names an aspect."""
    new_item: bool = False
    """Whether nothing is known of the item, likewise."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(self.changes))
        object.__setattr__(self, "past", tuple(self.past))
        row = self.row
        require(self.instead is None or row.question == "why", f"{row.question} puts nothing in the place of the item")
        require(self.spread is None or self.spread >= 0, f"spread is {self.spread}; it must be 0 or more, or None")
        require(bool(self.item), "the item has no name")
        require(bool(self.versus) == row.compares, f"{row.question} has versus {self.versus!r}")
        moved = [(change.aspect, change.before, change.after) for change in self.changes]
        ours = list(zip(row.aspects, row.before, row.after, strict=True))
        require(moved == ours, f"the changes {moved} are not those of the row, {ours}")
        _require_changes(self.changes, status=row.status, worse=row.lowers, question=row.question)
        _require_scores(
            score_before=row.score_before, score_after=row.score_after, target=row.target, margin=row.margin
        )
        _require_positions(self.k, position_after=self.position_after)
        self._require_balances_agree()
        self._require_scores_agree()
        self._require_positions_agree()
        self._require_lead_agrees()
        said = f"nothing is known of {self.item}, and yet it gets worse on {', '.join(row.aspects)}"
        require(not (self.new_item and row.aspects and row.lowers), said)

    @property
    def explained(self) -> bool:
        """Whether there is an explanation."""
        return self.row.explained

    def _repr_html_(self) -> str:
        """What a notebook shows: the sentence, its changes and its marks."""
        from counterec.wording.record_html import answer_html, notebook_card  # which is made from records

        return notebook_card(answer_html(self))

    @property
    def ended_early(self) -> bool:
        """Whether there is a change that flips, but the search for a smaller one ended early."""
        return self.row.status == OUT_OF_BUDGET and bool(self.changes)

    @property
    def by_a_hair(self) -> bool:
        """Whether the item is where it is by less than ``HAIR`` of the spread; false where that is not known."""
        if self.spread is None or self.row.score_before is None or self.row.target is None:
            return False
        ahead = self.row.score_before - self.row.target
        ahead = ahead if self.row.lowers else -ahead
        return ahead == 0 or 0 < ahead < HAIR * self.spread

    @property
    def too_close(self) -> bool:
        """Whether a miss does lie across the target, but by so little that it does not count."""
        return not self.explained and self._crossed(self.row.score_after, margin=0.0) is True

    @property
    def for_aspects(self) -> bool:
        """Whether aspects are so much of the lead that they may be named as a reason; true where nobody knows."""
        parts = self._parts()
        return parts is None or parts[0] >= NAMED_PART * sum(parts)

    @property
    def for_history(self) -> bool:
        """Whether the user's history is so much of the lead that it may be named as a reason."""
        parts = self._parts()
        return parts is not None and parts[1] >= NAMED_PART * sum(parts)

    @property
    def mostly_history(self) -> bool:
        """Whether more of the lead comes from the user's history than from aspects."""
        parts = self._parts()
        return parts is not None and parts[1] > parts[0]

    @property
    def kept_by_history(self) -> bool:
        """Whether no aspect was found to matter, and the user's history is why.

        The item with no aspect at all was scored: it is still ahead, by more than rounding, and would not be without
        the history part.
        """
        bare, history, target = self.row.score_without_aspects, self.row.lead_history, self.row.target
        if bare is None or history is None or target is None or not self.row.lowers:
            return False
        room = ROUNDING * max(abs(bare), abs(history), abs(target))
        return self.row.status in MISSED and bare > target + room and bare - history <= target + room

    def _parts(self) -> tuple[float, float] | None:
        """What aspects and history add to the lead; None where that is not known, or the item is not ahead."""
        row = self.row
        if row.lead_aspects is None or row.lead_history is None or row.lead_aspects + row.lead_history <= 0:
            return None
        return row.lead_aspects, row.lead_history

    def _crossed(self, score: float | None, margin: float | None = None) -> bool | None:
        """Whether the score lies across the target, by the rule of the explainers and in their precision."""
        if score is None or self.row.target is None:
            return None
        direction = Direction.LOWER if self.row.lowers else Direction.RAISE
        clear = margin if margin is not None else self.row.margin or 0.0
        scores, targets, margins = (np.array([value], dtype=np.float32) for value in (score, self.row.target, clear))
        return bool(crossed(scores, targets, direction, margins)[0])

    def _require_balances_agree(self) -> None:
        """The opinions that the changes count are those that the row counts."""
        listed = zip(self.changes, self.row.balance_before, self.row.balance_after, strict=True)
        for change, before, after in listed:
            if change.praises is not None and change.complaints is not None:
                balance = change.praises - change.complaints if change.opinions else None
                said = f"{change.aspect} has {change.praises} praises and {change.complaints} complaints"
                require(before in (None, balance), f"{said}, but the row says {before} more praises than complaints")
            if change.balance_after is not None:
                said = f"{change.aspect} ends at {change.balance_after} more praises than complaints"
                require(change.balance_after == after, f"{said}, but the row says {after}")

    def _require_scores_agree(self) -> None:
        row = self.row
        claim = f"{row.question} with status {row.status} and target {row.target}"
        if self.explained or self.ended_early:
            require(self._crossed(row.score_before) is not True, f"{claim} begins across it, at {row.score_before}")
            require(self._crossed(row.score_after) is not False, f"{claim} does not cross it with {row.score_after}")
        elif row.status != ALREADY_TRUE:
            require(self._crossed(row.score_after) is not True, f"{claim} does cross it with {row.score_after}")

    def _require_lead_agrees(self) -> None:
        """The parts of the lead add up to it, save for what rounding leaves, and every carrier has a name."""
        row, parts = self.row, (self.row.lead_aspects, self.row.lead_history)
        carriers = row.carried_by or ()
        require(len(self.past) == len(carriers), f"past names {self.past}, but carried_by is {carriers}")
        known = [part for part in parts if part is not None]
        _require_scores(lead_aspects=row.lead_aspects, lead_history=row.lead_history)
        if not known or row.score_before is None or row.target is None:
            return
        lead, room = row.score_before - row.target, ROUNDING * max(map(abs, (row.score_before, row.target, *known)))
        said = f"lead_aspects {parts[0]} and lead_history {parts[1]} do not add up to the lead, {lead}"
        require(abs(sum(known) - lead) <= room, said)

    def _require_positions_agree(self) -> None:
        row, before, after = self.row, self.row.position, self.position_after
        claim = f"{row.question} with status {row.status} and a list of {self.k}"
        if row.compares:
            if self.explained and before is not None and after is not None:
                require(after >= before, f"{claim} rises from position {before} to {after}")
            return
        listed_before = row.lowers != (row.status == ALREADY_TRUE)
        if before is not None and (row.lowers or row.status != NO_TARGET):
            require((before <= self.k) == listed_before, f"{claim} cannot begin at position {before}")
        if after is not None and self.explained:
            require((after <= self.k) != listed_before, f"{claim} cannot end at position {after}")


@dataclass(frozen=True)
class AudienceRecord:
    """The answer to a seller: one item, improved in one way for many users. All counts are of these users."""

    item: str
    changes: Sequence[Change]
    status: str
    asked: int
    """How many users the question is about."""
    wanted: int
    """How many lists the item is to enter, at least."""
    entered: int
    """How many lists it enters."""
    had_it: int
    """How many lists hold it before the change."""
    kept_it: int
    """How many of those still hold it after the change."""
    goal: str = "minimal"
    proof: str | None = None
    constraints: Constraints | None = None
    """What the question was asked with."""
    facts: bool = False
    """Whether aspects are attributes of a schema."""
    nets: int | None = None
    """How many nets the model is the mean of; None if that was not asked, or it is no mean."""
    nets_hold: int | None = None
    """In how many of them, by itself, the item enters as many lists as wanted."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(self.changes))
        require(bool(self.item), "the item has no name")
        require(self.status in STATUSES, f"unknown status {self.status!r}; one of {', '.join(STATUSES)}")
        _require_changes(self.changes, status=self.status, worse=False, question="audience")
        self._require_counts()
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

    def _require_counts(self) -> None:
        for name in ("asked", "wanted"):
            require(getattr(self, name) >= 1, f"{name} is {getattr(self, name)}; it must be 1 or more")
        require(self.entered >= 0, f"entered is {self.entered}; it must be 0 or more")
        require(
            0 <= self.kept_it <= self.had_it,
            f"kept_it is {self.kept_it} of had_it {self.had_it}; only a list that holds the item can keep it",
        )
        require(
            self.entered + self.had_it <= self.asked,
            f"entered is {self.entered} and had_it {self.had_it}, of {self.asked} asked: "
            "an item enters only lists that do not hold it",
        )
        require((self.nets is None) == (self.nets_hold is None), "nets and nets_hold are given together, or neither")
        require(
            self.nets is None or self.nets_hold is None or 0 <= self.nets_hold <= self.nets,
            f"the improvement holds in {self.nets_hold} of {self.nets} nets",
        )
        require(
            bool(self.changes) or (self.entered == 0 and self.kept_it == self.had_it),
            f"nothing changes, and yet entered is {self.entered} and kept_it {self.kept_it} of {self.had_it}",
        )

    @property
    def explained(self) -> bool:
        """Whether the item enters as many lists as wanted."""
        return self.status == EXPLAINED


@dataclass(frozen=True)
class RerankingRecord:
    """What becomes of one item in a new ranking, where it, and perhaps others, were changed as given."""

    item: str
    changes: Sequence[Change]
    """What was changed about this item."""
    position_before: int
    position_after: int
    k: int
    """The length of the list."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(self.changes))
        require(bool(self.item), "the item has no name")
        _require_changes(self.changes, status=EXPLAINED, worse=None, question="what_if")
        _require_positions(self.k, position_before=self.position_before, position_after=self.position_after)


@dataclass(frozen=True)
class HistoryRecord:
    """The answer about one user and one item: its row, and the names of the items in it."""

    row: HistoryRow
    item: str
    """The name of the item."""
    reviews: Sequence[str]
    """The names of the items whose reviews are left out, in the order of the row."""
    k: int
    """The length of the list."""
    instead: str | None = None
    """The name of the best item that enters the list."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "reviews", tuple(self.reviews))
        row = self.row
        require(bool(self.item), "the item has no name")
        require(self.k >= 1, f"k is {self.k}; a list has at least 1 place")
        require(len(self.reviews) == len(row.reviews), f"reviews names {self.reviews}, but the row has {row.reviews}")
        require(
            self.instead is None or row.leaves, f"{self.instead} enters the list, but {self.item} does not leave it"
        )
        claim = f"by history with status {row.status} and a list of {self.k}"
        if row.position is not None and row.status != "already_true":
            require(row.position <= self.k, f"{claim} cannot begin at position {row.position}")
        if row.position_after is not None and row.leaves:
            require(row.position_after > self.k, f"{claim} cannot end at position {row.position_after}")

    @property
    def explained(self) -> bool:
        """Whether there is an explanation."""
        return self.row.explained

    @property
    def too_close(self) -> bool:
        """Whether a miss does end below the list, but by so little that it does not count."""
        after = self.row.position_after
        return bool(self.reviews) and not self.row.leaves and after is not None and after > self.k


Record = AnswerRecord | AudienceRecord | RerankingRecord | HistoryRecord


def _require_changes(changes: Sequence[Change], *, status: str, worse: bool | None, question: str) -> None:
    """``worse`` says which way all of them must go; None: any way."""
    require(bool(changes) or status != EXPLAINED, f"{question} is explained by no change")
    require(not changes or status not in UNCHANGED, f"{question} with status {status} changes something")
    aspects = [change.aspect for change in changes]
    require(len(set(aspects)) == len(aspects), f"an aspect changes twice: {', '.join(aspects)}")
    for change in changes:
        way = f"{change.aspect} goes from {change.before} to {change.after}"
        require(change.either_way or worse in (None, change.worse), f"{way}, which is not what {question} asks for")
        require(not (worse and change.added), f"{way}, but what was never reviewed cannot get worse")


def _require_scores(**scores: float | None) -> None:
    for name, score in scores.items():
        require(score is None or isfinite(score), f"{name} is {score}; it must be a finite number, or None")


def _require_positions(k: int, **positions: int | None) -> None:
    require(k >= 1, f"k is {k}; a list has at least 1 place")
    for name, position in positions.items():
        require(position is None or position >= 1, f"{name} is {position}; positions begin at 1")
