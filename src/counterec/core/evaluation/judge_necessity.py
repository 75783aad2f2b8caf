"""Judge what any method names: verdicts on every pair, each distinct set judged once, and the means over pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, IntVector, require
from counterec.core.candidates import Candidates
from counterec.core.evaluation.intervals import Measure, harmonic_mean_of_means, mean
from counterec.core.evaluation.necessity import NO_HEAD, Head, Necessity, UserNecessity
from counterec.core.evaluation.ranked_necessity import RankedNecessity
from counterec.core.evaluation.verdicts import VERDICTS, Verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.core.list_rules import RankedLists, Ranker
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.ranking import Progress, no_progress
from counterec.core.space import AspectSpace


def verdicts(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    k: int,
    named: NamedAspects,
    progress: Progress = no_progress,
    lists: Recommendations | None = None,
    ranker: Ranker | None = None,
    versus: IntVector | None = None,
    necessity: Necessity | None = None,
) -> Verdicts:
    """Decide necessity and sufficiency of every row, over all candidates of its user.

    ``lists``, if given, holds the first of these candidates by this scorer: it saves scoring the rest. A ``ranker``
    looks at up to 1,000 of the candidates; with ``versus``, it decides which of two items comes first. ``necessity``,
    if given, is what this scorer, space and K need once for all users: whoever asks often keeps it.
    """
    if ranker is not None:
        return _verdicts_under(
            RankedLists(scorer, space, ranker, candidates, k), scorer, space, named, progress, versus
        )
    require(versus is None, "two items are compared by giving them as the only candidates, unless there is a ranker")
    return verdicts_by_length(scorer, space, candidates, (k,), named, progress, lists, necessity)[0]


def verdicts_by_length(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    lengths: Sequence[int],
    named: NamedAspects,
    progress: Progress = no_progress,
    lists: Recommendations | None = None,
    necessity: Necessity | None = None,
) -> list[Verdicts]:
    """The same for lists of several lengths, without a ranker: the rivals of a row are counted once for all of them.

    ``necessity``, if given, is for the longest of them.
    """
    asked = named.any_named
    names = (*VERDICTS, "stays_without_aspects")
    columns = [{name: np.zeros(len(named), dtype=bool) for name in names} for _ in lengths]
    necessity = necessity or Necessity(scorer, space, max(lengths))
    heads = _heads(lists, named.users[asked])
    for rows in _by_user(named.users, asked):
        user = int(named.users[rows[0]])
        necessity_for_user = necessity.for_user(user, candidates.of(user), heads.get(user, NO_HEAD))
        for row in rows:
            item, aspects = int(named.items[row]), np.flatnonzero(named.named[row])
            for found, verdict in zip(columns, _judged(necessity_for_user, lengths, item, aspects), strict=True):
                for name, value in verdict.items():
                    found[name][row] = value
        progress(len(rows))
    return [Verdicts(users=named.users, asked=asked, **found) for found in columns]


def _verdicts_under(
    lists: RankedLists,
    scorer: Scorer,
    space: AspectSpace,
    named: NamedAspects,
    progress: Progress,
    versus: IntVector | None,
) -> Verdicts:
    """The verdicts by the lists of a ranker, made anew without aspects."""
    asked, aspects = named.any_named, named.named.shape[1]
    columns = {name: np.zeros(len(named), dtype=bool) for name in (*VERDICTS, "stays_without_aspects")}
    looked_at = np.zeros(len(named), dtype=np.int64)
    necessity = RankedNecessity(scorer, space, lists)
    for rows in _by_user(named.users, asked):
        for row in rows.tolist():
            other = None if versus is None else int(versus[row])
            item = necessity.for_item(int(named.users[row]), int(named.items[row]), other)
            left, alone = item.without(named.named[row]), item.with_only(named.named[row])
            anyway = item.stays_without_aspects(aspects)
            found = {"necessary": not left.rule, "necessary_kind": not left.lost, "necessary_strict": not left.won}
            found |= _sufficiency(alone.rule, alone.won, alone.lost, anyway)
            for name, verdict in found.items():
                columns[name][row] = verdict
            looked_at[row] = len(item.items)
        progress(len(rows))
    return Verdicts(users=named.users, asked=asked, looked_at=looked_at, **columns)


def stays_without_aspects(
    scorer: Scorer,
    space: AspectSpace,
    candidates: Candidates,
    k: int,
    users: IntVector,
    items: IntVector,
    ranker: Ranker | None = None,
) -> BoolVector:
    """Which of these items are in the list of their user if no item had any aspect, for something else than aspects."""
    stays = np.zeros(len(users), dtype=bool)
    if ranker is not None:
        necessity = RankedNecessity(scorer, space, RankedLists(scorer, space, ranker, candidates, k))
        for row in np.argsort(users, kind="stable").tolist():
            item = necessity.for_item(int(users[row]), int(items[row]))
            stays[row] = item.stays_without_aspects(len(space.aspects))
        return stays
    if scorer.aspects_only:
        return stays
    plain = Necessity(scorer, space, k)
    for rows in _by_user(users, np.ones_like(stays)):
        user = int(users[rows[0]])
        stays[rows] = plain.for_user(user, candidates.of(user)).stay_without_aspects(items[rows], k)
    return stays


def _judged(
    necessity: UserNecessity, lengths: Sequence[int], item: int, aspects: IntVector
) -> Iterator[dict[str, bool]]:
    """The verdicts on one set of aspects, for lists of each length."""
    without, alone = necessity.without(item, aspects), necessity.with_only(item, aspects)
    for k in lengths:
        rule, won, lost = without.in_list(k)
        found = {"necessary": not rule, "necessary_kind": not lost, "necessary_strict": not won}
        anyway = bool(necessity.stay_without_aspects(np.array([item]), k)[0])
        yield found | _sufficiency(*alone.in_list(k), anyway)


def _sufficiency(rule: bool, won: bool, lost: bool, anyway: bool) -> dict[str, bool]:
    return {
        "sufficient": rule and not anyway,
        "sufficient_kind": won and not anyway,
        "sufficient_strict": lost and not anyway,
        "stays_without_aspects": anyway,
    }


def _heads(lists: Recommendations | None, users: IntVector) -> dict[int, Head]:
    """The heads of these users, of those who have one."""
    if lists is None:
        return {}
    rows = np.flatnonzero(np.isin(lists.users, users)).tolist()
    return {int(lists.users[row]): Head.of(lists.items[row], lists.scores[row]) for row in rows}


def _by_user(users: IntVector, asked: BoolVector) -> Iterator[IntVector]:
    """The rows asked about, one array per user."""
    rows = np.flatnonzero(asked)
    rows = rows[np.argsort(users[rows], kind="stable")]
    if len(rows):
        yield from np.split(rows, np.flatnonzero(np.diff(users[rows])) + 1)


def judged_once(parts: Sequence[NamedAspects], judge: Callable[[NamedAspects], Verdicts]) -> list[Verdicts]:
    """The verdicts on every part; ``judge`` is asked once, about the sets of aspects that are different."""
    different, places = distinct_named(parts)
    found = judge(different)
    return [found.rows(rows) for rows in places]


def distinct_named(parts: Sequence[NamedAspects]) -> tuple[NamedAspects, list[IntVector]]:
    """The different sets of aspects of all pairs and, for every part, which of these each row names."""
    users, items, named = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("users", "items", "named")
    )
    keys = np.hstack([users[:, None].view(np.uint8), items[:, None].view(np.uint8), np.packbits(named, axis=1)])
    _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    chosen = named[first]
    different = NamedAspects(users[first], items[first], chosen, chosen.astype(np.float32))
    return different, np.split(which.reshape(-1), np.cumsum([len(part) for part in parts])[:-1])


@dataclass(frozen=True)
class ModelSide:
    """PN, PS and their harmonic mean over the explained pairs; ``ties`` holds (strict, kind) bounds of each."""

    pn: Measure
    ps: Measure
    f_ns: Measure
    ties: dict[str, tuple[float | None, float | None]]
    stays_without_aspects: Measure | None = None
    """The share of pairs whose item stays in the list with no aspect at all: none of these counts in PS."""

    def as_dict(self) -> dict[str, object]:
        """The measures by name, each with its bounds."""
        found: dict[str, object] = {
            name: {**getattr(self, name).as_dict(), "ties": list(self.ties[name])} for name in ("pn", "ps", "f_ns")
        }
        if self.stays_without_aspects is not None:
            found["stays_without_aspects"] = self.stays_without_aspects.as_dict()
        return found


def model_side(found: Verdicts) -> ModelSide:
    """PN (Eq. 14), PS (Eq. 15) and F_NS = 2·PN·PS/(PN+PS), the harmonic mean of the two totals."""
    rule, stays = _measures(found, ""), _stays_without_aspects(found)
    if found.necessary_kind is None:
        return ModelSide(**rule, ties=dict.fromkeys(rule, (None, None)), stays_without_aspects=stays)
    strict, kind = _measures(found, "_strict"), _measures(found, "_kind")
    ties = {name: (strict[name].value, kind[name].value) for name in rule}
    return ModelSide(**rule, ties=ties, stays_without_aspects=stays)


def _stays_without_aspects(found: Verdicts) -> Measure | None:
    if found.stays_without_aspects is None:
        return None
    return mean(found.stays_without_aspects[found.asked].astype(np.float64), found.users[found.asked])


def _measures(found: Verdicts, ties: str) -> dict[str, Measure]:
    """PN, PS and F_NS with ties resolved this way."""
    users = found.users[found.asked]
    necessary = getattr(found, f"necessary{ties}")[found.asked].astype(np.float64)
    sufficient = getattr(found, f"sufficient{ties}")[found.asked].astype(np.float64)
    return {
        "pn": mean(necessary, users),
        "ps": mean(sufficient, users),
        "f_ns": harmonic_mean_of_means(necessary, sufficient, users),
    }
