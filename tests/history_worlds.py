"""Random worlds in which users have reviewed items: nets and a collaborative part, and the same as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from counterec.core.candidates import Candidates
from counterec.core.explainers.history.past_reviews import PastReviews
from counterec.core.explainers.history.solver import HistoryExplainer
from counterec.core.interactions import Interactions
from counterec.core.lists import Recommendations
from counterec.core.mention_counts import MentionNumbers
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.collaborative import Collaborative, ItemToItem
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import NetEnsemble, NetWeights
from counterec.core.scorers.ranking import rank
from counterec.core.space import AspectSpace, AttentionRule
from tests import naive
from tests.naive_history import Mention, PlainHistory
from tests.worlds import random_net, vocabulary


@dataclass(frozen=True)
class HistoryWorld:
    space: AspectSpace
    nets: tuple[NetWeights, ...]
    collaborative: Collaborative
    candidates: Candidates
    past: PastReviews
    plain: PlainHistory
    k: int

    @cached_property
    def scorer(self) -> Scorer:
        return HybridScorer(NetEnsemble(self.nets), self.collaborative)

    @cached_property
    def lists(self) -> Recommendations:
        return rank(self.scorer, self.space, self.candidates, self.k)

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Every item of every list."""
        return np.repeat(self.lists.users, self.k), self.lists.items[:, : self.k].ravel()

    def explainer(self, **options: object) -> HistoryExplainer:
        return HistoryExplainer(self.scorer, self.space, self.lists, self.past, **options)


def history_world(
    seed: int,
    *,
    mentions: bool = True,
    rule: AttentionRule = "eq1",
    gain: float = 1.0,
    size: float = 1.0,
    k: int = 3,
    reviews: tuple[int, int] = (2, 7),
) -> HistoryWorld:
    """Four users, 18 items, 4 aspects; ``size`` is that of the collaborative part, ``gain`` that of the nets.

    A fifth user reviews every item, so that items have qualities; without ``mentions`` the others mention nothing.
    """
    random, users, items, aspects = np.random.default_rng(seed), 5, 18, 4
    reviewed = [frozenset(random.choice(items, random.integers(*reviews), replace=False).tolist()) for _ in range(4)]
    reviewed.append(frozenset(range(items)))
    said: list[Mention] = []
    for item, aspect in np.argwhere(random.random((items, aspects)) < 0.7).tolist():
        said += [(4, item, aspect, int(random.choice([-1, 1]))) for _ in range(random.integers(1, 4))]
    for user, own in enumerate(reviewed[:4] if mentions else []):
        for item in sorted(own):
            for aspect in random.choice(aspects, random.integers(0, 4)).tolist():  # some mention nothing, some twice
                said.append((user, item, aspect, int(random.choice([-1, 1]))))
    numbers = MentionNumbers(*np.array(said).T)
    space = AspectSpace.from_mentions(
        *(vocabulary("user", users), vocabulary("item", items), vocabulary("aspect", aspects)),
        numbers,
        attention_rule=rule,
    )
    matrix = random.normal(0, size, (items, items)).astype(np.float32) * (random.random((items, items)) < 0.6)
    np.fill_diagonal(matrix, 0)
    past_item, other = np.nonzero(matrix)
    weight = random.uniform(0.3, 1.5, users).astype(np.float32)
    pairs = [(user, item) for user, own in enumerate(reviewed) for item in sorted(own)]
    known = Interactions(*np.array(pairs).T, users, items)
    related = Collaborative.of(ItemToItem.of_entries(past_item, other, matrix[past_item, other], items), known, weight)
    nets = tuple(random_net(random, aspects, gain=gain) for _ in range(2))
    excluded = [sorted(own) for own in reviewed[:4]] + [[]]
    plain = PlainHistory(
        net=naive.mean_net([net.named() for net in nets]),
        qualities=space.item_quality,
        mentions=tuple(said),
        reviewed=tuple(reviewed),
        matrix=matrix,
        weight=weight,
        relative=rule == "relative",
    )
    past = PastReviews.of(known, numbers, aspects)
    return HistoryWorld(space, nets, related, Candidates.without(items, excluded), past, plain, k)
