"""Validation as lists are judged, by ranks in the whole catalogue; and popularity, which a model has to beat."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, require, require_shape, row_chunks
from counterec.core.interactions import Interactions
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.space import AspectSpace

CUTOFF = 20
"""Deep enough that a few users do not decide: at 5, most validation items gain nothing under any model."""

USERS_AT_ONCE = 32
"""Users scored in one call, where all items are."""

FIRST_BLOCKS = (32, 32, 64)
"""Popular items that are scored first, where not all items need to be: the first are enough for most users."""

ITEMS_AT_ONCE = 128
"""Items scored together after these."""

PAIRS_AT_ONCE = 1024
"""Pairs scored in one call: their layers stay in the processor's cache."""

OWN_AT_ONCE = 8
"""Users whose validation items are scored in one call."""

ScoreCatalogue = Callable[[IntVector], FloatMatrix]
"""From users [B] to their scores of every item [B, items]."""

ScoreBlock = Callable[[IntVector, IntVector], FloatMatrix]
"""From users [B] and items [n] to the scores of all their pairs [B, n]."""


class CatalogueValidation:
    """The validation items of some users, each ranked among the items that its user did not touch.

    The gain of an item is 1/log2(1 + rank) within the cut-off and 0 beyond it; the gain of a user is the mean over
    their validation items. A tie counts half, so constant scores gain nothing in a catalogue of any size. Nothing is
    drawn: of more users than are asked for, every so-manieth is taken, so that models of all seeds meet the same ones.
    """

    def __init__(
        self, positives: Interactions, validation: Interactions, users: int = 1000, cutoff: int = CUTOFF
    ) -> None:
        require(len(validation) > 0, "there is no validation interaction: hold one back for each user")
        everybody = np.unique(validation.users)
        spread = np.linspace(0, len(everybody), min(users, len(everybody)), endpoint=False).astype(np.int64)
        self.users: IntVector = everybody[spread]
        """The users, sorted; gains are in this order."""
        self.cutoff = cutoff
        self._touched = positives.joined(validation)
        kept = np.isin(validation.users, self.users)
        self._row_users, self._row_items = validation.users[kept], validation.items[kept]
        popularity = np.bincount(positives.items, minlength=positives.n_items)
        self._popular_first = np.argsort(-popularity, kind="stable")

    def gains(self, score_catalogue: ScoreCatalogue) -> FloatVector:
        """The gain of each user, from the scores of the whole catalogue."""
        ranks = np.empty(len(self._row_users))
        for users, rows in self._user_chunks():
            scores = np.array(score_catalogue(users), dtype=np.float32)
            who, items = np.searchsorted(users, self._row_users[rows]), self._row_items[rows]
            own = scores[who, items]
            for at, user in enumerate(users.tolist()):
                scores[at, self._touched.of(user)] = -np.inf
            better, equal = _compared(scores[who], own)
            ranks[rows] = 1 + better + equal / 2
        return self._per_user(ranks)

    def gains_by_blocks(self, score_block: ScoreBlock) -> FloatVector:
        """The same gains, from no more scores than they need.

        Popular items are scored first, the first of them a few at a time. A validation item with as many better ones
        as the cut-off has no gain, whatever the rest of the catalogue scores.
        """
        own = self._own_scores(score_block)
        rank, open_rows = np.ones(len(own)), np.arange(len(own))
        for block in self._blocks():
            for rows in self._by_users(open_rows, max(1, PAIRS_AT_ONCE // len(block))):
                asked, at = np.unique(self._row_users[rows], return_inverse=True)
                scores = np.array(score_block(asked, block), dtype=np.float32)
                pairs = np.repeat(asked, len(block)), np.tile(block, len(asked))
                scores[self._touched.contain(*pairs).reshape(scores.shape)] = -np.inf
                better, equal = _compared(scores[at], own[rows])
                rank[rows] += better + equal / 2
            open_rows = open_rows[rank[open_rows] <= self.cutoff]
        return self._per_user(rank)

    def _own_scores(self, score_block: ScoreBlock) -> FloatVector:
        """The scores of the validation items; a few users in one call, each with the items of all of them."""
        own = np.empty(len(self._row_users), dtype=np.float32)
        for rows in self._by_users(np.arange(len(own)), OWN_AT_ONCE):
            users, at = np.unique(self._row_users[rows], return_inverse=True)
            items, column = np.unique(self._row_items[rows], return_inverse=True)
            own[rows] = score_block(users, items)[at, column]
        return own

    def _blocks(self) -> Iterator[IntVector]:
        """All items, popular ones first, cut into those that are scored together."""
        start = 0
        for size in chain(FIRST_BLOCKS, repeat(ITEMS_AT_ONCE)):
            if start >= len(self._popular_first):
                break
            yield self._popular_first[start : start + size]
            start += size

    def _by_users(self, rows: IntVector, at_once: int) -> Iterator[IntVector]:
        """These rows, which are sorted by user, cut into those of so many users each."""
        who = self._row_users[rows]
        users = np.unique(who)
        for part in row_chunks(len(users), at_once):
            yield rows[np.searchsorted(who, users[part][0]) : np.searchsorted(who, users[part][-1], side="right")]

    def _user_chunks(self) -> list[tuple[IntVector, slice]]:
        """Users to be scored together, and their rows, which are sorted by user."""
        chunks = [self.users[part] for part in row_chunks(len(self.users), USERS_AT_ONCE)]
        ends = [int(np.searchsorted(self._row_users, users[-1], side="right")) for users in chunks]
        return [(users, slice(start, end)) for users, start, end in zip(chunks, [0, *ends], ends, strict=False)]

    def _per_user(self, ranks: FloatVector) -> FloatVector:
        gains = np.where(ranks <= self.cutoff, 1 / np.log2(1 + ranks), 0.0)
        who = np.searchsorted(self.users, self._row_users)
        return np.bincount(who, weights=gains) / np.bincount(who)


def _compared(scores: FloatMatrix, own: FloatVector) -> tuple[IntVector, IntVector]:
    """How many scores of each row are above its own, and how many equal it."""
    return (scores > own[:, None]).sum(axis=1), (scores == own[:, None]).sum(axis=1)


def catalogue_scores(scorer: Scorer, space: AspectSpace) -> ScoreCatalogue:
    """Any scorer in the form that validation needs."""
    items = np.arange(len(space.items))

    def score(users: IntVector) -> FloatMatrix:
        return np.stack(
            [scorer.score(PairBatch.for_user(space, user, items, space.item_quality)) for user in users.tolist()]
        )

    return score


NORMAL_95 = 1.959964
"""Standard errors on either side of a mean that make a 95% interval."""


def popularity_scores(train: Interactions) -> FloatVector:
    """How many users have each item in the training part."""
    return np.bincount(train.items, minlength=train.n_items).astype(np.float32)


def popularity_gains(train: Interactions, validation: CatalogueValidation) -> FloatVector:
    """The validation gains of popularity, in the order of the validation's users."""
    scores = popularity_scores(train)

    def everybody_alike(users: IntVector) -> FloatMatrix:
        return np.tile(scores, (len(users), 1))

    return validation.gains(everybody_alike)


@dataclass(frozen=True)
class PairedDifference:
    """By how much one model gains more than another on the same users, with its 95% interval."""

    model: float
    other: float
    difference: float
    low: float
    high: float
    users: int

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Its ends as plain values; None where one user is all there is, and nothing is known of the noise."""
        return (self.low, self.high) if math.isfinite(self.low) else (None, None)

    @property
    def clearly_below(self) -> bool:
        """Whether the model is below the other one beyond the noise of the users."""
        return self.high < 0


def compared_with_popularity(gains: FloatVector, popular: FloatVector) -> PairedDifference:
    """The mean of gain − popularity's gain, ± 1.96 standard errors over users."""
    require_shape("popular", popular, gains.shape)
    difference = np.asarray(gains, dtype=np.float64) - popular
    users, mean = len(difference), float(difference.mean())
    error = float(difference.std(ddof=1)) / math.sqrt(users) if users > 1 else math.inf
    low, high = mean - NORMAL_95 * error, mean + NORMAL_95 * error
    return PairedDifference(float(np.mean(gains)), float(np.mean(popular)), mean, low, high, users)
