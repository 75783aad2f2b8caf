"""Work off the event loop: it blocks no one, and of several requests for one thing only the newest is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from counterec.run import Run

T = TypeVar("T")

WORKERS = 4
"""How many computations go on at once, for all openings together."""


class RunThreads:
    """A few threads that answer questions to a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="page")

    async def ask(self, work: Callable[[Run], T]) -> T:
        """The result of the work, which is handed the run; if nobody waits any more, it is not begun."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, self._run)


class Newest:
    """Waits for one thing at a time; of those that wait for their turn only the newest gets it, the others end as None.

    One belongs to one thing on one opened page, such as the list under its sliders.
    """

    def __init__(self) -> None:
        self._turn = 0
        self._lock = asyncio.Lock()

    async def of(self, begin: Callable[[], Awaitable[T]]) -> T | None:
        """What was begun and waited for; None if something newer has taken its place in the meantime."""
        self._turn += 1
        turn = self._turn
        async with self._lock:
            if turn != self._turn:
                return None
            found = await begin()
        return found if turn == self._turn else None

    def forget(self) -> None:
        """Whatever goes on now is no longer wanted."""
        self._turn += 1
