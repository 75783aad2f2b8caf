"""What runs within an actor of Ray. Nothing heavy is imported here: threads are limited first."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from counterec.pipeline.code_digest import OWN, code_digest
from counterec.pipeline.worker_pool import ONE_THREAD


class RayWorker:
    """Does pieces of work in one thread, and keeps the work with everything that it has loaded."""

    def __init__(self) -> None:
        os.environ.update(ONE_THREAD)
        self._number = 0
        self._work: Callable[[Any], Any] = _nothing_yet

    def code(self) -> str:
        """What identifies the code of this node; answered as soon as the actor has a place."""
        return code_digest(OWN)

    def make(self, number: int, reference: list[Any], piece: Any) -> Any:
        """Do one piece of the work of this number, which is fetched by its reference if it is another than before."""
        if number != self._number:
            import ray

            self._work, self._number = ray.get(reference[0]), number
        return self._work(piece)


def _nothing_yet(piece: Any) -> Any:
    raise AssertionError(f"no work was fetched for {piece}")
