"""The rows of all methods as one table, and the notes on each method as one file."""

from __future__ import annotations

import polars as pl

from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.evaluation.quality import ranking_quality
from counterec.core.explainers.goal_names import GOALS
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.trivial import PopularityScorer, RandomScorer
from counterec.experiment.alignments import rules_of
from counterec.experiment.cell_inputs import CellInputs, measuring_code, measuring_inputs
from counterec.experiment.rows import notes_file, rows_file
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext

ROWS_FILE = "rows.parquet"
METHODS_FILE = "methods.json"


def join_stage(config: RunConfig) -> Stage:
    """The rows of every method → one table; the notes on each → one file."""
    ours = _of_our_lists(config)
    methods = (*ours, *config.experiment.baselines)
    files = [file for method in methods for file in (rows_file(method), notes_file(method))]
    return Stage(
        name="join",
        config=config,
        settings=("lists.k", "lists.protocol", "seed", "experiment.baselines"),
        inputs=measuring_inputs(config, *files),
        outputs=(ROWS_FILE, METHODS_FILE),
        code=(*measuring_code(config), "counterec.baselines"),
        work=lambda context: _join(context, ours),
    )


def _join(context: StageContext, of_our_lists: tuple[str, ...]) -> None:
    cell, folder = CellInputs(context), context.folder
    methods = (*of_our_lists, *context.config.experiment.baselines)
    write_table(pl.concat([folder.table(rows_file(method)) for method in methods]), context.new(ROWS_FILE))
    notes = {method: folder.json(notes_file(method)) for method in methods}
    quality = ranking_quality(cell.lists, folder.interactions["test"]).as_dict()
    for method in of_our_lists:
        notes[method]["ranking"] = quality
    write_json(context.new(METHODS_FILE), {**notes, **_trivial_rankings(cell)})


def _of_our_lists(config: RunConfig) -> tuple[str, ...]:
    """The methods that explain the model's lists."""
    return (*GOALS, *ATTRIBUTIONS, *rules_of(config))


def _trivial_rankings(cell: CellInputs) -> dict[str, object]:
    """How well popularity and chance rank for the same users."""
    folder, k = cell.folder, cell.config.lists.k
    space, test = folder.space, folder.interactions["test"]
    popular = PopularityScorer(folder.interactions["train"].items, len(space.items))
    chance = RandomScorer(len(space.items), cell.config.seed)
    by_popularity, by_chance = (
        ranking_quality(rank(scorer, space, folder.candidates, k, cell.lists.users), test).as_dict()
        for scorer in (popular, chance)
    )
    return {"popularity": {"ranking": by_popularity}, "random_ranking": by_chance}
