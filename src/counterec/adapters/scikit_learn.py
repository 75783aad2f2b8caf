"""Anything with scikit-learn's ``predict`` or ``predict_proba``: its own estimators, LightGBM, XGBoost, pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from counterec.adapters.pair_rows import PairRows
from counterec.adapters.tables import FrameTables
from counterec.errors import ConfigError


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
        """Ask the model."""
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
