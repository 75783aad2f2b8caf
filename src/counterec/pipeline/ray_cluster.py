"""Ray, started on this machine or joined where it runs, and left as it was found."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from secrets import token_hex
from typing import Any

from counterec.errors import ServiceError, UsageError

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
