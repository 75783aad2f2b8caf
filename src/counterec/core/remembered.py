"""The answers of an object's method, remembered as long as the object lives, and no longer."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import TypeVar
from weakref import WeakMethod

Asked = TypeVar("Asked", bound=Hashable)
Answer = TypeVar("Answer")


def remembered(method: Callable[[Asked], Answer], most: int | None) -> Callable[[Asked], Answer]:
    """The method, which remembers its answers to so many questions; None: to all of them.

    The object keeps what is returned. A plain cache would keep the object, too: such a circle stays in memory until
    the garbage collector comes round to it, and that counts objects, not the bytes of their arrays.
    """
    of_object = WeakMethod(method)

    @lru_cache(most)
    def answered(asked: Asked) -> Answer:
        own = of_object()
        if own is None:
            raise ReferenceError(f"{method_name} was asked after its object was gone")
        return own(asked)

    method_name = getattr(method, "__qualname__", "a method")
    return answered
