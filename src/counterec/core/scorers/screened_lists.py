"""The first items of a user's ranking, found by a screen: most of a large catalogue need not be scored.

A screen bounds every candidate's score from above (``integer_screen``). The scorer scores those that the screen puts
first; the lowest of their scores is one that no item of the list is below. It then scores every candidate whose bound
reaches that score, all in one batch, and these scores alone make the list. Of the mean of several nets, the screen
bounds the scores by each net on the way, so that the nets' own lists cost little more.

Where a screen leaves too many candidates, all of them are scored. Else the spread of the candidates' scores, which
margins are made from, is that of the screen's scores: in practice some thousandths off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatVector, IntVector, row_chunks
from counterec.core.lists import score_scale
from counterec.core.scorers.integer_screen import ROUNDING, IntegerScreen, Screened, is_fast
from counterec.core.scorers.order import first_in_order
from counterec.core.scorers.per_user import Catalogue, LayeredCatalogue, OffsetCatalogue, UserCatalogue

FEWEST_ITEMS = 1000
"""With fewer items that differ, there is little to save."""

MOST_LEFT = 0.25
"""If a screen leaves more than this share of the candidates, all of them are scored."""

LIKELY = 1.25
"""Of a long list, this many times its length are scored at first: the more, the fewer are left."""

OFF = 4
"""No score is further from the screen's than this many times the furthest of those scored at first."""


@dataclass(frozen=True)
class UserList:
    """The first items of one user's ranking, their scores, and the scale of all candidates' scores."""

    items: IntVector
    scores: FloatVector
    spread: float
    largest: float


def plain_list(view: UserCatalogue, candidates: IntVector, count: int) -> UserList:
    """Score all candidates, and take the first."""
    scores = view.scores(candidates)
    first = first_in_order(scores, candidates, count)
    return UserList(candidates[first], scores[first], *score_scale(scores))


def screened_list(
    view: UserCatalogue, candidates: IntVector, count: int, scores: FloatVector, more: FloatVector
) -> UserList:
    """The same list, scoring few; ``scores`` are the screen's, and none is too low by more than ``more``."""
    if len(candidates) * MOST_LEFT <= count or not np.isfinite(scores + more).all():
        return plain_list(view, candidates, count)
    likely = np.argpartition(scores, len(scores) - count)[len(scores) - count :]
    reached = float(view.scores(candidates[np.sort(likely)]).min())
    left = candidates[scores + more >= reached]
    if len(left) > len(candidates) * MOST_LEFT:
        return plain_list(view, candidates, count)
    exact = view.scores(left)
    first = first_in_order(exact, left, count)
    spread, largest = score_scale(scores)
    return UserList(left[first], exact[first], spread, max(largest, float(np.abs(exact).max())))


@dataclass(frozen=True)
class LongList:
    """Many of the first items of one user's ranking, in its order, and their scores."""

    items: IntVector
    scores: FloatVector


def plain_long_list(view: UserCatalogue, candidates: IntVector, count: int) -> LongList:
    """Score all candidates, and take the first."""
    scores = view.scores(candidates)
    first = first_in_order(scores, candidates, count)
    return LongList(candidates[first], scores[first])


def screened_long_list(
    view: UserCatalogue, candidates: IntVector, count: int, scores: FloatVector, more: FloatVector
) -> LongList:
    """The same, scoring few: first somewhat more than the list is long, then who may still come before its last.

    How far the screen is off is seen from the first ones. That another item is off by ``OFF`` times as much as the
    worst of hundreds is not to be expected, but not proven either: a long list says which items to look at, and
    decides nothing. No item is scored twice. Items with equal vectors and offsets are scored together.
    """
    likely = round(LIKELY * count)
    if len(candidates) * MOST_LEFT <= likely or not np.isfinite(scores + more).all():
        return plain_long_list(view, candidates, count)
    at_first = scores >= np.partition(scores, len(scores) - likely)[len(scores) - likely]
    exact = np.full(len(candidates), -np.inf, dtype=np.float32)
    found = exact[at_first] = view.scores(candidates[at_first])
    reached = np.partition(found, len(found) - count)[len(found) - count]
    most = OFF * np.abs(found - scores[at_first]).max()
    left = ~at_first & (scores + np.minimum(more, most) >= reached)
    exact[left] = view.scores(candidates[left])
    first = first_in_order(exact, candidates, count)
    return LongList(candidates[first], exact[first])


@dataclass(frozen=True)
class _Scoring:
    """A scorer as the screen sees it: the mean of all its blocks, or the net that one block is."""

    catalogue: Catalogue
    layered: LayeredCatalogue
    bias: float
    block: int | None = None
    drift: Tensor | None = None
    """Of a net, by how much its own first layer may differ from the block's [first], as both were rounded."""

    def bounded(self, screened: Screened, slopes: Tensor, share: Tensor, user: int) -> tuple[FloatVector, FloatVector]:
        """The aspect part of every item's score, about, and by how much it may be higher."""
        if self.block is None or self.drift is None:
            return (screened.adds.sum(dim=0) + self.bias).numpy(), screened.more.sum(dim=0).numpy()
        nets = len(screened.adds)
        other = self.layered.layers_of(user).share[0] - share.chunk(nets)[self.block]
        moved = (self.drift + other.abs()).double() @ slopes[self.block]
        return (
            (nets * screened.adds[self.block] + self.bias).numpy(),
            (nets * (screened.more[self.block] + moved)).numpy(),
        )


