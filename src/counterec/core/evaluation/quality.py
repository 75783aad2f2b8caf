"""How good lists and explanations are: NDCG, the user's side, fidelity and complexity, coverage, what leads rest on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from counterec.core.arrays import BoolMatrix, BoolVector, FloatVector, IntVector, freeze, require_shape
from counterec.core.evaluation.intervals import Measure, harmonic_mean, mean
from counterec.core.explainers.answer import Explanations, NamedAspects, Proof, Status
from counterec.core.interactions import Interactions
from counterec.core.lists import Recommendations


@dataclass(frozen=True)
class RankingQuality:
    """Measures of the first K; every user with a held-out item is one case."""

    ndcg: Measure
    recall: Measure
    hit_rate: Measure

    def as_dict(self) -> dict[str, object]:
        """The measures by name."""
        return {name: getattr(self, name).as_dict() for name in ("ndcg", "recall", "hit_rate")}


@dataclass(frozen=True)
class UserQuality:
    """The same measures of every user with a held-out item."""

    users: IntVector
    ndcg: FloatVector
    recall: FloatVector
    hit: FloatVector


def user_quality(recommendations: Recommendations, held_out: Interactions) -> UserQuality:
    """Measure each list against the held-out items of its user."""
    k, users = recommendations.k, recommendations.users
    relevant = np.bincount(held_out.users, minlength=held_out.n_users)[users]
    listed = recommendations.items[:, :k]
    hits = held_out.contain(np.repeat(users, k), np.maximum(listed, 0).ravel()).reshape(listed.shape) & (listed >= 0)
    cases = relevant > 0
    discount = 1 / np.log2(np.arange(2, k + 2))
    ideal = np.concatenate([[0], np.cumsum(discount)])[np.minimum(relevant, k)]
    return UserQuality(
        users=users[cases],
        ndcg=(hits @ discount)[cases] / ideal[cases],
        recall=hits.sum(axis=1)[cases] / relevant[cases],
        hit=hits.max(axis=1)[cases].astype(np.float64),
    )


def ranking_quality(recommendations: Recommendations, held_out: Interactions) -> RankingQuality:
    """Measure the lists against the held-out items of each user."""
    found = user_quality(recommendations, held_out)
    return RankingQuality(
        ndcg=mean(found.ndcg, found.users),
        recall=mean(found.recall, found.users),
        hit_rate=mean(found.hit, found.users),
    )


SCORES = ("precision", "recall", "f1")


@dataclass(frozen=True)
class GroundTruth:
    """P of the paper: for every held-out pair, the aspects that the user mentioned positively in the review.

    If sentiment is ignored, ``praised`` holds all aspects that the user mentioned there.
    """

    users: IntVector
    items: IntVector
    praised: BoolMatrix

    def __post_init__(self) -> None:
        freeze(
            self,
            users=np.int64,
            items=np.int64,
            praised=np.bool_,
        )
        require_shape("items", self.items, self.users.shape)
        require_shape("praised", self.praised, (len(self.users), self.praised.shape[1]))

    def rows_of(self, users: IntVector, items: IntVector) -> IntVector:
        """The row of each of these pairs among the held-out ones; −1 if it is not there."""
        return rows_of_pairs(users, items, self.users, self.items)


@dataclass(frozen=True)
class Matched:
    """One row per pair: how well its named aspects match the ground truth; NaN if the pair does not count.

    A pair counts if it is in the test part, names something, and has a ground truth that is not empty.
    """

    in_test: BoolVector
    praised: IntVector
    """The number of aspects of the ground truth; 0 if the pair is not in the test part."""
    precision: FloatVector
    recall: FloatVector
    f1: FloatVector

    def __post_init__(self) -> None:
        freeze(self, in_test=np.bool_, praised=np.int64, **dict.fromkeys(SCORES, np.float64))
        for name in ("praised", *SCORES):
            require_shape(name, getattr(self, name), self.in_test.shape)

    def with_zeros(self) -> Matched:
        """The same, with 0 for pairs that have a ground truth but no explanation."""
        missing = (self.praised > 0) & np.isnan(self.f1)
        return replace(self, **{name: np.where(missing, 0, getattr(self, name)) for name in SCORES})

    def averages(self, users: IntVector) -> dict[str, Measure]:
        """The means over the pairs that count; F1 is averaged over pairs, not computed from the averages."""
        return {name: mean(getattr(self, name), users) for name in SCORES}


def matched(named: NamedAspects, truth: GroundTruth) -> Matched:
    """Precision = |named ∩ praised| / |named|, recall = |named ∩ praised| / |praised| (Eq. 13), and F1.

    F1 is their harmonic mean, pair by pair.
    """
    rows = truth.rows_of(named.users, named.items)
    in_test = rows != NOWHERE
    praised = np.zeros_like(named.named)
    praised[in_test] = truth.praised[rows[in_test]]
    both, size, praises = ((named.named & praised).sum(axis=1), named.named.sum(axis=1), praised.sum(axis=1))
    counts = (size > 0) & (praises > 0)
    precision, recall = (_share(both, of, counts) for of in (size, praises))
    return Matched(in_test, praises, precision, recall, harmonic_mean(precision, recall))


def _share(part: IntVector, whole: IntVector, counts: BoolVector) -> FloatVector:
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=counts)


@dataclass(frozen=True)
class UserSide:
    """Precision, recall and F1 averaged over pairs (Eq. 13), and how many pairs do not count, by reason."""

    precision: Measure
    recall: Measure
    f1: Measure
    not_in_test: int
    not_explained: int
    nothing_praised: int

    def as_dict(self) -> dict[str, object]:
        """The measures and counts by name."""
        measures = {name: getattr(self, name).as_dict() for name in SCORES}
        counts = {name: getattr(self, name) for name in ("not_in_test", "not_explained", "nothing_praised")}
        return {**measures, "left_out": counts}


def user_side(named: NamedAspects, truth: GroundTruth) -> UserSide:
    """Match every pair, average those that count, and count the others."""
    found, explained = matched(named, truth), named.any_named
    return UserSide(
        **found.averages(named.users),
        not_in_test=int((~found.in_test).sum()),
        not_explained=int((found.in_test & ~explained).sum()),
        nothing_praised=int((found.in_test & explained & (found.praised == 0)).sum()),
    )


NOWHERE = -1
"""The row of a pair that is not there."""


def rows_of_pairs(users: IntVector, items: IntVector, among_users: IntVector, among_items: IntVector) -> IntVector:
    """The row of each pair among the others, the last if it is there several times; −1 if it is not there."""
    if not len(users) or not len(among_users):
        return np.full(len(users), NOWHERE, dtype=np.int64)
    first = min(items.min(), among_items.min())
    width = int(max(items.max(), among_items.max()) - first) + 1
    wanted, among = users * width + (items - first), among_users * width + (among_items - first)
    order = np.argsort(among, kind="stable")
    place = order[np.searchsorted(among[order], wanted, side="right") - 1]
    return np.where(among[place] == wanted, place, NOWHERE)


@dataclass(frozen=True)
class CounterfactualSide:
    """Fidelity over all pairs; the rest over the explained ones."""

    fidelity: Measure
    aspects: Measure
    l2: Measure
    l1: Measure
    complexity: Measure
    strength: Measure
    strength_sigmoid: Measure
    statuses: dict[str, int]
    proofs: dict[str, int]

    def as_dict(self) -> dict[str, object]:
        """The measures and counts by name."""
        names = ("fidelity", "aspects", "l2", "l1", "complexity", "strength", "strength_sigmoid")
        measures = {name: getattr(self, name).as_dict() for name in names}
        return {**measures, "statuses": self.statuses, "proofs": self.proofs}


def counterfactual_side(explanations: Explanations, gamma: float = 1.0) -> CounterfactualSide:
    """Measure the changes themselves: C(Δ) of Eq. 2, and S(Δ) of Eq. 3 by scores and by probabilities."""
    explained = explanations.explained
    users, delta = explanations.users[explained], explanations.delta[explained]
    before, after = explanations.score_before[explained], explanations.score_after[explained]
    return CounterfactualSide(
        fidelity=mean(explained, explanations.users),
        aspects=mean(np.count_nonzero(delta, axis=1), users),
        l2=mean(np.linalg.norm(delta, axis=1), users),
        l1=mean(np.abs(delta).sum(axis=1), users),
        complexity=mean(explanations.complexity(gamma)[explained], users),
        strength=mean(before - after, users),
        strength_sigmoid=mean(sigmoid_of(before) - sigmoid_of(after), users),
        statuses={s.label: int((explanations.status == s).sum()) for s in Status if (explanations.status == s).any()},
        proofs={p.label: int((explanations.proof == p).sum()) for p in Proof if (explanations.proof == p).any()},
    )


def sigmoid_of(scores: FloatVector) -> FloatVector:
    """Scores as probabilities, as the paper has them."""
    return 1 / (1 + np.exp(-np.clip(scores.astype(np.float64), -700, 700)))


def coverage(named: BoolMatrix) -> float:
    """The share of all aspects that at least one explanation names; ``named`` is [pairs, aspects]."""
    return float(named.any(axis=0).mean())


def led_by_history(aspects: FloatVector, history: FloatVector, users: IntVector) -> Measure:
    """The share of items whose lead comes more from history than from aspects; NaN, of either part, is no case."""
    return mean(np.where(np.isnan(aspects + history), np.nan, history > aspects), users)


@dataclass(frozen=True)
class MarkSummary:
    """How the robustness marks of explained items are distributed."""

    nets: int
    of_agreeing: Measure
    """The mean share of the nets that agree with the list in which the explanation holds; of items with such a net."""
    in_every_net: Measure
    """The share of explained items whose explanation holds in every net."""
    marks: dict[str, int]
    """How many explained items have the mark *hold of agree*, such as ``"2 of 3"``."""

    def as_dict(self) -> dict[str, object]:
        """The summary as written to disk."""
        measures = {"of_agreeing": self.of_agreeing.as_dict(), "in_every_net": self.in_every_net.as_dict()}
        return {"nets": self.nets, **measures, "marks": self.marks}


def mark_summary(nets: int, agree: IntVector, hold: IntVector, users: IntVector) -> MarkSummary:
    """Summarise the marks of explained items: how many nets agree, and in how many of these the answer holds."""
    shares = np.divide(hold, agree, out=np.full(len(agree), np.nan), where=agree > 0)
    counts = Counter(zip(agree.tolist(), hold.tolist(), strict=True))
    marks = {f"{held} of {agreed}": counts[agreed, held] for agreed, held in sorted(counts)}
    return MarkSummary(nets, mean(shares, users), mean((hold == nets).astype(np.float64), users), marks)
