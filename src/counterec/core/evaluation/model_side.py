"""The model's side: are the named aspects necessary, and are they sufficient, for the item to be in the list?

An aspect set A is *necessary* if the item leaves the list when the aspects of A are absent for all items (Eq. 14),
and *sufficient* if it stays when all other aspects are absent for all items (Eq. 15). X is untouched and the candidates
are the same. Only what changes is scored again: for necessity an item with none of the aspects keeps its score; for
sufficiency, under a scorer that uses aspects only, items alike on the few kept aspects share one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, FloatMatrix, FloatVector, IntVector, freeze, require_shape
from counterec.core.evaluation.measure import Measure, harmonic_mean_of_means, mean
from counterec.core.explainers.answer import NamedAspects
from counterec.core.scorers.protocols import Scorer
from counterec.core.scorers.ranking import Progress, SharedScores, no_progress
from counterec.core.space import AspectSpace, Candidates


@dataclass(frozen=True)
class Verdicts:
    """Per row of some named aspects: necessary? sufficient? Each by the rule of ranking, and with ties resolved
    for the explanation (kind) and against it (strict). Rows that name nothing are not ``asked``."""

    users: IntVector
    asked: BoolVector
    necessary: BoolVector
    necessary_kind: BoolVector
    necessary_strict: BoolVector
    sufficient: BoolVector
    sufficient_kind: BoolVector
    sufficient_strict: BoolVector

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, asked=np.bool_, **dict.fromkeys(VERDICTS, np.bool_))
        for name in ("asked", *VERDICTS):
            require_shape(name, getattr(self, name), self.users.shape)


VERDICTS = tuple(f"{verdict}{ties}" for verdict in ("necessary", "sufficient") for ties in ("", "_kind", "_strict"))


@dataclass(frozen=True)
class Standing:
    """How many rivals of an item are ahead of it, tie with it, and tie with a smaller number."""

    ahead: int
    tied_before: int
    tied: int

    def in_list(self, k: int) -> tuple[bool, bool, bool]:
        """Whether the item is among the first K: by the rule, with every tie won, with every tie lost."""
        return self.ahead + self.tied_before < k, self.ahead < k, self.ahead + self.tied < k


def verdicts(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    k: int,
    named: NamedAspects,
    progress: Progress = no_progress,
) -> Verdicts:
    """Decide necessity and sufficiency of every row, over all candidates of its user."""
    asked = named.any_named
    columns = {name: np.zeros(len(named), dtype=bool) for name in VERDICTS}
    trial = _Trial(scorer, space, k)
    for rows in _by_user(named.users, asked):
        user = int(named.users[rows[0]])
        trial.summon(user, candidates.of(user))
        for row in rows:
            aspects = np.flatnonzero(named.named[row])
            rule, won, lost = trial.without(int(named.items[row]), aspects).in_list(k)
            columns["necessary"][row], columns["necessary_kind"][row] = not rule, not lost
            columns["necessary_strict"][row] = not won
            rule, won, lost = trial.with_only(int(named.items[row]), aspects).in_list(k)
            columns["sufficient"][row], columns["sufficient_kind"][row] = rule, won
            columns["sufficient_strict"][row] = lost
        progress(len(rows))
    return Verdicts(users=named.users, asked=asked, **columns)


def _by_user(users: IntVector, asked: BoolVector) -> Iterator[IntVector]:
    """The rows asked about, user by user."""
    rows = np.flatnonzero(asked)
    rows = rows[np.argsort(users[rows], kind="stable")]
    if len(rows):
        yield from np.split(rows, np.flatnonzero(np.diff(users[rows])) + 1)


class _Trial:
    """One user's candidates, and how an item stands among them in a world without, or with only, some aspects."""

    def __init__(self, scorer: Scorer, space: AspectSpace, k: int) -> None:
        self._k, self._aspects_only = k, scorer.aspects_only
        self._shared = SharedScores(scorer, space)
        self._catalogue = self._shared.catalogue
        self._quality, self._absent = space.item_quality, space.scale.absent
        self._present = self._quality != self._absent
        self._codes, self._levels = _coded(self._quality)

    def summon(self, user: int, candidates: IntVector) -> None:
        """Turn to another user: rivals are tried in the order of their scores, most dangerous first."""
        scores = self._shared.of(user, candidates)
        order = np.argsort(-scores, kind="stable")
        self._items, self._scores = candidates[order], scores[order]

    def without(self, item: int, aspects: IntVector) -> Standing:
        """How the item stands if these aspects were absent for all."""
        own_score = self._catalogue.scores_without(np.array([item]), aspects)[0]
        rivals = self._items != item
        touched = self._present[np.ix_(self._items, aspects)].any(axis=1)
        untouched = np.flatnonzero(rivals & ~touched)
        kept = self._with_own(own_score, item, aspects, self._items[untouched], self._scores[untouched])
        standing = _stand(own_score, item, self._items[untouched], kept)
        for block in _growing_blocks(np.flatnonzero(rivals & touched)):
            if standing.ahead >= self._k:
                break
            items = self._items[block]
            scores = self._catalogue.scores_without(items, aspects)
            scores = self._with_own(own_score, item, aspects, items, scores)
            standing = _sum(standing, _stand(own_score, item, items, scores))
        return standing

    def _with_own(
        self, own_score: float, item: int, aspects: IntVector, rivals: IntVector, scores: FloatVector
    ) -> FloatVector:
        """Give the item's own score to rivals that have its very vector, these aspects apart.

        Only a score that is equal, or off by what a batch can make it, can belong to an equal vector.
        """
        if not self._aspects_only:
            return scores
        near = np.flatnonzero(np.abs(scores - own_score) <= 1e-4 * max(1.0, abs(own_score)))
        differs = self._quality[rivals[near]] != self._quality[item]
        differs[:, aspects] = False
        scores = scores.copy()
        scores[near[~differs.any(axis=1)]] = own_score
        return scores

    def with_only(self, item: int, aspects: IntVector) -> Standing:
        """How the item stands if all other aspects were absent for all."""
        first, group = self._alike(aspects)
        own_group = group[np.flatnonzero(self._items == item)[0]]
        own_score = self._catalogue.scores_with_only(np.array([item]), aspects)[0]
        standing = Standing(0, 0, 0)
        for block in _growing_blocks(np.arange(len(first))):
            if standing.ahead >= self._k:
                break
            scores = self._catalogue.scores_with_only(self._items[first[block]], aspects)
            if self._aspects_only:
                scores = np.where(block == own_group, own_score, scores)
            members = np.flatnonzero((group >= block[0]) & (group <= block[-1]) & (self._items != item))
            spread = scores[group[members] - block[0]]
            standing = _sum(standing, _stand(own_score, item, self._items[members], spread))
        return standing

    def _alike(self, aspects: IntVector) -> tuple[IntVector, IntVector]:
        """Candidates grouped by their values on these aspects: the first of each group, and each one's group.

        Groups are numbered by their first member, so the most dangerous rivals' groups come first.
        """
        if not self._aspects_only:
            everyone = np.arange(len(self._items))
            return everyone, everyone
        keys = _combined_codes(self._codes[np.ix_(self._items, aspects)], self._levels[aspects])
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        return first[order], number[group]


