"""The one call: frames and a model in, a frame of answers with sentences out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from counterec.core.attributes import Attribute
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.constraints import Constraints
from counterec.errors import ConfigError, InvalidValueError, UnknownIdError, UsageError
from counterec.frames import at_most, explain, what_if, why_not, why_rather
from tests.adapters import hotels


def cheap_first(users, items):
    """Lower prices first; a hotel without wifi counts as 40 dearer: every answer can be seen at once."""
    price, wifi = (np.asarray(items[name].to_list(), dtype=float) for name in ("price", "wifi"))
    return -price - 40 * (1 - wifi)


ITEMS = {"item_id": ["A", "B", "C", "D"], "price": [60, 80, 100, 150], "wifi": [True, True, False, True]}
USERS = {"user_id": ["u", "v"], "age": [20, 30]}
SCHEMA = {"price": {"worse": "high", "format": "{:.0f} €"}, "wifi": {"worse": "low"}}


def world(library="polars"):
    return hotels.frame(USERS, library), hotels.frame(ITEMS, library)


class TestExplain:
    @pytest.mark.parametrize("library", hotels.LIBRARIES)
    def test_it_answers_in_frames_of_the_same_library(self, library):
        users, items = world(library)
        found = explain(cheap_first, users, items, k=2, schema=SCHEMA)
        assert type(found) is type(users)
        assert list(found["item_id"]) == ["A", "B", "A", "B"]
        assert list(found["user_id"]) == ["u", "u", "v", "v"]
        assert list(found["position"]) == [1, 2, 1, 2]
        assert set(found["status"]) == {"explained"}
        # C is the first below the list at 100 + 40; A passes it at 141 and B without wifi does not.
        assert [list(names) for names in found["attributes"]] == [["price"]] * 4
        assert [list(after) for after in found["after"]] == [["141"]] * 4
        assert all("A" in text or "B" in text for text in found["sentence"])

    def test_both_libraries_say_the_same(self):
        answers = [explain(cheap_first, *world(library), k=2, schema=SCHEMA) for library in hotels.LIBRARIES]
        assert answers[0].to_dict(as_series=False) == {name: list(answers[1][name]) for name in answers[1].columns}

    def test_ids_may_be_the_index(self):
        users, items = (pd.DataFrame(data).set_index(name) for data, name in ((USERS, "user_id"), (ITEMS, "item_id")))
        seen = []

        def predict(some_users, some_items):
            seen.append((some_users.index.name, some_items.index[0]))
            return cheap_first(some_users, some_items)

        found = explain(predict, users, items, k=2, schema=SCHEMA)
        assert list(found["item_id"]) == ["A", "B", "A", "B"]
        assert seen[0] == ("user_id", "A")

    def test_ids_may_be_numbers_and_have_another_name(self):
        users, items = world()
        items = items.drop("item_id").with_columns(sku=pl.Series([11, 2, 7, 30]))
        found = explain(cheap_first, users, items, k=2, schema=SCHEMA, item_id="sku")
        assert found["sku"].to_list() == [11, 2, 11, 2]

    def test_names_are_said_instead_of_ids(self):
        users, items = world()
        items = items.with_columns(title=pl.Series(["Albion", "Bellevue", "Crown", "Dolphin"]))
        found = explain(cheap_first, users, items, k=1, schema=SCHEMA, item_name="title")
        assert "Albion" in found["sentence"][0]

    def test_constraints_hold(self):
        limits = Constraints(highest={"price": 120.0})
        found = explain(cheap_first, *world(), k=2, schema=SCHEMA, constraints=limits)
        assert sorted(found["attributes"].to_list()[0]) == ["price", "wifi"]

    def test_a_derived_attribute_is_computed_anew(self):
        users, items = world()
        items = items.with_columns(per_night=pl.col("price") / 2)

        def halves(rows):
            return rows.with_columns(per_night=pl.col("price") / 2)

        def predict(some_users, some_items):
            assert (some_items["per_night"] * 2 - some_items["price"]).abs().max() < 1e-6
            return -some_items["per_night"].to_numpy()

        schema = {**SCHEMA, "per_night": {"derived": True}}
        found = explain(predict, users, items, k=2, schema=schema, recompute=halves)
        assert found["attributes"].to_list() == [["price"]] * 4
        assert found["after"].to_list() == [["101"]] * 4
        with pytest.raises(ConfigError, match="per_night is derived; give recompute="):
            explain(predict, users, items, schema=schema)

    def test_an_absent_value_reaches_the_model_as_the_frame_has_it(self):
        users, items = world()
        items = items.with_columns(wifi=pl.Series([True, None, False, True]))
        nulls = []

        def predict(some_users, some_items):
            nulls.append(some_items["wifi"].null_count())
            return -some_items["price"].to_numpy().astype(float)

        found = explain(predict, users, items, k=2, schema=SCHEMA)
        assert found["status"].to_list() == ["explained"] * 4
        assert max(nulls) > 0


class TestCandidatesAndLists:
    def test_only_candidates_compete(self):
        users, items = world()
        candidates = pl.DataFrame({"user_id": ["u"] * 3, "item_id": ["B", "C", "D"]})
        found = explain(cheap_first, users, items, k=1, schema=SCHEMA, candidates=candidates)
        assert found["item_id"].to_list() == ["B"]
        assert found["after"].to_list() == [["141"]]

    def test_what_was_seen_does_not_compete(self):
        users, items = world()
        found = explain(cheap_first, users, items, k=1, schema=SCHEMA, seen=[("u", "A")])
        assert found["item_id"].to_list() == ["B", "A"]

    def test_lists_made_elsewhere_are_explained_each_at_its_length(self):
        lists = pl.DataFrame({"user_id": ["u", "v", "v"], "item_id": ["A", "A", "B"]})
        found = explain(cheap_first, *world(), schema=SCHEMA, lists=lists)
        assert found.select("user_id", "item_id", "after").rows() == [
            ("u", "A", ["81"]),
            ("v", "A", ["141"]),
            ("v", "B", ["141"]),
        ]

    def test_a_list_that_the_scores_do_not_make_is_refused_by_name(self):
        with pytest.raises(InvalidValueError, match=r"the list of 'u' holds 'D', but by its score 'B' comes before it"):
            explain(cheap_first, *world(), schema=SCHEMA, lists=[("u", "A"), ("u", "D")])

    @pytest.mark.parametrize(
        ("pairs", "words"),
        [
            ([("u", "Z")], r"candidates: no item 'Z' here"),
            ([("x", "A")], r"candidates: no user 'x' here"),
            ([("u",)], r"candidates has the row \('u',\); give \(user, item\)"),
            (["uA"], r"candidates has the row 'uA'"),
        ],
    )
    def test_bad_pairs_are_named(self, pairs, words):
        with pytest.raises((UnknownIdError, ConfigError), match=words):
            explain(cheap_first, *world(), schema=SCHEMA, candidates=pairs)

    def test_a_table_without_the_columns_is_named(self):
        table = pl.DataFrame({"who": ["u"], "item_id": ["A"]})
        with pytest.raises(ConfigError, match="candidates has no column 'user_id'; it has who, item_id"):
            explain(cheap_first, *world(), schema=SCHEMA, candidates=table)


class TestRulesAndBudgets:
    def test_at_most_one_of_a_kind_decides_the_list(self):
        users, items = world()
        items = items.with_columns(brand=pl.Series(["x", "x", "y", None]))
        options = {"k": 2, "schema": SCHEMA, "keep": ["brand"]}
        assert explain(cheap_first, users, items, **options)["item_id"].to_list()[:2] == ["A", "B"]
        found = explain(cheap_first, users, items, ranker=at_most("brand", 1), **options)
        assert found["item_id"].to_list()[:2] == ["A", "C"]
        # A falls behind its own brand's B at 81, long before D would take its place.
        assert found["after"].to_list()[0] == ["81"]
        lists = [("u", "A"), ("u", "C")]
        shown = explain(cheap_first, users, items, ranker=at_most("brand", 1), lists=lists, **options)
        assert shown["item_id"].to_list() == ["A", "C"]

    def test_a_column_that_is_not_there(self):
        with pytest.raises(ConfigError, match="at_most: items has no column 'brand'"):
            explain(cheap_first, *world(), schema=SCHEMA, ranker=at_most("brand", 1))

    def test_calls_and_rows_are_counted_within_a_budget(self):
        found = explain(cheap_first, *world(), k=2, schema=SCHEMA, budget=Budget(calls=50))
        assert all(0 < calls <= 50 for calls in found["calls"])
        assert all(rows >= calls for rows, calls in zip(found["rows"], found["calls"], strict=True))


class TestOtherQuestions:
    def test_why_not(self):
        found = why_not(cheap_first, *world(), [("u", "D"), ("v", "C"), ("u", "A")], k=2, schema=SCHEMA)
        assert found["status"].to_list() == ["explained", "explained", "already_true"]
        assert found["after"].to_list()[0] == ["79"]

    def test_why_rather(self):
        pairs = pl.DataFrame({"user_id": ["u"], "item_id": ["A"], "versus": ["B"]})
        found = why_rather(cheap_first, *world(), pairs, k=2, schema=SCHEMA)
        assert found["after"].to_list() == [["81"]]
        assert found["versus"].to_list() == ["B"]

    def test_what_if(self):
        found = what_if(cheap_first, *world(), {"D": {"price": 60}, "A": {"wifi": False}}, k=2, schema=SCHEMA)
        one = found.filter(pl.col("user_id") == "u")
        assert one["item_id"].to_list() == ["D", "B", "A", "C"]
        assert one["position_before"].to_list() == [4, 2, 1, 3]
        assert one["score"].to_list() == [-60, -80, -100, -140]
        said = one.filter(pl.col("sentence").is_not_null())
        assert said["item_id"].to_list() == ["D", "A"]

    def test_what_if_at_a_value_that_it_cannot_have(self):
        with pytest.raises((UsageError, InvalidValueError), match="price"):
            what_if(cheap_first, *world(), {"A": {"price": "cheap"}}, schema=SCHEMA)


class TestFaults:
    def test_frames_of_two_libraries(self):
        with pytest.raises(ConfigError, match="frames of two libraries"):
            explain(cheap_first, world("polars")[0], world("pandas")[1])

    def test_a_repeated_id(self):
        users, items = world()
        with pytest.raises(InvalidValueError, match="item 'A' has two rows"):
            explain(cheap_first, users, pl.concat([items, items[:1]]))

    def test_no_ids_at_all(self):
        users, items = world()
        with pytest.raises(UnknownIdError, match="users has no column 'user_id' and no index; name the column of ids"):
            explain(cheap_first, users.drop("user_id"), items)

    def test_a_missing_value_where_the_schema_allows_none(self):
        users, items = world()
        items = items.with_columns(price=pl.Series([60, None, 100, 150]))
        schema = {"price": Attribute("price", worse="high")}
        with pytest.raises(InvalidValueError, match="item 'B': price is missing"):
            explain(cheap_first, users, items, schema=schema)

    def test_a_model_that_drifts_while_it_is_asked(self):
        calls = []

        def drifting(users, items):
            calls.append(1)
            return cheap_first(users, items) + (5.0 if len(calls) > 8 else 0.0)

        with pytest.raises(InvalidValueError, match=r"drifting returned .* for user '.' and item '.', and .*; a score"):
            explain(drifting, *world(), k=2, schema=SCHEMA)

    def test_a_model_that_fails_for_one_item(self):
        def fragile(users, items):
            price = items["price"].to_numpy().astype(float)
            return np.where(price > 140, np.nan, -price)

        users, items = world()
        with pytest.raises(InvalidValueError, match=r"fragile returned nan for user 'u' and item 'D'"):
            explain(fragile, users, items, k=2, schema=SCHEMA)


class TestIllBehavedButFinite:
    @pytest.mark.parametrize(
        "predict",
        [
            lambda users, items: np.zeros(len(users)),
            lambda users, items: np.round(-items["price"].to_numpy() / 100.0),
            lambda users, items: np.sin(items["price"].to_numpy() / 9.0),
            lambda users, items: -items["price"].to_numpy() * 1e30,
        ],
        ids=["constant", "tied", "not monotone", "huge"],
    )
    def test_it_is_answered(self, predict):
        found = explain(predict, *world(), k=2, schema=SCHEMA)
        assert len(found) == 4
        for row in found.filter(pl.col("status") == "explained").to_dicts():
            assert row["score_after"] < row["target"]
