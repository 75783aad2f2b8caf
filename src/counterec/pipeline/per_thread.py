"""A value that each thread makes for itself, when it first needs it: room that is written to while computing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")

ROOMS = "_rooms_of_threads"
"""The attribute that keeps what the threads have made; it ends with the object, and a thread's part with the thread."""


class per_thread(Generic[T]):  # noqa: N801 - used like cached_property
    """Like ``functools.cached_property``, but once for each thread that asks."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, kind: type) -> T:
        rooms = owner.__dict__.setdefault(ROOMS, threading.local())
        if self._name not in rooms.__dict__:
            rooms.__dict__[self._name] = self._make(owner)
        found: T = rooms.__dict__[self._name]
        return found
