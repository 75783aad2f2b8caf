"""The pieces of a stage, made by actors of Ray.

One actor per core makes one piece after the other, and keeps what it has loaded: the open run folder and its model. Ray
places the actors and says which of them has died. A piece that fails, by an error or because its process died, is tried
once more by whoever is idle next. One that fails again is named when all others are made: these are kept, and running
again makes only what is missing.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from counterec.errors import PieceError
from counterec.pipeline.ray_actors import Attempt, Finished, RayActors, last_line
from counterec.pipeline.ray_cluster import RayCluster, connected, require_ray

log = logging.getLogger(__name__)
Given = TypeVar("Given")
Made = TypeVar("Made")

ATTEMPTS = 2
"""How often a piece is tried."""
MOST_NAMED = 5
"""An error names at most so many pieces."""


class RayExecutor:
    """Applies work to pieces on actors of Ray, which is started or joined when first needed."""

    def __init__(self, cores: int, address: str | None = None) -> None:
        require_ray()
        self._cores, self._address = cores, address
        self._joined: tuple[RayCluster, RayActors] | None = None
        self._works = 0

    def map(self, work: Callable[[Given], Made], given: Sequence[Given]) -> Iterator[tuple[Given, Made]]:
        """Yield each thing with what the work made of it, as soon as it is made; raise what failed twice at the end."""
        if not given:
            return
        cluster, actors = self._join()
        self._works += 1
        # A reference within a list is not fetched with every piece, only by an actor that does not have the work yet.
        reference = [cluster.ray.put(work)]
        actors.grow_to(min(cluster.cores, len(given)))
        left, failed = deque(map(Attempt, given)), list[Finished]()
        try:
            while left or actors.are_working:
                while left and actors.are_idle:
                    actors.give(left.popleft(), self._works, reference)
                finished = actors.next_finished()
                if finished is None:
                    continue
                attempt = finished.attempt
                if finished.error is None:
                    yield attempt.piece, finished.made
                elif attempt.number < ATTEMPTS:
                    log.warning("%s failed and is tried again: %s", attempt.piece, last_line(finished.error))
                    left.append(Attempt(attempt.piece, attempt.number + 1))
                else:
                    failed.append(finished)
        finally:
            actors.end_working()
        if failed:
            raise _refusal(failed, len(given)) from failed[0].error

    def close(self) -> None:
        """End the actors, whatever they do, and Ray where it was started here."""
        if self._joined is not None:
            cluster, actors = self._joined
            actors.end()
            cluster.leave()
            self._joined = None

    def _join(self) -> tuple[RayCluster, RayActors]:
        if self._joined is None:
            cluster = connected(self._cores, self._address)
            self._joined = cluster, RayActors(cluster.ray)
        return self._joined


def _refusal(failed: list[Finished], of: int) -> PieceError:
    """The error that names what failed twice."""
    named = "; ".join(f"{each.attempt.piece}: {last_line(each.error)}" for each in failed[:MOST_NAMED])
    others = f"; and {len(failed) - MOST_NAMED} others" if len(failed) > MOST_NAMED else ""
    advice = "the others are kept: run again to make only these"
    return PieceError(f"{len(failed)} of {of} pieces failed twice ({named}{others}); {advice}")
