"""Measures of rows few enough to count by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from counterec.report.measures import measure_methods, pair_measures
from tests.report.few_rows import answer, experiment_of, row
from tests.report.rows import frame


def measures_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    found = pair_measures(experiment_of(rows).rows)
    return {name: (None if m.value is None else pytest.approx(m.value), m.cases) for name, m in found.items()}


def test_model_side_over_explained_pairs_and_with_the_rest_as_failures() -> None:
    rows = [answer("u", True, True), answer("v", True, False), answer("w", False, False), row("x")]
    found = measures_of(rows)
    assert found["pn"] == (2 / 3, 3)
    assert found["ps"] == (1 / 3, 3)
    assert found["f_ns"] == (2 * (2 / 9) / 1, 3)
    assert found["pn_all"] == (2 / 4, 4)
    assert found["ps_all"] == (1 / 4, 4)
    assert found["f_ns_all"] == (2 * (1 / 8) / (3 / 4), 4)
    assert found["fidelity"] == (3 / 4, 4)
    assert (found["f_ns_kind"], found["f_ns_strict"]) == ((1.0, 3), (0.0, 3))


def test_user_side_over_pairs_that_count_and_with_the_unexplained_as_failures() -> None:
    rows = [
        answer("u", True, True, in_test=True, praised=2, precision=1.0, recall=0.5, f1=2 / 3),
        answer("v", True, True, in_test=True, praised=0),  # nothing praised: counts for neither
        row("w", in_test=True, praised=1),  # no explanation: a failure
        row("x"),  # not in the test part
    ]
    found = measures_of(rows)
    assert (found["precision"], found["recall"], found["f1"]) == ((1.0, 1), (0.5, 1), (2 / 3, 1))
    assert (found["precision_all"], found["recall_all"], found["f1_all"]) == ((0.5, 2), (0.25, 2), (1 / 3, 2))


def test_pairs_that_counter_does_not_explain_count_only_among_all() -> None:
    asked = [answer("u", True, True, in_test=True, praised=1, precision=1.0, recall=1.0, f1=1.0)]
    more = [*asked, answer("v", False, False, joint=False, in_test=True, praised=1, f1=0.0)]
    found, alone = measures_of(more), measures_of(asked)
    assert {name: found[name] for name in ("f1", "pn", "f_ns")} == {name: alone[name] for name in ("f1", "pn", "f_ns")}
    assert (found["f1_all"], found["pn_all"]) == ((0.5, 2), (0.5, 2))


def test_transfer_is_of_its_own_combination_and_condition() -> None:
    keys = {"protocol": "full", "seed": 0, "method": "relaxed", "shape": "multi", "masked": False, "item_id": "i"}
    columns = ("ground", "user_id", "necessary", "sufficient")
    verdicts = [("k=4", "u", True, True), ("k=4", "v", True, False), ("k=6", "u", False, True)]
    other = frame(
        "transfer",
        [keys | dict(zip(columns, v, strict=True)) for v in verdicts],
    )
    masked = other.with_columns(masked=True, necessary=pl.lit(False))
    found = experiment_of(
        [answer("u", True, True), answer("v", True, True)],
        transfer=pl.concat([other, masked]),
    )
    (measured,) = measure_methods(found)
    assert (measured.transfer["k=4"]["pn"].value, measured.transfer["k=4"]["ps"].value) == (1.0, 0.5)
    assert measured.transfer["k=6"]["f_ns"].value == 0.0
    assert measured.lowest_transfer == ("k=6", measured.transfer["k=6"]["f_ns"])
