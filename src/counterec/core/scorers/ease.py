"""The collaborative part learned: item-to-item regression in closed form (EASE), and how much of it a score holds.

B minimises ‖T − TB‖² + λ‖B‖² with a zero diagonal, T [users, items] being 1 where a user touched an item:

    P = (TᵀT + λI)⁻¹,    B = I − P · diag(1 / diag P).

With fewer users than items the same P comes from the inverse of the smaller matrix M = (TTᵀ + λI)⁻¹, as
P = (I − TᵀMT) / λ. No matrix over all pairs of items is held then: columns are made block by block. Where users and
items are both more than ``MOST``, the regression is over the ``MOST`` most frequent items; the others get nothing.

λ and the number of entries that are stored are chosen on validation. A user's weight is w_u = a · σ(f_u) / σ(c_u): both
parts are standardised over the whole catalogue, once, at training, and the one number ``a`` says how far the
collaborative part spreads the items beside the aspects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector, require, row_chunks
from counterec.core.compute_limits import available_cores, threads
from counterec.core.interactions import Interactions
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.catalogue import catalogue_of
from counterec.core.scorers.collaborative import Collaborative, ItemToItem
from counterec.core.scorers.validation import CatalogueValidation
from counterec.core.space import AspectSpace

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


MOST = 20_000
"""The largest matrix that is inverted: 3.2 GB in double precision, and half as much for what it is made from."""

TARGETS_AT_ONCE = 512
"""Columns of B that are held dense at a time."""


class ItemRegression:
    """The regression on these interactions, for any λ."""

    def __init__(self, past: Interactions, most: int = MOST) -> None:
        require(len(past) > 0, "there is no interaction to learn from: keep more reviews")
        self.n_items = past.n_items
        counts = np.bincount(past.items, minlength=past.n_items)
        touched, active = np.flatnonzero(counts), np.unique(past.users)
        self.by_users: bool = len(active) < len(touched) and len(active) <= most
        """Whether the matrix that is inverted is over users, and not over items."""
        if not self.by_users and len(touched) > most:
            touched = touched[np.sort(np.lexsort((touched, -counts[touched]))[:most])]
        self.items: IntVector = touched
        """The items that the regression is over; the rows and columns of the others are 0."""
        self.users: IntVector = active
        """The users who touched any item: the rows of T."""
        kept = np.isin(past.items, touched)
        rows = np.searchsorted(active, past.users[kept])
        columns = np.searchsorted(touched, past.items[kept])
        self.table: Tensor = _sparse(rows, columns, len(active), len(touched))
        """T."""
        self.turned: Tensor = _sparse(columns, rows, len(touched), len(active))
        """Tᵀ."""

    @cached_property
    def gram(self) -> Tensor:
        """TᵀT, or TTᵀ if there are fewer users: whole numbers, which single precision holds exactly."""
        one, other = (self.table, self.turned) if self.by_users else (self.turned, self.table)
        gram = torch.empty((one.shape[0], one.shape[0]))
        for block in row_chunks(len(gram), TARGETS_AT_ONCE):
            columns = torch.arange(block.start, block.stop)
            gram[:, block] = torch.sparse.mm(one, other.index_select(1, columns).to_dense())
        return gram

    def at(self, regularisation: float) -> RegressionAt:
        """The regression with this λ."""
        require(regularisation > 0, f"the regularisation is {regularisation:g}; it must be above 0")
        return RegressionAt(self, regularisation)


class RegressionAt:
    """The regression with one λ: its matrix is inverted, and whatever is asked of it is made block by block."""

    def __init__(self, regression: ItemRegression, regularisation: float) -> None:
        self._regression, self._regularisation = regression, regularisation
        shifted = regression.gram.double()
        shifted.diagonal().add_(regularisation)
        turned = shifted.t()  # column by column, as LAPACK has it: both steps are then made in place
        torch.linalg.cholesky(turned, out=turned)
        torch.cholesky_inverse(turned, out=turned)
        self._inverse = shifted
        """P, or M if there are fewer users."""

    def columns(self) -> Iterator[tuple[IntVector, FloatMatrix]]:
        """Blocks of columns of B, in double precision: the target items, and B[items, targets]."""
        regression, inverse = self._regression, self._inverse
        for targets in self._targets():
            within = torch.arange(len(targets))
            if regression.by_users:
                part = torch.sparse.mm(regression.turned, self._per_user(targets).t().contiguous())
                part /= 1 - part[targets, within]
            else:
                part = -inverse[:, targets] / inverse[targets, targets]
            part[targets, within] = 0
            yield regression.items[targets.numpy()], part.numpy()

    def relatedness(self, users: IntVector) -> FloatMatrix:
        """c(u, i) = (TB)[u, i] of these users and of all items, with the whole B, which is never held at once.

        TB = T − TP · diag(1 / diag P). With M = (TTᵀ + λI)⁻¹, TP = MT: only the users who are asked for cost anything.
        """
        regression = self._regression
        known = np.isin(users, regression.users)
        rows = torch.from_numpy(np.searchsorted(regression.users, users[known]))
        own = regression.table.index_select(0, rows)
        found = np.zeros((len(users), regression.n_items), dtype=np.float32)
        for targets in self._targets():
            touched = own.index_select(1, targets).to_dense()
            projected, diagonal = self._projected(own, rows, targets)
            found[np.ix_(known, regression.items[targets.numpy()])] = touched - projected / diagonal
        return found

    def fitted(self, kept: int | None = None) -> ItemToItem:
        """B, of each target item only the ``kept`` entries that are largest in size; all of them if None."""
        past, items, values = [], [], []
        for targets, columns in self.columns():
            rows, which = largest_entries(columns, kept)
            past.append(self._regression.items[rows])
            items.append(targets[which])
            values.append(columns[rows, which].astype(np.float32))
        entries = np.concatenate(past), np.concatenate(items), np.concatenate(values)
        return ItemToItem.of_entries(*entries, self._regression.n_items)

    def _targets(self) -> Iterator[Tensor]:
        for block in row_chunks(len(self._regression.items), TARGETS_AT_ONCE):
            yield torch.arange(block.start, block.stop)

    def _per_user(self, targets: Tensor) -> Tensor:
        """(MT)ᵀ at these columns [targets, users]."""
        return torch.sparse.mm(self._regression.turned.index_select(0, targets), self._inverse)

    def _projected(self, own: Tensor, rows: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """TP at these rows and targets, and diag P at these targets."""
        if not self._regression.by_users:
            return torch.sparse.mm(own, self._inverse[:, targets]), self._inverse[targets, targets]
        per_user = self._per_user(targets)
        touched = self._regression.turned.index_select(0, targets).coalesce().indices()
        explained = torch.zeros(len(targets), dtype=torch.float64)
        explained.index_add_(0, touched[0], per_user[touched[0], touched[1]])
        return per_user[:, rows].t(), (1 - explained) / self._regularisation


def largest_entries(columns: FloatMatrix, kept: int | None) -> tuple[IntVector, IntVector]:
    """Where the entries are that are largest in size, at most ``kept`` in each column, and which are not 0.

    Of equal ones those of smaller rows.
    """
    # One column after another they are searched several times as fast, and PyTorch turns a matrix the fastest.
    size = torch.from_numpy(columns).t().contiguous().abs().numpy()
    if kept is not None and kept < len(columns):
        last = np.partition(size, -kept, axis=1)[:, -kept, None]
        size[size < last] = 0
        crowded = np.count_nonzero(size, axis=1) > kept  # several are equal to the last one
        last, some = last[crowded], size[crowded]
        room = kept - (some > last).sum(axis=1, keepdims=True)
        size[crowded] = np.where((some == last) & (np.cumsum(some == last, axis=1) > room), 0, some)
    which, rows = np.nonzero(size)
    return rows, which


def _sparse(rows: IntVector, columns: IntVector, n_rows: int, n_columns: int) -> Tensor:
    """A matrix that is 1 at these places."""
    places = torch.from_numpy(np.stack([rows, columns]))
    ones = torch.ones(len(rows), dtype=torch.float64)
    return torch.sparse_coo_tensor(places, ones, (n_rows, n_columns), check_invariants=True).coalesce()


USERS_PER_THREAD = 50
"""Fewer users are not worth another thread."""


class KeptScores:
    """The scores of the whole catalogue by the aspect part, kept for some users while everybody's are computed."""

    def __init__(self, users: IntVector, n_items: int) -> None:
        self.users = users
        """Sorted; rows are in this order."""
        self.scores = np.empty((len(users), n_items), dtype=np.float32)
        self._row_of = {user: row for row, user in enumerate(users.tolist())}

    def __contains__(self, user: int) -> bool:
        return user in self._row_of

    def keep(self, user: int, scores: FloatVector) -> None:
        """Remember the scores of a user who is one of these."""
        self.scores[self._row_of[user]] = scores