class ScreenedLists:
    """The lists of every user by one scorer, or by the mean of several nets and by each of these."""

    def __init__(self, screen: IntegerScreen, scorings: Sequence[_Scoring]) -> None:
        self._screen, self._scorings = screen, scorings

    @torch.inference_mode()
    def of(self, user: int, candidates: IntVector, counts: Sequence[int]) -> list[UserList]:
        """The beginning of the user's ranking by each scorer, of these lengths."""
        share = self._share(user)
        screened, found = self._screen.of_user(share), []
        for scoring, count in zip(self._scorings, counts, strict=True):
            view = scoring.catalogue.for_user(user)
            bounds = self._bounds(scoring, screened, share, user, view, candidates)
            found.append(screened_list(view, candidates, count, *bounds))
        return found

    @torch.inference_mode()
    def long_list(self, user: int, view: UserCatalogue, candidates: IntVector, count: int) -> LongList:
        """A long beginning of the user's ranking by the first scorer, whose view of the user is given."""
        share = self._share(user)
        bounds = self._bounds(self._scorings[0], self._screen.of_user(share), share, user, view, candidates)
        return screened_long_list(view, candidates, count, *bounds)

    def spread(self, user: int) -> float:
        """How far the aspect part spreads the whole catalogue for a user, by the screen's scores."""
        scores = self._screen.of_user(self._share(user)).adds.sum(dim=0).numpy()
        return float(scores[self._scorings[0].layered.groups[1]].std())

    def _share(self, user: int) -> Tensor:
        return self._scorings[0].layered.layers_of(user).share[0]

    def _bounds(
        self,
        scoring: _Scoring,
        screened: Screened,
        share: Tensor,
        user: int,
        view: UserCatalogue,
        candidates: IntVector,
    ) -> tuple[FloatVector, FloatVector]:
        """The candidates' scores, about, and by how much each may be higher."""
        rows = self._scorings[0].layered.groups[1][candidates]
        part, more = (of_rows[rows] for of_rows in scoring.bounded(screened, self._screen.slopes, share, user))
        scores = view.with_offsets(candidates, part)
        return scores, more + ROUNDING * (np.abs(part) + np.abs(scores))


def screened_lists(catalogue: Catalogue, members: Sequence[Catalogue] = ()) -> ScreenedLists | None:
    """Lists by the scorer of a catalogue, and by the members of the mean that it is; None if there is no screen."""
    whole, nets = _layered(catalogue), [_layered(member) for member in members]
    if whole is None or len(whole.groups[0]) < FEWEST_ITEMS or not is_fast(whole.part.device):
        return None
    layers = whole.layers_of(0)
    scorings = [_Scoring(catalogue, whole, float(layers.output_bias))]
    for block, (member, net) in enumerate(zip(members, nets, strict=True)):
        if net is None or not _is_block(net, whole, block, len(members)):
            return None
        drift = _largest_drift(net.part, whole.part.chunk(len(members), dim=1)[block])
        scorings.append(_Scoring(member, net, float(net.layers_of(0).output_bias), block, drift))
    part = whole.part[torch.from_numpy(whole.groups[0])]
    return ScreenedLists(IntegerScreen(layers, part, whole.largest_share()), scorings)


def _layered(catalogue: Catalogue) -> LayeredCatalogue | None:
    part = catalogue.aspect_part if isinstance(catalogue, OffsetCatalogue) else catalogue
    return part if isinstance(part, LayeredCatalogue) else None


def _is_block(net: LayeredCatalogue, whole: LayeredCatalogue, block: int, nets: int) -> bool:
    """Whether the net is this block of the mean."""
    own, all_blocks = net.layers_of(0), whole.layers_of(0)
    if own.blocks != 1 or all_blocks.blocks != nets or own.hidden.shape[1:] != all_blocks.hidden.shape[1:]:
        return False
    same_weights = torch.equal(own.hidden[0], all_blocks.hidden[block])
    same_output = torch.equal(own.output[0] / nets, all_blocks.output[block])
    return same_weights and same_output and torch.equal(own.hidden_bias[0], all_blocks.hidden_bias[block])


def _largest_drift(one: Tensor, other: Tensor) -> Tensor:
    """Per unit the largest difference of any item."""
    drift = torch.zeros(one.shape[1])
    for rows in row_chunks(len(one), 1024):
        drift = torch.maximum(drift, (one[rows] - other[rows]).abs().amax(dim=0))
    return drift
