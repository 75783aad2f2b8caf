"""One part of an experiment: its tasks side by side in processes, until all is done or the time is up.

The process that holds the folder keeps the manifest; the others only work, and send it the record of every stage that
they finish. So whatever ends a part, no finished stage is lost, and the next part goes on from there, also on another
machine. Each process computes in one thread.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from threading import Thread
from typing import Any

from counterec.core.compute_limits import threads
from counterec.errors import DataError, UsageError
from counterec.experiment.plan import Task, experiment_stages, experiment_tasks
from counterec.pipeline.config import NET_AS_PUBLISHED, RunConfig, check_config
from counterec.pipeline.engine import EVERY_STAGE, alone, stage_records
from counterec.pipeline.executors import end_with_the_parent
from counterec.pipeline.files import writing
from counterec.pipeline.manifest import Manifest, StageRecord
from counterec.pipeline.models import is_known_elsewhere
from counterec.pipeline.stage import Reporter, RunOptions, SilentReporter

log = logging.getLogger(__name__)
SECONDS_BETWEEN_LOOKS = 0.5
"""How long the parent waits for news before it looks whether a process has ended."""
SECONDS_FOR_THE_NEXT = 0.01
"""How long it waits for a further piece of news after the first."""
DONE, OUT_OF_TIME = "done", "out of time"
"""How a task ends that does not fail."""

News = Callable[[str, Any], None]
"""Takes what a task has to tell: ``record`` with a stage and its record, or ``warning`` with a line."""


def require_known_stages(config: RunConfig, force: Collection[str], reports: Collection[str]) -> None:
    """Raise where something is forced that is no stage of this experiment, nor one of its reports."""
    names = [*(stage.name for stage in experiment_stages(config)), *reports]
    for name in force:
        if name not in (EVERY_STAGE, *names):
            raise UsageError(f"--force {name}: no such stage; one of {', '.join(names)}, or {EVERY_STAGE}")


@dataclass(frozen=True)
class Part:
    """How one part of an experiment is made."""

    at_once: int = 1
    """How many tasks run side by side, each in a process of its own; with one, in this process. So it is, too, where a
    kind of model was registered in this process and no other knows it."""
    minutes: float | None = None
    """Begin no further stage after this time; what is running is finished."""


@dataclass(frozen=True)
class _Job:
    """What a process needs to know to do one task."""

    folder: Path
    config: Mapping[str, Any]
    task: str
    options: RunOptions
    force: tuple[str, ...]
    until: float | None
    """The time of day, in seconds, after which no stage is begun."""

    @property
    def time_is_up(self) -> bool:
        return self.until is not None and time.time() >= self.until


def run_part(
    folder: Path,
    run_config: Mapping[str, Any],
    config: RunConfig,
    part: Part,
    reporter: Reporter,
    options: RunOptions,
    force: Collection[str] = (),
) -> list[str]:
    """Do the tasks of an experiment, as many as there is time for; return the names of those that are done.

    ``run_config`` is the run's own configuration, which its manifest keeps; ``config`` the one with the settings of
    the experiment.
    """
    tasks = experiment_tasks(config)
    until = None if part.minutes is None else time.time() + 60 * part.minutes
    values = config.model_dump(mode="json")
    alone_here = part.at_once == 1 or not _known_elsewhere(config)
    options = options if alone_here else replace(options, processes=1)
    jobs = {task.name: _Job(folder, values, task.name, options, tuple(force), until) for task in tasks}
    with writing(folder), alone(folder):
        keeper = _Keeper(folder, replace(Manifest.load(folder), config=dict(run_config)), tasks, reporter)
        if alone_here:
            return _one_by_one(tasks, jobs, keeper)
        return _side_by_side(tasks, jobs, keeper, part.at_once)


def _known_elsewhere(config: RunConfig) -> bool:
    return all(model == NET_AS_PUBLISHED or is_known_elsewhere(model) for model in config.experiment.models)


class _Keeper:
    """Keeps the manifest, and tells how far the experiment is."""

    def __init__(self, folder: Path, manifest: Manifest, tasks: Sequence[Task], reporter: Reporter) -> None:
        self._folder, self.manifest, self.reporter = folder, manifest, reporter
        reporter.plan(sum(len(task.stages) for task in tasks))
        manifest.save(folder)

    def keep(self, stage: str, record: StageRecord, has_begun: bool) -> None:
        """One more stage is done, or was found to be up to date; ``has_begun``: its beginning was told."""
        known = self.manifest.stages.get(stage)
        unchanged = known is not None and vars(known) == vars(record)
        self.manifest = self.manifest.with_stage(stage, record)
        if not unchanged:
            self.manifest.save(self._folder)
        if not has_begun:
            self.reporter.begin(stage)
        self.reporter.end(stage, unchanged, seconds=record.seconds)

    def hear(self, kind: str, what: Any, has_begun: bool = False) -> None:
        """Take the news of a task."""
        if kind == "record":
            stage, record = what
            self.keep(stage, record, has_begun)
        else:
            self.reporter.warn(what)


def _one_by_one(tasks: Sequence[Task], jobs: Mapping[str, _Job], keeper: _Keeper) -> list[str]:
    done: list[str] = []
    reporter = _Begun(keeper.reporter)
    for task in tasks:
        tell = partial(keeper.hear, has_begun=True)
        if set(task.after) <= set(done) and _do(jobs[task.name], task, keeper.manifest, tell, reporter):
            done.append(task.name)
    return done


def _side_by_side(tasks: Sequence[Task], jobs: Mapping[str, _Job], keeper: _Keeper, at_once: int) -> list[str]:
    """Do tasks in processes; one that fails takes along only what depends on it, and is told at the end."""
    context = get_context("spawn")  # the threads of Polars do not survive a fork
    queue: Queue[tuple[str, Any]] = context.Queue()
    waiting, running, ended = list(tasks), dict[str, BaseProcess](), dict[str, str]()
    try:
        while waiting or running:
            done = {name for name, how in ended.items() if how == DONE}
            for task in [one for one in waiting if set(one.after) <= done][: at_once - len(running)]:
                running[task.name] = context.Process(target=_work, args=(jobs[task.name], queue), daemon=True)
                running[task.name].start()
                waiting.remove(task)
            if not running:
                break  # what is left waits for something that was not done
            for kind, what in _news(queue):
                _hear(keeper, ended, kind, what)
            for name in [name for name, process in running.items() if not process.is_alive()]:
                for kind, what in _news(queue):
                    _hear(keeper, ended, kind, what)
                ended.setdefault(name, f"its process ended with status {running[name].exitcode}")
                running.pop(name).join()
    finally:
        for process in running.values():  # only after an error or an interrupt; finished stages are kept
            process.terminate()
    for name, how in ended.items():
        if how not in (DONE, OUT_OF_TIME):
            raise DataError(f"{name} failed, and the rest went on: {how}; the same command tries it again")
    return [task.name for task in tasks if ended.get(task.name) == DONE]


def _hear(keeper: _Keeper, ended: dict[str, str], kind: str, what: Any) -> None:
    if kind == "ended":
        task, how = what
        ended[task] = how
    else:
        keeper.hear(kind, what)


def _news(queue: Queue[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """What has arrived, after waiting a little for the first piece."""
    patience = SECONDS_BETWEEN_LOOKS
    while True:
        try:
            yield queue.get(timeout=patience)
        except Empty:
            return
        patience = SECONDS_FOR_THE_NEXT


def _work(job: _Job, queue: Queue[tuple[str, Any]]) -> None:
    """Do a task in a process of its own: everything is made again here from the folder and the configuration."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to every process: the parent ends this one
    Thread(target=end_with_the_parent, daemon=True).start()
    config = check_config(dict(job.config), job.task)
    task = next(task for task in experiment_tasks(config) if task.name == job.task)
    try:
        tell: News = lambda kind, what: queue.put((kind, what))  # noqa: E731
        done = _do(job, task, Manifest.load(job.folder), tell, _Warnings(tell))
        how = DONE if done else OUT_OF_TIME
    except Exception as error:
        log.debug("%s", job.task, exc_info=True)
        how = f"{type(error).__name__}: {error}"
    queue.put(("ended", (job.task, how)))


def _do(job: _Job, task: Task, manifest: Manifest, tell: News, reporter: Reporter) -> bool:
    """Do the stages of a task; return whether all of them were done."""
    with threads(1):
        for stage in task.stages:
            if job.time_is_up:
                return False
            records = stage_records(job.folder, manifest, [stage], reporter, job.options, job.force)
            for name, record in records:
                manifest = manifest.with_stage(name, record)
                tell("record", (name, record))
    return True


class _Begun(SilentReporter):
    """Shows everything of a stage but its end, which is told when its record is kept."""

    def __init__(self, reporter: Reporter) -> None:
        self.begin, self.total, self.advance = reporter.begin, reporter.total, reporter.advance  # type: ignore[method-assign]
        self.warn = reporter.warn  # type: ignore[method-assign]


class _Warnings(SilentReporter):
    """Hands warnings on; stages that run side by side show nothing else."""

    def __init__(self, tell: News) -> None:
        self._tell = tell

    def warn(self, message: str) -> None:
        self._tell("warning", message)
