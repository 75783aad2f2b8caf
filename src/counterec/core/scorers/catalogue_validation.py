"""Validation as lists are judged: the rank of each user's validation item in the catalogue."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, require, row_chunks
from counterec.core.interactions import Interactions
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace

CUTOFF = 20
"""Deep enough that a few users do not decide: at 5, most validation items gain nothing under any model."""

USERS_AT_ONCE = 32
"""Users scored in one call."""

ITEMS_AT_ONCE = 128
"""Items scored in one call, where not all of them need to be."""

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

        Popular items are scored first. A validation item with as many better ones as the cut-off has no gain, whatever
        the rest of the catalogue scores.
        """
        ranks = np.empty(len(self._row_users))
        for users, rows in self._user_chunks():
            ranks[rows] = self._ranks_by_blocks(score_block, users, rows)
        return self._per_user(ranks)

    def _ranks_by_blocks(self, score_block: ScoreBlock, users: IntVector, rows: slice) -> FloatVector:
        who, items = self._row_users[rows], self._row_items[rows]
        distinct, column = np.unique(items, return_inverse=True)
        own = score_block(users, distinct)[np.searchsorted(users, who), column]
        rank, open_rows = np.ones(len(who)), np.arange(len(who))
        for part in row_chunks(len(self._popular_first), ITEMS_AT_ONCE):
            block = self._popular_first[part]
            asked, at = np.unique(who[open_rows], return_inverse=True)
            scores = np.array(score_block(asked, block), dtype=np.float32)
            pairs = np.repeat(asked, len(block)), np.tile(block, len(asked))
            scores[self._touched.contain(*pairs).reshape(scores.shape)] = -np.inf
            better, equal = _compared(scores[at], own[open_rows])
            rank[open_rows] += better + equal / 2
            open_rows = open_rows[rank[open_rows] <= self.cutoff]
            if not len(open_rows):
                break
        return rank

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
