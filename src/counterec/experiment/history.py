"""Lists → the items that a user's own past reviews explain, beside those that aspects explain."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector
from counterec.core.evaluation.pair_lookup import rows_of_pairs
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.history.answer import HistoryAnswers
from counterec.core.explainers.history.solver import HistoryExplainer
from counterec.core.explainers.history.user_history import require_forgetting
from counterec.core.failure_isolation import failure_line, isolate_failures
from counterec.errors import UsageError
from counterec.experiment.cell_inputs import CellInputs, measuring_code, measuring_inputs
from counterec.experiment.rows import notes_file
from counterec.experiment.schemas import HISTORY
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext

HISTORY_FILE = "history.parquet"
HISTORY_METHOD = "history"
"""What answers by past reviews are called among the methods."""
BY_ASPECTS = "minimal"
"""The goal whose answers stand beside them: both name as few as they can."""
_BY_HISTORY: dict[str, Any] = {
    "row": pl.Int64,
    **{name: HISTORY[name] for name in ("status", "reviews", "reviews_proof", "past_reviews", "sets")},
}


def history_stage(config: RunConfig) -> Stage:
    """The lists of some users → answers by past reviews, beside those by aspects."""
    return Stage(
        name="history",
        config=config,
        settings=(
            *("lists.k", "lists.protocol", "seed", "explain.margin_share", "experiment.history_users"),
            *("split.held_out", "aspects.most_per_review"),
        ),
        inputs=measuring_inputs(config, layout.explanations_file(BY_ASPECTS)),
        outputs=(HISTORY_FILE, notes_file(HISTORY_METHOD)),
        code=(*measuring_code(config), "counterec.pipeline.past_reviews", "counterec.pipeline.aspect_choice"),
        work=_history,
    )


def _history(context: StageContext) -> None:
    cell = CellInputs(context)
    notes: dict[str, Any] = {"unavailable": None, "failures": []}
    frame = pl.DataFrame(schema=dict(HISTORY))
    try:
        require_forgetting(cell.scorer)
    except UsageError as error:
        notes["unavailable"] = str(error)
        context.warn(f"answers by past reviews are left out: {error}")
    else:
        frame = _measured(cell, notes["failures"])
    write_table(frame, context.new(HISTORY_FILE))
    write_json(context.new(notes_file(HISTORY_METHOD)), notes)


def _measured(cell: CellInputs, failures: list[str]) -> pl.DataFrame:
    """One row per pair; a line is added to ``failures`` for each user whose pairs could not be asked about."""
    lists = cell.lists.rows(cell.lists.rows_of(cell.some_users(cell.config.experiment.history_users)))
    rows, _, items = lists.pairs()
    users = lists.users[rows]
    cell.context.reporter.total(len(users), "pairs")
    explainer, frames = _explainer(cell), []

    def work(asked: IntVector) -> None:
        answers = explainer.explain(users[asked], items[asked], progress=cell.context.reporter.advance)
        frames.append(_by_history(answers, asked))

    def fail(user: int, error: Exception) -> None:
        failures.append(failure_line(cell.folder.space.users.texts[user], error))

    lost = isolate_failures(users, work, fail)
    past = pl.concat([*frames, _failed(lost)]).sort("row")
    return _pairs(cell, users, items).hstack(past.drop("row")).select(*HISTORY)


def _explainer(cell: CellInputs) -> HistoryExplainer:
    past, attention = cell.folder.past_reviews
    margin = cell.config.explain.margin_share
    return HistoryExplainer(cell.scorer, cell.folder.space, cell.lists, past, attention=attention, margin=margin)


def _pairs(cell: CellInputs, users: IntVector, items: IntVector) -> pl.DataFrame:
    """The pairs, and how they are explained by aspects."""
    space, answers = cell.folder.space, cell.answers(BY_ASPECTS, masked=False)
    answers = answers.rows(rows_of_pairs(users, items, answers.users, answers.items))
    columns: dict[str, Any] = {
        "protocol": cell.config.lists.protocol,
        "seed": cell.config.seed,
        "user_id": [space.users.texts[user] for user in users],
        "item_id": [space.items.texts[item] for item in items],
        "aspects": _sizes(np.count_nonzero(answers.delta, axis=1), answers.explained),
        "aspects_proof": _proofs(answers.proof),
    }
    return pl.DataFrame(columns, schema={name: HISTORY[name] for name in columns})


def _by_history(answers: HistoryAnswers, rows: IntVector) -> pl.DataFrame:
    columns: dict[str, Any] = {
        "row": rows,
        "status": [Status(code).label for code in answers.status],
        "reviews": _sizes(answers.sizes, answers.explained),
        "reviews_proof": _proofs(answers.proof),
        "past_reviews": answers.past,
        "sets": answers.sets,
    }
    return pl.DataFrame(columns, schema=_BY_HISTORY)


def _failed(rows: IntVector) -> pl.DataFrame:
    columns = {"row": rows, "status": [Status.FAILED.label] * len(rows)}
    return pl.DataFrame({name: columns.get(name, [None] * len(rows)) for name in _BY_HISTORY}, schema=_BY_HISTORY)


def _sizes(counts: IntVector, explained: np.ndarray) -> list[int | None]:
    """How many are named; None without an explanation."""
    return [int(count) if found else None for count, found in zip(counts, explained, strict=True)]


def _proofs(codes: np.ndarray) -> list[str | None]:
    return [Proof(code).label if code else None for code in codes]
