"""A torch module: with gradients, so that every goal works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from counterec.adapters.pair_rows import PairRows
from counterec.adapters.row_scorer import RowScorer
from counterec.adapters.tables import FrameTables, Side
from counterec.core.scorers.base import PairBatch
from counterec.errors import ConfigError

if TYPE_CHECKING:
    from torch import Tensor

Inputs = Mapping[str, Sequence[str] | str]


@dataclass(frozen=True)
class TorchModel:
    """A module, in the state it is given in: call ``eval()`` first, or dropout makes its scores change.

    With ``inputs``, forward is called by name: an input that is one column, given by its name, is a vector of it (of
    integers, where the column is whole), one that is a list of columns is a matrix of floats. Without, forward gets two
    matrices: all columns of the users' rows, then all of the items'. Categories are given by their place among
    their values, what is absent as NaN.
    """

    module: Any
    inputs: Inputs | None = None

    @property
    def said(self) -> str:
        """The module's class."""
        return type(self.module).__name__

    def predict(self, rows: PairRows) -> Any:
        """Call the module."""
        return self.scorer(rows.tables).score(rows.pairs)

    def scorer(self, tables: FrameTables) -> TorchScorer:
        """The module as a scorer with gradients."""
        return TorchScorer(self, tables)


@dataclass(frozen=True)
class TorchScorer(RowScorer):
    """Scores pairs by a module; the same numbers also as tensors with gradients."""

    model: TorchModel

    def _asked(self, pairs: PairBatch) -> Any:
        import torch

        device = self._device
        with torch.inference_mode():
            quality = torch.as_tensor(np.array(pairs.item_quality), device=device)
            users, items = (torch.as_tensor(np.array(each), device=device) for each in (pairs.users, pairs.items))
            try:
                found = self._called(users, items, quality)
            except (RuntimeError, IndexError, TypeError, ValueError) as error:
                raise self._raised(pairs, error) from error
        return self._checked(found, pairs)

    def score_tensor(self, users: Tensor, items: Tensor, user_attention: Tensor, item_quality: Tensor) -> Tensor:
        """The scores with gradients; the attention that was made up for the users plays no part."""
        del user_attention
        found = self._called(users, items, item_quality)
        return found.reshape(len(users)) if found.numel() == len(users) else found

    def _called(self, users: Tensor, items: Tensor, quality: Tensor) -> Any:
        module, inputs = self.model.module, self.model.inputs
        if inputs is None:
            sides = (self.tables.users, self.tables.items)
            return module(*(self._matrix(side.features, users, items, quality) for side in sides))
        return module(**{name: self._input(columns, users, items, quality) for name, columns in inputs.items()})

    def _input(self, columns: Sequence[str] | str, users: Tensor, items: Tensor, quality: Tensor) -> Tensor:
        if isinstance(columns, str):
            column = self._column(columns, users, items, quality)
            return column.long() if columns in self._whole else column
        return self._matrix(columns, users, items, quality)

    def _matrix(self, columns: Sequence[str], users: Tensor, items: Tensor, quality: Tensor) -> Tensor:
        import torch

        found = [self._column(name, users, items, quality) for name in columns]
        return torch.stack(found, dim=1) if found else quality.new_empty((len(users), 0))

    def _column(self, name: str, users: Tensor, items: Tensor, quality: Tensor) -> Tensor:
        """A column of the frame, or the attribute that is asked about."""
        if name not in self.tables.aspect_of:
            side = self.tables.side_of(name)
            return self._tensor(side, name)[users if side is self.tables.users else items]
        aspect = self.tables.aspect_of[name]
        column, absent = quality[:, aspect], float(self.tables.space.scale.absent[aspect])
        return column.where(column != absent, float("nan")) if self.tables.schema[aspect].can_be_absent else column

    def _tensor(self, side: Side, name: str) -> Tensor:
        import torch

        if name not in self._tensors:
            values = side.numbers(name)
            if values is None:
                raise ConfigError(f"{name} of {side.what}s holds no numbers; name the columns by inputs= of TorchModel")
            self._tensors[name] = torch.as_tensor(np.array(values), dtype=torch.float32, device=self._device)
        return self._tensors[name]

    @cached_property
    def _tensors(self) -> dict[str, Tensor]:
        return {}

    @cached_property
    def _whole(self) -> frozenset[str]:
        """The columns that hold whole numbers, or places of categories."""
        sides = (self.tables.users, self.tables.items)
        columns = [(side, name) for side in sides for name in side.columns]
        whole = {name for side, name in columns if side.library.kind(side.frame, name) == "whole"}
        return frozenset(whole | {each.name for each in self.tables.schema.attributes if each.kind == "category"})

    @cached_property
    def _device(self) -> Any:
        import torch

        weights = next(iter(self.model.module.parameters()), None)
        return torch.device("cpu") if weights is None else weights.device
