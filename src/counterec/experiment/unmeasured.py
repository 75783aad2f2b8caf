"""What an experiment on an imported model leaves out, as empty tables: the report says that it is missing, and why.

Such a model cannot be trained again (transfer, stability), has no gradients that could be relied on (*relaxed*, and the
sweep over its λ and α), and no reviews: baselines have nothing to learn from, and nobody's past is known.
"""

from __future__ import annotations

import polars as pl

from counterec.experiment.cell_inputs import MEASURING_CODE
from counterec.experiment.history import HISTORY_FILE, HISTORY_METHOD
from counterec.experiment.rows import no_rows, notes_file, rows_file
from counterec.experiment.schemas import CURVES, ELSEWHERE, HINDSIGHT, HISTORY, RETRAINING, STABILITY, SWEEP
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext

EMPTY = {"elsewhere.parquet": ELSEWHERE, "stability.parquet": STABILITY, "sweep.parquet": SWEEP}
EMPTY |= {"curves.parquet": CURVES, "hindsight.parquet": HINDSIGHT, "retraining.parquet": RETRAINING}
EMPTY |= {HISTORY_FILE: HISTORY}
REASON = "the model was imported: it is asked for scores alone"
NO_REVIEWS = "the model was imported: nobody's past reviews are known"


def unmeasured_stage(config: RunConfig, methods: tuple[str, ...]) -> Stage:
    """Nothing → empty tables, and a note on each of the methods."""
    of_methods = [file for method in methods for file in (rows_file(method), notes_file(method))]
    return Stage(
        name="leave out",
        config=config,
        settings=(),
        inputs=(),
        outputs=(*EMPTY, *of_methods, notes_file(HISTORY_METHOD)),
        code=MEASURING_CODE,
        work=lambda context: _leave_out(context, methods),
    )


def _leave_out(context: StageContext, methods: tuple[str, ...]) -> None:
    for file, schema in EMPTY.items():
        write_table(pl.DataFrame(schema=dict(schema)), context.new(file))
    for method in methods:
        write_table(no_rows(), context.new(rows_file(method)))
        write_json(context.new(notes_file(method)), {"unavailable": REASON, "failures": []})
    write_json(context.new(notes_file(HISTORY_METHOD)), {"unavailable": NO_REVIEWS, "failures": []})
