"""The answer: explanations that were re-scored, with a status for every pair and a proof where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
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
from counterec.core.explainers.question import Direction, Question, crossed
from counterec.core.explainers.tolerances import MARGIN
from counterec.core.scorers.protocols import Scorer


class Status(IntEnum):
    """What became of a pair. "None found" is an answer with a reason, and is counted."""

    EXPLAINED = 0
    """The change it carries flips, by a fresh re-score."""
    NOTHING_TO_CHANGE = 1
    """No aspect of the pair may move."""
    CANNOT_FLIP = 2
    """Proven: no allowed change flips (for *single*: no allowed change of one aspect)."""
    NOT_FOUND = 3
    """None was found; the change it carries is the nearest miss."""
    NO_TARGET = 5
    """There are fewer than K+1 candidates, so nothing to fall behind."""
    ALREADY_TRUE = 6
    """The score lies across the target without any change."""
    FAILED = 7
    """Asking ended in an error, which a run reports; nothing is known."""

    @property
    def label(self) -> str:
        """The status as it is written on disk."""
        return self.name.lower()


class Proof(IntEnum):
    """How small a change is known to be."""

    NONE = 0
    """There is no explanation to prove anything of."""
    FOUND = 1
    """It flips; nothing is claimed of its size."""
    IRREDUCIBLE = 2
    """For each of its aspects, the others at their bounds do not flip."""
    SMALLEST = 3
    """No smaller set of movable aspects flips with all of them at their bounds: every one was tried."""
    EXACT = 4
    """No smaller change of one aspect flips."""

    @property
    def label(self) -> str:
        """The proof as it is written on disk."""
        return self.name.lower()


@dataclass(frozen=True)
class NamedAspects:
    """What every method can give: which aspects it names for each pair, and how strongly."""

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
class Explanations:
    """One row a pair, arrays not objects.

    ``flips``, ``strength`` and ``complexity`` are computed from what is stored, never stored themselves.
    """

    users: IntVector
    items: IntVector
    delta: FloatMatrix = field(repr=False)
    score_before: FloatVector
    score_after: FloatVector
    target: FloatVector
    status: NDArray[np.int8]
    proof: NDArray[np.int8]
    direction: Direction = Direction.LOWER
    margin: float = MARGIN
    necessary: BoolVector | None = None
    """Whether the aspects that move are necessary, among the pair's own rivals; None where the goal does not ask."""
    sufficient: BoolVector | None = None
    """Whether they are sufficient."""

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            items=np.int64,
            delta=np.float32,
            score_before=np.float32,
            score_after=np.float32,
            target=np.float32,
            status=np.int8,
            proof=np.int8,
        )
        for name in ("users", "items", "delta", "score_before", "score_after", "target", "status", "proof"):
            require(len(getattr(self, name)) == len(self.users), f"{name} has not a row a pair")
        for name in ("necessary", "sufficient"):
            if getattr(self, name) is not None:
                freeze(self, **{name: np.bool_})
                require_shape(name, getattr(self, name), self.users.shape)
        require((self.flips | ~self.explained).all(), "a row says explained but does not flip")

    def __len__(self) -> int:
        return len(self.users)

    @property
    def explained(self) -> BoolVector:
        """Which pairs have an explanation."""
        return self.status == Status.EXPLAINED

    @property
    def flips(self) -> BoolVector:
        """Which scores after the change lie across their target, by the margin."""
        return crossed(self.score_after, self.target, self.direction, self.margin)

    @property
    def strength(self) -> FloatVector:
        """S(Δ) = score before − score after (Eq. 3)."""
        return self.score_before - self.score_after

    def complexity(self, gamma: float = 1.0) -> FloatVector:
        """C(Δ) = ‖Δ‖₂ + γ‖Δ‖₀ (Eq. 2)."""
        return np.linalg.norm(self.delta, axis=1) + gamma * np.count_nonzero(self.delta, axis=1)

    def named(self) -> NamedAspects:
        """The aspects that the explained pairs name; rows without an explanation name none."""
        named = (self.delta != 0) & self.explained[:, None]
        return NamedAspects(self.users, self.items, named, np.where(named, np.abs(self.delta), 0))

    @classmethod
    def joined(cls, parts: Sequence[Explanations]) -> Explanations:
        """Several batches of the same question as one."""
        arrays = parts[0]._columns()
        whole: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays}
        return replace(parts[0], **whole)

    def rows(self, index: IntVector) -> Explanations:
        """Some of the rows, in this order."""
        return replace(self, **{name: getattr(self, name)[index] for name in self._columns()})

    def _columns(self) -> list[str]:
        """The fields with a value a pair."""
        given = [name.name for name in fields(self) if getattr(self, name.name) is not None]
        return [name for name in given if name not in ("direction", "margin")]


