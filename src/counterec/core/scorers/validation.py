"""The exam on validation: where does the item held back from each user stand among items never touched?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import IntVector
from counterec.core.interactions import Interactions, draw_outside
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.space import AspectSpace
from counterec.randomness import generator

USERS_AT_ONCE = 64
"""Users scored in one go, each with all the items of their exam."""

ScoreTables = Callable[[Tensor, Tensor], Tensor]
"""From users [B] and, a row each, items [B, n] to the scores of those pairs [B, n]."""


class Validation:
    """One held-back item a user against items never touched, the same ones whenever it is held."""

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
        chosen = self._one_a_user(validation, users, random)
        who, held_back = validation.users[chosen], validation.items[chosen]
        touched = positives.joined(validation)
        others = draw_outside(touched, np.repeat(who, negatives), random)
        table = np.concatenate([held_back[:, None], others.reshape(len(who), negatives)], axis=1)
        usable = (table >= 0).all(axis=1)
        self._users = torch.from_numpy(who[usable]).to(device)
        self._table = torch.from_numpy(table[usable]).to(device)

    @staticmethod
    def _one_a_user(validation: Interactions, most: int, random: np.random.Generator) -> IntVector:
        _, first = np.unique(validation.users, return_index=True)
        return np.sort(random.permutation(first)[:most])

    @torch.inference_mode()
    def ndcg(self, score: ScoreTables) -> float:
        """Mean of 1/log2(1 + rank) of the held-back item; a tie counts half, so that a constant score gains nothing."""
        gains = []
        for users, table in zip(self._users.split(USERS_AT_ONCE), self._table.split(USERS_AT_ONCE), strict=True):
            scores = score(users, table)
            own, others = scores[:, :1], scores[:, 1:]
            place = 1 + (others > own).sum(dim=1) + 0.5 * (others == own).sum(dim=1)
            gains.append(1 / torch.log2(1 + place))
        return float(torch.cat(gains).mean()) if gains else 0.0


def score_tables(scorer: Scorer, space: AspectSpace) -> ScoreTables:
    """Any scorer, as an exam asks it."""

    def score(users: Tensor, items: Tensor) -> Tensor:
        who = np.repeat(users.cpu().numpy(), items.shape[1])
        scores = scorer.score(PairBatch.of(space, who, items.cpu().numpy().ravel()))
        return torch.from_numpy(scores).view(items.shape)

    return score
