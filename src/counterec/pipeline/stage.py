"""A shard: which pieces of a stage one of several jobs makes."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from counterec.errors import UndeclaredInputError, UsageError
from counterec.pipeline.config import RunConfig
from counterec.pipeline.executors import Executor, InProcess
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.manifest import Manifest, StageRecord
from counterec.pipeline.piece_store import StageIdentity
from counterec.references import trust, trusted

if TYPE_CHECKING:
    from counterec.pipeline.check import SourceReport


@dataclass(frozen=True)
class Shard:
    """Every ``count``-th piece, beginning with piece number ``index``."""

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < self.count:
            raise UsageError(
                f"--shard {self}: shards are counted from 0, so that of {self.count} the last is "
                f"{self.count - 1}/{self.count}"
                if self.count > 0
                else f"--shard {self}: there must be at least one shard"
            )

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    @classmethod
    def of(cls, text: str) -> Shard:
        """Read ``3/16``."""
        found = re.fullmatch(r"(\d+)/(\d+)", text)
        if found is None:
            raise UsageError(f"--shard {text!r}: write it as 3/16, the fourth of sixteen; the first is 0/16")
        return cls(int(found[1]), int(found[2]))

    def has(self, number: int) -> bool:
        """Whether the piece of this number is one of its own."""
        return number % self.count == self.index


def declared_config(config: RunConfig, parts: tuple[str, ...], stage: str) -> RunConfig:
    """The configuration as a stage may read it; reading an undeclared part is a bug, and raises at once.

    A part is a dotted name: ``lists.k``, ``training``, ``seed``.
    """
    return cast(RunConfig, _View(config, frozenset(parts), stage))


def declared_values(config: RunConfig, parts: tuple[str, ...]) -> dict[str, Any]:
    """The declared parts as plain values, by name: what a stage's key is made from."""
    whole = config.model_dump(mode="json")
    return {part: _at(whole, part) for part in sorted(parts)}


def _at(values: Any, part: str) -> Any:
    for name in part.split("."):
        values = values[name]
    return values


class _View:
    """Forwards declared names to the value behind it."""

    def __init__(self, value: Any, parts: frozenset[str], stage: str, place: str = "") -> None:
        self._value, self._parts, self._stage, self._place = value, parts, stage, place

    def __getattr__(self, name: str) -> Any:
        place = f"{self._place}.{name}" if self._place else name
        if place in self._parts:
            return getattr(self._value, name)
        if any(part.startswith(f"{place}.") for part in self._parts):
            return _View(getattr(self._value, name), self._parts, self._stage, place)
        raise UndeclaredInputError(f"stage {self._stage!r} reads {place}, which it does not declare")


log = logging.getLogger(__name__)
ENGINES = ("local", "ray")
"""Who can make the pieces of a stage."""
PARTIAL = ".partial"
"""Where the files of an unfinished stage lie."""

EVERY_STAGE_RUNS = (
    "counterec.randomness",
    "counterec.core.arrays",
    "counterec.core.attributes",
    "counterec.core.candidates",
    "counterec.core.compute_limits",
    "counterec.core.counted_values",
    "counterec.core.interactions",
    "counterec.core.lists",
    "counterec.core.mention_counts",
    "counterec.core.opinions",
    "counterec.core.praise_shares",
    "counterec.core.remembered",
    "counterec.core.list_rules",
    "counterec.core.scale",
    "counterec.core.scorers.base",
    "counterec.core.space",
    "counterec.core.vocabulary",
    "counterec.pipeline.aspect_choice",
    "counterec.pipeline.folder",
    "counterec.pipeline.files",
)
"""Code behind every stage: how values are read, written and drawn."""


class Reporter(Protocol):
    """Receives the progress of a run: a terminal draws bars, a test keeps a list."""

    def checked(self, report: SourceReport) -> None:
        """The check before the first stage has ended well: what the sources hold."""
        ...

    def plan(self, stages: int) -> None:
        """So many stages follow."""
        ...

    def begin(self, stage: str) -> None:
        """A stage has begun."""
        ...

    def total(self, units: int, of: str) -> None:
        """The stage has this many units of work, counted from here."""
        ...

    def advance(self, units: int) -> None:
        """This many more units are done."""
        ...

    def end(self, stage: str, skipped: bool, seconds: float | None = None) -> None:
        """The stage is done, or was found to be up to date.

        Where several stages run side by side, ``seconds`` is what it took.
        """
        ...

    def warn(self, message: str) -> None:
        """Something a person should know, in one line."""
        ...


class SilentReporter:
    """Shows nothing; warnings go to the log."""

    def _show_nothing(self, *_: Any, **__: Any) -> None:
        pass

    checked = plan = begin = total = advance = end = _show_nothing

    def warn(self, message: str) -> None:
        log.warning(message)


