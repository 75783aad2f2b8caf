"""Models with scikit-learn's interface, LightGBM's and XGBoost's among them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from counterec.adapters import FrameTables, RowScorer, SklearnModel
from counterec.core.scorers.base import PairBatch
from counterec.errors import ConfigError
from tests.adapters import hotels
from tests.contracts.row_model import RowModelContract

pytest.importorskip("sklearn")

from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def fitted(model, library="polars", named=True):
    rows = hotels.training_rows(library)
    target = hotels.training_scores(rows)
    if hasattr(model, "predict_proba"):
        target = (target > np.median(target)).astype(int)
    asked = rows if named else np.stack([np.asarray(rows[name].to_list(), float) for name in hotels.NUMBERS], axis=1)
    return model.fit(asked, target)


class Contract(RowModelContract):
    @pytest.fixture
    def model(self):
        return SklearnModel(self.made())

    def expected(self, rows):
        model, matrix = self.made(), rows.matrix(hotels.NUMBERS)
        asked = pl.DataFrame(matrix, schema=hotels.NUMBERS) if hasattr(model, "feature_names_in_") else matrix
        return model.predict_proba(asked)[:, 1] if hasattr(model, "predict_proba") else model.predict(asked)


class TestRegression(Contract):
    def made(self):
        return fitted(LinearRegression())


class TestWithoutNames(Contract):
    def made(self):
        return fitted(LinearRegression(), named=False)


class TestProbabilities(Contract):
    def made(self):
        return fitted(make_pipeline(StandardScaler(), LogisticRegression()), named=False)


class TestTrees(Contract):
    def made(self):
        return fitted(HistGradientBoostingRegressor(max_iter=10))


class TestTreesOfClasses(Contract):
    def made(self):
        return fitted(HistGradientBoostingClassifier(max_iter=10))


class TestLightGbm(Contract):
    def made(self):
        lightgbm = pytest.importorskip("lightgbm")
        return fitted(lightgbm.LGBMRegressor(n_estimators=10, num_leaves=7, verbose=-1, n_jobs=1), named=False)


class TestLightGbmThatRemembersNames(Contract):
    def made(self):
        lightgbm = pytest.importorskip("lightgbm")
        return fitted(lightgbm.LGBMClassifier(n_estimators=10, num_leaves=7, verbose=-1, n_jobs=1), "pandas")

    def expected(self, rows):
        return self.made().predict_proba(pd.DataFrame(rows.matrix(hotels.NUMBERS), columns=hotels.NUMBERS))[:, 1]


class TestLightGbmItself(Contract):
    def made(self):
        lightgbm = pytest.importorskip("lightgbm")
        return fitted(lightgbm.LGBMRegressor(n_estimators=10, num_leaves=7, verbose=-1, n_jobs=1), "pandas").booster_

    def expected(self, rows):
        return self.made().predict(rows.matrix(hotels.NUMBERS))


class TestXgboost(Contract):
    def made(self):
        xgboost = pytest.importorskip("xgboost")
        return fitted(xgboost.XGBRegressor(n_estimators=10, max_depth=3, n_jobs=1), named=False)


class TestCategories:
    @pytest.mark.parametrize("library", hotels.LIBRARIES)
    def test_a_pipeline_gets_them_as_the_frame_has_them(self, library):
        items = {"item_id": list("abcdef"), "price": [9, 8, 7, 6, 5, 4], "kind": ["inn", "hotel", "hostel"] * 2}
        users = hotels.frame({"user_id": ["u"], "age": [30]}, library)
        rows = hotels.frame({"age": [1, 2, 3] * 9, "price": list(range(27)), "kind": items["kind"][:3] * 9}, library)
        prepared = make_column_transformer((OneHotEncoder(), ["kind"]), remainder="passthrough")
        model = make_pipeline(prepared, LinearRegression()).fit(rows, np.arange(27.0) * np.tile([1, 2, 3], 9))
        tables = FrameTables.of(users, hotels.frame(items, library))
        scorer = RowScorer(SklearnModel(model), tables)
        pairs = PairBatch.of(tables.space, [0], [0])
        codes = pairs.item_quality.copy()
        codes[0, tables.aspect_of["kind"]] = tables.schema[tables.aspect_of["kind"]].code("hostel")
        changed = hotels.frame({"age": [30], "price": [9], "kind": ["hostel"]}, library)
        np.testing.assert_allclose(scorer.score(pairs.with_quality(codes)), model.predict(changed), rtol=1e-5)


class TestFaults:
    def test_a_column_that_is_nowhere_is_named(self):
        rows = pl.DataFrame({"age": [1.0, 2.0], "pool": [0.0, 1.0]})
        model = LinearRegression().fit(rows, [1.0, 2.0])
        with pytest.raises(ConfigError, match=r"the model wants a column 'pool'; users has age, budget, items has"):
            _score(SklearnModel(model))

    def test_another_number_of_columns_is_said_with_what_to_do(self):
        model = LinearRegression().fit(np.zeros((3, 2)), np.zeros(3))
        with pytest.raises(ConfigError, match=r"fitted on 2 columns, and there are 6: age, .*SklearnModel\(model, col"):
            _score(SklearnModel(model))

    def test_three_classes_need_one_to_be_named(self):
        rows = hotels.training_rows()
        model = LogisticRegression(max_iter=10_000).fit(rows, np.arange(400) % 3)
        with pytest.raises(ConfigError, match=r"gives 3 classes \(0, 1, 2\); say whose probability"):
            _score(SklearnModel(model))
        assert _score(SklearnModel(model, class_=2)).shape == (1,)

    def test_a_method_that_is_not_there_is_named(self):
        with pytest.raises(ConfigError, match="LinearRegression has no predict_proba"):
            _score(SklearnModel(LinearRegression(), method="predict_proba"))


def _score(model):
    tables = hotels.tables()
    return RowScorer(model, tables).score(PairBatch.of(tables.space, [0], [0]))
