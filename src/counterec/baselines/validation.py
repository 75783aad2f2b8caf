"""Validation: the rank of each user's validation item among items that the user never touched."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import IntVector
from counterec.core.interactions import Interactions, draw_outside
from counterec.core.scorers.base import PairBatch, Scorer
from counterec.core.space import AspectSpace
from counterec.randomness import generator

USERS_AT_ONCE = 64
"""Users scored in one call, each with all of their items."""

ScoreTables = Callable[[Tensor, Tensor], Tensor]
"""From users [B] and their items [B, n], one row per user, to the scores of those pairs [B, n]."""


class Validation:
    """One validation item per user among untouched items, the same ones in every epoch."""

    def __init__(
        self,
        positives: Interactions,
        validation: Interactions,
        seed: int,
        users: int = 1000,
        negatives: int = 100,
        device: str = "cpu",
    ) -> None:
        random = generator(seed, "validation")
        chosen = self._one_per_user(validation, users, random)
        who, held_back = validation.users[chosen], validation.items[chosen]
        touched = positives.joined(validation)
        others = draw_outside(touched, np.repeat(who, negatives), random)
        table = np.concatenate([held_back[:, None], others.reshape(len(who), negatives)], axis=1)
        usable = (table >= 0).all(axis=1)
        self._users = torch.from_numpy(who[usable]).to(device)
        self._table = torch.from_numpy(table[usable]).to(device)
        """One row per user: the validation item, then the untouched ones."""

    @staticmethod
    def _one_per_user(validation: Interactions, most: int, random: np.random.Generator) -> IntVector:
        _, first = np.unique(validation.users, return_index=True)
        return np.sort(random.permutation(first)[:most])

    @torch.inference_mode()
    def ndcg(self, score: ScoreTables) -> float:
        """The mean of 1/log2(1 + rank) of the validation items; a tie counts half: constant scores gain nothing."""
        gains = []
        for users, table in zip(self._users.split(USERS_AT_ONCE), self._table.split(USERS_AT_ONCE), strict=True):
            scores = score(users, table)
            own, others = scores[:, :1], scores[:, 1:]
            rank = 1 + (others > own).sum(dim=1) + 0.5 * (others == own).sum(dim=1)
            gains.append(1 / torch.log2(1 + rank))
        return float(torch.cat(gains).mean()) if gains else 0.0


def score_tables(scorer: Scorer, space: AspectSpace) -> ScoreTables:
    """Any scorer in the form that validation needs."""

    def score(users: Tensor, items: Tensor) -> Tensor:
        who = np.repeat(users.cpu().numpy(), items.shape[1])
        scores = scorer.score(PairBatch.of(space, who, items.cpu().numpy().ravel()))
        return torch.from_numpy(scores).view(items.shape)

    return score
