"""Any function: what it is given, and what is said of one that misbehaves."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.adapters import FunctionModel, RowScorer
from counterec.adapters.models import check_model, row_model
from counterec.core.candidates import Candidates
from counterec.core.scorers.base import PairBatch
from counterec.errors import InvalidValueError, ModelError, UsageError
from tests.adapters import hotels
from tests.contracts.row_model import RowModelContract


class TestContract(RowModelContract):
    @pytest.fixture(params=hotels.LIBRARIES)
    def tables(self, request):
        return hotels.tables(request.param)

    @pytest.fixture
    def model(self):
        return FunctionModel(hotels.liking)

    def expected(self, rows):
        return rows.matrix(hotels.NUMBERS) @ hotels.WEIGHTS


class TestRows:
    @pytest.mark.parametrize("library", hotels.LIBRARIES)
    def test_they_have_the_columns_and_types_of_the_frames(self, library):
        tables = hotels.tables(library)
        seen = []

        def predict(users, items):
            seen.append((users, items))
            return np.zeros(len(users))

        RowScorer(FunctionModel(predict), tables).score(PairBatch.of(tables.space, [0, 1], [3, 4]))
        users, items = seen[0]
        assert type(users) is type(hotels.guests(library))
        assert list(users.columns) == list(hotels.guests(library).columns)
        assert [str(kind) for kind in items.dtypes] == [str(kind) for kind in hotels.hotels(library).dtypes]
        assert list(users["user_id"]) == ["ann", "bob"]
        assert list(items["item_id"]) == ["H03", "H04"]

    @pytest.mark.parametrize("library", hotels.LIBRARIES)
    def test_an_unchanged_value_is_exactly_that_of_the_frame(self, library):
        tables = hotels.tables(library)
        given = dict(zip(*_column(hotels.hotels(library), "distance"), strict=True))

        def predict(users, items):
            for row, value in zip(*_column(items, "distance"), strict=True):
                assert value == given[row] or value == 2.35
            return np.zeros(len(users))

        scorer = RowScorer(FunctionModel(predict), tables)
        pairs = PairBatch.of(tables.space, [0, 0, 0], [1, 2, 3])
        codes = pairs.item_quality.copy()
        codes[1, tables.aspect_of["distance"]] = 2.35
        scorer.score(pairs.with_quality(codes))


def _column(frame, name):
    return list(frame["item_id"]), list(frame[name])


class Misbehaving:
    """Functions that each have one fault."""

    @staticmethod
    def infinite(users, items):
        return np.where(np.array(items["item_id"].to_list()) == "H03", np.inf, 1.0)

    @staticmethod
    def nan(users, items):
        return np.where(np.array(items["item_id"].to_list()) == "H03", np.nan, 1.0)

    @staticmethod
    def one_too_few(users, items):
        return np.zeros(len(users) - 1)

    @staticmethod
    def two_columns(users, items):
        return np.zeros((len(users), 2))

    @staticmethod
    def nothing(users, items):
        return None

    @staticmethod
    def words(users, items):
        return ["good"] * len(users)

    @staticmethod
    def raises(users, items):
        if "H03" in items["item_id"].to_list():
            raise KeyError("no such hotel")
        return np.zeros(len(users))

    @staticmethod
    def raises_for_many(users, items):
        if len(users) > 1:
            raise ValueError("one row\nat a time")
        return np.zeros(len(users))

    @staticmethod
    def relative_to_the_batch(users, items):
        price = np.array(items["price"].to_list(), dtype=float)
        return price - price[0]


class TestFaults:
    @pytest.mark.parametrize(
        ("fault", "words"),
        [
            ("infinite", "infinite returned inf for user 'ann' and item 'H03'; every score must be a finite number"),
            ("nan", "nan returned nan for user 'ann' and item 'H03'"),
            ("one_too_few", "one_too_few returned the shape (15,) for 16 pairs; it must return one number per pair"),
            ("two_columns", "two_columns returned the shape (16, 2) for 16 pairs"),
            ("nothing", "nothing returned None for 16 pairs"),
            ("words", "words returned a list for 16 pairs"),
            ("raises", "raises raised KeyError: 'no such hotel', for user 'ann' and item 'H03'"),
            (
                "raises_for_many",
                "raised ValueError: one row at a time, for user 'ann' and item 'H00' and 1 other pairs",
            ),
            ("relative_to_the_batch", "in a batch of another order; a score must not change between calls"),
        ],
    )
    def test_each_is_one_line_that_names_the_pair_and_the_value(self, fault, words):
        tables = hotels.tables()
        scorer = RowScorer(FunctionModel(getattr(Misbehaving, fault)), tables)
        with pytest.raises((InvalidValueError, ModelError)) as caught:
            check_model(scorer, _everything(tables))
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_scores_that_change_between_calls_are_named_with_both_values(self):
        tables, calls = hotels.tables(), []

        def drifting(users, items):
            calls.append(1)
            return np.full(len(users), float(len(calls)))

        with pytest.raises(InvalidValueError, match=r"drifting returned 1 for user 'ann' and item 'H00', and 2 in"):
            check_model(RowScorer(FunctionModel(drifting), tables), _everything(tables))

    def test_the_changed_value_is_named_too(self):
        tables = hotels.tables()

        def cheap_only(users, items):
            price = np.array(items["price"].to_list(), dtype=float)
            return np.where(price > 280, np.nan, price)

        scorer = RowScorer(FunctionModel(cheap_only), tables)
        pairs = PairBatch.of(tables.space, [1], [0])
        codes = pairs.item_quality.copy()
        codes[0, tables.aspect_of["price"]] = 290
        with pytest.raises(InvalidValueError, match=r"user 'bob' and item 'H00' with price = 290"):
            scorer.score(pairs.with_quality(codes))

    def test_a_class_and_a_thing_that_scores_nothing_are_refused(self):
        with pytest.raises(UsageError, match="Misbehaving is a class"):
            row_model(Misbehaving)
        with pytest.raises(UsageError, match="int is no model"):
            row_model(3)


def _everything(tables):
    return Candidates.without(len(tables.items.ids), [[]] * len(tables.users.ids))
