"""Processes of this machine that work for this one, and never outlive it.

They are spawned, not forked: the threads of Polars and PyTorch do not survive a fork. Each computes in one thread.
Ctrl-C, which a terminal sends to every process, is for the one that started them: it ends the others at once.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from counterec.errors import StoreError

Given = TypeVar("Given")
Made = TypeVar("Made")

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
