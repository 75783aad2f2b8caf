"""Work shared among processes, with its results in the order of the work."""

from __future__ import annotations

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
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield partial(_in_order, pool, 2 * processes)


def _in_order(
    pool: ProcessPoolExecutor, most: int, work: Callable[[Given], Made], given: Iterable[Given]
) -> Iterator[Made]:
    """Submit work to the pool; at most this many pieces wait, so that memory stays bounded."""
    waiting: deque[Future[Made]] = deque()
    for each in given:
        waiting.append(pool.submit(work, each))
        if len(waiting) >= most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
