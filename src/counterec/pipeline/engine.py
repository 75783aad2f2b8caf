"""The engine: runs the stages in order, skips what is unchanged, and puts finished files into place."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from counterec.errors import ReadError, StoreError
from counterec.pipeline.files import beside_of, sha256, writing
from counterec.pipeline.folder_lock import LOCK, alone
from counterec.pipeline.manifest import NAME, Manifest, StageRecord, fingerprint, verified, verified_path

log = logging.getLogger(__name__)
PARTIAL = ".partial"
EXPERIMENT = "experiment/"
"""Where experiments, which are added to a run and may have taken hours, have their files."""


class Reporter(Protocol):
    """Told how a run is getting on; a terminal draws bars, a test keeps a list."""

    def begin(self, stage: str) -> None:
        """A stage has begun."""
        ...

    def total(self, units: int, of: str) -> None:
        """It has this many units of work."""
        ...

    def advance(self, units: int) -> None:
        """So many more are done."""
        ...

    def end(self, stage: str, skipped: bool) -> None:
        """The stage is done, or was found to be done already."""
        ...

    def warn(self, message: str) -> None:
        """Something a person should know, in one line."""
        ...


class Silence:
    """A reporter that tells nobody."""

    def begin(self, stage: str) -> None:
        """Say nothing."""

    def total(self, units: int, of: str) -> None:
        """Say nothing."""

    def advance(self, units: int) -> None:
        """Say nothing."""

    def end(self, stage: str, skipped: bool) -> None:
        """Say nothing."""

    def warn(self, message: str) -> None:
        """Leave it to the log."""
        log.warning(message)


@dataclass
class StageContext:
    """What a stage works with: files to read, places to write, and somewhere to put counts and warnings."""

    folder: Path
    manifest: Manifest
    reporter: Reporter
    counts: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def path(self, file: str) -> Path:
        """A file that an earlier stage wrote, its bytes checked."""
        return verified_path(self.folder, self.manifest, file)

    def new(self, file: str) -> Path:
        """Where to write a file; it is renamed into place when the stage has ended well."""
        path = self.folder / PARTIAL / file
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def warn(self, message: str) -> None:
        """Keep a warning for the manifest and show it."""
        self.warnings.append(message)
        self.reporter.warn(message)


@dataclass(frozen=True)
class Stage:
    """One arrow of the line: from the files it reads to the files it writes."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    settings: Any
    work: Callable[[StageContext], None]
    sources: tuple[Path, ...] = ()
    """Files outside the run folder that it reads."""


def run_stages(folder: Path, config: Mapping[str, Any], stages: Sequence[Stage], reporter: Reporter) -> Manifest:
    """Bring the run folder up to date and return its manifest."""
    with writing(folder), _of_our_own(folder):
        names = [stage.name for stage in stages]
        old = Manifest.load(folder) if (folder / NAME).exists() else Manifest({})
        manifest = old.started(dict(config), names)
        if not (folder / NAME).exists():
            manifest.save(folder)  # from here on the folder is known as ours, whatever happens
        for stage in stages:
            manifest = _brought_up_to_date(folder, manifest, stage, reporter)
        manifest = manifest.ended([*names, *_still_true(old, manifest, names)])
        _remove_orphans(folder, old, manifest, reporter)
        manifest.save(folder)
        shutil.rmtree(folder / PARTIAL, ignore_errors=True)
    return manifest


def add_stages(folder: Path, config: Mapping[str, Any], stages: Sequence[Stage], reporter: Reporter) -> Manifest:
    """Run some stages over what a run folder already holds, and keep everything else as it is."""
    with writing(folder), alone(folder):
        manifest = replace(Manifest.load(folder), config=dict(config))
        for stage in stages:
            manifest = _brought_up_to_date(folder, manifest, stage, reporter)
        manifest.save(folder)
        shutil.rmtree(folder / PARTIAL, ignore_errors=True)
    return manifest


@contextmanager
def _of_our_own(folder: Path) -> Iterator[None]:
    """A folder that holds a run or nothing, and that nobody else writes to."""
    folder.mkdir(parents=True, exist_ok=True)
    _require_ours(folder)
    with alone(folder):
        yield


def _require_ours(folder: Path) -> None:
    """Refuse to fill a folder that holds something else."""
    known = {PARTIAL, LOCK, beside_of(folder / NAME).name}
    if not (folder / NAME).exists() and any(entry.name not in known for entry in folder.iterdir()):
        raise StoreError(f"{folder}: holds other files and no {NAME}; choose an empty folder with --out")


def _brought_up_to_date(folder: Path, manifest: Manifest, stage: Stage, reporter: Reporter) -> Manifest:
    inputs = {file: sha256(verified_path(folder, manifest, file)) for file in stage.inputs}
    inputs |= {f"source {n}: {path.name}": _source_checksum(path) for n, path in enumerate(stage.sources, start=1)}
    wanted = fingerprint(stage.name, stage.settings, inputs)
    record = manifest.stages.get(stage.name)
    reporter.begin(stage.name)
    if record and record.fingerprint == wanted and _intact(folder, record):
        for message in record.warnings:
            reporter.warn(message)
        reporter.end(stage.name, skipped=True)
        return manifest.with_stage(stage.name, record)
    started = time.perf_counter()
    context = StageContext(folder, manifest, reporter)
    stage.work(context)
    outputs = _put_into_place(folder, stage.outputs)
    seconds = round(time.perf_counter() - started, 3)
    record = StageRecord(wanted, inputs, outputs, context.counts, context.warnings, seconds)
    manifest = manifest.with_stage(stage.name, record)
    manifest.save(folder)
    reporter.end(stage.name, skipped=False)
    return manifest


def _source_checksum(source: Path) -> str:
    try:
        return sha256(source)
    except OSError as error:
        raise ReadError(f"{source}: cannot be read ({error.strerror}); check the path") from None


def _intact(folder: Path, record: StageRecord) -> bool:
    """Whether all files are there; one that is there but was changed is an error, not a reason to overwrite it."""
    if not all((folder / file).is_file() for file in record.outputs):
        return False
    for file, checksum in record.outputs.items():
        verified(folder / file, checksum)
    return True


def _put_into_place(folder: Path, files: Iterable[str]) -> dict[str, str]:
    outputs = {}
    for file in files:
        made = folder / PARTIAL / file
        outputs[file] = sha256(made)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        made.replace(folder / file)
    return outputs


def _still_true(old: Manifest, new: Manifest, names: Sequence[str]) -> list[str]:
    """The stages of experiments that this run leaves as they are: all that they read is what it was."""
    kept: list[str] = []
    known = {file: checksum for name in names for file, checksum in new.stages[name].outputs.items()}
    for name, record in old.stages.items():
        added = all(file.startswith(EXPERIMENT) for file in record.outputs)
        if name not in names and added and record.inputs.items() <= known.items():
            kept.append(name)
            known |= record.outputs
    return kept


def _remove_orphans(folder: Path, old: Manifest, new: Manifest, reporter: Reporter) -> None:
    """Delete what stages that are no longer part of the run had written."""
    kept = {file for record in new.stages.values() for file in record.outputs}
    for record in old.stages.values():
        for file in sorted(set(record.outputs) - kept):
            (folder / file).unlink(missing_ok=True)
            reporter.warn(f"{folder / file}: no part of this run any more, and deleted")
