"""Work shared among processes, with its results in the order of the work."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Protocol, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


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
    # Spawned, not forked: the threads of Polars do not survive a fork.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_leave_interrupts_to_the_parent)
    try:
        yield partial(_in_order, pool, 2 * processes)
    finally:
        pool.shutdown(cancel_futures=True)  # after Ctrl-C, only pieces that were begun are finished


def _leave_interrupts_to_the_parent() -> None:
    """Ignore Ctrl-C, which a terminal sends to every process: the parent ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


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


def _in_order(
    pool: ProcessPoolExecutor, most: int, work: Callable[[Given], Made], given: Iterable[Given]
) -> Iterator[Made]:
    """Submit work to the pool; at most this many pieces wait, so that memory stays bounded."""
    waiting: deque[Future[Made]] = deque()
    for each in given:
        with _interrupts_wait():
            waiting.append(pool.submit(work, each))
        if len(waiting) >= most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
