"""Finished pieces and unfinished trainings on disk, under the key of their stage.

A piece is a plain file beside another that holds its checksum. A training is one file, after its last epoch that was
kept, written beside and renamed into place: a kill leaves the last one or this one. Its name says what is trained, and
its folder is that of the stage's key, so another data set, other settings or other code find nothing there.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open

from counterec.core.scorers.training_examples import Checkpoint
from counterec.errors import StoreError
from counterec.pipeline.files import beside_of, read_json, sha256, tensor_bytes

PIECES = ".partial/pieces"
"""Where pieces lie in a run folder."""
KEY_FILE = "key.json"
"""What the key of a stage was made from: so that pieces of another one can be told apart, and why."""
COMPLETE = ".complete"
"""Ends the name of the empty file that says of a step that all its pieces are there."""
KEY_LENGTH = 16
"""So many digits of a key name a folder."""


@dataclass(frozen=True)
class Piece:
    """A part of a stage's work: the units from ``start`` up to, and without, ``stop``."""

    number: int
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def __str__(self) -> str:
        return f"piece {self.number}"


@dataclass(frozen=True)
class Made:
    """What was made of a piece: the bytes of a file, and what else is to be known of it, as plain values."""

    content: bytes
    notes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredPiece:
    """A finished piece."""

    path: Path
    notes: Mapping[str, Any]


@dataclass(frozen=True)
class StageIdentity:
    """What the pieces of a stage belong to: its name, its key, and what that was made from."""

    stage: str
    key: str
    parts: Mapping[str, Mapping[str, Any]]
    """``settings``, ``inputs`` and ``code``, each by name."""

    def differences(self, other: Mapping[str, Mapping[str, Any]]) -> list[str]:
        """What another key was made from that differs, by name."""
        found = []
        for part, ours in self.parts.items():
            theirs = other.get(part, {})
            names = sorted(name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name))
            found += [f"{part} {name}" for name in names]
        return found


class PieceStore:
    """The pieces of one stage in one run folder."""

    def __init__(self, folder: Path, identity: StageIdentity) -> None:
        self._folder, self._identity = folder, identity
        self._stage = stage_folder(folder, identity.stage)
        self._place = self._stage / identity.key[:KEY_LENGTH]

    def put(self, step: str, suffix: str, piece: Piece, made: Made) -> StoredPiece:
        """Keep a piece. It is finished when its checksum is there, which is written last."""
        self._begin()
        path = self._place / f"{_name(step, piece.number)}{suffix}"
        _write(path, made.content)
        said = {"file": path.name, "sha256": hashlib.sha256(made.content).hexdigest(), "notes": dict(made.notes)}
        _write(path.with_suffix(".json"), json.dumps(said).encode())
        return StoredPiece(path, made.notes)

    def finished(self, step: str, pieces: Sequence[Piece]) -> dict[int, StoredPiece]:
        """The pieces that are there and whole, by number; a damaged one counts as not made."""
        found = {}
        for piece in pieces:
            stored = _stored(self._place / f"{_name(step, piece.number)}.json")
            if stored is not None:
                found[piece.number] = stored
        return found

    def is_complete(self, step: str) -> bool:
        """Whether all pieces of a step were once found to be there."""
        return (self._place / f"{step}{COMPLETE}").exists()

    def mark_complete(self, step: str) -> None:
        (self._place / f"{step}{COMPLETE}").touch()

    def forget_others(self) -> None:
        """Throw away the pieces of other keys: of settings, inputs or code that are no longer those of the run."""
        for other in self._stage.iterdir() if self._stage.is_dir() else ():
            if other != self._place:
                shutil.rmtree(other, ignore_errors=True)

    def take_from(self, folders: Collection[Path], step: str, pieces: Sequence[Piece]) -> set[int]:
        """Move the pieces of other run folders here, if all are there; return the numbers of those that are.

        Before anything is moved, pieces of another run and pieces that are there twice are refused. A folder that holds
        none of this stage is taken as it is.
        """
        holders: dict[int, Path] = dict.fromkeys(self.finished(step, pieces), self._folder)
        moves: list[Path] = []
        for folder in folders:
            other = PieceStore(folder, self._identity)
            other.require_no_foreign()
            for number, stored in other.finished(step, pieces).items():
                if number in holders:
                    raise StoreError(
                        f"{self._identity.stage}: piece {number} ({step}) is in {holders[number]} and in {folder}; "
                        "each may be there once: leave out the folder that was made twice"
                    )
                holders[number] = folder
                moves.append(stored.path)
        for path in moves if len(holders) == len(pieces) else ():
            self._begin()
            _move(path, self._place)
        return set(holders)

    def _begin(self) -> None:
        """Make the folder of the pieces, which says what they belong to."""
        if not (self._place / KEY_FILE).exists():
            self._place.mkdir(parents=True, exist_ok=True)
            _write(self._place / KEY_FILE, json.dumps(self._identity.parts, default=str).encode())

    def require_no_foreign(self) -> None:
        """Refuse a folder whose pieces of this stage are all of another key, naming what differs."""
        keys = [path for path in _folders(self._stage) if path != self._place]
        if not keys or self._place.is_dir():
            return
        parts = keys[0] / KEY_FILE
        differs = self._identity.differences(read_json(parts)) if parts.is_file() else []
        what = ", ".join(differs) if differs else "what it was made from is unknown"
        raise StoreError(
            f"{self._folder}: its pieces of {self._identity.stage} belong to another run; what differs: {what}"
        )


