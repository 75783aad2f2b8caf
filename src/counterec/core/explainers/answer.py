"""The answer: re-scored explanations, with a status for every pair and a proof where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import (
    BoolMatrix,
    BoolVector,
    FloatMatrix,
    FloatVector,
    IntVector,
    freeze,
    require,
    require_shape,
)
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.budget import Spent
from counterec.core.explainers.question import Direction, Question, crossed
from counterec.core.scorers.base import Scorer, scores_together
from counterec.errors import InvalidValueError


class Status(IntEnum):
    """What became of a pair. "None found" is an answer with a reason, and is counted."""

    EXPLAINED = 0
    """The change flips, by a fresh re-score."""
    NOTHING_TO_CHANGE = 1
    """No aspect of the pair may move."""
    CANNOT_FLIP = 2
    """Proven: no allowed change flips (for *single*: no allowed change of one aspect)."""
    NOT_FOUND = 3
    """No change was found; the one given is the nearest miss."""
    NO_TARGET = 4
    """There are fewer than K+1 candidates, so there is no score to cross."""
    ALREADY_TRUE = 5
    """The score lies across the target without any change."""
    FAILED = 6
    """The search ended in an error, which a run reports; nothing is known."""
    OUT_OF_BUDGET = 7
    """The search ended early, its budget spent; the change given is the best that was met, if it flips or not."""

    @property
    def label(self) -> str:
        """The status as written on disk."""
        return self.name.lower()


class Proof(IntEnum):
    """How small a change is known to be."""

    NONE = 0
    """There is no explanation to prove anything about."""
    FOUND = 1
    """It flips; nothing is claimed about its size."""
    IRREDUCIBLE = 2
    """For each of its aspects, the others at their bounds do not flip; whatever values categories get."""
    SMALLEST = 3
    """Every smaller set of movable aspects was tried at its bounds, and none flips; where aspects may become absent,
    every smaller set was tried absent, too. Of attributes, it was tried with every choice of categories."""
    EXACT = 4
    """No smaller change of one aspect flips; where the most telling aspect is named, no smaller change of that one."""

    @property
    def label(self) -> str:
        """The proof as written on disk."""
        return self.name.lower()


@dataclass(frozen=True)
class NamedAspects:
    """What every method can give: the aspects it names for each pair, and how strongly."""

    users: IntVector
    items: IntVector
    named: BoolMatrix
    weight: FloatMatrix

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            items=np.int64,
            named=np.bool_,
            weight=np.float32,
        )
        require_shape("items", self.items, self.users.shape)
        require_shape("named", self.named, (len(self.users), self.named.shape[1]))
        require_shape("weight", self.weight, self.named.shape)

    def __len__(self) -> int:
        return len(self.users)

    @property
    def any_named(self) -> BoolVector:
        """Which pairs name at least one aspect."""
        return np.asarray(self.named.any(axis=1))


@dataclass(frozen=True)
class Alternatives:
    """What else would do, as far as a search over sets of aspects has tried it."""

    singles: BoolMatrix
    """Which other aspects flip by themselves, at their bounds."""
    equal_sets: IntVector
    """How many other sets of as many aspects as the answer's flip."""
    all_tried: BoolVector
    """Whether every set of as many aspects was tried."""

    def __post_init__(self) -> None:
        freeze(self, singles=np.bool_, equal_sets=np.int64, all_tried=np.bool_)
        for name in ("singles", "all_tried"):
            rows = len(getattr(self, name))
            require(rows == len(self.equal_sets), f"{name} has {rows} rows, expected {len(self.equal_sets)}")

    def rows(self, index: IntVector) -> Alternatives:
        """Some of the rows, in this order."""
        return Alternatives(self.singles[index], self.equal_sets[index], self.all_tried[index])

    @classmethod
    def unknown(cls, rows: int, aspects: int) -> Alternatives:
        """Nothing was tried."""
        nothing = np.zeros(rows, dtype=np.int64)
        return cls(np.zeros((rows, aspects), dtype=bool), nothing, nothing.astype(bool))

    @classmethod
    def joined(cls, parts: Sequence[Alternatives]) -> Alternatives:
        """Several batches as one."""
        names = ("singles", "equal_sets", "all_tried")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


COLUMNS = ("users", "items", "delta", "score_before", "score_after", "target", "margin", "status", "proof")
"""The fields of ``Explanations`` with one value per pair."""


