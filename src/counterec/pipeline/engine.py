"""Run the stages in order, skip what is up to date, and put finished files into place: one writer per folder."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from filelock import FileLock, Timeout

from counterec.errors import ReadError, StoreError, UsageError
from counterec.pipeline.executors import Executor, executor_of
from counterec.pipeline.files import beside_of, sha256, writing
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.layout import EXPERIMENT, MANIFEST
from counterec.pipeline.manifest import SOURCE, Manifest, StageRecord, stage_key, verified, verified_path
from counterec.pipeline.piece_store import StageIdentity, forget_pieces
from counterec.pipeline.pieces import Incomplete
from counterec.pipeline.stage import PARTIAL, Reporter, RunOptions, Stage, StageContext, declared_values
from counterec.pipeline.versions import code_digest

EVERY_STAGE = "all"
"""In ``force``: run every stage again."""

Checks = Mapping[str, Callable[[RunFolder], None]]
"""Stage → what its outputs have to meet. A check decides nothing but whether to go on, so no key knows of it."""
NO_CHECKS: Checks = MappingProxyType({})


def run_stages(
    folder: Path,
    config: Mapping[str, Any],
    stages: Sequence[Stage],
    reporter: Reporter,
    options: RunOptions = RunOptions(),  # noqa: B008
    force: Collection[str] = (),
    checks: Checks = NO_CHECKS,
) -> Manifest:
    """Bring the run folder up to date and return its manifest; stages in ``force`` run even if nothing changed.

    ``checks`` look at the folder after the stage of their name, run or skipped, and may refuse to go on.
    """
    _require_known(force, stages)
    with writing(folder), _own_folder(folder):
        names = [stage.name for stage in stages]
        old = Manifest.load(folder) if (folder / MANIFEST).exists() else Manifest({})
        manifest = _started(folder, config, stages)
        manifest = _Engine(folder, reporter, options, force, checks).run(manifest, stages)
        manifest = manifest.ended([*names, *_unaffected_additions(old, manifest, names)])
        _remove_orphans(folder, old, manifest, reporter)
        manifest.save(folder)
        shutil.rmtree(folder / PARTIAL, ignore_errors=True)
    return manifest


def run_share(
    folder: Path,
    config: Mapping[str, Any],
    stages: Sequence[Stage],
    reporter: Reporter,
    options: RunOptions,
    checks: Checks = NO_CHECKS,
) -> list[Incomplete]:
    """Make one shard's pieces of the stages that are next, and return how far each of these is; none: all is done.

    Whatever comes before these is brought up to date first, by one of the jobs that share a folder while the others
    wait. Pieces are made without holding the folder, so that several jobs can work in it at the same time.
    """
    engine = _Engine(folder, reporter, options, (), checks)
    with writing(folder):
        with _own_folder(folder, wait=True):
            manifest = _started(folder, config, stages)
            manifest, left = engine.run_to_pieces(manifest, stages)
            manifest.save(folder)
        return engine.make_share(manifest, left)


def run_beginning(
    folder: Path,
    config: Mapping[str, Any],
    stages: Sequence[Stage],
    reporter: Reporter,
    options: RunOptions = RunOptions(),  # noqa: B008
    checks: Checks = NO_CHECKS,
) -> Incomplete | None:
    """Bring the stages up to date, as far as that goes.

    Where ``options`` say that pieces are only merged, stop before the first stage of which no piece is there, and
    return it; a stage of which some pieces are missing is an error that names them.
    """
    with writing(folder), _own_folder(folder):
        manifest = _started(folder, config, stages)
        try:
            _Engine(folder, reporter, options, (), checks).run(manifest, stages)
        except Incomplete as found:
            if not found.nothing_there:
                raise found.refusal() from None
            return found
    return None


def _started(folder: Path, config: Mapping[str, Any], stages: Sequence[Stage]) -> Manifest:
    """The manifest at the start of a run; from here on the folder is known as ours, whatever happens."""
    old = Manifest.load(folder) if (folder / MANIFEST).exists() else Manifest({})
    manifest = old.started(dict(config), [stage.name for stage in stages])
    if not (folder / MANIFEST).exists():
        manifest.save(folder)
    return manifest


def add_stages(
    folder: Path,
    config: Mapping[str, Any],
    stages: Sequence[Stage],
    reporter: Reporter,
    options: RunOptions = RunOptions(),  # noqa: B008
    force: Collection[str] = (),
) -> Manifest:
    """Run some stages over what a run folder already holds, and keep everything else as it is."""
    _require_known(force, stages)
    with writing(folder), alone(folder):
        manifest = replace(Manifest.load(folder), config=dict(config))
        manifest = _Engine(folder, reporter, options, force, NO_CHECKS).run(manifest, stages)
        manifest.save(folder)
        shutil.rmtree(folder / PARTIAL, ignore_errors=True)
    return manifest


def stage_records(
    folder: Path,
    manifest: Manifest,
    stages: Sequence[Stage],
    reporter: Reporter,
    options: RunOptions,
    force: Collection[str],
) -> Iterator[tuple[str, StageRecord]]:
    """Bring stages up to date one by one, and hand over the record of each; the caller holds the folder and keeps them.

    So several processes can work in one folder: one of them holds it and writes its manifest.
    """
    engine = _Engine(folder, reporter, options, force, NO_CHECKS, saves=False)
    with executor_of(options) as executor:
        for stage in stages:
            manifest = engine._brought_up_to_date(manifest, stage, executor)
            yield stage.name, manifest.stages[stage.name]


def _require_known(force: Collection[str], stages: Sequence[Stage]) -> None:
    names = [stage.name for stage in stages]
    for name in force:
        if name != EVERY_STAGE and name not in names:
            raise UsageError(f"--force {name}: no such stage; one of {', '.join(names)}, or {EVERY_STAGE}")


@contextmanager
def _own_folder(folder: Path, wait: bool = False) -> Iterator[None]:
    """Hold a folder that contains a run or nothing, and that nobody else is writing to, or no longer is."""
    folder.mkdir(parents=True, exist_ok=True)
    known = {PARTIAL, LOCK, beside_of(folder / MANIFEST).name}
    if not (folder / MANIFEST).exists() and any(entry.name not in known for entry in folder.iterdir()):
        raise StoreError(f"{folder}: holds other files and no {MANIFEST}; choose an empty folder with --out")
    with alone(folder, wait):
        yield


@dataclass(frozen=True)
class _Engine:
    """Runs stages one after another over one folder."""

    folder: Path
    reporter: Reporter
    options: RunOptions
    force: Collection[str]
    checks: Checks
    saves: bool = True
    """Whether the manifest is saved after each stage, or somebody else keeps the records."""

    def run(self, manifest: Manifest, stages: Sequence[Stage]) -> Manifest:
        """Bring every stage up to date; the manifest is saved after each."""
        self.reporter.plan(len(stages))
        with executor_of(self.options) as executor:
            for stage in stages:
                manifest = self._brought_up_to_date(manifest, stage, executor)
        return manifest

    def run_to_pieces(self, manifest: Manifest, stages: Sequence[Stage]) -> tuple[Manifest, Sequence[Stage]]:
        """Bring the stages up to date until one in pieces is not; return the stages that are left."""
        self.reporter.plan(len(stages))
        with executor_of(self.options) as executor:
            for number, stage in enumerate(stages):
                before = manifest.stages.get(stage.name)
                identity = self._identity(manifest, stage) if stage.in_pieces else None
                if identity and not (before and self._is_up_to_date(stage, before, identity)):
                    return manifest, stages[number:]
                manifest = self._brought_up_to_date(manifest, stage, executor)
        return manifest, ()

    def make_share(self, manifest: Manifest, stages: Sequence[Stage]) -> list[Incomplete]:
        """Make the shard's pieces of all stages whose inputs are there; none of them is finished here."""
        found = []
        with executor_of(self.options) as executor:
            for stage in stages:
                ready = all(manifest.checksum(stage.place(file)) is not None for file in stage.inputs)
                if not (stage.in_pieces and ready):
                    continue
                self.reporter.begin(stage.name)
                try:
                    self._worked(manifest, stage, self._identity(manifest, stage), executor)
                except Incomplete as incomplete:
                    found.append(incomplete)
                self.reporter.end(stage.name, skipped=False)
        return found

    def _brought_up_to_date(self, manifest: Manifest, stage: Stage, executor: Executor) -> Manifest:
        self.reporter.begin(stage.name)
        identity, before = self._identity(manifest, stage), manifest.stages.get(stage.name)
        if before and self._is_up_to_date(stage, before, identity):
            for message in before.warnings:
                self.reporter.warn(message)
            manifest = manifest.with_stage(stage.name, before)
            self.reporter.end(stage.name, skipped=True)
        else:
            manifest = self._made(manifest, stage, identity, executor)
            self.reporter.end(stage.name, skipped=False)
        if stage.name in self.checks:
            self.checks[stage.name](RunFolder(self.folder, manifest))
        return manifest

    def _made(self, manifest: Manifest, stage: Stage, identity: StageIdentity, executor: Executor) -> Manifest:
        started, before = time.perf_counter(), manifest.stages.get(stage.name)
        context = self._worked(manifest, stage, identity, executor)
        outputs = _put_into_place(self.folder, [*map(stage.place, stage.outputs), *context.further_outputs])
        _remove_stale(self.folder, before, outputs)
        seconds = round(time.perf_counter() - started, 3)
        ended = datetime.now(UTC).isoformat(timespec="seconds")
        settings, code, inputs = (dict(identity.parts[part]) for part in ("settings", "code", "inputs"))
        found = outputs, context.counts, context.warnings
        record = StageRecord(identity.key, settings, code, inputs, *found, seconds, ended)
        manifest = manifest.with_stage(stage.name, record)
        if self.saves:
            manifest.save(self.folder)
        forget_pieces(self.folder, stage.name)
        return manifest

    def _worked(self, manifest: Manifest, stage: Stage, identity: StageIdentity, executor: Executor) -> StageContext:
        before = manifest.stages.get(stage.name)
        context = StageContext(stage, self.folder, manifest, self.reporter, self.options, before, identity, executor)
        stage.work(context)
        return context

    def _identity(self, manifest: Manifest, stage: Stage) -> StageIdentity:
        """What decides whether the stage runs again."""
        inputs = self._inputs(manifest, stage)
        settings = declared_values(stage.config, stage.settings)
        code = {name: code_digest(name) for name in stage.all_code}
        key = stage_key(stage.name, settings, inputs, code)
        return StageIdentity(stage.name, key, {"settings": settings, "inputs": inputs, "code": code})

    def _is_up_to_date(self, stage: Stage, before: StageRecord, identity: StageIdentity) -> bool:
        return before.fingerprint == identity.key and not self._forced(stage) and _intact(self.folder, before)

    def _forced(self, stage: Stage) -> bool:
        return EVERY_STAGE in self.force or stage.name in self.force

    def _inputs(self, manifest: Manifest, stage: Stage) -> dict[str, str]:
        """The checksums of everything that the stage reads."""
        files = map(stage.place, stage.inputs)
        inputs = {file: sha256(verified_path(self.folder, manifest, file)) for file in files}
        sources = enumerate(stage.sources, start=1)
        return inputs | {f"{SOURCE}{number}: {path.name}": source_checksum(path) for number, path in sources}


