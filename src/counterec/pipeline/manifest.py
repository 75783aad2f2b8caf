"""The manifest of a run folder: what was made from what, by which settings, with which checksums."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from counterec.errors import StoreError
from counterec.pipeline.files import read_json, sha256, write_json

FORMAT = 1
"""The version of the run folder's layout."""
NAME = "manifest.json"


@dataclass(frozen=True)
class StageRecord:
    """One stage as it was last run."""

    fingerprint: str
    inputs: dict[str, str]
    outputs: dict[str, str]
    counts: dict[str, Any]
    warnings: list[str]
    seconds: float


@dataclass(frozen=True)
class Manifest:
    """All stages of a run folder."""

    config: dict[str, Any]
    stages: dict[str, StageRecord] = field(default_factory=dict)

    def with_stage(self, name: str, record: StageRecord) -> Manifest:
        """The manifest after one more stage."""
        return replace(self, stages={**self.stages, name: record})

    def checksum(self, file: str) -> str | None:
        """The checksum a file of the folder was written with; None where no stage has written it."""
        return next((r.outputs[file] for r in self.stages.values() if file in r.outputs), None)

    def save(self, folder: Path) -> None:
        """Write the manifest."""
        stages = {name: vars(record) for name, record in self.stages.items()}
        write_json(folder / NAME, {"format": FORMAT, "versions": versions(), "config": self.config, "stages": stages})

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read the manifest of a run folder."""
        path = folder / NAME
        if not path.is_file():
            raise StoreError(f"{folder}: not a run folder (it has no {NAME}); make one with counterec run")
        content = read_json(path)
        try:
            if content["format"] != FORMAT:
                found = content["format"]
                raise StoreError(f"{path}: format version {found!r}, this counterec reads {FORMAT}; run it again")
            stages = {name: StageRecord(**record) for name, record in content["stages"].items()}
            return cls(content["config"], stages)
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"{path}: damaged ({error}); delete it and run again") from None


def fingerprint(stage: str, settings: Any, inputs: dict[str, str]) -> str:
    """What decides whether a stage has to run again: its settings and the checksums of what it reads."""
    text = json.dumps([FORMAT, stage, settings, inputs], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def verified_path(folder: Path, manifest: Manifest, file: str) -> Path:
    """The path of a file of the folder, after its bytes were found to be those that were written."""
    path, expected = folder / file, manifest.checksum(file)
    if expected is None:
        raise StoreError(f"{folder}: this run has no {file}")
    if not path.is_file():
        raise StoreError(f"{path}: missing; run again to rebuild it")
    if sha256(path) != expected:
        raise StoreError(f"{path}: changed since it was written; delete it and run again to rebuild it")
    return path


def versions() -> dict[str, str]:
    """The versions of what computed the numbers."""
    found = {}
    for package in ("counterec", "numpy", "torch", "polars"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
