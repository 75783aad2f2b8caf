"""Members of an enumeration as plain attributes of its class."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

AnyEnum = TypeVar("AnyEnum", bound=type[Enum])


def plain_members(names: AnyEnum) -> AnyEnum:
    """Make the access to members of an enumeration as quick as to any attribute.

    Python 3.11 reaches each of them through a property written in Python, which takes as long as a small regular
    expression; later versions do what this does.
    """
    for name, member in names.__members__.items():
        type.__setattr__(names, name, member)
    return names
