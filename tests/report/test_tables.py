"""Tables: what stands in them, and how they look as text, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import polars as pl
import pytest

from counterec.errors import InvalidValueError
from counterec.report.comparisons import comparisons
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.measures import MASK_WORD, Measured
from counterec.report.paper_tables import LETTER_NAME, SELECTED
from counterec.report.published import published
from counterec.report.rendering import comma_separated, escaped, latex, text
from counterec.report.table import Cell, Column, Table
from counterec.report.tables import tables
from tests.report.rows import STATISTICS

SMALL = Table(
    "small",
    "A small table",
    ("method",),
    (Column("F1 %", 1), Column("pairs", 0, interval=False)),
    (
        (("relaxed",), (Cell(12.34, (10.0, 15.06), 7, "†"), Cell(1234.0))),
        (("a_b",), (Cell(None), Cell(5.0))),
    ),
    ("100% & more",),
)


@pytest.fixture(scope="module")
def made(inputs: ExperimentRows, cells: list[Measured]) -> dict[str, Table]:
    found = tables(inputs, cells, comparisons(inputs), STATISTICS, "cell phones")
    return {table.name: table for table in found}


def cells_of(table: Table, *words: str) -> dict[str, Cell]:
    (found,) = [cells for row_words, cells in table.rows if row_words == words]
    return dict(zip([column.heading for column in table.columns], found, strict=True))


def test_text() -> None:
    assert text(SMALL).splitlines() == [
        "A small table",
        "",
        "method                    F1 %  pairs",
        "-------  ---------------------  -----",
        "relaxed  12.3 (10.0 to 15.1) †  1,234",
        "a_b                          –      5",
        "",
        "* 100% & more",
    ]


def test_csv_has_interval_cases_and_mark_in_columns_of_their_own() -> None:
    heads, relaxed, other = csv.reader(io.StringIO(comma_separated(SMALL)))
    assert heads == ["method", "F1 %", "F1 % low", "F1 % high", "F1 % cases", "F1 % mark", "pairs"]
    assert relaxed == ["relaxed", "12.34", "10", "15.06", "7", "†", "1234"]
    assert other == ["a_b", "", "", "", "", "", "5"]


def test_latex_is_plain_and_escaped() -> None:
    found = latex(SMALL)
    assert r"relaxed & 12.3 (10.0 to 15.1) $\dagger$ & 1,234 \\" in found
    assert r"a\_b & -- & 5 \\" in found
    assert r"100\% \& more" in found
    assert r"\begin{tabular}{lrr}" in found
    assert "rule" not in found
    assert found.count(r"\begin{") == found.count(r"\end{") == 2


def test_latex_is_made_to_fit_the_page_and_numbers_tables_itself() -> None:
    found = latex(replace(SMALL, title="Table 4. The model's side"))
    assert r"\caption{The model's side}" in found
    assert r"\caption{A small table}" in latex(SMALL)
    assert found.index(r"\setbox0=\hbox{") < found.index(r"\begin{tabular}") < found.index(r"\end{tabular}}%")
    assert r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\box0}\else\box0\fi" in found
    assert found.startswith(r"\begin{table*}")
    assert found.rstrip().endswith(r"\end{table*}")


def test_every_character_that_latex_minds_is_escaped() -> None:
    assert escaped("a_b & 5% #1 {x} ~ ^ \\") == (
        r"a\_b \& 5\% \#1 \{x\} \textasciitilde{} \textasciicircum{} \textbackslash{}"
    )


def test_all_tables_are_made(made: dict[str, Table]) -> None:
    assert list(made) == [
        "table1-statistics",
        "table2-fidelity",
        "table3-user-side",
        "table4-model-side",
        "table4-elsewhere",
        "table5-further",
        "table6-differences",
        "table7-lists",
    ]
    for table in made.values():
        assert latex(table).isascii(), table.name


def test_statistics_stand_above_the_papers(made: dict[str, Table]) -> None:
    here = cells_of(made["table1-statistics"], "here")
    assert here["users"].value == STATISTICS["users"]
    assert here["density %"].value == here["density % by the counts"].value == pytest.approx(37.5)
    phones = cells_of(made["table1-statistics"], "paper: Cell Phones")
    assert (phones["density %"].value, phones["density % by the counts"].value) == (
        0.935,
        pytest.approx(0.925, abs=5e-4),
    )


def test_the_papers_numbers_stand_beside(made: dict[str, Table]) -> None:
    ours = cells_of(made["table4-model-side"], "multi", "with", "relaxed")
    assert [ours[f"paper {name}"].value for name in ("PN", "PS", "F_NS")] == [86.62, 91.78, 89.13]
    theirs = cells_of(made["table3-user-side"], "single", "with", "a2cf")
    assert [theirs[f"paper {name}"].value for name in ("precision", "recall", "F1")] == [34.29, 17.71, 22.38]
    assert cells_of(made["table2-fidelity"], "single", "without", "single")["paper"].value == 74.26
    assert cells_of(made["table4-model-side"], "multi", "with", "complete")["paper PN"].value is None


def test_other_data_has_cell_phones_beside_it_for_reference(inputs: ExperimentRows, cells: list[Measured]) -> None:
    found = {table.name: table for table in tables(inputs, cells, [], STATISTICS, None)}
    row = cells_of(found["table2-fidelity"], "multi", "without", "relaxed")
    assert row["paper"].value == published().fidelity("cell_phones", "relaxed", "multi", False)
    assert any("Cell Phones, for reference: this data is none" in note for note in found["table2-fidelity"].notes)


def test_cells_are_the_measures_in_percent(made: dict[str, Table], cells: list[Measured]) -> None:
    (cell,) = [c for c in cells if (c.method, c.shape, c.masked) == ("single", "single", False)]
    row = cells_of(made["table4-model-side"], *cell.words)
    f_ns, zero = cell["f_ns"], cell["f_ns_zero"]
    assert row["F_NS %"].value == pytest.approx(100 * (f_ns.value or 0))
    assert row["F_NS %"].interval == pytest.approx([100 * end for end in f_ns.interval or ()])
    assert (row["pairs"].value, row["pairs zero"].value) == (f_ns.cases, zero.cases)
    assert row["F_NS % zero"].value == pytest.approx(100 * (zero.value or 0))
    assert f_ns.cases < zero.cases


def test_what_selects_on_a_measure_is_marked_and_has_its_figure_from_elsewhere(made: dict[str, Table]) -> None:
    table = made["table4-model-side"]
    for words, _ in table.rows:
        row = cells_of(table, *words)
        marked = {row[name].mark for name in ("PN %", "PS %", "F_NS %", "F_NS % zero")}
        assert marked == {SELECTED if words[2] == "complete" else ""}
    complete = cells_of(table, "multi", "without", "complete")
    assert complete["F_NS % elsewhere"].mark == "trained again"
    assert (complete["F_NS % elsewhere"].value or 0) < (complete["F_NS %"].value or 0)
    assert any(note.startswith(SELECTED) for note in table.notes)


def test_bounds_for_ties_stand_on_their_sides(made: dict[str, Table]) -> None:
    row = cells_of(made["table4-model-side"], "multi", "without", "relaxed")
    assert (row["ties against"].value, row["ties for"].value) == (0, 100)


def test_differences_have_their_corrected_p(made: dict[str, Table], inputs: ExperimentRows) -> None:
    for one in comparisons(inputs):
        if one.measure == "f_ns":
            row = cells_of(made["table6-differences"], one.shape, MASK_WORD[one.masked], one.ours, one.other)
            assert row["F_NS p"].value == one.corrected
            assert row["F_NS pairs"].value == one.difference.cases
            if one.difference.value is not None:
                assert row["F_NS"].value == pytest.approx(100 * one.difference.value)


def test_further_measures(made: dict[str, Table], inputs: ExperimentRows) -> None:
    row = cells_of(made["table5-further"], "multi", "without", "relaxed")
    assert row["named"].value == pytest.approx(2.8)
    assert row["stability, trained again"].value == pytest.approx(0.75)
    assert row["coverage %"].value == pytest.approx(100 * 4 / STATISTICS["aspects"])
    assert row["validity %"].value == 100
    assert row["ms"].value == inputs.methods["relaxed"]["milliseconds"]
    assert cells_of(made["table5-further"], "multi", "without", "random")["complexity"].value is None


def test_a_method_without_verdicts_has_none_and_keeps_the_rest(made: dict[str, Table]) -> None:
    assert cells_of(made["table4-model-side"], "multi", "without", "mter")["PN %"].value is None
    assert cells_of(made["table3-user-side"], "multi", "without", "mter")["F1 %"].value is not None


def test_gaps_are_named_in_every_table_with_methods(made: dict[str, Table]) -> None:
    for name, table in made.items():
        if name != "table1-statistics":
            assert "efm is missing: Cornac is not installed" in table.notes, name
            assert "gradient failed 2 times: u003; u009" in table.notes, name


def test_fidelity_is_also_told_by_the_letter(made: dict[str, Table], inputs: ExperimentRows) -> None:
    row = cells_of(made["table2-fidelity"], "multi", "without", LETTER_NAME)
    letter = inputs.sweep.filter(pl.col("lambda") == 100.0, variant="as_published", alpha=0.2)
    assert row["fidelity %"].value == pytest.approx(100 * float(letter["explained"].mean() or 0))  # type: ignore[arg-type]
    assert row["pairs"].value == len(letter)


def test_methods_that_explain_the_same_lists_share_a_row(made: dict[str, Table]) -> None:
    (words,) = [words for words, _ in made["table7-lists"].rows]
    assert words[0].startswith("relaxed, single, minimal")


def test_a_row_must_fit() -> None:
    with pytest.raises(InvalidValueError, match="table small: a row of 1 words and 1 cells does not fit"):
        Table("small", "", ("method",), SMALL.columns, ((("relaxed",), (Cell(1.0),)),))
