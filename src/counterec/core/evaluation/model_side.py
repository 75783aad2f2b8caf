"""The model's side: are the named aspects necessary, and are they sufficient, for the item to be in the list?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.evaluation.measure import Measure, harmonic_mean_of_means, mean
from counterec.core.evaluation.necessity_verdicts import Verdicts


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
