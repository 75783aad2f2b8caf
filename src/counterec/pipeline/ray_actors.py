"""Actors of Ray that do pieces of work, one piece at a time each."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from counterec.errors import ServiceError
from counterec.pipeline.code_digest import OWN, code_digest
from counterec.pipeline.ray_worker import RayWorker

log = logging.getLogger(__name__)
SECONDS_TO_ARRIVE = 60.0
"""If nobody has arrived by then, a line says what is waited for."""


@dataclass(frozen=True)
class Attempt:
    """A piece that is tried for the first time, or once more."""

    piece: Any
    number: int = 1


@dataclass(frozen=True)
class Finished:
    """What came of an attempt: what was made of the piece, or why nothing was."""

    attempt: Attempt
    made: Any = None
    error: Exception | None = None


class RayActors:
    """A number of actors, each of which is idle, at work, or waits until Ray has a core for it.

    Nothing is given to those that wait, so that a cluster that is shared with others cannot hold a piece up.
    """

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._new = ray.remote(num_cpus=1)(RayWorker)
        self._idle: list[Any] = []
        self._arriving: dict[Any, Any] = {}
        self._working: dict[Any, tuple[Any, Attempt]] = {}

    @property
    def are_idle(self) -> bool:
        """Whether somebody can take a piece."""
        return bool(self._idle)

    @property
    def are_working(self) -> bool:
        """Whether a piece is being made."""
        return bool(self._working)

    def grow_to(self, number: int) -> None:
        """Ask Ray for actors until there are so many."""
        while len(self._idle) + len(self._arriving) + len(self._working) < number:
            self._add()

    def give(self, attempt: Attempt, work: int, reference: list[Any]) -> None:
        """Let somebody try a piece of the work of this number."""
        actor = self._idle.pop()
        self._working[actor.make.remote(work, reference, attempt.piece)] = actor, attempt

    def next_finished(self) -> Finished | None:
        """Wait until something has happened: an attempt is finished, or (None) an actor has arrived."""
        answer = self._next_answer()
        if answer in self._arriving:
            self._welcome(self._arriving.pop(answer), answer)
            return None
        actor, attempt = self._working.pop(answer)
        try:
            made = self._ray.get(answer)
        except self._ray.exceptions.RayTaskError as error:  # the work raised it, in an actor that is well
            self._idle.append(actor)
            return Finished(attempt, error=error.cause)
        except self._ray.exceptions.RayError as error:
            self._ray.kill(actor)
            self._add()
            return Finished(attempt, error=ServiceError(f"its process died ({last_line(error)})"))
        self._idle.append(actor)
        return Finished(attempt, made)

    def end_working(self) -> None:
        """End those that are at work; nobody waits for it any more."""
        for actor, _ in self._working.values():
            self._ray.kill(actor)
        self._working.clear()

    def end(self) -> None:
        """End all of them."""
        self.end_working()
        for actor in [*self._idle, *self._arriving.values()]:
            self._ray.kill(actor)
        self._idle, self._arriving = [], {}

    def _next_answer(self) -> Any:
        expected = [*self._arriving, *self._working]
        answers, _ = self._ray.wait(expected, timeout=None if self._working else SECONDS_TO_ARRIVE)
        if not answers:
            log.warning("Ray has no core free; waiting for one")
            answers, _ = self._ray.wait(expected)
        return answers[0]

    def _add(self) -> None:
        actor = self._new.remote()
        self._arriving[actor.code.remote()] = actor

    def _welcome(self, actor: Any, answer: Any) -> None:
        """Take in an actor that runs our code; one that cannot be started is not replaced, so that this ends."""
        try:
            code = self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            if not (self._idle or self._arriving or self._working):
                raise ServiceError(f"no worker of Ray can be started; the last: {last_line(error)}") from error
            return
        if code != code_digest(OWN):
            raise ServiceError("a node of Ray has another counterec; install the same version on every node")
        self._idle.append(actor)


def last_line(error: Exception | None) -> str:
    """The last line of an error that Ray reports with a traceback, or its kind where it says nothing."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