@dataclass(frozen=True)
class Proposal:
    """What a solver hands over to be verified: a change for each pair, and what it claims of it."""

    delta: FloatMatrix
    proof: NDArray[np.int8]
    """Proven of the change if it flips."""
    cannot_flip: BoolVector
    """Proven that no allowed change flips."""
    necessary: BoolVector | None = None
    """Shown of the aspects that move; None where nobody asked."""
    sufficient: BoolVector | None = None

    @classmethod
    def of(
        cls,
        delta: FloatMatrix,
        proof: NDArray[np.int8] | None = None,
        cannot_flip: BoolVector | None = None,
        necessary: BoolVector | None = None,
        sufficient: BoolVector | None = None,
    ) -> Proposal:
        """A proposal that claims nothing but what is given."""
        nothing = np.zeros(len(delta), dtype=bool)
        return cls(
            delta,
            np.full(len(delta), Proof.FOUND, dtype=np.int8) if proof is None else proof,
            nothing if cannot_flip is None else cannot_flip,
            necessary,
            sufficient,
        )


def verified(scorer: Scorer, question: Question, proposal: Proposal) -> Explanations:
    """Turn proposals into explanations: each is re-scored exactly as it stands, and only a real flip counts."""
    require_shape("delta", proposal.delta, question.lowest.shape)
    _require_allowed(question, proposal.delta)
    delta = np.where(question.has_target[:, None], proposal.delta, 0).astype(np.float32)
    before = scorer.score(question.pairs)
    already = question.settled | question.crossed(before)
    delta[already] = 0
    after = scorer.score(question.changed(delta))
    flips = question.crossed(after) & ~already
    status = np.select(
        [
            ~question.has_target,
            already,
            flips,
            ~question.movable.any(axis=1),
            proposal.cannot_flip,
        ],
        [
            Status.NO_TARGET,
            Status.ALREADY_TRUE,
            Status.EXPLAINED,
            Status.NOTHING_TO_CHANGE,
            Status.CANNOT_FLIP,
        ],
        Status.NOT_FOUND,
    )
    return Explanations(
        users=question.users,
        items=question.items,
        delta=delta,
        score_before=before,
        score_after=after,
        target=question.target,
        status=status,
        proof=np.where(status == Status.EXPLAINED, proposal.proof, Proof.NONE),
        direction=question.direction,
        margin=question.margin,
        necessary=None if proposal.necessary is None else proposal.necessary & (status == Status.EXPLAINED),
        sufficient=None if proposal.sufficient is None else proposal.sufficient & (status == Status.EXPLAINED),
    )


def _require_allowed(question: Question, delta: FloatMatrix) -> None:
    """A solver that breaks a constraint is a bug: nothing of it may get out."""
    inside = (delta >= question.lowest) & (delta <= question.highest)
    require(inside.all(), "a solver left the bounds of the change")
    if question.most is not None:
        require((np.count_nonzero(delta, axis=1) <= question.most).all(), "a solver moved more aspects than allowed")
    if question.whole:
        at_bounds = (delta == 0) | (delta == question.lowest) | (delta == question.highest)
        require(at_bounds.all(), "a solver went a part of a way that is whole")
