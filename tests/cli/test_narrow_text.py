"""The text of a report on a narrow terminal."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.cli.narrow_text import narrowed

TABLE = """\
Table 2. Fidelity

aspects  method                           fidelity %  pairs   paper
-------  ---------------------  --------------------  -----  ------
single   single                  87.3 (82.7 to 92.0)    150   74.26
multi    relaxed, as published      0.7 (0.0 to 2.0)  1,150       –

* In parentheses: an interval, by bootstrap over users.
"""


def test_text_that_fits_stays_as_it_is() -> None:
    assert narrowed(TABLE, 80) == TABLE


def test_a_table_is_cut_below_its_keys_and_prose_is_wrapped() -> None:
    assert narrowed(TABLE, 42).splitlines() == [
        "Table 2. Fidelity",
        "",
        "aspects  method                 fidelity %",
        "-------  ------------  -------------------",
        "single   single        87.3 (82.7 to 92.0)",
        "multi    relaxed, as      0.7 (0.0 to 2.0)",
        "         published",
        "",
        "aspects  method        pairs  paper",
        "-------  ------------  -----  -----",
        "single   single          150  74.26",
        "multi    relaxed, as   1,150      –",
        "         published",
        "",
        "* In parentheses: an interval, by",
        "  bootstrap over users.",
    ]


@pytest.mark.parametrize("width", [40, 50, 60, 66])
def test_no_line_is_longer_and_no_value_is_lost(width: int) -> None:
    cut = narrowed(TABLE, width)
    assert max(map(len, cut.splitlines())) <= width
    for value in ("87.3 (82.7 to 92.0)", "74.26", "1,150", "fidelity %", "paper", "–", "pairs"):
        assert value in cut
    assert " ".join(cut.split()).endswith("* In parentheses: an interval, by bootstrap over users.")


words = st.text("abcdef", min_size=1, max_size=9)
numbers = st.integers(0, 10**9).map(str)


@given(st.lists(st.tuples(words, numbers, numbers, numbers), min_size=1, max_size=5), st.integers(32, 90))
def test_any_table(rows: list[tuple[str, ...]], width: int) -> None:
    table = [("name", "first", "second", "third"), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(4)]
    drawn = [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in table
    ]
    text = "\n".join([drawn[0], "  ".join("-" * w for w in widths), *drawn[1:]])
    cut = narrowed(text, width)
    assert max(map(len, cut.splitlines())) <= width
    for column in range(1, 4):
        found = [line for line in cut.splitlines() if not line.startswith("-")]
        assert sum(len(re.findall(rf"\b{row[column]}\b", "\n".join(found))) for row in table) >= len(table)
