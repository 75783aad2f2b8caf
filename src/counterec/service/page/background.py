"""Work off the event loop: it blocks no one, and of several requests for one thing only the newest is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

WORKERS = 4
"""How many computations go on at once, for all openings together."""

_pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="page")


async def in_background(work: Callable[[], T]) -> T:
    """The result of a function that runs in a thread of its own."""
    return await asyncio.get_running_loop().run_in_executor(_pool, work)


class Newest:
    """Runs one computation at a time; of those that wait, only the newest is started, the others end as None.

    One belongs to one thing on one opened page, such as the list under its sliders.
    """

    def __init__(self) -> None:
        self._turn = 0
        self._lock: asyncio.Lock | None = None

    async def run(self, work: Callable[[], T]) -> T | None:
        """The result; None if a newer request has taken its place in the meantime."""
        self._turn += 1
        turn = self._turn
        self._lock = self._lock or asyncio.Lock()
        async with self._lock:
            if turn != self._turn:
                return None
            found = await in_background(work)
        return found if turn == self._turn else None

    def forget(self) -> None:
        """Whatever goes on now is no longer wanted."""
        self._turn += 1
