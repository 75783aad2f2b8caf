"""How much of the collaborative part a score holds, and what each amount is worth on validation.

A user's weight is w_u = a · σ(f_u) / σ(c_u): both parts are standardised over the whole catalogue, once, at training,
and the one number ``a`` says how far the collaborative part spreads the items beside the aspects.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.core.compute_limits import available_cores, threads
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.per_user import catalogue_of
from counterec.core.scorers.protocols import Scorer
from counterec.core.space import AspectSpace

USERS_PER_THREAD = 50
"""Fewer users are not worth another thread."""


class KeptScores:
    """The scores of the whole catalogue by the aspect part, kept for some users while everybody's are computed."""

    def __init__(self, users: IntVector, n_items: int) -> None:
        self.users = users
        """Sorted; rows are in this order."""
        self.scores = np.empty((len(users), n_items), dtype=np.float32)
        self._row_of = {user: row for row, user in enumerate(users.tolist())}

    def __contains__(self, user: int) -> bool:
        return user in self._row_of

    def keep(self, user: int, scores: FloatVector) -> None:
        """Remember the scores of a user who is one of these."""
        self.scores[self._row_of[user]] = scores


def balance(
    aspects: Scorer,
    related: Collaborative,
    space: AspectSpace,
    users: IntVector | None = None,
    kept: KeptScores | None = None,
) -> FloatVector:
    """σ(f_u) / σ(c_u) over the whole catalogue: the weights of ``a = 1``; 0 where nothing is related.

    Of all users, or of some; then those of the others are 0. ``kept`` gets the scores of its users.
    """
    found = np.zeros(len(space.users), dtype=np.float32)
    everything = np.arange(len(space.items))

    def balance_some(some: IntVector) -> None:
        catalogue = catalogue_of(aspects, space)  # one per thread: it has room that it writes to
        for user in some.tolist():
            spread, is_kept = related.relatedness(user).std(), kept is not None and user in kept
            if not is_kept and not spread > 0:
                continue
            scores = catalogue.for_user(user).scores(everything)
            if kept is not None and is_kept:
                kept.keep(user, scores)
            if spread > 0:
                found[user] = scores.std(dtype=np.float64) / spread

    asked = np.arange(len(found)) if users is None else users
    parts = np.array_split(asked, max(1, min(available_cores(), len(asked) // USERS_PER_THREAD)))
    with threads(1), ThreadPoolExecutor(len(parts), initializer=torch.set_num_threads, initargs=(1,)) as pool:
        list(pool.map(balance_some, parts))
    return found


class WeightTrial:
    """The validation gains under any weight: both parts of all scores are computed once."""

    def __init__(self, related: Collaborative, validation: CatalogueValidation, kept: KeptScores) -> None:
        """``related`` has the weights of ``a = 1``; ``kept`` holds the aspect scores of the validated users."""
        self._validation, self._aspects = validation, kept.scores
        everything = np.arange(kept.scores.shape[1])
        users = validation.users.tolist()
        self._offsets = np.stack([related.offset(np.full(len(everything), user), everything) for user in users])

    def gains(self, weight: float) -> FloatVector:
        """Return the gain of each validated user."""
        return gains_of(self._aspects + np.float32(weight) * self._offsets, self._validation)


def gains_of(scores: FloatMatrix, validation: CatalogueValidation) -> FloatVector:
    """The gains of the validated users by a table of their scores [users, items]."""

    def of(users: IntVector) -> FloatMatrix:
        return scores[np.searchsorted(validation.users, users)]

    return validation.gains(of)
