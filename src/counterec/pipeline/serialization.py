"""Typed values to files and back: one place for each in a run folder. Nothing is pickled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from counterec.core.arrays import BoolVector, FloatVector, IntVector
from counterec.core.candidates import Candidates
from counterec.core.evaluation.verdicts import VERDICTS, Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.explainers.question import Direction, Question
from counterec.core.lists import ABSENT_ITEM, Recommendations
from counterec.core.scorers.net import NetWeights
from counterec.core.space import AspectScale, AspectSpace, Vocabulary
from counterec.errors import StoreError
from counterec.pipeline.files import read_json, write_json

REVIEWS = "reviews.parquet"
MENTIONS = "mentions.parquet"
LEARNED = "extraction.json"
SPLIT = "split.parquet"
ASPECTS = "aspects.safetensors"
VOCABULARY = "vocabulary.json"
MODEL = "model.safetensors"
MODEL_AGAIN = "model-again.safetensors"
"""The same training from another seed, where explanations are measured under a net they were not selected on."""
ARCHITECTURE = "model.json"
CANDIDATES = "candidates.parquet"
RECOMMENDATIONS = "recommendations.parquet"
HEADS = "heads.safetensors"
"""The beginning of every ranking, longer than a list: items and scores."""
EVALUATION = "evaluation.json"


ROWS_A_GROUP = 50_000
"""Rows of a Parquet row group. Left to itself Polars cuts groups by how its threads happened to run: a table rebuilt
from the same values would have other bytes, and everything made from it would be made again."""


def explanations_file(method: str) -> str:
    """Where the explanations of a method lie."""
    return f"explanations/{method}.parquet"


def elsewhere_file(method: str) -> str:
    """Where the measures of a method on other ground lie."""
    return f"elsewhere/{method}.json"


def read_table(path: Path, columns: list[str] | None = None) -> pl.DataFrame:
    """Read a Parquet table; a damaged one is an error in one line."""
    try:
        return pl.read_parquet(path, columns=columns)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise StoreError(f"{path}: damaged ({reason}); delete it and run again") from None


def write_table(table: pl.DataFrame | pl.LazyFrame, path: Path) -> None:
    """Write a Parquet table; a disk that takes no more is an ``OSError``, as it is for every other file."""
    try:
        table.lazy().sink_parquet(path, row_group_size=ROWS_A_GROUP)
    except pl.exceptions.ComputeError as error:
        if "os error" not in str(error):
            raise
        raise OSError(str(error).splitlines()[0]) from None


def save_space(space: AspectSpace, item_names: Mapping[str, str], tensors: Path, vocabulary: Path) -> None:
    """Write X and Y with their scale, and the vocabularies with the item names that are known."""
    scale = {f"scale.{name}": np.asarray(value) for name, value in vars(space.scale).items()}
    arrays = {"user_attention": space.user_attention, "item_quality": space.item_quality, **scale}
    _save_tensors(arrays, tensors)
    texts = {kind: list(getattr(space, kind).texts) for kind in ("users", "items", "aspects")}
    names = {item: item_names[item] for item in space.items.texts if item in item_names}
    write_json(vocabulary, {**texts, "item_names": names})


def load_space(tensors: Path, vocabulary: Path) -> tuple[AspectSpace, dict[str, str]]:
    """Read an aspect space and its item names."""
    arrays, texts = _load_tensors(tensors), read_json(vocabulary)
    scale = {name.removeprefix("scale."): array for name, array in arrays.items() if name.startswith("scale.")}
    space = AspectSpace(
        users=Vocabulary("user", tuple(texts["users"])),
        items=Vocabulary("item", tuple(texts["items"])),
        aspects=Vocabulary("aspect", tuple(texts["aspects"])),
        user_attention=arrays["user_attention"],
        item_quality=arrays["item_quality"],
        scale=AspectScale(**scale),
    )
    return space, dict(texts["item_names"])


def _save_tensors(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    """Write arrays as Python writes files: safetensors' own way hides them from other users and from OSError."""
    path.write_bytes(save({name: np.ascontiguousarray(array) for name, array in arrays.items()}))


def _load_tensors(path: Path) -> dict[str, np.ndarray]:
    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise StoreError(f"{path}: damaged ({error}); delete it and run again") from None


def save_net(weights: NetWeights, tensors: Path, architecture: Path) -> None:
    """Write the net: its arrays, and in words what they are."""
    save_weights(weights, tensors)
    hidden = [len(weights.hidden1.bias), len(weights.hidden2.bias)]
    write_json(
        architecture,
        {"kind": "aspect net", "input": "user_attention, item_quality", "hidden": hidden, "activation": "relu"},
    )


def save_weights(weights: NetWeights, tensors: Path) -> None:
    """Write the arrays of a net."""
    _save_tensors(weights.named(), tensors)


def load_net(tensors: Path) -> NetWeights:
    """Read the net."""
    return NetWeights.from_named(_load_tensors(tensors))


def candidates_table(candidates: Candidates, space: AspectSpace) -> pl.DataFrame:
    """Candidates that were given or drawn, a row each (the catalogue without something needs no table)."""
    users = np.repeat(np.arange(candidates.users), np.diff(candidates.starts))
    return pl.DataFrame({"user_id": _texts(space.users, users), "item_id": _texts(space.items, candidates.listed)})


def candidates_from(table: pl.DataFrame, space: AspectSpace) -> Candidates:
    """The inverse of ``candidates_table``."""
    users, items = space.users.numbers(table["user_id"]), space.items.numbers(table["item_id"])
    order = np.lexsort((items, users))
    starts = np.searchsorted(users[order], np.arange(len(space.users) + 1))
    return Candidates("exactly", len(space.items), starts, items[order])


