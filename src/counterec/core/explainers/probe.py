"""Probes: how far many changes, of a few aspects each, are from the flip.

A *gap* is the signed distance to the score that a solver aims at: negative where the score has crossed its target and
cleared the margin. A change of a few aspects is given by which aspects (``aspects`` [B, s]) and by how much (``change``
[B, s]); unused columns have change 0. Any scorer can be probed through its scores alone. One with two ReLU layers is
probed through its layers, where changing s aspects costs s additions in the first layer instead of a product.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import BoolMatrix, FloatMatrix, FloatVector, IntMatrix, IntVector, row_chunks
from counterec.core.compute_limits import rows_at_once
from counterec.core.explainers.few_changes import FEW, FewChanges
from counterec.core.explainers.offset_targets import for_aspect_part
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.set_screen import SetScreen, Sides
from counterec.core.explainers.tolerances import NEAR, SAFETY
from counterec.core.scorers.base import LayeredScorer, Scorer, aspect_part_of, has_layers, scores_of
from counterec.core.scorers.relu_layers import ReluLayers

LAYERED_ROWS_AT_ONCE = 1024
"""Changes probed in one product: the layers of this many stay in the processor's cache."""
BARELY_MISSED = 1e-6
"""The gap of a change that flips under a ranker, but not by what solvers aim at: the scorer itself decides."""
ROWS_AT_ONCE = 65_536
"""Changed items that a black box scores in one call, to bound the memory."""


