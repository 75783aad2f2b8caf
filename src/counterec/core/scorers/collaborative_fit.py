"""The collaborative part learned: λ and the number of entries that are stored are chosen on validation."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np
import torch

from counterec.core.compute_limits import available_cores, threads
from counterec.core.interactions import Interactions
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.collaborative_weight import gains_of
from counterec.core.scorers.item_regression import ItemRegression, RegressionAt

REGULARISATIONS = (10.0, 30.0, 100.0, 300.0, 1000.0)
"""λ of the item-to-item regression to choose from, starting at ``REGULARISATION``."""
REGULARISATION = 100.0
"""The first λ that is tried, and the only one without a validation part."""
KEPT = (100, 300, 1000)
"""How many past items may speak for each item: the first number with which validation loses nothing, or the last.
Without a validation part the second."""
AT_ONCE = 2
"""λ that are tried side by side, whatever the number of cores: each holds a matrix of all users, or of all items."""


@dataclass(frozen=True)
class CollaborativeFit:
    """The part with a weight of 1 for everybody, what was chosen, and the validation NDCG it was chosen by."""

    related: Collaborative
    regularisation: float
    kept: int
    tried: dict[str, float] = field(default_factory=dict)
    """λ that were tried → validation NDCG of the part alone, no entry left out."""
    tried_kept: dict[str, float] = field(default_factory=dict)
    """Entries per item → validation NDCG of the part alone, with the λ that was chosen."""


def fit_fixed(past: Interactions, regularisation: float, kept: int) -> CollaborativeFit:
    """With this λ and this many entries per item."""
    matrix = ItemRegression(past).at(regularisation).fitted(kept)
    return CollaborativeFit(Collaborative.of(matrix, past), regularisation, kept)


def fit_chosen(
    past: Interactions,
    validation: CatalogueValidation,
    regularisations: Sequence[float] = REGULARISATIONS,
    usual: float = REGULARISATION,
    kept: Sequence[int] = KEPT,
) -> CollaborativeFit:
    """With the best λ on validation, the larger of equal ones, and as few entries as lose nothing."""
    regression, users = _ChosenRegression(past, validation, tuple(regularisations), usual), validation.users
    most = regression.chosen.fitted(kept[-1])
    tried_kept: dict[int, float] = {}
    for number in kept:
        related = Collaborative.of(most.thinned(number), past)
        table = np.stack([related.relatedness(user) for user in users.tolist()])
        tried_kept[number] = float(gains_of(table, validation).mean())
        if tried_kept[number] >= regression.tried[regression.best]:
            break
    return CollaborativeFit(
        related,
        regression.best,
        number,
        {f"{value:g}": regression.tried[value] for value in sorted(regression.tried)},
        {str(each): ndcg for each, ndcg in tried_kept.items()},
    )


class _ChosenRegression:
    """The regression with the best λ on validation: from the usual one to its neighbours, and on where it rises."""

    def __init__(
        self, past: Interactions, validation: CatalogueValidation, values: tuple[float, ...], usual: float
    ) -> None:
        self._regression, self._validation = ItemRegression(past), validation
        self._values = values
        self.tried: dict[float, float] = {}
        self.best = min(self._values, key=lambda value: abs(np.log(value / usual)))
        while wanted := self._next():
            self._try(wanted)

    def _next(self) -> list[float]:
        """The nearest to the best that were not tried, unless a worse one lies between."""
        at, tried = self._values.index(self.best), self.tried
        sides = self._values[:at][::-1], (() if self.best in tried else (self.best,)), self._values[at + 1 :]
        wanted = [value for side in sides for value in takewhile(lambda each: each not in tried, side)]
        return sorted(wanted, key=lambda value: (abs(self._values.index(value) - at), value))[:AT_ONCE]

    def _try(self, values: Sequence[float]) -> None:
        """Judge these λ, and keep the regression with the best of all: to invert its matrix again would take long."""
        workers = min(available_cores(), len(values))
        with threads(1), ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            for value, (found, ndcg) in zip(values, pool.map(self._judged, values), strict=True):
                self.tried[value] = ndcg
                if value == max(self.tried, key=lambda each: (self.tried[each], each)):
                    self.best, self.chosen = value, found

    def _judged(self, regularisation: float) -> tuple[RegressionAt, float]:
        found = self._regression.at(regularisation)
        return found, float(gains_of(found.relatedness(self._validation.users), self._validation).mean())
