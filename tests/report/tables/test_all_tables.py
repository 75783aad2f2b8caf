"""The content of the tables: which numbers are where."""

from __future__ import annotations

import pytest

from counterec.report.experiment_rows import ExperimentRows
from counterec.report.measures import MethodMeasures, compare_methods
from counterec.report.table import Table, TableCell
from counterec.report.tables import MASK_LABELS, SELECTED, all_tables, method_label
from tests.report.rows import STATISTICS


@pytest.fixture(scope="module")
def made(experiment: ExperimentRows, measures: list[MethodMeasures]) -> dict[str, Table]:
    found = all_tables(experiment, measures, compare_methods(experiment), STATISTICS, "cell phones")
    return {table.name: table for table in found}


def without_lists(words: tuple[str, ...]) -> list[str]:
    return [word for word in words if word not in ("the model's", "their own")]


def cells_of(table: Table, *words: str) -> dict[str, TableCell]:
    """The cells of a row, by its words without those that say whose lists are explained."""
    (found,) = [cells for row_words, cells in table.rows if without_lists(row_words) == without_lists(words)]
    return dict(zip([column.heading for column in table.columns], found, strict=True))


def test_statistics_of_this_data_and_of_the_papers(made: dict[str, Table]) -> None:
    here = cells_of(made["table1-statistics"], "here")
    assert here["users"].value == STATISTICS["users"]
    assert here["density %"].value == here["density % by the counts"].value == pytest.approx(37.5)
    phones = cells_of(made["table1-statistics"], "paper: Cell Phones")
    assert (phones["density %"].value, phones["density % by the counts"].value) == (
        0.935,
        pytest.approx(0.925, abs=5e-4),
    )


def test_the_papers_numbers_are_beside_ours(made: dict[str, Table]) -> None:
    ours = cells_of(made["table4-model-side"], "multi", "with", "relaxed")
    assert [ours[f"paper {name}"].value for name in ("PN", "PS", "F_NS")] == [86.62, 91.78, 89.13]
    theirs = cells_of(made["table3-user-side"], "single", "with", "a2cf")
    assert [theirs[f"paper {name}"].value for name in ("precision", "recall", "F1")] == [34.29, 17.71, 22.38]
    assert cells_of(made["table2-fidelity"], "single", "without", "single")["paper"].value == 74.26
    assert cells_of(made["table4-model-side"], "multi", "with", "complete")["paper PN"].value is None


def test_cells_are_the_measures_in_percent(made: dict[str, Table], measures: list[MethodMeasures]) -> None:
    (single,) = [one for one in measures if (one.method, one.shape, one.masked) == ("single", "single", False)]
    row = cells_of(made["table4-model-side"], *method_label(single))
    f_ns, zero = single["f_ns"], single["f_ns_all"]
    assert row["F_NS %"].value == pytest.approx(100 * (f_ns.value or 0))
    assert row["F_NS %"].interval == pytest.approx([100 * end for end in f_ns.interval or ()])
    assert (row["pairs"].value, row["all pairs"].value) == (f_ns.cases, zero.cases)
    assert row["F_NS %, of all"].value == pytest.approx(100 * (zero.value or 0))
    assert f_ns.cases < zero.cases


def test_a_method_that_selects_by_a_measure_is_marked_and_has_its_transfer(made: dict[str, Table]) -> None:
    table = made["table4-model-side"]
    for words, _ in table.rows:
        row = cells_of(table, *words)
        marked = {row[name].mark for name in ("PN %", "PS %", "F_NS %", "F_NS %, of all")}
        assert marked == {SELECTED if words[-1] == "complete" else ""}
    complete = cells_of(table, "multi", "without", "complete")
    assert complete["F_NS % transfer"].mark == "retrained"
    assert (complete["F_NS % transfer"].value or 0) < (complete["F_NS %"].value or 0)
    assert any(note.startswith(SELECTED) for note in table.notes)


def test_differences_have_their_corrected_p(made: dict[str, Table], experiment: ExperimentRows) -> None:
    for one in compare_methods(experiment):
        if one.measure == "f_ns":
            row = cells_of(made["table5-differences"], one.shape, MASK_LABELS[one.masked], one.ours, one.other)
            assert row["F_NS: p"].value == one.corrected
            assert row["F_NS: pairs"].value == one.difference.cases
            if one.difference.value is not None:
                assert row["F_NS"].value == pytest.approx(100 * one.difference.value)


def test_gaps_are_named_in_every_table_with_methods(made: dict[str, Table]) -> None:
    for name, table in made.items():
        if name != "table1-statistics":
            assert "efm is missing: Cornac is not installed" in table.notes, name
            assert "gradient failed 2 times: u003; u009" in table.notes, name


def test_transfer_has_one_row_per_method_and_condition(made: dict[str, Table], measures: list[MethodMeasures]) -> None:
    table = made["table4-transfer"]
    assert table.words[-1] == "condition"
    shown = {"k=4": "K=4", "trained again": "retrained"}
    expected = [(*method_label(one), shown[condition]) for one in measures for condition in one.transfer]
    assert sorted(words for words, _ in table.rows) == sorted(expected)
    (complete,) = [one for one in measures if (one.method, one.masked) == ("complete", False)]
    row = cells_of(table, "multi", "without", "complete", "retrained")
    found = complete.transfer["trained again"]
    assert row["F_NS %"].value == pytest.approx(100 * (found["f_ns"].value or 0))
    assert row["pairs"].value == found["pn"].cases