class SlopeProbe(Protocol):
    """Measures how far changes are from the flip, and where they lead."""

    def gaps(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatVector:
        """Return the gap of each change; row i is a change of pair ``rows[i]``."""
        ...

    def slopes(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """Return how the gap changes with each of the changes, at these changes."""
        ...


class Probe(SlopeProbe, Protocol):
    """Measures sets of aspects, too."""

    def gaps_of_sets(self, row: int, aspects: IntVector, reach: FloatVector, sets: BoolMatrix) -> FloatVector:
        """Return the gaps of many sets of one pair's aspects, those of a set all at their reach."""
        ...


def probe_of(scorer: Scorer, question: Question) -> Probe:
    """The fastest probe that the scorer allows; it looks at the aspect part, with offsets taken into the targets."""
    if question.by_membership:
        return MembershipProbe(scorer, question)
    part, question = aspect_part_of(scorer), for_aspect_part(scorer, question)
    if has_layers(part):
        return LayeredProbe(part, question)
    return ScoringProbe(part, question)


def sign_of(question: Question) -> float:
    """+1 where scores must fall, −1 where they must rise."""
    return 1.0 if question.direction is Direction.LOWER else -1.0


def goal_of(question: Question, safety: float = SAFETY, noise: float = 0.0) -> FloatVector:
    """What the signed score must lie below, ``safety`` margins or a margin and this ``noise`` beyond the target."""
    aim = np.maximum(safety * question.margin, question.margin + noise * question.largest)
    return sign_of(question) * question.target - aim


def near_of(question: Question) -> FloatVector:
    """Per pair: with a gap between 0 and this, a change may still flip, and the scorer itself decides."""
    return np.full(len(question), 2 * BARELY_MISSED) if question.by_membership else NEAR * question.margin


class ScoringProbe:
    """Probes any scorer, by its scores."""

    def __init__(self, scorer: Scorer, question: Question) -> None:
        self._scorer, self._question, self._pairs = scorer, question, question.pairs
        self._sign, self._goal = sign_of(question), goal_of(question)

    def gaps(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatVector:
        """Score the changed items."""
        gaps = np.empty(len(rows), dtype=np.float32)
        for chunk in row_chunks(len(rows), ROWS_AT_ONCE):
            gaps[chunk] = self._gaps(rows[chunk], aspects[chunk], change[chunk])
        return gaps

    def _gaps(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatVector:
        changed = self._pairs.rows(rows).with_quality(self._question.qualities_after(rows, aspects, change))
        return self._gaps_at(rows, scores_of(self._scorer, changed))

    def _gaps_at(self, rows: IntVector, scores: FloatVector) -> FloatVector:
        """The gaps that follow from the scores."""
        return self._sign * scores - self._goal[rows]

    def gaps_of_sets(self, row: int, aspects: IntVector, reach: FloatVector, sets: BoolMatrix) -> FloatVector:
        """Score the changed items."""
        return self.gaps(np.full(len(sets), row), np.broadcast_to(aspects, sets.shape), sets * reach)

    def slopes(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """The secants: what each change adds to the others, which is all that a black box shows."""
        which, column = np.nonzero(change)
        without = change[which]
        without[np.arange(len(which)), column] = 0
        # All in one call: a black box may take as long for one row as for a thousand.
        tried = np.concatenate([change, without])
        gaps = self.gaps(np.concatenate([rows, rows[which]]), np.concatenate([aspects, aspects[which]]), tried)
        slopes = np.zeros(change.shape, dtype=np.float32)
        slopes[which, column] = (gaps[which] - gaps[len(rows) :]) / change[which, column]
        return slopes


class MembershipProbe(ScoringProbe):
    """Probes any scorer under a ranker that is not monotone: the list decides, made again with every score.

    There is no score to cross, so a gap is no distance. It is below 0 where the change flips and clears what solvers
    aim at, and above 0 where it does not. Among misses, and among flips, it is the lower the further the score has
    moved, by g = 1/2 + arctan(moved / spread)/π: a search needs to know which way to go.
    """

    def __init__(self, scorer: Scorer, question: Question) -> None:
        super().__init__(scorer, question)
        self._from = scores_of(scorer, question.pairs) if len(question) else np.empty(0, dtype=np.float32)
        self._unit = np.maximum(question.spread, np.maximum(question.margin, np.finfo(np.float32).tiny))

    def _gaps_at(self, rows: IntVector, scores: FloatVector) -> FloatVector:
        moved = self._sign * (scores.astype(np.float64) - self._from[rows]) / self._unit[rows]
        guide = np.clip(0.5 + np.arctan(moved) / np.pi, 1e-4, 1 - 1e-4)
        surely = self._question.safely_crossed(scores, rows)
        barely = ~surely & self._question.just_crossed(scores, rows)
        return np.select([surely, barely], [guide - 1, BARELY_MISSED], guide).astype(np.float32)


class LayeredProbe:
    """Probes a scorer with two ReLU layers, starting from the first layer of each unchanged pair."""

    def __init__(self, scorer: LayeredScorer, question: Question, safety: float = SAFETY, noise: float = 0.0) -> None:
        pairs = question.pairs
        self.layers: ReluLayers = scorer.unrolled(pairs.users, pairs.items, pairs.user_attention)
        self.device = self.layers.item.device
        self.first = self.layers.share + self._tensor(pairs.item_quality) @ self.layers.item
        self.sign = sign_of(question)
        self.goal = self._tensor(goal_of(question, safety, noise))
        # A target that an offset was taken into may be larger than any whole score; so is what rounding grows with.
        self.largest = self._tensor(np.fmax(question.largest, np.abs(question.target)))
        self._few = FewChanges(self.layers, self.first, self.goal, self.sign) if self.device.type == "cpu" else None
        self._most = rows_at_once(LAYERED_ROWS_AT_ONCE, self.device)

    # Allocating these for every product would cost as much as the product.

    @cached_property
    def _first(self) -> Tensor:
        return torch.empty((self._most, self.first.shape[1]), device=self.device)

    @cached_property
    def _moved(self) -> Tensor:
        return torch.empty_like(self._first)

    @cached_property
    def _room(self) -> Tensor:
        return self.layers.second_room(self._most)

    def _tensor(self, array: np.ndarray) -> Tensor:
        return torch.as_tensor(np.array(array), device=self.device)

    @cached_property
    def second(self) -> Tensor:
        """The second layer's input of each unchanged pair [m, pairs, second]."""
        return self.layers.second(self.first.relu())

    @cached_property
    def doubled_layers(self) -> ReluLayers:
        """The layers in double precision, without what the pairs add to them."""
        return replace(self.layers, share=self.layers.share[:0]).doubled()

    def gaps(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatVector:
        """Move the first layer, then one product."""
        if self._few is not None and len(rows) <= FEW:
            return self._few.gaps(rows, aspects, change)
        return self._in_chunks(rows, aspects, change, self._gaps, (len(rows),))

    @torch.inference_mode()
    def gaps_of_sets(self, row: int, aspects: IntVector, reach: FloatVector, sets: BoolMatrix) -> FloatVector:
        """Move the first layer of one pair by all sets at once: a small product in column of many additions."""
        return self._of_sets(row, aspects, reach, sets, lambda first: self._gaps_from(first, self.goal[row]))

    @cached_property
    def _sides(self) -> Sides:
        return Sides.of(self.layers, self.sign)

    @torch.inference_mode()
    def screen(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> SetScreen:
        """What bounds the gaps of sets of these pairs, from one change of each."""
        chunks = row_chunks(len(rows), self._most)
        parts = [[self._tensor(array[chunk]) for array in (rows, aspects, change)] for chunk in chunks]
        reference = torch.cat([self._moved_first(*part).clone() for part in parts])
        return SetScreen(self.layers, self._sides, self.sign, reference)

    @torch.inference_mode()
    def lowest_gaps_of_sets(
        self, row: int, aspects: IntVector, reach: FloatVector, sets: BoolMatrix, screen: SetScreen, place: int
    ) -> FloatVector:
        """Lower bounds on the gaps of many sets of one pair, which has this place in the screen."""
        return self._of_sets(row, aspects, reach, sets, lambda first: screen.lowest(place, first) - self.goal[row])

    def _of_sets(
        self,
        row: int,
        aspects: IntVector,
        reach: FloatVector,
        sets: BoolMatrix,
        work: Callable[[Tensor], Tensor],
    ) -> FloatVector:
        """What follows from the first layer's input of each set, which is overwritten."""
        moves = self.layers.item[aspects] * self._tensor(reach)[:, None]
        result = np.empty(len(sets), dtype=np.float32)
        for chunk in row_chunks(len(sets), self._most):
            chosen = self._tensor(sets[chunk].astype(np.float32))
            first = torch.addmm(self.first[row], chosen, moves, out=self._first[: chosen.shape[0]])
            result[chunk] = work(first).cpu().numpy()
        return result

    def slopes(self, rows: IntVector, aspects: IntMatrix, change: FloatMatrix) -> FloatMatrix:
        """Forward and back through the layers."""
        return self._in_chunks(rows, aspects, change, self._slopes, change.shape)

    @torch.inference_mode()
    def _in_chunks(
        self,
        rows: IntVector,
        aspects: IntMatrix,
        change: FloatMatrix,
        work: Callable[[Tensor, Tensor, Tensor], Tensor],
        shape: tuple[int, ...],
    ) -> FloatMatrix:
        result = np.empty(shape, dtype=np.float32)
        for chunk in row_chunks(len(rows), self._most):
            parts = (torch.from_numpy(part[chunk]).to(self.device) for part in (rows, aspects, change))
            result[chunk] = work(*parts).cpu().numpy()
        return result

    def _moved_first(self, rows: Tensor, aspects: Tensor, change: Tensor) -> Tensor:
        first, moved = self._first[: rows.shape[0]], self._moved[: rows.shape[0]]
        torch.index_select(self.first, 0, rows, out=first)
        for column in range(aspects.shape[1]):
            torch.index_select(self.layers.item, 0, aspects[:, column], out=moved)
            first.addcmul_(moved, change[:, column : column + 1])
        return first

    def _gaps(self, rows: Tensor, aspects: Tensor, change: Tensor) -> Tensor:
        return self._gaps_from(self._moved_first(rows, aspects, change), self.goal[rows])

    def _gaps_from(self, first: Tensor, goal: Tensor) -> Tensor:
        """The gaps that follow from the first layer's input, which is overwritten."""
        second = self.layers.second(first.relu_(), self._room).relu_()
        return self.sign * self.layers.score(second) - goal

    def _slopes(self, rows: Tensor, aspects: Tensor, change: Tensor) -> Tensor:
        layers = self.layers
        first = self._moved_first(rows, aspects, change)
        back = layers.slope(first, layers.second(first.relu()))
        columns = [(back * layers.item[aspects[:, column]]).sum(dim=1) for column in range(aspects.shape[1])]
        return self.sign * torch.stack(columns, dim=1)