def _stand(own_score: float, item: int, rivals: IntVector, scores: FloatVector) -> Standing:
    tied = scores == own_score
    return Standing(int((scores > own_score).sum()), int((tied & (rivals < item)).sum()), int(tied.sum()))


def _sum(a: Standing, b: Standing) -> Standing:
    return Standing(a.ahead + b.ahead, a.tied_before + b.tied_before, a.tied + b.tied)


def _growing_blocks(places: IntVector, first: int = 64) -> Iterator[IntVector]:
    """Cut into blocks that grow fourfold: little is scored where the first few already decide."""
    start, size = 0, first
    while start < len(places):
        yield places[start : start + size]
        start, size = start + size, size * 4


def _coded(item_quality: FloatMatrix) -> tuple[IntVector, IntVector]:
    """Each aspect's values as small whole numbers, and how many different ones it has."""
    codes = np.empty(item_quality.shape, dtype=np.int64)
    levels = np.empty(item_quality.shape[1], dtype=np.int64)
    for aspect, column in enumerate(item_quality.T):
        values, codes[:, aspect] = np.unique(column, return_inverse=True)
        levels[aspect] = len(values)
    return codes, levels


def _combined_codes(codes: IntVector, levels: IntVector) -> IntVector:
    """One whole number a row, equal exactly where the rows are; folded whenever the next digit would not fit."""
    key, size = np.zeros(len(codes), dtype=np.int64), 1
    for column, level in zip(codes.T, levels.tolist(), strict=True):
        if size * level >= 2**62:
            values, key = np.unique(key, return_inverse=True)
            size = len(values)
        key, size = key * level + column, size * level
    return key


@dataclass(frozen=True)
class ModelSide:
    """PN, PS and their harmonic mean over the explained pairs; ``ties`` holds (strict, kind) bounds of each."""

    pn: Measure
    ps: Measure
    f_ns: Measure
    ties: dict[str, tuple[float | None, float | None]]

    def as_dict(self) -> dict[str, object]:
        """The measures by name, each with its bounds."""
        return {name: {**getattr(self, name).as_dict(), "ties": list(self.ties[name])} for name in ("pn", "ps", "f_ns")}


def model_side(found: Verdicts) -> ModelSide:
    """PN (Eq. 14), PS (Eq. 15) and F_NS = 2·PN·PS/(PN+PS), the harmonic mean of the two totals."""
    users = found.users[found.asked]

    def part(name: str) -> FloatVector:
        return getattr(found, name)[found.asked].astype(np.float64)

    def bounds(measure: str) -> tuple[float | None, float | None]:
        pick = {"pn": lambda t: mean(part(f"necessary{t}"), users), "ps": lambda t: mean(part(f"sufficient{t}"), users)}
        pick["f_ns"] = lambda t: harmonic_mean_of_means(part(f"necessary{t}"), part(f"sufficient{t}"), users)
        return pick[measure]("_strict").value, pick[measure]("_kind").value

    return ModelSide(
        pn=mean(part("necessary"), users),
        ps=mean(part("sufficient"), users),
        f_ns=harmonic_mean_of_means(part("necessary"), part("sufficient"), users),
        ties={measure: bounds(measure) for measure in ("pn", "ps", "f_ns")},
    )
