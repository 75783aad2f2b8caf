"""The counterfactual's side: how often there is an explanation, how complex it is, and how strong it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import FloatVector
from counterec.core.evaluation.measure import Measure, mean
from counterec.core.explainers.answer import Explanations, Proof, Status


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
