"""Search among many names."""

from __future__ import annotations

import pytest

from counterec.errors import InvalidValueError
from counterec.service.page.text_search import TextSearch

NAMES = ["Blue Phone", "Phone of Blues", "Earphones", "Café Noir", "ΣΊΣΥΦΟΣ", "Straße"]
SEARCH = TextSearch(NAMES, ["P1", "P2", "P3", "C1", "G1", "S1"])


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("phone", ["Phone of Blues", "Blue Phone", "Earphones"]),
        ("BLUE", ["Blue Phone", "Phone of Blues"]),
        ("phone blue", ["Blue Phone", "Phone of Blues"]),
        ("cafe", ["Café Noir"]),
        ("σίσυφος", ["ΣΊΣΥΦΟΣ"]),
        ("strasse", ["Straße"]),
        ("p3", ["Earphones"]),
        ("nothing", []),
        ("*", []),
        ("", NAMES),
    ],
)
def test_names_are_found(typed: str, names: list[str]) -> None:
    found = SEARCH.found(typed, 10)
    assert [NAMES[place] for place in found.places] == names
    assert found.total == len(names)


def test_only_the_best_few_are_given_and_all_are_counted() -> None:
    many = TextSearch([f"Item {number}" for number in range(1000)])
    found = many.found("item", 8)
    assert found.places == list(range(8))
    assert found.total == 1000


def test_what_is_not_allowed_is_not_counted() -> None:
    found = SEARCH.found("phone", 10, lambda place: place != 1)
    assert [NAMES[place] for place in found.places] == ["Blue Phone", "Earphones"]
    assert found.total == 2


def test_each_name_has_one_other_text() -> None:
    with pytest.raises(InvalidValueError, match="1 other texts for 2 names"):
        TextSearch(["a", "b"], ["x"])
