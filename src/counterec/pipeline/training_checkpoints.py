"""Unfinished trainings on disk, beside the pieces of their stage, which the engine removes when the stage is finished.

A file holds one training after its last epoch that was kept. It is written beside and renamed into place: a kill leaves
the last one or this one. Its name says what is trained, and its folder is that of the stage's key, so another data set,
other settings or other code find nothing there.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from counterec.core.scorers.training_examples import Checkpoint
from counterec.pipeline.files import beside_of
from counterec.pipeline.piece_store import KEY_LENGTH, StageIdentity, stage_folder
from counterec.pipeline.serialization import tensor_bytes

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