def stage_folder(folder: Path, stage: str) -> Path:
    """Where the pieces of a stage lie, whatever its key."""
    return folder / PIECES / re.sub(r"[^\w.-]+", "-", stage)


def forget_pieces(folder: Path, stage: str) -> None:
    """Remove the pieces of a stage that is finished."""
    shutil.rmtree(stage_folder(folder, stage), ignore_errors=True)


def _name(step: str, number: int) -> str:
    return f"{step}-{number:06}"


def _folders(path: Path) -> Iterator[Path]:
    return (inner for inner in sorted(path.iterdir()) if inner.is_dir()) if path.is_dir() else iter(())


def _stored(said: Path) -> StoredPiece | None:
    """The piece of this description, if both are there and whole."""
    try:
        known = read_json(said)
        path = said.with_name(known["file"])
        whole = sha256(path) == known["sha256"]
    except (StoreError, OSError, KeyError, TypeError):
        return None
    return StoredPiece(path, known["notes"]) if whole else None


def _move(path: Path, place: Path) -> None:
    """Move a piece; its description follows it, so that it is never there without its file."""
    for file in (path, path.with_suffix(".json")):
        _write(place / file.name, file.read_bytes())
    path.with_suffix(".json").unlink()
    path.unlink()


def _write(path: Path, content: bytes) -> None:
    """Write a file beside and rename it; several jobs may do so at the same time."""
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    beside.write_bytes(content)
    beside.replace(path)


LEAST_SECONDS = 3.0
"""A training is kept again after an epoch if this long has passed: small ones would write more than they compute."""

FOLDER = "training"
"""Where trainings lie among the pieces of a stage."""


class TrainingCheckpoints:
    """The unfinished trainings of one stage in one run folder."""

    def __init__(self, folder: Path, identity: StageIdentity) -> None:
        self._place = stage_folder(folder, identity.stage) / identity.key[:KEY_LENGTH] / FOLDER
        self._began = time.monotonic()
        self._kept: dict[str, float] = {}

    def load(self, name: str) -> Checkpoint | None:
        """The training of this name; None if there is none, or a damaged one."""
        try:
            with safe_open(self._path(name), framework="numpy") as file:
                said = file.metadata() or {}
                arrays = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        except (SafetensorError, OSError):
            return None
        text = said.get("values", "")
        if said.get("sha256") != _checksum(arrays, text):
            return None
        return Checkpoint(arrays, json.loads(text))

    def save(self, name: str, make: Callable[[], Checkpoint]) -> None:
        """Keep the training in place of what was kept of it, unless that is young."""
        now = time.monotonic()
        if now - self._kept.get(name, self._began) < LEAST_SECONDS:
            return
        made = make()
        text = json.dumps(made.values, allow_nan=False)
        content = tensor_bytes(made.arrays, {"values": text, "sha256": _checksum(made.arrays, text)})
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        beside_of(path).write_bytes(content)
        beside_of(path).replace(path)
        self._kept[name] = time.monotonic()

    def _path(self, name: str) -> Path:
        return self._place / f"{name}.safetensors"


def _checksum(arrays: Mapping[str, np.ndarray], text: str) -> str:
    """Over the arrays, by name, and the text of the plain values."""
    found = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = np.asarray(arrays[name], order="C")
        found.update(f"{name} {array.dtype} {array.shape};".encode())
        found.update(array.data)
    return found.hexdigest()
