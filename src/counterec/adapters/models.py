"""Models of rows as scorers: functions and scikit-learn's way. A fault of a model is one line that names the pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np

from counterec.adapters.frames import Frame
from counterec.adapters.tables import FrameTables, NumberBlock, as_written
from counterec.core.arrays import FloatMatrix, FloatVector, require
from counterec.core.candidates import Candidates
from counterec.core.scorers.base import PairBatch, Scorer, as_scores
from counterec.errors import ConfigError, CounterecError, ModelError, UsageError


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

    if isinstance(given, type):
        raise UsageError(f"{given.__name__} is a class, not a model; pass an instance of it, or a function")
    if isinstance(given, RowModel) and isinstance(given.said, str):
        return given
    if _is_torch_module(given):
        from counterec.adapters.tensors import TorchModel

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


@dataclass(frozen=True)
class PairRows:
    """One row per pair."""

    tables: FrameTables
    pairs: PairBatch

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def users(self) -> Frame:
        return self.tables.user_rows(self.pairs.users)

    @cached_property
    def items(self) -> Frame:
        """The items' rows, like those of the frame of items, with the attributes that they are asked about."""
        return self.tables.item_rows(self.pairs.items, self.pairs.item_quality)

    def frame(self, columns: Sequence[str]) -> Frame:
        """These columns of both, side by side; made from a matrix where all of them are numbers."""
        library = self.tables.items.library
        if self.all_numbers(columns):
            return library.of_matrix(self.matrix(columns), columns)
        return library.side_by_side(self.users, self.items, columns)

    def all_numbers(self, columns: Sequence[str]) -> bool:
        """Whether these columns hold numbers, or yes and no, alone."""
        return all(self.tables.side_of(name).numbers(name) is not None for name in columns)

    def column(self, name: str) -> np.ndarray:
        side = self.tables.side_of(name)
        if side.numbers(name) is not None:
            return self.matrix([name])[:, 0]
        return side.library.values(self.users if side is self.tables.users else self.items, name)

    def matrix(self, columns: Sequence[str]) -> FloatMatrix:
        """These columns as numbers in double precision; what is absent is NaN."""
        if self.tables.recompute is not None:
            return self._recomputed_matrix(columns)
        block = self.tables.number_block(tuple(columns))
        found = np.empty((len(self), len(columns)), dtype=np.float64)
        found[:, block.user_places] = block.users[self.pairs.users]
        found[:, block.item_places] = block.items[self.pairs.items]
        self._change(found, block)
        return found

    def _recomputed_matrix(self, columns: Sequence[str]) -> FloatMatrix:
        """The same where a derived column may follow from any other: from the rows themselves."""
        found = np.empty((len(self), len(columns)), dtype=np.float64)
        for place, name in enumerate(columns):
            side = self.tables.side_of(name)
            if side is self.tables.users:
                found[:, place] = side.required_numbers(name)[self.pairs.users]
            else:
                side.required_numbers(name)
                found[:, place] = side.library.values(self.items, name)
        return found

    def _change(self, found: FloatMatrix, block: NumberBlock) -> None:
        """Put the attributes that are asked about into their columns; all others stay exactly as in the frame."""
        codes = self.pairs.item_quality[:, block.aspects]
        rows, moved = np.nonzero(codes != block.codes[self.pairs.items])
        values = codes[rows, moved]
        absent = values == self.tables.space.scale.absent[block.aspects[moved]]
        found[rows, block.aspect_places[moved]] = np.where(absent, np.nan, as_written(values))


@dataclass(frozen=True)
class FunctionModel:
    """The function gets two frames with equally many rows, like those that were given, and returns a number per row."""

    function: Callable[[Frame, Frame], Any]

    @property
    def said(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__).replace("<lambda>", "predict")

    def predict(self, rows: PairRows) -> Any:
        return self.function(rows.users, rows.items)


