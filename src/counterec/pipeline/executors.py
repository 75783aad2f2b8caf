"""Who does the pieces of a stage: this process, several processes of this machine, or Ray.

An executor is asked for one thing, ``map``. What is made of a piece does not depend on who makes it, so neither do the
bytes of a run. Another engine, such as a cluster's, is another class with the same method.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

from counterec.pipeline.ray_executor import RayExecutor
from counterec.pipeline.worker_pool import WorkerPool

if TYPE_CHECKING:
    from counterec.pipeline.stage import RunOptions

Given = TypeVar("Given")
Made = TypeVar("Made")

WORTH_STARTING = 10.0
"""Seconds of work that must be left before processes are started: each takes seconds to import what it needs."""


class Executor(Protocol):
    """Applies work to many things."""

    def map(self, work: Callable[[Given], Made], given: Sequence[Given]) -> Iterator[tuple[Given, Made]]:
        """Yield each thing with what the work made of it, as soon as it is made, in any order.

        ``work`` and what is given can be sent to another process. An error of the work is raised here.
        """
        ...

    def close(self) -> None:
        """End whatever was started; what is not finished is lost."""
        ...


class InProcess:
    """Does one piece after the other in this process."""

    def map(self, work: Callable[[Given], Made], given: Sequence[Given]) -> Iterator[tuple[Given, Made]]:
        """Yield each thing with what the work made of it, in order."""
        for each in given:
            yield each, work(each)

    def close(self) -> None:
        """Nothing was started."""


class Processes:
    """Shares the pieces among processes of this machine, once there is enough to do.

    The first pieces are done in this process. As soon as the rest can be expected to take ``worth_starting`` seconds,
    processes are started, and kept for the stages that follow.
    """

    def __init__(self, processes: int, worth_starting: float | None = None) -> None:
        self._pool = WorkerPool(processes)
        self._worth_starting = WORTH_STARTING if worth_starting is None else worth_starting

    def map(self, work: Callable[[Given], Made], given: Sequence[Given]) -> Iterator[tuple[Given, Made]]:
        """Yield each thing with what the work made of it, as soon as it is made."""
        left = deque(given)
        yield from self._alone(work, left)
        if left:
            yield from self._pool.map(work, left)

    def _alone(self, work: Callable[[Given], Made], left: deque[Given]) -> Iterator[tuple[Given, Made]]:
        """Take from what is left until others are worth their while."""
        started, done = time.perf_counter(), 0
        while left:
            spent = time.perf_counter() - started
            expected = spent / done * len(left) if done else 0.0
            if len(left) > 1 and (self._pool.is_running or not self._worth_starting or expected > self._worth_starting):
                return
            each = left.popleft()
            yield each, work(each)
            done += 1

    def close(self) -> None:
        """End the processes at once."""
        self._pool.close()


@contextmanager
def executor_of(options: RunOptions) -> Iterator[Executor]:
    """The executor that the options of a run ask for, ended with the block; a GPU is not shared among processes."""
    executor: Executor
    if options.engine == "ray":
        executor = RayExecutor(options.processes, options.address)
    elif options.processes == 1 or options.device != "cpu":
        executor = InProcess()
    else:
        executor = Processes(options.processes)
    try:
        yield executor
    finally:
        executor.close()
