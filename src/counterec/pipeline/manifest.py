"""The manifest of a run folder: what was made from what, by which settings and code, with which checksums."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from counterec.errors import StoreError
from counterec.pipeline.files import read_json, sha256, write_json
from counterec.pipeline.layout import MANIFEST
from counterec.pipeline.versions import versions

log = logging.getLogger(__name__)
FORMAT = 1
"""The version of the manifest's layout."""
SOURCE = "source "
"""How a file outside the run folder begins among the inputs of a stage, followed by its number and name."""
KEYS = {"format", "versions", "config", "stages", "unfinished", "sha256"}
"""What every manifest has."""
ADVICE = "restore it, or run into another folder with --out"
"""What to do about a manifest that cannot be used: nothing in its folder can be trusted without it."""


@dataclass(frozen=True)
class StageRecord:
    """One stage as it was last run."""

    fingerprint: str
    """The stage's key: a stage runs again when its key differs."""
    settings: dict[str, Any]
    """The settings that it read."""
    code: dict[str, str]
    """Digests of the source of the packages that it ran."""
    inputs: dict[str, str]
    outputs: dict[str, str]
    counts: dict[str, Any]
    warnings: list[str]
    seconds: float
    ended: str
    """When it ended, in UTC."""


@dataclass(frozen=True)
class Manifest:
    """All stages of a run folder.

    ``unfinished`` names the stages that a run had still to bring up to date: where it was cut short, what they left on
    disk belongs to an earlier configuration and is not given out. ``made_with`` has the versions of the packages that
    last brought the folder up to date.
    """

    config: dict[str, Any]
    stages: dict[str, StageRecord] = field(default_factory=dict)
    unfinished: tuple[str, ...] = ()
    made_with: dict[str, str] = field(default_factory=versions)

    def started(self, config: dict[str, Any], stages: Iterable[str]) -> Manifest:
        """The manifest at the start of a run: every stage has still to be looked at."""
        return Manifest(config, self.stages, tuple(dict.fromkeys([*stages, *self.stages])))

    def with_stage(self, name: str, record: StageRecord) -> Manifest:
        """The manifest after one more stage."""
        unfinished = tuple(other for other in self.unfinished if other != name)
        return Manifest(self.config, {**self.stages, name: record}, unfinished)

    def ended(self, stages: Iterable[str]) -> Manifest:
        """The manifest at the end of a run: its stages in order, and no others."""
        return Manifest(self.config, {name: self.stages[name] for name in stages})

    def checksum(self, file: str) -> str | None:
        """The checksum a file of the folder was written with; None where no finished stage has written it."""
        return next((record.outputs[file] for record in self.finished.values() if file in record.outputs), None)

    @property
    def finished(self) -> dict[str, StageRecord]:
        """The stages whose files belong to this configuration."""
        return {name: record for name, record in self.stages.items() if name not in self.unfinished}

    def save(self, folder: Path) -> None:
        """Write the manifest, with a checksum of its own."""
        stages = {name: vars(record) for name, record in self.stages.items()}
        content = {"format": FORMAT, "versions": self.made_with, "config": self.config, "stages": stages}
        content["unfinished"] = list(self.unfinished)
        write_json(folder / MANIFEST, {**content, "sha256": digest(content)})

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read the manifest of a run folder."""
        path = folder / MANIFEST
        if not folder.exists():
            raise StoreError(f"{folder}: not a run folder (there is no such folder); make one with counterec run")
        if not path.is_file():
            runs = sorted(found.parent for found in folder.glob(f"*/{MANIFEST}")) if folder.is_dir() else []
            advice = f"did you mean {runs[0]}?" if runs else "make one with counterec run"
            raise StoreError(f"{folder}: not a run folder (it has no {MANIFEST}); {advice}")
        content = read_json(path, ADVICE)
        if not isinstance(content, dict) or "format" not in content:
            raise StoreError(f"{path}: damaged, it does not say of which format it is; {ADVICE}")
        try:
            found = content["format"]
            if found != FORMAT:
                raise StoreError(f"{path}: format version {found!r}, this counterec reads {FORMAT}; {ADVICE}")
            if not content.keys() >= KEYS:
                lacking = ", ".join(sorted(KEYS - content.keys()))
                raise StoreError(f"{path}: damaged, it lacks {lacking}; {ADVICE}")
            if content.pop("sha256") != digest(content):
                raise StoreError(f"{path}: changed since it was written; {ADVICE}")
            stages = {name: StageRecord(**record) for name, record in content["stages"].items()}
            return cls(content["config"], stages, tuple(content["unfinished"]), content["versions"])
        except (KeyError, TypeError, AttributeError) as error:
            log.debug("%s: %r", path, error)
            raise StoreError(f"{path}: damaged, what it says of the stages cannot be read; {ADVICE}") from None


def stage_key(stage: str, settings: dict[str, Any], inputs: dict[str, str], code: dict[str, str]) -> str:
    """What decides whether a stage runs again: its settings, the checksums of what it reads, and the code it runs."""
    return digest([FORMAT, stage, settings, inputs, code])


def digest(value: Any) -> str:
    """The checksum of a value, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


def verified_path(folder: Path, manifest: Manifest, file: str) -> Path:
    """The path of a file of the folder, after its bytes were found to be those that were written."""
    expected = manifest.checksum(file)
    if expected is None:
        raise missing(folder, manifest, file)
    return verified(folder / file, expected)


def missing(folder: Path, manifest: Manifest, what: str) -> StoreError:
    """The error for something that a run does not have."""
    why = "the last run was cut short; run it again" if manifest.unfinished else "it was not asked for"
    return StoreError(f"{folder}: this run has no {what}: {why}")


def verified(path: Path, expected: str) -> Path:
    """The path of a file, after its bytes were found to have this checksum."""
    if not path.is_file():
        raise StoreError(f"{path}: missing; run again to rebuild it")
    if sha256(path) != expected:
        raise StoreError(f"{path}: changed since it was written; delete it and run again to rebuild it")
    return path


def statistics(folder: Path, manifest: Manifest) -> dict[str, Any]:
    """The paper's Table 1 for the data of a run, as the stage *build* counted it."""
    if "build" not in manifest.finished:
        raise missing(folder, manifest, "statistics")
    counts = manifest.finished["build"].counts
    return {name: counts[name] for name in ("users", "items", "reviews", "aspects", "density")}
