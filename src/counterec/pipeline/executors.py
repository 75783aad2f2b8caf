"""Who does the pieces of a stage: this process, several processes of this machine, or Ray.

An executor is asked for one thing, ``map``. What is made of a piece does not depend on who makes it, so neither do the
bytes of a run. Another engine, such as a cluster's, is another class with the same method.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from counterec.errors import StoreError

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
        self._pool.close()


@contextmanager
def executor_of(options: RunOptions) -> Iterator[Executor]:
    """The executor that the options of a run ask for, ended with the block; a GPU is not shared among processes."""
    executor: Executor
    if options.engine == "ray":
        from counterec.pipeline.ray_executor import RayExecutor

        executor = RayExecutor(options.processes, options.address)
    elif options.processes == 1 or options.device != "cpu":
        executor = InProcess()
    else:
        executor = Processes(options.processes)
    try:
        yield executor
    finally:
        executor.close()


ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
"""The environment of a worker: it has one core."""
SECONDS_TO_END = 5.0
"""How long a process that was told to end may take, before it is killed."""


@dataclass
class _Worker:
    """A process, the pipe to it, and what it is doing."""

    process: SpawnProcess
    pipe: Connection
    doing: Any = None


class WorkerPool:
    """A fixed number of processes, started when first needed."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._workers: list[_Worker] = []

    @property
    def is_running(self) -> bool:
        """Whether the processes were started."""
        return bool(self._workers)

    def map(self, work: Callable[[Given], Made], given: Iterable[Given]) -> Iterator[tuple[Given, Made]]:
        """Yield each thing with what the work made of it, as soon as it is made.

        The work is sent once to each process, which may keep what it loads for it. What is given is asked for when a
        process is free.
        """
        if not self.is_running:
            self._start()
        left, busy = iter(given), dict[Any, _Worker]()
        try:
            for worker in self._workers:
                worker.pipe.send(("work", work))
                _hand_out(worker, left, busy)
            while busy:
                for pipe in wait(list(busy)):
                    worker = busy.pop(pipe)
                    each, made = worker.doing, _received(worker)
                    _hand_out(worker, left, busy)
                    yield each, made
        finally:
            if busy:  # whoever asked has gone: what is still being made must not be taken for the next answer
                self.close()

    def _start(self) -> None:
        context = get_context("spawn")
        with _interrupts_wait(), _environment(ONE_THREAD):
            for _ in range(self._processes):
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs,), daemon=True)
                process.start()
                theirs.close()
                self._workers.append(_Worker(process, ours))

    def close(self) -> None:
        """End the processes, whatever they do."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join(SECONDS_TO_END)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()


def _hand_out(worker: _Worker, left: Iterator[Any], busy: dict[Any, _Worker]) -> None:
    """Send the next thing that is left, if any is, to a process that is free."""
    for each in left:
        worker.doing = each
        worker.pipe.send(("piece", each))
        busy[worker.pipe] = worker
        return


def _received(worker: _Worker) -> Any:
    """What a process sent; an error that it sent is raised."""
    try:
        made, error = worker.pipe.recv()
    except (EOFError, ConnectionError):
        worker.process.join(SECONDS_TO_END)
        raise StoreError(
            f"a process ended with status {worker.process.exitcode} while it worked on {worker.doing}; was memory "
            "short? What is finished is kept: run again, with --processes 1 to need less"
        ) from None
    if error is not None:
        raise error
    return made


def _serve(pipe: Connection) -> None:
    """The life of a worker: work as it is sent, until nobody sends any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_the_parent, daemon=True).start()
    _compute_in_one_thread()
    work: Callable[[Any], Any] | None = None
    with suppress(EOFError, BrokenPipeError):
        while True:
            kind, sent = pipe.recv()
            if kind == "work":
                work = sent
                continue
            assert work is not None
            answer: tuple[Any, Exception | None]
            try:
                answer = work(sent), None
            except Exception as error:  # of any kind: it is raised where it was asked for
                answer = None, error
            _send(pipe, answer)


def _send(pipe: Connection, answer: tuple[Any, Exception | None]) -> None:
    try:
        pipe.send(answer)
    except (TypeError, AttributeError) as error:  # an error of somebody's code that cannot be sent
        pipe.send((None, RuntimeError(f"{answer[1]!r} ({error})")))


def _compute_in_one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def end_with_the_parent() -> None:
    """End when the process that started this one is gone, whatever this one is doing: nobody would take the result."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Let Ctrl-C wait while processes are started, so that they are born deaf to it; it is not lost for this one."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Let processes that are started here have these variables."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Share(Protocol):
    """Applies work to each of the things given; the built-in ``map`` does it in this process."""

    def __call__(self, work: Callable[[Given], Made], given: Iterable[Given], /) -> Iterator[Made]:
        """Return what the work makes of each, in order."""
        ...


@contextmanager
def workers(processes: int) -> Iterator[Share]:
    """Share work among this many processes while the context lasts; with one, do it in this process."""
    if processes == 1:
        yield map
        return
    pool = WorkerPool(processes)
    try:
        yield partial(_in_order, pool)
    finally:
        pool.close()


@dataclass(frozen=True)
class _OfNumbered:
    """Work on things that come with a number, which it leaves alone."""

    work: Callable[[Any], Any]

    def __call__(self, numbered: tuple[int, Any]) -> Any:
        return self.work(numbered[1])


def _in_order(pool: WorkerPool, work: Callable[[Given], Made], given: Iterable[Given]) -> Iterator[Made]:
    """Yield what is made as soon as everything before it is."""
    ready: dict[int, Made] = {}
    following = 0
    for (number, _), made in pool.map(_OfNumbered(work), enumerate(given)):
        ready[number] = made
        while following in ready:
            yield ready.pop(following)
            following += 1
