"""What columns are taken for, and what is told of them."""

from __future__ import annotations

from datetime import date

import pandas as pd
import polars as pl
import pytest

from counterec.adapters.frames import inferred_schema, library_of
from counterec.errors import ConfigError, InvalidValueError

COLUMNS = {
    "item_id": list("abcdefgh"),
    "price": [10.5, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0],
    "stars": [1, 2, 3, 4, 5, 1, 2, 3],
    "wifi": [True, False] * 4,
    "parking": [0, 1] * 4,
    "genre": ["drama", "comedy"] * 4,
    "title": [f"Title {letter}" for letter in "abcdefgh"],
    "same": [7] * 8,
    "length": [1.0, None, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
}


def schema_of(columns=COLUMNS, told=None, keep=(), library="polars"):
    frame = pl.DataFrame(columns) if library == "polars" else pd.DataFrame(columns)
    found = inferred_schema(library_of(frame, "items"), frame, ["item_id"], told, keep)
    return {attribute.name: attribute for attribute in found.attributes}


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_columns_show_what_they_are(library):
    found = schema_of(library=library)
    kinds = {name: attribute.kind for name, attribute in found.items()}
    assert kinds == {
        "genre": "category",
        "length": "number",
        "parking": "yes_no",
        "price": "number",
        "stars": "number",
        "wifi": "yes_no",
    }
    assert (found["price"].low, found["price"].high, found["price"].worse) == (10.5, 80.0, None)
    assert (found["stars"].step, found["price"].step) == (1.0, None)
    assert found["genre"].values == ("comedy", "drama")
    assert [name for name in found if found[name].can_be_absent] == ["length"]


def test_a_category_of_its_own_type_keeps_its_order():
    sizes = pl.Series(["S", "L", "M", "S"], dtype=pl.Enum(["S", "M", "L"]))
    assert schema_of({"item_id": list("abcd"), "size": sizes})["size"].values == ("S", "M", "L")
    sizes = pd.Categorical(["S", "L", "M", "S"], categories=["S", "M", "L"])
    found = schema_of({"item_id": list("abcd"), "size": sizes}, library="pandas")
    assert found["size"].values == ("S", "M", "L")


def test_dates_and_lists_are_no_attributes():
    columns = {"item_id": ["a", "b"], "day": [date(2024, 1, 1), date(2024, 1, 2)], "tags": [["x"], []], "n": [1, 2]}
    assert list(schema_of(columns)) == ["n"]


def test_what_is_told_is_added_to_what_is_plain():
    told = {"price": {"worse": "high", "format": "{:.0f} €"}, "title": {"kept": True}, "stars": {"low": 0.0}}
    found = schema_of(told=told)
    assert (found["price"].worse, found["price"].low, found["price"].format) == ("high", 10.5, "{:.0f} €")
    assert found["title"].kind == "category"
    assert (found["stars"].low, found["stars"].high) == (0.0, 5.0)


def test_a_kind_that_is_told_is_the_whole_of_it():
    found = schema_of(told={"stars": {"kind": "number", "worse": "low"}, "parking": {"kind": "number"}})
    assert (found["stars"].low, found["stars"].high, found["stars"].step) == (1.0, 5.0, None)
    assert found["parking"].kind == "number"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"pool": {"worse": "low"}}, "the schema names 'pool', but items has no such column; it has price, stars"),
        ({"price": {"best": "low"}}, "unknown 'best' of attribute 'price'; one of name, kind, low, high"),
        ({"tags": {"worse": "low"}}, "tags of items is no attribute by itself; say its kind"),
    ],
)
def test_faults_are_named(told, words):
    with pytest.raises((ConfigError, InvalidValueError), match=words):
        schema_of({**COLUMNS, "tags": [["x"]] * 8}, told)
