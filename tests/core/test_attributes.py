"""Attributes and schemas: codes, steps, ranges, and every fault by name."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.core.attributes import Attribute, Schema
from counterec.core.scale import AspectScale
from counterec.core.space import AspectSpace
from counterec.core.vocabulary import Vocabulary
from counterec.errors import InvalidValueError

PRICE = Attribute("price", low=50, high=300, worse="high", format="{:.0f} €")
STARS = Attribute("stars", low=1, high=5, worse="low", step=0.5, can_be_absent=True)
WIFI = Attribute("wifi", "yes_no", worse="low")
GENRE = Attribute("genre", "category", values=("drama", "comedy", "crime"), move_costs={("drama", "comedy"): 0.5})
DISTANCE = Attribute("distance", low=0.1, high=7.3, unit="km")
HOTELS = Schema.of([PRICE, STARS, WIFI, GENRE, DISTANCE])


def space_of(rows, schema=HOTELS):
    items = Vocabulary.of("item", [f"item {n}" for n in range(len(rows))])
    return AspectSpace.of_attributes(Vocabulary.of("user", ["u"]), items, schema, schema.code_rows(rows))


ROWS = (
    {"price": 120, "wifi": True, "genre": "drama", "distance": 2.0},
    {"price": 99.5, "wifi": False, "genre": "crime", "distance": 0.5, "stars": 3.5},
    {"price": 200.5, "wifi": True, "genre": "drama", "distance": 7.0, "stars": 4.0},
)


def test_values_and_codes_are_inverse():
    for attribute, values in (
        (PRICE, [50.0, 187.0]),
        (STARS, [None, 3.5]),
        (WIFI, [True, False]),
        (GENRE, ["drama", "crime"]),
    ):
        assert [attribute.value(attribute.code(value)) for value in values] == values
    assert STARS.code(float("nan")) == STARS.absent
    assert PRICE.value(np.float32(99.9)) == 99.9


def test_absent_lies_beyond_the_worse_end():
    assert STARS.absent < 1
    assert Attribute("price", low=50, high=300, worse="high", can_be_absent=True).absent > 300
    assert GENRE.absent == WIFI.absent == -1
    assert Attribute("battery", "quality").absent == 0


@pytest.mark.parametrize(
    ("attribute", "step", "digits"),
    [(PRICE, 1, 0), (STARS, 0.5, 1), (DISTANCE, 0.01, 2), (Attribute("x", low=0, high=1, format="{:,.2f} m"), 0.01, 2)],
)
def test_a_number_has_steps_that_can_be_said(attribute, step, digits):
    assert attribute.steps == pytest.approx(step)
    assert attribute.digits == digits


def test_a_category_moves_by_its_stated_cost_both_ways():
    assert [GENRE.move_cost(*way) for way in ((0, 1), (1, 0), (0, 2), (-1, 1))] == [0.5, 0.5, 1, 1]
    one_way = Attribute("size", "category", values=("s", "m"), move_costs={("s", "m"): 2, ("m", "s"): 3})
    assert (one_way.move_cost(0, 1), one_way.move_cost(1, 0)) == (2, 3)


def test_the_scale_of_a_schema():
    scale = AspectScale.of_schema(HOTELS)
    assert HOTELS.names == ("distance", "genre", "price", "stars", "wifi")
    assert scale.is_category.tolist() == [False, True, False, False, True]
    assert scale.either_way.tolist() == [True, True, False, False, False]
    assert scale.low_is_worse.tolist() == [True, True, False, True, True]
    assert scale.span[1] == 1, "any two categories are one span apart"


def test_what_is_possible_lies_on_steps_within_what_items_have():
    least, greatest = space_of(ROWS).possible
    np.testing.assert_allclose(least, [0.5, 0, 100, 3.5, 0])
    np.testing.assert_allclose(greatest, [7, 2, 200, 4, 1])


def test_without_an_attribute_an_item_lacks_it_or_is_like_the_others():
    np.testing.assert_allclose(space_of(ROWS).without, [2, 0, 120, STARS.absent, 0])


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Attribute(""), "no name"),
        (lambda: Attribute("a", "colour"), "of kind 'colour'; one of number"),
        (lambda: Attribute("a", worse="down"), "'low', 'high' or None"),
        (lambda: Attribute("a", low=1), "give low and high"),
        (lambda: Attribute("a", low=2, high=1), "low is the smaller one"),
        (lambda: Attribute("a", low=0, high=float("inf")), "finite"),
        (lambda: Attribute("a", step=0), "above 0"),
        (lambda: Attribute("a", "category"), "list them in values"),
        (lambda: Attribute("a", "category", values=("x", "x")), "'x' twice"),
        (lambda: Attribute("a", values=("x",)), "only a category"),
        (lambda: Attribute("a", "yes_no", low=0, high=1), "only numbers have one"),
        (lambda: Attribute("a", "category", values=("x",), move_costs={("x", "y"): 1}), "its values are x"),
        (lambda: Attribute("a", "category", values=("x", "y"), move_costs={("x", "y"): 0}), "above 0"),
        (lambda: Attribute("a", format="€"), "without a number"),
        (lambda: Attribute("a", format="{:.0q} €"), "write it like"),
        (lambda: Attribute("a", format="{:.0f} €", unit="€"), "put the unit into the format"),
        (lambda: Attribute("a").ends, "has no range"),
        (lambda: PRICE.code(None), "say can_be_absent"),
        (lambda: PRICE.code("much"), "finite number"),
        (lambda: WIFI.code("yes"), "True or False"),
        (lambda: GENRE.code("opera"), "its values are drama"),
        (lambda: Schema(()), "at least one"),
        (lambda: Schema((WIFI, PRICE)), "out of order"),
        (lambda: Schema.of([WIFI, WIFI]), "repeated"),
        (lambda: Schema.of([Attribute("a", "yes_no", kept=True)]), "nothing is left to change"),
        (lambda: space_of([ROWS[0] | {"price": 400}]), "range is 50 to 300"),
        (lambda: space_of([ROWS[0] | {"wifi": None}]), "wifi is missing"),
    ],
)
def test_a_fault_is_named(made, said):
    with pytest.raises(InvalidValueError, match=said):
        made()


def test_codes_that_stand_for_nothing_are_refused():
    with pytest.raises(InvalidValueError, match=r"code 0\.5"):
        AspectSpace.of_attributes(
            *(Vocabulary.of("user", ["u"]), Vocabulary.of("item", ["i"]), Schema((GENRE,))), np.array([[0.5]])
        )
