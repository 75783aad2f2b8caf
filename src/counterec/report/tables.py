"""All tables of an experiment, each with what a reader must know beside it."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.report.comparisons import Comparison
from counterec.report.experiment_rows import ExperimentRows
from counterec.report.further_tables import differences_table, further_table, grounds_table, lists_table
from counterec.report.measures import Measured
from counterec.report.paper_tables import (
    SELECTED,
    fidelity_table,
    model_side_table,
    statistics_table,
    user_side_table,
)
from counterec.report.published import OURS, published
from counterec.report.table import Table

SELECTS_NOTE = (
    f"{SELECTED} selects on PN and PS, so that these numbers flatter it: what it is worth is F_NS elsewhere, on other "
    "ground (the lowest of them here, all of them in the table of grounds)."
)
INTERVAL_NOTE = "In parentheses: the 95% interval of a bootstrap over users."
ZERO_NOTE = "zero: the same with every pair that has no explanation counted as a failure."
JOINT_NOTE = (
    "multi: the other methods are told how many aspects to name by CountER's answer for the same pair, and measured "
    "where there is one; the pairs are therefore not the same for all. Differences on the same pairs are in Table 6."
)


def tables(
    inputs: ExperimentRows,
    cells: Sequence[Measured],
    compared: Sequence[Comparison],
    statistics: dict[str, float],
    dataset: str | None,
) -> list[Table]:
    """All tables, with the gaps named in each that a missing method leaves."""
    counts = published().dataset(dataset)
    beside = f"paper: its numbers for {counts.name}" + (
        "." if dataset else ", for reference: this data is none of its five."
    )
    cells = sorted(cells, key=lambda cell: (list(OURS).index(cell.shape), cell.masked))
    notes = (f"Protocol {inputs.protocol}, seeds {', '.join(map(str, inputs.seeds))}.", *inputs.gaps)
    return [
        statistics_table(statistics),
        fidelity_table(cells, inputs.sweep, counts, (INTERVAL_NOTE, beside, *notes)),
        user_side_table(cells, counts, (INTERVAL_NOTE, ZERO_NOTE, JOINT_NOTE, beside, *notes)),
        model_side_table(cells, counts, (INTERVAL_NOTE, ZERO_NOTE, SELECTS_NOTE, JOINT_NOTE, beside, *notes)),
        grounds_table(cells, (INTERVAL_NOTE, *notes)),
        further_table(cells, inputs.methods, (INTERVAL_NOTE, *notes)),
        differences_table(compared, (INTERVAL_NOTE, ZERO_NOTE, *notes)),
        lists_table(inputs.methods, (INTERVAL_NOTE, *notes)),
    ]
