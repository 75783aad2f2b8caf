"""Files of a run folder: typed values to files and back, written beside and renamed into place. Nothing is pickled."""

from __future__ import annotations

import hashlib
import io
import json
import mmap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from counterec.core.attributes import Attribute, Schema
from counterec.core.candidates import Candidates
from counterec.core.lists import ABSENT_ITEM, Recommendations
from counterec.core.opinions import Ladder, Opinions
from counterec.core.praise_shares import PraiseShares
from counterec.core.scale import AspectScale
from counterec.core.space import AspectSpace
from counterec.core.vocabulary import Vocabulary
from counterec.errors import StoreError


def sha256(path: Path) -> str:
    """The checksum of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn an operating-system error while writing into one line that says where and what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(f"{folder}: cannot be written ({reason}); choose another folder with --out") from None


def write_json(path: Path, value: Any) -> None:
    """Write JSON so that a reader sees the old file or the new one, never a part of it."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    beside = beside_of(path)
    # A path on disk may hold bytes that are not UTF-8; written as JSON escapes they come back as they were.
    beside.write_bytes(text.encode("utf-8", "backslashreplace"))
    beside.replace(path)


def beside_of(path: Path) -> Path:
    """Where a file is written before it is renamed into place."""
    return path.with_name(f".{path.name}.partial")


def read_json(path: Path, what_to_do: str = "delete it and run again") -> Any:
    """Read JSON; a damaged file is an error in one line."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise StoreError(f"{path}: damaged, it is not JSON ({error}); {what_to_do}") from None


ROWS_PER_GROUP = 50_000
"""Rows of a Parquet row group. Left to itself Polars cuts groups by how its threads happened to run: a table rebuilt
from the same values would have other bytes, and everything made from it would be made again."""


SCALE = ("low", "high", "low_is_worse", "absent", "is_category")
"""The arrays of an aspect scale."""

SCORE_SCALE = ("spread", "largest")
"""What is kept of the scores of all candidates of a user."""


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
        table.lazy().sink_parquet(path, row_group_size=ROWS_PER_GROUP)
    except pl.exceptions.ComputeError as error:
        if "os error" not in str(error):
            raise
        raise OSError(str(error).splitlines()[0]) from None


def table_bytes(table: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    table.write_parquet(file, row_group_size=ROWS_PER_GROUP)
    return file.getvalue()


def save_space(
    space: AspectSpace,
    item_names: Mapping[str, str],
    tensors: Path,
    vocabulary: Path,
    merged: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write X and Y with their scale and the opinions behind them, and the vocabularies with the known item names.

    The attributes of a schema are written with the vocabularies, where there is one.
    ``merged`` are the other names that mentions of an aspect were found under.
    """
    save_tensors(space_arrays(space), tensors)
    texts = {kind: list(getattr(space, kind).texts) for kind in ("users", "items", "aspects")}
    names = {item: item_names[item] for item in space.items.texts if item in item_names}
    schema = {} if space.schema is None else {"attributes": [a.plain() for a in space.schema.attributes]}
    write_json(vocabulary, {**texts, "item_names": names, "merged": dict(merged), **schema})


def space_arrays(space: AspectSpace) -> dict[str, np.ndarray]:
    """X and Y with their scale and the opinions behind them, by their names on disk."""
    arrays = {"user_attention": space.user_attention, "item_quality": space.item_quality}
    arrays |= {f"scale.{name}": np.asarray(getattr(space.scale, name)) for name in SCALE}
    if space.scale.ladder is not None:
        arrays |= {f"ladder.{name}": value for name, value in vars(space.scale.ladder).items()}
    if space.scale.shares is not None:
        arrays |= {"shares.mean": space.scale.shares.mean, "shares.weight": np.array([space.scale.shares.weight])}
    if space.opinions is not None:
        arrays |= {f"opinions.{name}": value for name, value in vars(space.opinions).items()}
    return arrays


def load_space(tensors: Path, vocabulary: Path) -> tuple[AspectSpace, dict[str, str]]:
    """Read an aspect space and its item names."""
    arrays, texts = load_tensors(tensors), read_json(vocabulary)

    def group(prefix: str) -> dict[str, np.ndarray]:
        return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}

    ladder, shares, opinions = group("ladder."), group("shares."), group("opinions.")
    said = texts.get("attributes")  # only where aspects are attributes of a schema
    schema = None if said is None else Schema(tuple(Attribute.of_plain(attribute) for attribute in said))
    space = AspectSpace(
        users=Vocabulary("user", tuple(texts["users"])),
        items=Vocabulary("item", tuple(texts["items"])),
        aspects=Vocabulary("aspect" if schema is None else "attribute", tuple(texts["aspects"])),
        user_attention=arrays["user_attention"],
        item_quality=arrays["item_quality"],
        scale=AspectScale(
            **group("scale."),
            ladder=Ladder(**ladder) if ladder else None,
            shares=PraiseShares(shares["mean"], float(shares["weight"][0])) if shares else None,
            schema=schema,
        ),
        opinions=Opinions(**opinions) if opinions else None,
    )
    return space, dict(texts["item_names"])


