"""All tables of a report, each with the notes that a reader needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from counterec.report.experiment_rows import ExperimentRows
from counterec.report.method_comparisons import Comparison
from counterec.report.method_measures import MethodMeasures
from counterec.report.published_numbers import OURS, published
from counterec.report.tables.additional_tables import (
    DIFFERENCES_NOTE,
    TRANSFER_NOTE,
    differences_table,
    lists_table,
    transfer_table,
)
from counterec.report.tables.replicated_tables import (
    AS_PUBLISHED_LABEL,
    SELECTED,
    as_published_measures,
    fidelity_table,
    model_side_table,
    statistics_table,
    user_side_table,
)
from counterec.report.tables.table import Table

INTERVAL_NOTE = (
    "In parentheses: 95% interval, by bootstrap over users, items that several users have, and seeds, where several "
    "are pooled. items: how many different items the pairs have."
)
LISTS_INTERVAL_NOTE = (
    "In parentheses: 95% interval, by bootstrap over users; where seeds are pooled, the smallest that holds the "
    "interval of each."
)
BOTH_NOTE = (
    "Every share stands twice: of the explained pairs, as in the paper, and of all pairs, where a pair without an "
    "explanation counts as a failure."
)
LITERAL_NOTE = (
    f"{AS_PUBLISHED_LABEL}: with the paper's literal λ and α, sigmoid scores and gradient steps, of at most "
    "sweep_users users per seed."
)
LISTS_NOTE = (
    "lists: a method explains the lists of the model that is examined, or, as the paper's baselines do, lists of its "
    "own, by its own model. Only rows of the same lists compare explainers. alignment: the user's attention times the "
    "item's quality; alignment_efm and alignment_a2cf: the same as these baselines predict them. frequency: the "
    "aspects that the item's training reviews mention most often; it asks no model."
)
JOINT_NOTE = (
    "multi: the other methods name as many aspects as relaxed does for the same pair, and as many as it usually does "
    "where it explains nothing; of these pairs, only those that relaxed explains count among the explained ones. So "
    "not all rows rest on the same pairs; Table 5 has the differences on the same pairs."
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
    measures = [*measures, *as_published_measures(experiment.sweep)]
    measures = sorted(measures, key=lambda one: (list(OURS).index(one.shape), one.masked))
    source = f"Protocol {experiment.protocol}, seeds {', '.join(map(str, experiment.seeds))}."

    literal = (LITERAL_NOTE, *_unscored(experiment))

    def notes(*own: str, interval: str = INTERVAL_NOTE) -> tuple[str, ...]:
        return (*head, interval, *own, source, *experiment.gaps)

    return [
        statistics_table(statistics),
        fidelity_table(measures, counts, notes(LITERAL_NOTE, paper)),
        user_side_table(measures, counts, notes(BOTH_NOTE, LISTS_NOTE, JOINT_NOTE, *literal, paper)),
        model_side_table(measures, counts, notes(BOTH_NOTE, LISTS_NOTE, SELECTS_NOTE, JOINT_NOTE, *literal, paper)),
        transfer_table(measures, notes(BOTH_NOTE, TRANSFER_NOTE)),
        differences_table(compared, notes(BOTH_NOTE, DIFFERENCES_NOTE)),
        lists_table(experiment.methods, notes(interval=LISTS_INTERVAL_NOTE)),
    ]


def _unscored(experiment: ExperimentRows) -> list[str]:
    """How often a method would have named an aspect that its own score does not depend on."""
    return [
        f"{method} names only aspects that its score depends on; for {notes['best_aligned_is_not_scored']:.0%} of its "
        "pairs, the best aligned aspect is none of these."
        for method, notes in experiment.methods.items()
        if notes.get("best_aligned_is_not_scored") is not None
    ]