@dataclass(frozen=True)
class Explanations:
    """Verified answers, one row per pair, as arrays.

    ``flips``, ``strength`` and ``complexity`` are computed from these arrays and never stored.
    """

    users: IntVector
    items: IntVector
    delta: FloatMatrix = field(repr=False)
    score_before: FloatVector
    score_after: FloatVector
    target: FloatVector
    margin: FloatVector
    """By how much a flip clears its target."""
    status: NDArray[np.int8]
    proof: NDArray[np.int8]
    direction: Direction = Direction.LOWER
    goal: str = "minimal"
    """The goal that was answered by; whoever tells an answer takes it from here."""
    verdicts: Verdicts | None = None
    """Whether the aspects that move are necessary and sufficient; None where nobody asked."""
    alternatives: Alternatives | None = None
    """What else would do; None where no search over sets of aspects was made."""
    moved: BoolVector | None = None
    """Where lists decide and no target does (a ranker that is not monotone): whether the change flips."""
    spent: Spent | None = None
    """What was asked of the scorer; None where nobody counted."""

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            items=np.int64,
            delta=np.float32,
            score_before=np.float32,
            score_after=np.float32,
            target=np.float32,
            margin=np.float32,
            status=np.int8,
            proof=np.int8,
        )
        for name in COLUMNS:
            rows = len(getattr(self, name))
            require(rows == len(self.users), f"{name} has {rows} rows, expected one per pair: {len(self.users)}")
        if self.moved is not None:
            freeze(self, moved=np.bool_)
            require_shape("moved", self.moved, self.users.shape)
        require((self.flips | ~self.explained).all(), "a row says explained but does not flip")
        if self.verdicts is not None:
            require(np.array_equal(self.verdicts.users, self.users), "the verdicts are about other users")
            require((self.explained | ~self.verdicts.asked).all(), "a row has a verdict but no explanation")

    def __len__(self) -> int:
        return len(self.users)

    @property
    def explained(self) -> BoolVector:
        """Which pairs have an explanation."""
        return self.status == Status.EXPLAINED

    @property
    def flips(self) -> BoolVector:
        """Which scores after the change lie across their target, by the margin; or move the item in its list."""
        if self.moved is not None:
            return self.moved
        return crossed(self.score_after, self.target, self.direction, self.margin)

    @property
    def strength(self) -> FloatVector:
        """S(Δ) = score before − score after (Eq. 3)."""
        return self.score_before - self.score_after

    def complexity(self, gamma: float = 1.0) -> FloatVector:
        """C(Δ) = ‖Δ‖₂ + γ‖Δ‖₀ (Eq. 2)."""
        return np.linalg.norm(self.delta, axis=1) + gamma * np.count_nonzero(self.delta, axis=1)

    def named(self) -> NamedAspects:
        """The aspects that explanations change; a row without an explanation names none."""
        named = (self.delta != 0) & self.explained[:, None]
        return NamedAspects(self.users, self.items, named, np.where(named, np.abs(self.delta), 0))

    def with_verdicts(self, verdicts: Verdicts | None) -> Explanations:
        """The same answers with these verdicts instead of their own."""
        return replace(self, verdicts=verdicts)

    def require_verdicts(self) -> Verdicts:
        """Return the verdicts; raise where nobody asked for them."""
        if self.verdicts is None:
            raise InvalidValueError("these explanations carry no verdicts; add them with with_verdicts(...)")
        return self.verdicts

    def only(self, kept: BoolVector) -> Explanations:
        """The same pairs, of which only these count as explained; the others count as not found."""
        dropped = self.explained & ~kept
        return replace(
            self,
            delta=np.where(dropped[:, None], 0, self.delta),
            score_after=np.where(dropped, self.score_before, self.score_after),
            status=np.where(dropped, Status.NOT_FOUND, self.status),
            proof=np.where(dropped, Proof.NONE, self.proof),
            verdicts=None if self.verdicts is None else self.verdicts.only(~dropped),
            moved=None if self.moved is None else self.moved & ~dropped,
        )

    @classmethod
    def failed(cls, question: Question) -> Explanations:
        """The rows of a question that an explainer raised an error for."""
        unknown = np.full(len(question), np.nan)
        return cls(
            users=question.users,
            items=question.items,
            delta=np.zeros(question.lowest.shape),
            score_before=unknown,
            score_after=unknown,
            target=question.target,
            margin=question.margin,
            status=np.full(len(question), Status.FAILED),
            proof=np.full(len(question), Proof.NONE),
            direction=question.direction,
        )

    @classmethod
    def joined(cls, parts: Sequence[Explanations]) -> Explanations:
        """Several batches of the same question as one."""
        whole: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
        judged = parts[0].verdicts is not None
        verdicts = Verdicts.joined([part.require_verdicts() for part in parts]) if judged else None
        searched = any(part.alternatives is not None for part in parts)
        others = [part.alternatives or Alternatives.unknown(*part.delta.shape) for part in parts]
        alternatives = Alternatives.joined(others) if searched else None
        moved = None if parts[0].moved is None else np.concatenate([part.flips for part in parts])
        counted = any(part.spent is not None for part in parts)
        spent = Spent.joined([part.spent or Spent.nothing(len(part)) for part in parts]) if counted else None
        return replace(parts[0], **whole, verdicts=verdicts, alternatives=alternatives, moved=moved, spent=spent)

    def rows(self, index: IntVector) -> Explanations:
        """Some of the rows, in this order."""
        verdicts = None if self.verdicts is None else self.verdicts.rows(index)
        others = None if self.alternatives is None else self.alternatives.rows(index)
        columns = {name: getattr(self, name)[index] for name in COLUMNS}
        moved = None if self.moved is None else self.moved[index]
        spent = None if self.spent is None else self.spent.part(index)
        return replace(self, **columns, verdicts=verdicts, alternatives=others, moved=moved, spent=spent)


