"""Measures of rows that are few enough to count by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from counterec.report.comparisons import comparisons, joined
from counterec.report.experiment_rows import SCHEMAS, ExperimentRows
from counterec.report.measures import coverage, measured, pair_measures
from tests.report.rows import frame

VERDICTS = ("necessary", "sufficient")


def row(user: str, item: str = "i", **instead: Any) -> dict[str, Any]:
    """A pair of the relaxed answers that counts for nothing yet."""
    cell = {"protocol": "full", "seed": 0, "method": "relaxed", "shape": "multi", "masked": False}
    place = {"user_id": user, "item_id": item, "position": 1, "joint": True}
    rest = {"explained": False, "aspects": [], "in_test": False, "praised": 0}
    return dict.fromkeys(SCHEMAS["rows"]) | cell | place | rest | instead


def answer(user: str, necessary: bool | None, sufficient: bool | None, item: str = "i", **more: Any) -> dict[str, Any]:
    """A pair with an explanation, ties resolved for it always and against it never."""
    ties = dict.fromkeys(("necessary_kind", "sufficient_kind"), True)
    ties |= dict.fromkeys(("necessary_strict", "sufficient_strict"), False)
    found = {"explained": True, "aspects": ["a"], "necessary": necessary, "sufficient": sufficient}
    return row(user, item, **{**found, **(ties if necessary is not None else {}), **more})


def inputs(rows: list[dict[str, Any]], **frames: pl.DataFrame) -> ExperimentRows:
    empty = {name: pl.DataFrame(schema=schema) for name, schema in SCHEMAS.items()}
    return ExperimentRows(**{**empty, "rows": frame("rows", rows), **frames}, methods={})


def measures_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    found = pair_measures(inputs(rows).rows)
    return {name: (None if m.value is None else pytest.approx(m.value), m.cases) for name, m in found.items()}


def test_model_side_over_explained_pairs_and_with_the_rest_as_failures() -> None:
    rows = [answer("u", True, True), answer("v", True, False), answer("w", False, False), row("x")]
    found = measures_of(rows)
    assert found["pn"] == (2 / 3, 3)
    assert found["ps"] == (1 / 3, 3)
    assert found["f_ns"] == (2 * (2 / 9) / 1, 3)
    assert found["pn_zero"] == (2 / 4, 4)
    assert found["ps_zero"] == (1 / 4, 4)
    assert found["f_ns_zero"] == (2 * (1 / 8) / (3 / 4), 4)
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
    assert (found["precision_zero"], found["recall_zero"], found["f1_zero"]) == ((0.5, 2), (0.25, 2), (1 / 3, 2))


def test_pairs_that_nobody_was_asked_about_count_for_nothing() -> None:
    asked = [answer("u", True, True, in_test=True, praised=1, precision=1.0, recall=1.0, f1=1.0)]
    assert measures_of([*asked, row("v", joint=False, in_test=True, praised=1)]) == measures_of(asked)


def test_a_method_that_pn_and_ps_cannot_be_asked_of_has_none_even_as_zero() -> None:
    found = measures_of([answer("u", None, None), row("v")])
    assert {found[f"{name}{end}"] for name in ("pn", "ps", "f_ns") for end in ("", "_zero")} == {(None, 0)}


def test_a_method_that_explains_nothing_fails_as_zero() -> None:
    found = measures_of([row("u", in_test=True, praised=1), row("v")])
    assert found["f_ns"] == (None, 0)
    assert found["f_ns_zero"] == (0.0, 2)
    assert found["f1_zero"] == (0.0, 1)


def test_number_of_aspects_is_that_of_the_explained() -> None:
    rows = [answer("u", True, True, aspects=["a", "b", "c"]), answer("v", True, True), row("w")]
    assert measures_of(rows)["aspects"] == (2.0, 2)


def test_coverage_counts_an_aspect_once_and_averages_over_seeds() -> None:
    rows = [
        answer("u", True, True, aspects=["a", "b"]),
        answer("v", True, True, aspects=["b"]),
        answer("u", True, True, aspects=["c"], seed=1),
        row("w"),
    ]
    assert coverage(inputs(rows).rows, 4).value == pytest.approx((2 / 4 + 1 / 4) / 2)


def test_elsewhere_and_stability_are_of_their_own_cell_and_ground() -> None:
    keys = {"protocol": "full", "seed": 0, "method": "relaxed", "shape": "multi", "masked": False, "item_id": "i"}
    verdicts = [("k=4", "u", True, True), ("k=4", "v", True, False), ("k=6", "u", False, True)]
    other = frame("elsewhere", [keys | dict(zip(("ground", "user_id", *VERDICTS), v, strict=True)) for v in verdicts])
    masked = other.with_columns(masked=True, necessary=pl.lit(False))
    alike = [
        keys | {"other": "trained again", "user_id": user, "jaccard": value} for user, value in (("u", 1), ("v", 0.5))
    ]
    found = inputs(
        [answer("u", True, True), answer("v", True, True)],
        elsewhere=pl.concat([other, masked]),
        stability=frame("stability", alike),
    )
    (cell,) = measured(found, 4)
    assert (cell.elsewhere["k=4"]["pn"].value, cell.elsewhere["k=4"]["ps"].value) == (1.0, 0.5)
    assert cell.elsewhere["k=6"]["f_ns"].value == 0.0
    assert cell.lowest_elsewhere == ("k=6", cell.elsewhere["k=6"]["f_ns"])
    assert cell.stability["trained again"].value == 0.75


def counts(user: str, item: str, f1: float, method: str, **more: Any) -> dict[str, Any]:
    return answer(user, True, True, item, in_test=True, praised=1, f1=f1, method=method, **more)


def test_differences_are_over_the_same_pairs_of_the_same_seed() -> None:
    rows = [
        counts("u", "i", 0.8, "relaxed"),
        counts("v", "i", 0.6, "relaxed"),
        counts("w", "i", 1.0, "relaxed", seed=1),  # the other method has this pair with another seed
        counts("u", "i", 0.5, "efm"),
        counts("v", "i", 0.1, "efm"),
        counts("w", "i", 0.0, "efm"),
        counts("u", "j", 0.0, "efm"),  # not in CountER's list
    ]
    found = {(c.ours, c.other, c.measure): c.difference for c in comparisons(inputs(rows))}
    assert set(found) == {("relaxed", "efm", measure) for measure in ("f1", "f1_zero", "f_ns", "f_ns_zero")}
    assert (found["relaxed", "efm", "f1"].value, found["relaxed", "efm", "f1"].cases) == (pytest.approx(0.4), 2)


def test_differences_with_the_unexplained_as_failures_and_only_where_asked() -> None:
    rows = [
        counts("u", "i", 0.8, "relaxed"),
        row("v", in_test=True, praised=1),
        counts("w", "i", 0.6, "relaxed"),
        counts("u", "i", 0.4, "efm"),
        counts("v", "i", 0.5, "efm"),
        row("w", method="efm", joint=False, in_test=True, praised=1),
    ]
    found = {c.measure: c.difference for c in comparisons(inputs(rows))}
    assert (found["f1"].value, found["f1"].cases) == (pytest.approx(0.4), 1)
    assert (found["f1_zero"].value, found["f1_zero"].cases) == (pytest.approx((0.4 - 0.5) / 2), 2)
    assert found["f_ns"].value == pytest.approx(0.0)
    assert found["f_ns_zero"].value == pytest.approx(0.5 - 1.0)


def test_p_is_corrected_for_all_comparisons_of_the_same_measure() -> None:
    users = [f"u{number}" for number in range(20)]
    rows = [counts(user, "i", 0.8, "relaxed") for user in users]
    others = ("efm", "mter", "random")
    rows += [counts(user, "i", 0.1, method) for user in users for method in others]
    found = [c for c in comparisons(inputs(rows)) if c.measure == "f1"]
    assert len(found) == len(others)
    assert all(c.corrected == pytest.approx(len(others) * c.difference.p) for c in found if c.difference.p)
    assert all(c.difference.p for c in found)
    few = [c for c in comparisons(inputs(rows[1:])) if c.measure == "f1"]
    assert [(c.difference.cases, c.difference.p, c.corrected) for c in few] == [(19, None, None)] * 3


def test_rows_side_by_side_keep_apart_whose_they_are() -> None:
    one = inputs([counts("u", "i", 0.8, "relaxed")]).rows
    other = inputs([counts("u", "i", 0.3, "efm")]).rows
    (found,) = joined(one, other).to_dicts()
    assert (found["f1"], found["f1_other"], found["method_other"]) == (0.8, 0.3, "efm")
