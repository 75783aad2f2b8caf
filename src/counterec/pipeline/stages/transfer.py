"""Explanations that were selected for a measure → the same measure in conditions they were not selected on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector
from counterec.core.candidates import Candidates, sampled_candidates
from counterec.core.evaluation.judge_necessity import model_side
from counterec.core.evaluation.transfer import Condition, fresh_conditions, transferred
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.answer_row import UNREVIEWED
from counterec.core.scorers.ranking import rank
from counterec.pipeline import layout
from counterec.pipeline.config import MASKED, RunConfig
from counterec.pipeline.explanation_tables import explanations_from
from counterec.pipeline.files import write_json
from counterec.pipeline.models import model_kind
from counterec.pipeline.pieces import Made, Piece, Step, made_in_pieces
from counterec.pipeline.serialization import load_tensors, tensor_bytes, texts_of
from counterec.pipeline.stage import Stage, StageContext, StageInputs

USERS_PER_PIECE = 128
"""Users whose explanations are judged as one piece."""
SEPARATOR = ": "
"""Between a condition and a column of its verdicts."""

SELECTING = ("complete",)
"""The goals that select on necessity and sufficiency, which is what PN and PS measure."""

SETTINGS = ("lists.k", "lists.protocol", "lists.negatives", "seed")
"""The settings that the conditions depend on."""


def selects(method: str) -> bool:
    """Whether a method selects on what its explanations are measured by."""
    return method.removesuffix(MASKED) in SELECTING


def transfer_stage(config: RunConfig, method: str) -> Stage:
    """Explanations and a retrained model → PN and PS in other conditions."""
    return Stage(
        name=f"transfer {method}",
        config=config,
        settings=SETTINGS,
        inputs=(
            *layout.ranking_inputs(config.lists.protocol),
            layout.HEADS,
            layout.RETRAINED_MODEL,
            layout.explanations_file(method),
        ),
        outputs=(layout.transfer_file(method),),
        code=("counterec.core", "counterec.pipeline.explanation_tables", *model_kind(config.model.kind).all_code),
        work=lambda context: _transfer(context, method),
        in_pieces=True,
    )


def _transfer(context: StageContext, method: str) -> None:
    users = len(context.folder.space.users)
    step = Step("verdicts", _transfer_users, users, USERS_PER_PIECE, "users", ".safetensors")
    parts: dict[str, list[Verdicts]] = {}
    for piece in made_in_pieces(context, step, method):
        arrays = load_tensors(piece.path)
        for condition in piece.notes["conditions"]:
            parts.setdefault(condition, []).append(_verdicts_from(arrays, condition))
    found = {condition: model_side(Verdicts.joined(verdicts)).as_dict() for condition, verdicts in parts.items()}
    write_json(context.new(layout.transfer_file(method)), found)


def _transfer_users(inputs: StageInputs, piece: Piece, method: str) -> Made:
    """The verdicts on the explanations of some users, under each condition."""
    folder, users = inputs.folder, np.arange(piece.start, piece.stop)
    own = folder.explanations_table(method).filter(pl.col("user_id").is_in(texts_of(folder.space.users, users)))
    reviewed = (own["values"] != UNREVIEWED).to_numpy()
    named = explanations_from(own, folder.space).only(reviewed).named()
    found = transferred(folder.space, named, conditions(inputs, named, users))
    columns = {
        f"{name}{SEPARATOR}{column}": getattr(verdicts, column)
        for name, verdicts in found.items()
        for column in verdicts.columns
    }
    return Made(tensor_bytes(columns), {"conditions": list(found)})


def _verdicts_from(arrays: Mapping[str, np.ndarray], condition: str) -> Verdicts:
    """The verdicts under one condition."""
    prefix = f"{condition}{SEPARATOR}"
    return Verdicts(**{name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)})


def conditions(inputs: StageInputs, named: NamedAspects, users: IntVector) -> Iterator[Condition]:
    """Other lengths of the list, a retrained model and, where candidates are drawn, another draw of them."""
    folder, config = inputs.folder, inputs.config
    space, k = folder.space, config.lists.k
    length = layout.head_length(k)
    if k > 1:
        yield Condition(f"k={k - 1}", folder.scorer, folder.heads, k - 1)
    yield Condition(f"k={k + 1}", folder.scorer, folder.heads, k + 1)
    again = folder.retrained_scorer
    yield Condition("trained again", again, rank(again, space, folder.candidates, length, users), k)
    if config.lists.protocol == "sampled":
        drawn = _fresh_candidates(inputs)
        yield from fresh_conditions("fresh candidates", folder.scorer, space, drawn, named, k, length)


@lru_cache(maxsize=1)
def _fresh_candidates(inputs: StageInputs) -> Candidates:
    """Another draw of everybody's candidates, made once for all pieces of a process."""
    folder, config = inputs.folder, inputs.config
    test, known, users = folder.interactions["test"], folder.known_items, folder.space.users.texts
    return sampled_candidates(test, known, users, config.seed + 1, config.lists.negatives)