@dataclass(frozen=True)
class Proposal:
    """What a solver hands over to be verified: one change per pair, and what it claims about it."""

    delta: FloatMatrix
    proof: NDArray[np.int8]
    """Proven of the change if it flips."""
    cannot_flip: BoolVector
    """Proven that no allowed change flips."""
    verdicts: Verdicts | None = None
    """What is known of the aspects that move; None where the goal does not ask."""
    alternatives: Alternatives | None = None
    """What else would do; None where sets are not searched."""
    tried_below: IntVector | None = None
    """Per pair: every set of fewer aspects than this was tried at its bounds; None where sets are not searched."""

    @classmethod
    def of(
        cls,
        delta: FloatMatrix,
        proof: NDArray[np.int8] | None = None,
        cannot_flip: BoolVector | None = None,
        verdicts: Verdicts | None = None,
        alternatives: Alternatives | None = None,
        tried_below: IntVector | None = None,
    ) -> Proposal:
        """A proposal that claims nothing but what is given."""
        return cls(
            delta,
            np.full(len(delta), Proof.FOUND, dtype=np.int8) if proof is None else proof,
            np.zeros(len(delta), dtype=bool) if cannot_flip is None else cannot_flip,
            verdicts,
            alternatives,
            tried_below,
        )


def verified(scorer: Scorer, question: Question, proposal: Proposal) -> Explanations:
    """Turn proposals into explanations: each change is re-scored exactly as proposed, and only a real flip counts."""
    require_shape("delta", proposal.delta, question.lowest.shape)
    _require_allowed(question, proposal.delta)
    delta = np.where(question.has_target[:, None], proposal.delta, 0).astype(np.float32)
    delta[question.settled] = 0
    before, after = scores_together(scorer, question.pairs, question.changed(delta))
    already = question.settled | question.crossed(before)
    delta[already], after = 0, np.where(already, before, after)
    flips = question.crossed(after) & ~already
    fixed = np.zeros(len(question), dtype=bool) if question.whatever_score is None else question.whatever_score
    question.require_monotone(flips, after)
    status = np.select(
        [
            ~question.has_target & ~fixed,
            already,
            flips,
            ~question.movable.any(axis=1),
            proposal.cannot_flip | fixed,
        ],
        [Status.NO_TARGET, Status.ALREADY_TRUE, Status.EXPLAINED, Status.NOTHING_TO_CHANGE, Status.CANNOT_FLIP],
        Status.NOT_FOUND,
    )
    explained = status == Status.EXPLAINED
    return Explanations(
        users=question.users,
        items=question.items,
        delta=delta,
        score_before=before,
        score_after=after,
        target=question.target,
        margin=question.margin,
        status=status,
        proof=np.where(explained, proposal.proof, Proof.NONE),
        direction=question.direction,
        alternatives=proposal.alternatives,
        verdicts=None if proposal.verdicts is None else proposal.verdicts.only(explained),
        moved=flips if question.by_membership else None,
    )


def _require_allowed(question: Question, delta: FloatMatrix) -> None:
    """Refuse a change outside the constraints: that is a bug in the solver."""
    inside = (delta >= question.lowest) & (delta <= question.highest)
    require(inside.all(), "a solver left the bounds of the change")
    if question.most is not None:
        require((np.count_nonzero(delta, axis=1) <= question.most).all(), "a solver moved more aspects than allowed")
    if question.whole:
        at_bounds = (delta == 0) | (delta == question.lowest) | (delta == question.highest)
        require(at_bounds.all(), "a solver moved an aspect only part of the way to its bound")
