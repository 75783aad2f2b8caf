"""Past reviews beside aspects: five pairs, counted by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from counterec.report.history_measures import HistoryMeasures, measure_history, unexplained
from counterec.report.tables.all_tables import all_tables
from counterec.report.tables.examining_tables import history_table
from tests.report.few_rows import answer, experiment_of
from tests.report.rows import STATISTICS, World, frame


def pair(
    user: str, aspects: tuple[int, str] | None, reviews: tuple[int, str] | None, status: str = "cannot_flip"
) -> dict[str, Any]:
    """One pair: how many aspects and reviews explain it, each with its proof."""
    named, proof = aspects or (None, None)
    removed, reviews_proof = reviews or (None, None)
    return {
        "protocol": "full",
        "seed": 0,
        "user_id": user,
        "item_id": f"item of {user}",
        "status": "explained" if reviews else status,
        "reviews": removed,
        "reviews_proof": reviews_proof,
        "past_reviews": 8,
        "sets": 20,
        "aspects": named,
        "aspects_proof": proof,
    }


PAIRS = [
    pair("both, fewer reviews", (3, "irreducible"), (1, "smallest")),
    pair("both, as many", (2, "smallest"), (2, "irreducible")),
    pair("aspects alone", (1, "exact"), None),
    pair("reviews alone", None, (4, "irreducible")),
    pair("neither", None, None, "out_of_budget"),
]


def measured() -> dict[str, HistoryMeasures]:
    found = experiment_of([answer("u", True, True)], history=frame("history", PAIRS))
    return {one.kind: one for one in measure_history(found.history)}


@pytest.mark.parametrize(
    ("kind", "pairs", "size", "one", "smallest"),
    [
        ("aspects", 3, (3 + 2 + 1) / 3, 1, 2),
        ("past reviews", 3, (1 + 2 + 4) / 3, 1, 1),
        ("aspects, and no past reviews", 1, 1, 1, 1),
        ("past reviews, and no aspects", 1, 4, 0, 0),
        ("both: the aspects", 2, 2.5, 0, 1),
        ("both: the past reviews", 2, 1.5, 1, 1),
        ("either: whichever names fewer", 4, (1 + 2 + 1 + 4) / 4, 2, 3),
    ],
)
def test_by_hand(kind: str, pairs: int, size: float, one: int, smallest: int) -> None:
    found = measured()[kind].measures
    assert (found["explained"].value, found["explained"].cases) == (pytest.approx(pairs / 5), 5)
    assert (found["size"].value, found["size"].cases) == (pytest.approx(size), pairs)
    for name, count in (("one", one), ("smallest", smallest)):
        assert (found[name].value, found[name].cases) == (pytest.approx(count / pairs), pairs)
        assert (found[f"{name}_all"].value, found[f"{name}_all"].cases) == (pytest.approx(count / 5), 5)


def test_pairs_without_an_answer_are_counted_by_reason() -> None:
    assert unexplained(frame("history", PAIRS)) == {"cannot_flip": 1, "out_of_budget": 1}


def test_the_table_has_both_denominators_and_says_what_was_spent() -> None:
    table = history_table(list(measured().values()), ())
    cells = dict(zip([column.heading for column in table.columns], table.rows[1][1], strict=True))
    assert table.rows[1][0] == ("past reviews",)
    shown = {name: cell.value for name, cell in cells.items()}
    assert shown == pytest.approx(
        {
            "explained %": 60.0,
            "named": 7 / 3,
            "one %": 100 / 3,
            "smallest %": 100 / 3,
            "one %, of all": 20.0,
            "smallest %, of all": 20.0,
            "pairs": 3,
            "all pairs": 5,
            "items": 5,
        }
    )
    experiment = World(users=2).experiment(methods={"history": {"unavailable": "it cannot forget", "failures": []}})
    *_, last = all_tables(experiment, [], [], STATISTICS, None)
    said = " ".join(last.notes)
    assert "at most 500 sets" in said
    assert "do not explain: 5 (no set of past reviews takes the item off, which is proven)." in said
    assert "history is missing: it cannot forget" in said


def test_without_pairs_there_is_no_row() -> None:
    empty: pl.DataFrame = experiment_of([answer("u", True, True)]).history
    assert measure_history(empty) == []
    assert history_table([], ()).rows == ()
