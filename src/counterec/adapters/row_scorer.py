"""A model of rows as a scorer: it is asked for many pairs at once, and what it does wrong is said in one line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from counterec.adapters.pair_rows import PairRows
from counterec.adapters.tables import FrameTables
from counterec.core.arrays import FloatVector, require
from counterec.core.scorers.base import PairBatch, Scorer, as_scores
from counterec.errors import CounterecError, ModelError, UsageError


@runtime_checkable
class RowModel(Protocol):
    """Anything that scores rows."""

    @property
    def said(self) -> str:
        """What a message calls it."""
        ...

    def predict(self, rows: PairRows) -> Any:
        """Return one number per row; higher is better."""
        ...


@dataclass(frozen=True)
class RowScorer:
    """A model and the rows it is asked about.

    The model may look at whatever stands in the rows, so that two items with equal attributes may still differ.
    """

    model: RowModel
    tables: FrameTables = field(repr=False)
    aspects_only: bool = False

    def score(self, pairs: PairBatch) -> FloatVector:
        """Return the score of each pair."""
        if not len(pairs):
            return np.empty(0, dtype=np.float32)
        return self._asked(pairs)

    def _asked(self, pairs: PairBatch) -> FloatVector:
        """What the model answers; where it raises, the pair is found by halves."""
        found, error = self._tried(pairs)
        if error is None:
            return self._checked(found, pairs)
        culprit = self._culprit(pairs)
        raise self._raised(culprit, self._tried(culprit)[1] or error) from error

    def _tried(self, pairs: PairBatch) -> tuple[Any, Exception | None]:
        """What the model answers, or what it raises."""
        try:
            return self.model.predict(PairRows(self.tables, pairs)), None
        except CounterecError:
            raise
        except Exception as error:  # of any kind: the model is anybody's
            return None, error

    def _culprit(self, pairs: PairBatch) -> PairBatch:
        """The first pair for which the model raises by itself, or the smallest batch for which it does."""
        while len(pairs) > 1:
            middle = len(pairs) // 2
            halves = (pairs.rows(slice(0, middle)), pairs.rows(slice(middle, None)))
            failing = [half for half in halves if self._tried(half)[1] is not None]
            if not failing:
                break
            pairs = failing[0]
        return pairs

    def _raised(self, pairs: PairBatch, error: Exception) -> ModelError:
        reason = " ".join(str(error).split())
        others = f" and {len(pairs) - 1} other pairs at once" if len(pairs) > 1 else ""
        return ModelError(
            f"{self.model.said} raised {type(error).__name__}: {reason}, for {self.pair(pairs, 0)}{others}"
        )

    def _checked(self, found: Any, pairs: PairBatch) -> FloatVector:
        scores = as_scores(self.model.said, found, len(pairs))
        bad = np.flatnonzero(~np.isfinite(scores))
        for place in bad[:1].tolist():
            require(
                False,
                f"{self.model.said} returned {scores[place]} for {self.pair(pairs, place)}; "
                "every score must be a finite number",
            )
        return scores

    def pair(self, pairs: PairBatch, place: int) -> str:
        """A pair by its ids, and what was changed of the item."""
        tables, item = self.tables, int(pairs.items[place])
        moved = tables.changed(pairs.items[place : place + 1], pairs.item_quality[place : place + 1])[0]
        changes = [
            f"{tables.schema[aspect].name} = {tables.decoded(aspect, pairs.item_quality[place : place + 1, aspect])[0]}"
            for aspect in np.flatnonzero(moved).tolist()
        ]
        name = f"user {tables.users.texts[pairs.users[place]]!r} and item {tables.items.texts[item]!r}"
        return f"{name} with {', '.join(changes)}" if changes else name


def row_model(given: Any) -> RowModel:
    """Whatever people have as a model of rows: the adapter that fits it."""
    from counterec.adapters.function import FunctionModel
    from counterec.adapters.scikit_learn import SklearnModel

    if isinstance(given, type):
        raise UsageError(f"{given.__name__} is a class, not a model; pass an instance of it, or a function")
    if isinstance(given, RowModel) and isinstance(given.said, str):
        return given
    if _is_torch_module(given):
        from counterec.adapters.torch_module import TorchModel

        return TorchModel(given)
    if hasattr(given, "predict") or hasattr(given, "predict_proba"):
        return SklearnModel(given)
    if callable(given):
        return FunctionModel(given)
    raise UsageError(
        f"{type(given).__name__} is no model: give a function of (user rows, item rows), a model with predict, "
        "a torch module, or an adapter from counterec.adapters"
    )


def _is_torch_module(given: Any) -> bool:
    return any(f"{kind.__module__}.{kind.__name__}" == "torch.nn.modules.module.Module" for kind in type(given).__mro__)


def scorer_of(given: Any, tables: FrameTables) -> Scorer:
    """A scorer as it is, and everything else by its adapter."""
    if hasattr(given, "aspects_only") and hasattr(given, "score"):
        return given
    model = row_model(given)
    make = getattr(model, "scorer", None)
    return RowScorer(model, tables) if make is None else make(tables)
