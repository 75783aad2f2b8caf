"""Work shared among processes, with its results in the order of the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from counterec.pipeline.worker_pool import WorkerPool

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