class CountedOnce:
    """Progress of work that looks at each unit several times, told in units: each counts once."""

    def __init__(self, reporter: Reporter, units: int, of: str, work: int) -> None:
        reporter.total(units, of)
        self._advance, self._units, self._work = reporter.advance, units, max(1, work)
        self._done = self._told = 0

    def advance(self, work: int) -> None:
        """So much more of the work is done."""
        self._done += work
        self._tell(min(self._units, self._units * self._done // self._work))

    def finish(self) -> None:
        """All is done, though some units needed less."""
        self._tell(self._units)

    def _tell(self, units: int) -> None:
        if units > self._told:
            self._advance(units - self._told)
            self._told = units


@dataclass(frozen=True)
class RunOptions:
    """Where a run computes; nothing here changes what it computes."""

    device: str = "cpu"
    """The device of scorers and training: ``cpu`` or ``cuda``."""
    processes: int = 1
    """Processes that share the work of stages that are made in pieces."""
    shard: Shard | None = None
    """Make only these pieces of such stages."""
    merged: tuple[Path, ...] | None = None
    """Make no pieces at all: take those of these run folders, besides those that are there."""
    engine: str = "local"
    """Who makes the pieces: ``local`` processes, or ``ray``."""
    address: str | None = None
    """Where Ray runs; without one it is started on this machine, with as many cores as there would be processes."""

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise UsageError(f"--engine {self.engine}: no such engine; one of {', '.join(ENGINES)}")
        if self.address is not None and self.engine != "ray":
            raise UsageError(f"address {self.address} is where Ray runs; choose the engine ray as well")
        if self.engine == "ray" and self.device != "cpu":
            raise UsageError(f"--engine ray computes on cores, not on {self.device}; leave out one of the two")


@dataclass(frozen=True)
class Stage:
    """What a stage reads, writes and depends on. Its key is made from exactly these."""

    name: str
    config: RunConfig = field(repr=False)
    """The whole configuration; the work sees only the declared ``settings``."""
    settings: tuple[str, ...]
    """The parts of the configuration that it reads, as dotted names."""
    inputs: tuple[str, ...]
    """The files of the run folder that it reads."""
    outputs: tuple[str, ...]
    """The files that it always writes; ``StageContext.further`` adds those that depend on what it finds."""
    code: tuple[str, ...]
    """The packages and modules that it runs, besides its own module and ``EVERY_STAGE_RUNS``."""
    work: Callable[[StageContext], None] = field(repr=False)
    sources: tuple[Path, ...] = ()
    """The files outside the run folder that it reads."""
    place: Callable[[str], str] = field(default=str, repr=False)
    """Where a file lies in the run folder, by its plain name; cells of an experiment have places of their own."""
    in_pieces: bool = False
    """Whether its work is made in pieces, which shards can share."""

    @property
    def all_code(self) -> tuple[str, ...]:
        """Every package and module whose source belongs to the stage's key."""
        return tuple(dict.fromkeys([*EVERY_STAGE_RUNS, self.work.__module__, *self.code]))


@dataclass(frozen=True, eq=False)
class StageInputs:
    """What a stage reads: its declared settings and files. It can be sent to another process, which opens them anew."""

    stage: str
    whole_config: RunConfig = field(repr=False)
    settings: tuple[str, ...]
    files: tuple[str, ...]
    sources: tuple[Path, ...]
    place: Callable[[str], str] = field(repr=False)
    path: Path
    manifest: Manifest = field(repr=False)
    device: str

    @classmethod
    def of(cls, stage: Stage, path: Path, manifest: Manifest, device: str) -> StageInputs:
        """What a stage reads of a run folder."""
        declared = stage.name, stage.config, stage.settings, stage.inputs, stage.sources, stage.place
        return cls(*declared, path, manifest, device)

    @cached_property
    def config(self) -> RunConfig:
        """The declared settings; reading others is an error."""
        return declared_config(self.whole_config, self.settings, self.stage)

    @cached_property
    def folder(self) -> RunFolder:
        """The declared files; reading others is an error."""
        return RunFolder(
            self.path,
            self.manifest,
            device=self.device,
            config=self.config,
            place=self.place,
            readable=frozenset(self.files),
        )

    @cached_property
    def _verified(self) -> dict[str, Path]:
        return {}

    def file(self, name: str) -> Path:
        """The path of a declared file, whose bytes are verified once."""
        if name not in self._verified:
            self._verified[name] = self.folder.file(name)
        return self._verified[name]

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Trust the code that the sender has trusted."""
        vars(self).update(state)
        trust(state["trusted"])

    def __getstate__(self) -> dict[str, Any]:
        """Without what was read: another process, perhaps in another directory, reads it for itself."""
        kept = {name: value for name, value in vars(self).items() if name in self.__dataclass_fields__}
        sources = tuple(source.absolute() for source in self.sources)
        return kept | {"path": self.path.absolute(), "sources": sources, "trusted": trusted()}


@dataclass
class StageContext:
    """What a stage works with: declared settings, declared files, places to write, and counts and warnings."""

    stage: Stage
    path: Path
    manifest: Manifest
    reporter: Reporter
    options: RunOptions
    before: StageRecord | None = None
    """The stage as it was last run."""
    identity: StageIdentity = field(default_factory=lambda: StageIdentity("", "", {}))
    """What its pieces belong to."""
    executor: Executor = field(default_factory=InProcess)
    """Who makes its pieces."""
    counts: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    further_outputs: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.inputs = StageInputs.of(self.stage, self.path, self.manifest, self.options.device)
        self.config, self.folder = self.inputs.config, self.inputs.folder

    def new(self, file: str) -> Path:
        """Where to write a declared output; it is renamed into place when the stage has ended well."""
        return self.scratch(self.stage.place(file))

    def further(self, file: str) -> Path:
        """Where to write an output whose name depends on what was found."""
        self.further_outputs.append(self.stage.place(file))
        return self.new(file)

    def scratch(self, file: str) -> Path:
        """Where to write a file that is needed only while the stage works."""
        path = self.path / PARTIAL / file
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def warn(self, message: str) -> None:
        """Keep a warning for the manifest and show it."""
        self.warnings.append(message)
        self.reporter.warn(message)