def balance(
    aspects: Scorer,
    related: Collaborative,
    space: AspectSpace,
    users: IntVector | None = None,
    kept: KeptScores | None = None,
) -> FloatVector:
    """σ(f_u) / σ(c_u) over the whole catalogue: the weights of ``a = 1``; 0 where nothing is related.

    Of all users, or of some; then those of the others are 0. ``kept`` gets the scores of its users.
    """
    found = np.zeros(len(space.users), dtype=np.float32)
    everything = np.arange(len(space.items))

    def balance_some(some: IntVector) -> None:
        catalogue = catalogue_of(aspects, space)  # one per thread: it has room that it writes to
        for user in some.tolist():
            spread, is_kept = related.relatedness(user).std(), kept is not None and user in kept
            if not is_kept and not spread > 0:
                continue
            scores = catalogue.for_user(user).scores(everything)
            if kept is not None and is_kept:
                kept.keep(user, scores)
            if spread > 0:
                found[user] = scores.std(dtype=np.float64) / spread

    asked = np.arange(len(found)) if users is None else users
    parts = np.array_split(asked, max(1, min(available_cores(), len(asked) // USERS_PER_THREAD)))
    with threads(1), ThreadPoolExecutor(len(parts), initializer=torch.set_num_threads, initargs=(1,)) as pool:
        list(pool.map(balance_some, parts))
    return found


class WeightTrial:
    """The validation gains under any weight: both parts of all scores are computed once."""

    def __init__(self, related: Collaborative, validation: CatalogueValidation, kept: KeptScores) -> None:
        """``related`` has the weights of ``a = 1``; ``kept`` holds the aspect scores of the validated users."""
        self._validation, self._aspects = validation, kept.scores
        everything = np.arange(kept.scores.shape[1])
        users = validation.users.tolist()
        self._offsets = np.stack([related.offset(np.full(len(everything), user), everything) for user in users])

    def gains(self, weight: float) -> FloatVector:
        """Return the gain of each validated user."""
        return gains_of(self._aspects + np.float32(weight) * self._offsets, self._validation)


def gains_of(scores: FloatMatrix, validation: CatalogueValidation) -> FloatVector:
    """The gains of the validated users by a table of their scores [users, items]."""

    def of(users: IntVector) -> FloatMatrix:
        return scores[np.searchsorted(validation.users, users)]

    return validation.gains(of)
