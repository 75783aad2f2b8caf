"""Choose how many aspects a corpus has, and by which rule opinions become values.

Each size and rule gives an aspect space. A small hybrid is trained on it and judged as ``weight_choice`` judges
weights: by NDCG on the validation part first, then by short reasons. Nothing here depends on the seed, the model or the
lists of a run, so every run on the same data has the same aspects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from counterec.core.arrays import IntVector
from counterec.core.interactions import Interactions
from counterec.core.scorers.ease import KEPT, fit_chosen
from counterec.core.scorers.net import NetEnsemble
from counterec.core.scorers.settings import VALIDATION_CUTOFF, VALIDATION_USERS, HybridSettings, TrainingSettings
from counterec.core.scorers.training import net_seeds, train_several
from counterec.core.scorers.validation import CatalogueValidation
from counterec.core.space import AspectSpace, QualityRule
from counterec.pipeline.weight_choice import TriedWeight, WeightedModel, try_weights
from counterec.randomness import generator

SIZES = (20, 40, 80)
"""Numbers of aspects to choose from."""
USUAL_SIZE = 40
"""The number of aspects without a validation part to choose it on."""
RULES: tuple[QualityRule, ...] = ("eq1", "share")
"""Rules to choose from; the first one is used without a validation part."""

NETS = 2
"""Nets that judge a space."""
TRAINING = TrainingSettings(patience=5)
"""How these nets are trained, whatever the settings of the run."""
MOST_INTERACTIONS = 25_000
"""With more training interactions, those of some users are enough to choose by."""
LIST = 5
"""Length of the lists whose short reasons are counted."""
HYBRID = HybridSettings()
SEED = 0


@dataclass(frozen=True)
class SpaceChoice:
    """The chosen size and rule, and what was tried."""

    size: int
    rule: QualityRule
    tried: tuple[dict[str, Any], ...] = ()
    """One entry per space and weight, as plain values."""


def choose_space(
    make: Callable[[int, QualityRule], AspectSpace],
    sizes: Sequence[int],
    rules: Sequence[QualityRule],
    train: Interactions,
    validation: Interactions,
    advance: Callable[[int], None] = lambda _: None,
) -> SpaceChoice:
    """Choose among these sizes by the first rule, then among the rules with the chosen size.

    Without a validation part, or with nothing to choose, the usual size and the first rule are returned. ``advance`` is
    called after each space that was tried.
    """
    usual = min(sizes, key=lambda size: abs(size - USUAL_SIZE))
    part = _sample_users(train, MOST_INTERACTIONS)
    held_back = _of_users(validation, np.unique(part.users))
    if len(sizes) * len(rules) == 1 or not len(held_back):
        return SpaceChoice(usual, rules[0])
    judge = _Judge(make, part, held_back, advance)
    for size in sizes:
        judge.add(size, rules[0])
    for rule in rules[1:]:
        judge.add(judge.best()[0], rule)
    return SpaceChoice(*judge.best(), judge.table())


class _Judge:
    """Aspect spaces and the weighted models that were trained on them."""

    def __init__(
        self,
        make: Callable[[int, QualityRule], AspectSpace],
        train: Interactions,
        validation: Interactions,
        advance: Callable[[int], None],
    ) -> None:
        self._make, self._train, self._validation, self._advance = make, train, validation, advance
        self._check = CatalogueValidation(train, validation, VALIDATION_USERS, VALIDATION_CUTOFF)
        self._related = fit_chosen(train, self._check, kept=KEPT[:1]).related
        self._spaces: list[tuple[int, QualityRule]] = []
        self._models: list[WeightedModel] = []
        self._tried: list[TriedWeight] = []

    def add(self, size: int, rule: QualityRule) -> None:
        """Train nets on one more space."""
        space = self._make(size, rule)
        nets = train_several(space, self._train, self._validation, TRAINING, net_seeds(SEED, NETS))
        aspects, users = NetEnsemble([net.weights for net in nets]), self._check.users
        self._spaces.append((size, rule))
        self._models.append(WeightedModel(aspects, self._related, space, self._train, self._check, users))
        self._advance(1)

    def best(self) -> tuple[int, QualityRule]:
        """Judge all spaces so far together; return the size and the rule of the best."""
        self._tried, best = try_weights(self._models, HYBRID.weights, LIST)
        return self._spaces[best.model]

    def table(self) -> tuple[dict[str, Any], ...]:
        """Return what was tried when the best was last asked for."""
        return tuple(
            {"aspects": self._spaces[one.model][0], "rule": self._spaces[one.model][1], **one.record()}
            for one in self._tried
        )


def _sample_users(interactions: Interactions, most: int) -> Interactions:
    """Return all interactions of some users: as many users as have at most ``most`` together, and at least one."""
    if len(interactions) <= most:
        return interactions
    users, counts = np.unique(interactions.users, return_counts=True)
    order = generator(SEED, "users of the space choice").permutation(len(users))
    fitting = max(1, int(np.searchsorted(np.cumsum(counts[order]), most, side="right")))
    return _of_users(interactions, users[order[:fitting]])


def _of_users(interactions: Interactions, users: IntVector) -> Interactions:
    kept = np.isin(interactions.users, users)
    return Interactions(interactions.users[kept], interactions.items[kept], interactions.n_users, interactions.n_items)