def source_checksum(source: Path) -> str:
    """The checksum of a file outside the run folder."""
    try:
        return sha256(source)
    except OSError as error:
        raise ReadError(f"{source}: cannot be read ({error.strerror}); check the path") from None


def _intact(folder: Path, record: StageRecord) -> bool:
    """Whether all files are there; a file that is there but was changed is an error, not a reason to overwrite it."""
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


def _remove_stale(folder: Path, before: StageRecord | None, outputs: Collection[str]) -> None:
    """Delete what the stage wrote last time and does not write any more."""
    for file in set(before.outputs) - set(outputs) if before else ():
        (folder / file).unlink(missing_ok=True)


def _unaffected_additions(old: Manifest, new: Manifest, names: Sequence[str]) -> list[str]:
    """The stages of experiments that stay, since all they read of the run is as it was."""
    kept: list[str] = []
    known = {file: checksum for name in names for file, checksum in new.stages[name].outputs.items()}
    for name, record in old.stages.items():
        added = all(file.startswith(EXPERIMENT) for file in record.outputs)
        inputs = {file: checksum for file, checksum in record.inputs.items() if not file.startswith(SOURCE)}
        if name not in names and added and inputs.items() <= known.items():
            kept.append(name)
            known |= record.outputs
    return kept


def _remove_orphans(folder: Path, old: Manifest, new: Manifest, reporter: Reporter) -> None:
    """Delete what stages wrote that are no longer part of the run."""
    kept = {file for record in new.stages.values() for file in record.outputs}
    for record in old.stages.values():
        for file in sorted(set(record.outputs) - kept):
            if (folder / file).exists():
                (folder / file).unlink()
                reporter.warn(f"{folder / file}: no longer part of this run; deleted")


LOCK = ".lock"


@contextmanager
def alone(folder: Path, wait: bool = False) -> Iterator[None]:
    """Hold the folder while it is written to; the system releases it when the process ends, however it ends.

    Where another process holds it, that is an error, or waited for.
    """
    lock = FileLock(folder / LOCK, timeout=-1 if wait else 0)
    try:
        lock.acquire()
    except Timeout:
        advice = "wait for it, or choose a folder with --out"
        raise StoreError(f"{folder}: another process is writing here; {advice}") from None
    try:
        yield
    finally:
        with suppress(OSError):  # some systems do not remove a file that is open
            (folder / LOCK).unlink()
        lock.release()