def recommendations_table(lists: Recommendations, space: AspectSpace) -> pl.DataFrame:
    """The first K+1 of every user, a row each."""
    rows, positions = np.nonzero(lists.items != ABSENT_ITEM)
    return pl.DataFrame(
        {
            "user_id": _texts(space.users, lists.users[rows]),
            "position": pl.Series(positions + 1, dtype=pl.Int32),
            "item_id": _texts(space.items, lists.items[rows, positions]),
            "score": lists.scores[rows, positions],
        }
    )


def recommendations_from(table: pl.DataFrame, space: AspectSpace, candidates: Candidates, k: int) -> Recommendations:
    """The inverse of ``recommendations_table``."""
    users, rows = np.unique(space.users.numbers(table["user_id"]), return_inverse=True)
    places = table["position"].to_numpy() - 1
    items = np.full((len(users), k + 1), ABSENT_ITEM)
    scores = np.full((len(users), k + 1), np.nan, dtype=np.float32)
    items[rows, places] = space.items.numbers(table["item_id"])
    scores[rows, places] = table["score"].to_numpy()
    return Recommendations(users, items, scores, k, candidates)


def save_heads(ranking: Recommendations, path: Path) -> None:
    """Write the beginning of every ranking."""
    _save_tensors({"users": ranking.users, "items": ranking.items, "scores": ranking.scores}, path)


def load_heads(path: Path, candidates: Candidates) -> Recommendations:
    """Read it."""
    found = _load_tensors(path)
    return Recommendations(found["users"], found["items"], found["scores"], found["items"].shape[1] - 1, candidates)


EXPLANATIONS: Mapping[str, Any] = {
    "user_id": pl.String,
    "item_id": pl.String,
    "position": pl.Int32,
    "question": pl.String,
    "versus": pl.String,
    "goal": pl.String,
    "status": pl.String,
    "aspects": pl.List(pl.String),
    "before": pl.List(pl.Float32),
    "after": pl.List(pl.Float32),
    "score_before": pl.Float32,
    "score_after": pl.Float32,
    "target": pl.Float32,
    "proof": pl.String,
    **dict.fromkeys(VERDICTS, pl.Boolean),
}
"""A row a pair: what anyone needs to check an explanation with NumPy alone."""


def explanations_table(
    explanations: Explanations, verdicts: Verdicts | None, question: Question, positions: IntVector, goal: str
) -> pl.DataFrame:
    """Explanations as they lie on disk; aspects with the strongest change first."""
    space = question.space
    versus = [None] * len(question) if question.versus is None else _texts(space.items, question.versus)
    aspects, before, after = [], [], []
    for delta, quality in zip(explanations.delta, space.item_quality[explanations.items], strict=True):
        moved = np.flatnonzero(delta)
        moved = moved[np.argsort(-np.abs(delta[moved]), kind="stable")]
        aspects.append([space.aspects.texts[aspect] for aspect in moved])
        before.append(quality[moved].tolist())
        after.append((quality + delta)[moved].tolist())
    columns = {
        "user_id": _texts(space.users, explanations.users),
        "item_id": _texts(space.items, explanations.items),
        "position": positions + 1,
        "question": [question.kind] * len(explanations),
        "versus": versus,
        "goal": [goal] * len(explanations),
        "status": [Status(code).label for code in explanations.status],
        "aspects": aspects,
        "before": before,
        "after": after,
        **{name: _known(getattr(explanations, name)) for name in ("score_before", "score_after", "target")},
        "proof": [Proof(code).label if code else None for code in explanations.proof],
        **{name: _verdict_column(verdicts, name, len(explanations)) for name in VERDICTS},
    }
    return pl.DataFrame(columns, schema=dict(EXPLANATIONS))


def _verdict_column(verdicts: Verdicts | None, name: str, rows: int) -> list[bool | None]:
    if verdicts is None:
        return [None] * rows
    values: BoolVector = getattr(verdicts, name)
    return [bool(value) if asked else None for value, asked in zip(values, verdicts.asked, strict=True)]


def explanations_from(table: pl.DataFrame, space: AspectSpace, margin: float) -> Explanations:
    """The inverse of ``explanations_table``."""
    items = space.items.numbers(table["item_id"])
    after = space.item_quality[items].copy()
    for row, (aspects, values) in enumerate(zip(table["aspects"], table["after"], strict=True)):
        after[row, space.aspects.numbers(aspects)] = values
    return Explanations(
        users=space.users.numbers(table["user_id"]),
        items=items,
        delta=after - space.item_quality[items],
        score_before=_floats(table["score_before"]),
        score_after=_floats(table["score_after"]),
        target=_floats(table["target"]),
        status=np.array([Status[label.upper()] for label in table["status"]], dtype=np.int8),
        proof=np.array([Proof[label.upper()] if label else 0 for label in table["proof"]], dtype=np.int8),
        direction=Direction.RAISE if "why_not" in table["question"] else Direction.LOWER,
        margin=margin,
    )


def verdicts_from(table: pl.DataFrame, space: AspectSpace) -> Verdicts:
    """The verdicts that an explanations table carries."""
    asked = table["necessary"].is_not_null().to_numpy()
    columns = {name: table[name].fill_null(False).to_numpy() for name in VERDICTS}
    return Verdicts(users=space.users.numbers(table["user_id"]), asked=asked, **columns)


def _known(values: FloatVector) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def _floats(column: pl.Series) -> FloatVector:
    return column.cast(pl.Float32).fill_null(float("nan")).to_numpy()


def _texts(vocabulary: Vocabulary, numbers: Iterable[int]) -> list[str]:
    return [vocabulary.texts[number] for number in numbers]
