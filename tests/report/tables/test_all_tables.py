"""The content of the tables: which numbers are where."""

from __future__ import annotations

import polars as pl
import pytest

from counterec.report.experiment_rows import ExperimentRows
from counterec.report.measures import MethodMeasures, compare_methods
from counterec.report.paper import published
from counterec.report.table import Table, TableCell
from counterec.report.tables import AS_PUBLISHED_LABEL, MASK_LABELS, SELECTED, all_tables, method_label
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


def test_all_tables_are_made(made: dict[str, Table]) -> None:
    assert list(made) == [
        "table1-statistics",
        "table2-fidelity",
        "table3-user-side",
        "table4-model-side",
        "table4-transfer",
        "table5-differences",
        "table6-lists",
    ]


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


def test_other_data_has_cell_phones_beside_it_for_reference(
    experiment: ExperimentRows, measures: list[MethodMeasures]
) -> None:
    found = {table.name: table for table in all_tables(experiment, measures, [], STATISTICS, None)}
    row = cells_of(found["table2-fidelity"], "multi", "without", "relaxed")
    assert row["paper"].value == published().fidelity("cell_phones", "relaxed", "multi", False)
    assert any("Cell Phones, for reference: this data is none" in note for note in found["table2-fidelity"].notes)


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


def test_it_is_said_whose_lists_are_explained_and_how_many_items_there_are(made: dict[str, Table]) -> None:
    lists = {words[-1]: words[2] for words, _ in made["table4-model-side"].rows}
    assert (lists["relaxed"], lists["gradient"]) == ("the model's", "the model's")
    assert (lists["a2cf"], lists["mter"]) == ("their own", "their own")
    row = cells_of(made["table4-model-side"], "multi", "without", "relaxed")
    assert row["items"].value == row["pairs"].value, "every item here is of one pair"


def test_the_settings_as_published_have_a_row_in_tables_3_and_4(
    made: dict[str, Table], experiment: ExperimentRows
) -> None:
    literal = experiment.sweep.filter(pl.col("lambda") == 100.0, variant="as_published", alpha=0.2)
    user = cells_of(made["table3-user-side"], "multi", "without", AS_PUBLISHED_LABEL)
    assert user["F1 %"].value == pytest.approx(100 * float(literal["f1"].mean() or 0))  # type: ignore[arg-type]
    assert user["paper F1"].value == 25.05
    model = cells_of(made["table4-model-side"], "multi", "without", AS_PUBLISHED_LABEL)
    assert model["PN %"].value == pytest.approx(100 * float(literal["necessary"].mean() or 0))  # type: ignore[arg-type]
    assert model["all pairs"].value == len(literal)


def test_bounds_for_ties_are_under_their_headings(made: dict[str, Table]) -> None:
    row = cells_of(made["table4-model-side"], "multi", "without", "relaxed")
    assert (row["ties against"].value, row["ties for"].value) == (0, 100)


def test_differences_have_their_corrected_p(made: dict[str, Table], experiment: ExperimentRows) -> None:
    for one in compare_methods(experiment):
        if one.measure == "f_ns":
            row = cells_of(made["table5-differences"], one.shape, MASK_LABELS[one.masked], one.ours, one.other)
            assert row["F_NS: p"].value == one.corrected
            assert row["F_NS: pairs"].value == one.difference.cases
            if one.difference.value is not None:
                assert row["F_NS"].value == pytest.approx(100 * one.difference.value)


def test_a_method_without_pn_and_ps_has_its_other_measures(made: dict[str, Table]) -> None:
    assert cells_of(made["table4-model-side"], "multi", "without", "mter")["PN %"].value is None
    assert cells_of(made["table3-user-side"], "multi", "without", "mter")["F1 %"].value is not None


def test_gaps_are_named_in_every_table_with_methods(made: dict[str, Table]) -> None:
    for name, table in made.items():
        if name != "table1-statistics":
            assert "efm is missing: Cornac is not installed" in table.notes, name
            assert "gradient failed 2 times: u003; u009" in table.notes, name


def test_fidelity_is_also_measured_with_the_settings_as_published(
    made: dict[str, Table], experiment: ExperimentRows
) -> None:
    row = cells_of(made["table2-fidelity"], "multi", "without", AS_PUBLISHED_LABEL)
    literal = experiment.sweep.filter(pl.col("lambda") == 100.0, variant="as_published", alpha=0.2)
    assert row["fidelity %"].value == pytest.approx(100 * float(literal["explained"].mean() or 0))  # type: ignore[arg-type]
    assert row["pairs"].value == len(literal)


def test_methods_that_explain_the_same_lists_share_a_row(made: dict[str, Table]) -> None:
    (words,) = [words for words, _ in made["table6-lists"].rows]
    assert words[0].startswith("relaxed, single, minimal")


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


def test_the_head_leads_the_notes_of_every_table_with_methods(
    experiment: ExperimentRows, measures: list[MethodMeasures]
) -> None:
    for table in all_tables(experiment, measures, [], STATISTICS, None, ("first of all",)):
        assert table.notes[:1] == (() if table.name == "table1-statistics" else ("first of all",)), table.name
