"""The pieces of a stage, made by actors of Ray.

One actor per core makes one piece after the other, and keeps what it has loaded: the open run folder and its model. Ray
places the actors and says which of them has died. A piece that fails, by an error or because its process died, is tried
once more by whoever is idle next. One that fails again is named when all others are made: these are kept, and running
again makes only what is missing.
"""

from __future__ import annotations

import logging
import os
import socket
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from secrets import token_hex
from typing import Any, TypeVar

from counterec.errors import PieceError, ServiceError, UsageError
from counterec.pipeline.executors import ONE_THREAD
from counterec.pipeline.versions import OWN, code_digest

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


OF_OUR_OWN = "local"
"""The address that starts a Ray on this machine."""
OBJECT_STORE = 200 * 2**20
"""Bytes of shared memory of a Ray of our own, where one result per core waits at most; the rest would go to disk."""
SECONDS_TO_ANSWER = 10.0
"""How long a node may take to accept a connection."""

QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS_SKIP_REGEX": "."}
"""Ray tells nobody of this run, and does not print: what failed is said once, by us."""
PRIVATE = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_TOKEN": token_hex(32)}
"""A Ray of our own listens on the loopback alone, as it does on macOS and Windows, and only to who has this token."""


class RayCluster:
    """A connection to Ray."""

    def __init__(self, ray: Any, ours: bool) -> None:
        self.ray = ray
        self._ours = ours

    @property
    def cores(self) -> int:
        """The cores of all its nodes."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def leave(self) -> None:
        """End the connection, and Ray itself where we started it."""
        if self._ours:
            self.ray.shutdown()


def require_ray() -> None:
    """Refuse to go on without Ray."""
    if find_spec("ray") is None:
        raise UsageError(
            "--engine ray needs Ray, which is not installed; install it with: pip install 'counterec[ray]'"
        )


def connected(cores: int, address: str | None = None) -> RayCluster:
    """Ray at an address, else where ``RAY_ADDRESS`` says, else one of our own with this many cores.

    A connection that the caller's own program has made is used as it is, and not ended.
    """
    address = address or os.environ.get("RAY_ADDRESS") or OF_OUR_OWN
    _require_somebody_at(address)
    own = address == OF_OUR_OWN
    limits = {"num_cpus": cores, "object_store_memory": OBJECT_STORE, "include_dashboard": False} if own else {}
    with _environment(QUIET | PRIVATE if own else QUIET):
        ray = import_module("ray")
        if ray.is_initialized():
            return RayCluster(ray, ours=False)
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR", **limits)
        except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            whose = "Ray cannot be started" if own else f"no Ray can be reached at {address}"
            raise ServiceError(f"{whose}: {reason}") from error
    return RayCluster(ray, ours=True)


def _require_somebody_at(address: str) -> None:
    """Refuse an address HOST:PORT where nobody listens: Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if not port.isdigit() or "/" in host:  # "local", "auto", or what Ray itself reads
        return
    try:
        socket.create_connection((host, int(port)), timeout=SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        raise ServiceError(f"no Ray can be reached at {address} ({error}); check RAY_ADDRESS") from error


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Give these variables to Ray and to the processes that it starts here; what the user has set stays."""
    added = {name: value for name, value in values.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]
