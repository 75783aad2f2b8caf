"""All tables of a report, each with the notes that a reader needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from counterec.report.experiment_rows import ExperimentRows
from counterec.report.method_comparisons import Comparison
from counterec.report.method_measures import MethodMeasures
from counterec.report.published_numbers import OURS, published
from counterec.report.tables.additional_tables import (
    DIFFERENCES_NOTE,
    FURTHER_NOTE,
    TRANSFER_NOTE,
    differences_table,
    further_table,
    lists_table,
    transfer_table,
)
from counterec.report.tables.replicated_tables import (
    SELECTED,
    fidelity_table,
    model_side_table,
    statistics_table,
    user_side_table,
)
from counterec.report.tables.table import Table

INTERVAL_NOTE = "In parentheses: 95% interval, by bootstrap over users."
ZERO_NOTE = "zero: every pair without an explanation counts as a failure."
JOINT_NOTE = (
    "multi: the other methods name as many aspects as CountER does for the same pair, and are measured on the pairs "
    "that CountER explains. So not all rows rest on the same pairs; Table 6 has the differences on the same pairs."
)
SELECTS_NOTE = (
    f"{SELECTED}: selects its answers by PN and PS, so these numbers flatter it. F_NS transfer tells what they are "
    "worth: F_NS under conditions they were not searched for, the lowest here, all of them in the table of transfer."
)


def all_tables(
    experiment: ExperimentRows,
    measures: Sequence[MethodMeasures],
    compared: Sequence[Comparison],
    statistics: Mapping[str, float],
    dataset: str | None,
    head: Sequence[str] = (),
) -> list[Table]:
    """Every table. The notes of all but the first begin with ``head`` and end with the gaps of the experiment."""
    counts = published().dataset(dataset)
    paper = f"paper: its numbers for {counts.name}" + (
        "." if dataset else ", for reference: this data is none of its five."
    )
    measures = sorted(measures, key=lambda one: (list(OURS).index(one.shape), one.masked))
    proposing = [name for name, notes in experiment.methods.items() if notes.get("proposes_changes")]
    source = f"Protocol {experiment.protocol}, seeds {', '.join(map(str, experiment.seeds))}."

    def notes(*own: str) -> tuple[str, ...]:
        return (*head, INTERVAL_NOTE, *own, source, *experiment.gaps)

    return [
        statistics_table(statistics),
        fidelity_table(measures, proposing, experiment.sweep, counts, notes(paper)),
        user_side_table(measures, counts, notes(ZERO_NOTE, JOINT_NOTE, paper)),
        model_side_table(measures, counts, notes(ZERO_NOTE, SELECTS_NOTE, JOINT_NOTE, paper)),
        transfer_table(measures, notes(TRANSFER_NOTE)),
        further_table(measures, experiment.methods, notes(FURTHER_NOTE, *_packages(experiment))),
        differences_table(compared, notes(ZERO_NOTE, DIFFERENCES_NOTE)),
        lists_table(experiment.methods, notes()),
    ]


def _packages(experiment: ExperimentRows) -> list[str]:
    """Where the methods and metrics come from that are not ours."""
    plugged = {**experiment.methods, **experiment.metric_notes}
    return [f"{name}: from the package {notes['package']}." for name, notes in plugged.items() if notes.get("package")]
