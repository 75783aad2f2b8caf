"""Item-to-item regression in closed form (EASE): each item from the others that a user has touched.

B minimises ‖T − TB‖² + λ‖B‖² with a zero diagonal, T [users, items] being 1 where a user touched an item:

    P = (TᵀT + λI)⁻¹,    B = I − P · diag(1 / diag P).

With fewer users than items the same P comes from the inverse of the smaller matrix M = (TTᵀ + λI)⁻¹, as
P = (I − TᵀMT) / λ. No matrix over all pairs of items is held then: columns are made block by block. Where users and
items are both more than ``MOST``, the regression is over the ``MOST`` most frequent items; the others get nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from counterec.core.arrays import FloatMatrix, IntVector, require, row_chunks
from counterec.core.interactions import Interactions
from counterec.core.scorers.collaborative import ItemToItem

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
