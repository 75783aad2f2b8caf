"""Every message as data: templates with placeholders, such as ``{item} is already in the list.``, from one file.

Nested tables of the file become keys with dots.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Literal

from counterec.core.arrays import require


def say(key: str, /, **values: str | int) -> str:
    """Return the message with its placeholders filled; the values must be exactly those it needs."""
    needed, given = placeholders(key), sorted(values)
    require(needed == given, f"message {key} has placeholders {needed}, but the values are {given}")
    return messages()[key].format_map(values)


def say_of(key: str, count: int, /, **values: str | int) -> str:
    """Return the message in the singular if the count is 1, else in the plural."""
    return say(f"{key}.one" if count == 1 else f"{key}.other", **values)


def join_words(parts: Sequence[str], word: Literal["and", "or"] = "and") -> str:
    """Return “a”, “a and b” or “a, b and c”."""
    return f" {word} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


@cache
def messages() -> Mapping[str, str]:
    """Read every template, by key."""
    source = files(__package__).joinpath("messages.toml").read_text(encoding="utf-8")
    return dict(_flatten(tomllib.loads(source)))


@cache
def placeholders(key: str) -> list[str]:
    """Return the placeholders of a message in alphabetical order."""
    return sorted({name for _, name, _, _ in Formatter().parse(messages()[key]) if name is not None})


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, str):
            yield prefix + name, value
        else:
            yield from _flatten(value, f"{prefix}{name}.")
