"""Typed values to files and back: one place for each in a run folder. Nothing is pickled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import polars as pl
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from counterec.core.candidates import Candidates
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


def _texts(vocabulary: Vocabulary, numbers: Iterable[int]) -> list[str]:
    return [vocabulary.texts[number] for number in numbers]
