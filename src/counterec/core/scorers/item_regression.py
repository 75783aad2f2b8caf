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
"""The largest matrix that is inverted: 3.2 GB in double precision, and as much again while it is."""

TARGETS_AT_ONCE = 512
"""Columns of B that are held dense at a time."""


class ItemRegression:
    """The regression on these interactions, for any λ."""

    def __init__(self, past: Interactions, most: int = MOST) -> None:
        require(len(past) > 0, "there is no interaction to learn from: keep more reviews")
        self.n_items = past.n_items
        counts = np.bincount(past.items, minlength=past.n_items)
        touched, active = np.flatnonzero(counts), np.unique(past.users)
        self._by_users = len(active) < len(touched) and len(active) <= most
        if not self._by_users and len(touched) > most:
            touched = touched[np.sort(np.lexsort((touched, -counts[touched]))[:most])]
        self.items: IntVector = touched
        """The items that the regression is over; the rows and columns of the others are 0."""
        kept = np.isin(past.items, touched)
        rows = np.searchsorted(active, past.users[kept])
        columns = np.searchsorted(touched, past.items[kept])
        self._table = _sparse(rows, columns, len(active), len(touched))
        self._turned = _sparse(columns, rows, len(touched), len(active))

    @cached_property
    def _gram(self) -> Tensor:
        """TᵀT, or TTᵀ if there are fewer users."""
        one, other = (self._table, self._turned) if self._by_users else (self._turned, self._table)
        gram = torch.empty((one.shape[0], one.shape[0]), dtype=torch.float64)
        for block in row_chunks(len(gram), TARGETS_AT_ONCE):
            columns = torch.arange(block.start, block.stop)
            gram[:, block] = torch.sparse.mm(one, other.index_select(1, columns).to_dense())
        return gram

    @torch.no_grad()  # not inference mode: the threads of a sparse index_select do not take part in it, and raise
    def columns(self, regularisation: float) -> Iterator[tuple[IntVector, FloatMatrix]]:
        """Blocks of columns of B, in double precision: the target items, and B[items, targets]."""
        require(regularisation > 0, f"the regularisation is {regularisation:g}; it must be above 0")
        shifted = self._gram.clone()
        shifted.diagonal().add_(regularisation)
        inverse = torch.cholesky_inverse(torch.linalg.cholesky(shifted))
        del shifted
        for block in row_chunks(len(self.items), TARGETS_AT_ONCE):
            targets = torch.arange(block.start, block.stop)
            if self._by_users:
                part = self._explained(inverse, targets)
                part /= 1 - part[targets, targets - block.start]
            else:
                part = -inverse[:, block] / inverse[targets, targets]
            part[targets, targets - block.start] = 0
            yield self.items[block], part.numpy()

    def _explained(self, inverse: Tensor, targets: Tensor) -> Tensor:
        """TᵀMT at these columns, λ(TᵀT + λI)⁻¹ = I − TᵀMT."""
        per_user = torch.sparse.mm(self._turned.index_select(0, targets), inverse).t().contiguous()
        return torch.sparse.mm(self._turned, per_user)

    def fitted(self, regularisation: float, kept: int | None = None) -> ItemToItem:
        """B, of each target item only the ``kept`` entries that are largest in size; all of them if None."""
        past, items, values = [], [], []
        for targets, columns in self.columns(regularisation):
            rows, which = largest_entries(columns, kept)
            past.append(self.items[rows])
            items.append(targets[which])
            values.append(columns[rows, which].astype(np.float32))
        entries = np.concatenate(past), np.concatenate(items), np.concatenate(values)
        return ItemToItem.of_entries(*entries, self.n_items)


def largest_entries(columns: FloatMatrix, kept: int | None) -> tuple[IntVector, IntVector]:
    """Where the entries are that are largest in size, at most ``kept`` in each column, and which are not 0."""
    size = np.abs(columns)
    if kept is None or kept >= len(columns):
        rows, which = np.nonzero(size)
        return rows, which
    first = np.argsort(-size, axis=0, kind="stable")[:kept]
    which = np.broadcast_to(np.arange(columns.shape[1]), first.shape)
    there = size[first, which] > 0
    return first[there], which[there]


def _sparse(rows: IntVector, columns: IntVector, n_rows: int, n_columns: int) -> Tensor:
    """A matrix that is 1 at these places."""
    places = torch.from_numpy(np.stack([rows, columns]))
    ones = torch.ones(len(rows), dtype=torch.float64)
    return torch.sparse_coo_tensor(places, ones, (n_rows, n_columns), check_invariants=True).coalesce()