@dataclass(frozen=True)
class SklearnModel:
    """A fitted model.

    A model that knows the names of its columns gets them, in its order, as a frame of the kind that was given. One that
    does not gets a matrix: of ``columns`` or, by default, of all columns of users and then of items.
    """

    model: Any
    columns: Sequence[str] | None = None
    """The columns it was fitted on, in order; None: those it remembers, or all."""
    method: str | None = None
    """``predict`` or ``predict_proba``; None: the second where there is one."""
    class_: Any = None
    """Whose probability is the score, where there are more than two classes; of two it is the second."""

    @property
    def said(self) -> str:
        """The method, as people know it."""
        return f"{self._method} of {type(self.model).__name__}"

    def predict(self, rows: PairRows) -> Any:
        columns = self._columns(rows.tables)
        if self._booster is not None and rows.all_numbers(columns):  # LightGBM takes a matrix much faster than a frame
            found = self._booster.predict(rows.matrix(columns))
        else:
            model = self.model if self._booster is None else self._booster
            asked = rows.frame(columns) if self._names or not rows.all_numbers(columns) else rows.matrix(columns)
            found = getattr(model, self._method if model is self.model else "predict")(asked)
        return self._one_column(np.asarray(found))

    @cached_property
    def _method(self) -> str:
        method = self.method or ("predict_proba" if hasattr(self.model, "predict_proba") else "predict")
        if not hasattr(self.model, method):
            raise ConfigError(f"{type(self.model).__name__} has no {method}; give a fitted model that has")
        return method

    @cached_property
    def _booster(self) -> Any:
        """LightGBM's own model, where it gives the same numbers."""
        if type(self.model).__module__.partition(".")[0] != "lightgbm":
            return None
        if type(self.model).__name__ == "Booster":
            return self.model
        ranks = self._method == "predict_proba" or not hasattr(self.model, "predict_proba")
        return self.model.booster_ if ranks else None

    @cached_property
    def _names(self) -> list[str] | None:
        """The columns that the model remembers."""
        names = getattr(self.model, "feature_names_in_", None)
        if names is None and self._booster is not None:
            names = self._booster.feature_name()
            names = None if list(names) == [f"Column_{place}" for place in range(len(names))] else names
        return None if names is None else [str(name) for name in names]

    def _columns(self, tables: FrameTables) -> list[str]:
        columns = list(self.columns or self._names or tables.features)
        expected = getattr(self.model, "n_features_in_", None)
        if expected is not None and expected != len(columns):
            raise ConfigError(
                f"{type(self.model).__name__} was fitted on {expected} columns, and there are {len(columns)}: "
                f"{', '.join(columns)}; name those it was fitted on: SklearnModel(model, columns=[…])"
            )
        return columns

    def _one_column(self, found: np.ndarray) -> np.ndarray:
        """The probability that counts, where there is one for each class."""
        if found.ndim != 2 or found.shape[1] == 1:
            return found
        classes = list(getattr(self.model, "classes_", range(found.shape[1])))
        if self.class_ is None and found.shape[1] == 2:
            return found[:, 1]
        if self.class_ not in classes:
            raise ConfigError(
                f"{self.said} gives {found.shape[1]} classes ({', '.join(map(str, classes))}); say whose probability "
                "is the score: SklearnModel(model, class_=…)"
            )
        return found[:, classes.index(self.class_)]


PAIRS_TRIED = 16
"""Pairs of the batch that a model is tried on."""

TOLERANCE = 1e-4
"""How far two answers about one pair may lie apart, as a share of the largest score or of 1: float32 and threads."""


def check_model(scorer: RowScorer, candidates: Candidates) -> None:
    """Ask about a few pairs three times: again, and in the opposite order; raise in one line at the first fault."""
    pairs = _some_pairs(scorer, candidates)
    if not len(pairs):
        return
    first = scorer.score(pairs)
    require_same(scorer, pairs, first, scorer.score(pairs), "in another call")
    turned = np.arange(len(pairs))[::-1]
    require_same(scorer, pairs, first, scorer.score(pairs.rows(turned))[turned], "in a batch of another order")
    alone = np.concatenate([scorer.score(pairs.rows(np.array([row]))) for row in range(min(2, len(pairs)))])
    require_same(scorer, pairs.rows(np.arange(len(alone))), first[: len(alone)], alone, "by itself")


def require_same(
    scorer: RowScorer, pairs: PairBatch, before: FloatVector, after: FloatVector, when: str = "in another call"
) -> None:
    """Raise if a score has changed, naming the pair and both values."""
    room = TOLERANCE * max(1e-6, float(np.abs(before).max(initial=0)))
    for place in np.flatnonzero(np.abs(before - after) > room)[:1].tolist():
        require(
            False,
            f"{scorer.model.said} returned {before[place]:g} for {scorer.pair(pairs, place)}, and {after[place]:g} "
            f"{when}; a score must not change between calls (a torch module needs eval(), a random part a fixed seed)",
        )


def _some_pairs(scorer: RowScorer, candidates: Candidates) -> PairBatch:
    """The first candidates of the first and of the last user."""
    space = scorer.tables.space
    users = sorted({0, len(space.users) - 1})
    found = [(user, item) for user in users for item in candidates.of(user)[: PAIRS_TRIED // len(users)].tolist()]
    numbers = np.array(found, dtype=np.int64).reshape(-1, 2)
    return PairBatch.of(space, numbers[:, 0], numbers[:, 1])