def save_tensors(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    """Write arrays as Python writes files: safetensors' own way hides them from other users and from OSError."""
    path.write_bytes(tensor_bytes(arrays))


def tensor_bytes(arrays: Mapping[str, np.ndarray], said: Mapping[str, str] | None = None) -> bytes:
    """Arrays by name as the bytes of a file, with what else is to be said in its header."""
    whole = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    return save(whole, None if said is None else dict(said))


def load_tensors(path: Path) -> dict[str, np.ndarray]:
    """Map arrays by name, to be read: processes that open the same run share their memory.

    A damaged file is an error in one line.
    """
    try:
        with safe_open(path, framework="numpy"), path.open("rb") as file:  # the first checks the whole header
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (SafetensorError, OSError) as error:
        raise StoreError(f"{path}: damaged ({error}); delete it and run again") from None
    start = 8 + int.from_bytes(mapped[:8], "little")  # the length of the header comes before it
    header = json.loads(mapped[8:start])
    return {name: _mapped(mapped, start, entry) for name, entry in header.items() if name != "__metadata__"}


def _mapped(file: mmap.mmap, start: int, entry: Mapping[str, Any]) -> np.ndarray:
    """One array of a mapped file, by its entry in the header."""
    kind, shape = np.dtype(KINDS[entry["dtype"]]), tuple(entry["shape"])
    count = prod(shape)
    if not count:
        return np.empty(shape, kind)
    return np.frombuffer(file, kind, count, start + entry["data_offsets"][0]).reshape(shape)


KINDS = {
    **{f"F{bits}": f"<f{bits // 8}" for bits in (16, 32, 64)},
    **{f"{sign.upper()}{bits}": f"<{sign}{bits // 8}" for sign in "iu" for bits in (8, 16, 32, 64)},
    "BOOL": "?",
}
"""The types of safetensors, as NumPy names them."""


def candidates_table(candidates: Candidates, space: AspectSpace) -> pl.DataFrame:
    """Candidates that were given or drawn, one row each (a catalogue without some items needs no table)."""
    users = np.repeat(np.arange(candidates.users), np.diff(candidates.starts))
    return pl.DataFrame({"user_id": texts_of(space.users, users), "item_id": texts_of(space.items, candidates.listed)})


def candidates_from(table: pl.DataFrame, space: AspectSpace) -> Candidates:
    """The inverse of ``candidates_table``."""
    users, items = space.users.numbers(table["user_id"]), space.items.numbers(table["item_id"])
    order = np.lexsort((items, users))
    starts = np.searchsorted(users[order], np.arange(len(space.users) + 1))
    return Candidates("exactly", len(space.items), starts, items[order])


def recommendations_table(lists: Recommendations, space: AspectSpace) -> pl.DataFrame:
    """The first K+1 items of every user, one row each; with the spread and the largest of all candidates' scores."""
    rows, positions = np.nonzero(lists.items != ABSENT_ITEM)
    return pl.DataFrame(
        {
            "user_id": texts_of(space.users, lists.users[rows]),
            "position": pl.Series(positions + 1, dtype=pl.Int32),
            "item_id": texts_of(space.items, lists.items[rows, positions]),
            "score": lists.scores[rows, positions],
            "spread": lists.spread[rows],
            "largest": lists.largest[rows],
        }
    )


def recommendations_from(table: pl.DataFrame, space: AspectSpace, candidates: Candidates, k: int) -> Recommendations:
    """The inverse of ``recommendations_table``."""
    users, rows = np.unique(space.users.numbers(table["user_id"]), return_inverse=True)
    positions = table["position"].to_numpy() - 1
    items = np.full((len(users), k + 1), ABSENT_ITEM)
    scores = np.full((len(users), k + 1), np.nan, dtype=np.float32)
    items[rows, positions] = space.items.numbers(table["item_id"])
    scores[rows, positions] = table["score"].to_numpy()
    scale = {name: np.full(len(users), np.nan, dtype=np.float32) for name in SCORE_SCALE}
    for name in SCORE_SCALE:
        scale[name][rows] = table[name].to_numpy()
    return Recommendations(users, items, scores, k, candidates, scale["spread"], scale["largest"])


RANKING = ("users", "items", "scores", *SCORE_SCALE)
"""The arrays of a ranking."""


def ranking_arrays(ranking: Recommendations, member_lists: Sequence[Recommendations]) -> dict[str, np.ndarray]:
    """The beginning of every ranking, and the lists of the members of a mean: ``member.0.items`` …"""
    arrays = {name: getattr(ranking, name) for name in RANKING}
    for number, lists in enumerate(member_lists):
        arrays |= {f"member.{number}.{name}": getattr(lists, name) for name in RANKING}
    return arrays


def load_heads(path: Path, candidates: Candidates) -> Recommendations:
    """Read the beginning of every ranking."""
    return ranking_from(load_tensors(path), candidates)


def load_member_lists(path: Path, candidates: Candidates) -> tuple[Recommendations, ...]:
    """Read the lists of the members of a mean; none of any other model."""
    found, lists = load_tensors(path), list[Recommendations]()
    while f"member.{len(lists)}.users" in found:
        lists.append(ranking_from(found, candidates, f"member.{len(lists)}."))
    return tuple(lists)


def ranking_from(found: Mapping[str, np.ndarray], candidates: Candidates, prefix: str = "") -> Recommendations:
    """A ranking from its arrays, whose names have this prefix."""
    users, items, scores = (found[prefix + name] for name in ("users", "items", "scores"))
    spread, largest = (found[prefix + name] for name in SCORE_SCALE)
    return Recommendations(users, items, scores, items.shape[1] - 1, candidates, spread, largest)


def texts_of(vocabulary: Vocabulary, numbers: Iterable[int]) -> list[str]:
    return list(map(vocabulary.texts.__getitem__, numbers))
