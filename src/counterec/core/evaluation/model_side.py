"""The model's side: are the named aspects necessary, and are they sufficient, for the item to be in the list?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.candidates import Candidates
from counterec.core.evaluation.measure import Measure, harmonic_mean_of_means, mean
from counterec.core.evaluation.necessity import NOBODY, Head, Trial
from counterec.core.evaluation.verdicts import TIE_BOUNDS, VERDICTS, Verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import Scorer
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
) -> Verdicts:
    """Decide necessity and sufficiency of every row, over all candidates of its user.

    ``lists``, where there are some, are the first of these candidates by this scorer: they spare scoring the rest.
    """
    asked = named.any_named
    columns = {name: np.zeros(len(named), dtype=bool) for name in VERDICTS}
    trial, heads = Trial(scorer, space, k), _heads(lists)
    for rows in _by_user(named.users, asked):
        user = int(named.users[rows[0]])
        trial.turn_to(user, candidates.of(user), heads.get(user, NOBODY))
        for row in rows:
            found = judged(trial, k, int(named.items[row]), np.flatnonzero(named.named[row]))
            for name, verdict in found.items():
                columns[name][row] = verdict
        progress(len(rows))
    return Verdicts(users=named.users, asked=asked, **columns)


def judged(trial: Trial, k: int, item: int, aspects: IntVector) -> dict[str, bool]:
    """Whether the aspects are necessary and sufficient for the item, by rule, kindly and strictly."""
    rule, won, lost = trial.without(item, aspects).in_list(k)
    found = {"necessary": not rule, "necessary_kind": not lost, "necessary_strict": not won}
    rule, won, lost = trial.with_only(item, aspects).in_list(k)
    return found | {"sufficient": rule, "sufficient_kind": won, "sufficient_strict": lost}


def _heads(lists: Recommendations | None) -> dict[int, Head]:
    if lists is None:
        return {}
    rows = zip(lists.users.tolist(), lists.items, lists.scores, strict=True)
    return {user: Head.of(items, scores) for user, items, scores in rows}


def _by_user(users: IntVector, asked: BoolVector) -> Iterator[IntVector]:
    """The rows asked about, user by user."""
    rows = np.flatnonzero(asked)
    rows = rows[np.argsort(users[rows], kind="stable")]
    if len(rows):
        yield from np.split(rows, np.flatnonzero(np.diff(users[rows])) + 1)


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
        if not set(TIE_BOUNDS) <= set(found.known):
            return None, None
        pick = {"pn": lambda t: mean(part(f"necessary{t}"), users), "ps": lambda t: mean(part(f"sufficient{t}"), users)}
        pick["f_ns"] = lambda t: harmonic_mean_of_means(part(f"necessary{t}"), part(f"sufficient{t}"), users)
        return pick[measure]("_strict").value, pick[measure]("_kind").value

    return ModelSide(
        pn=mean(part("necessary"), users),
        ps=mean(part("sufficient"), users),
        f_ns=harmonic_mean_of_means(part("necessary"), part("sufficient"), users),
        ties={measure: bounds(measure) for measure in ("pn", "ps", "f_ns")},
    )
