"""Message catalogues: every message as data, one file per language.

A message is a template with placeholders, such as ``{item} is already in the list.``. Nested tables become keys with
dots. English is the reference: every other language has the same keys, and each message the same placeholders.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from string import Formatter
from typing import Any, Literal

from counterec.core.arrays import require
from counterec.errors import UsageError

REFERENCE = "en"
"""The language that the others are checked against."""


@dataclass(frozen=True)
class Catalogue:
    """The messages of one language."""

    language: str
    messages: Mapping[str, str] = field(repr=False)

    def __post_init__(self) -> None:
        for key, template in self.messages.items():
            require(isinstance(template, str), f"message {key} of {self.language} is {template!r}; it must be text")
            require(_is_plain(template), f"message {key} of {self.language} may only have placeholders like {{item}}")

    @cached_property
    def placeholders(self) -> dict[str, frozenset[str]]:
        """The placeholders of every message."""
        return {key: frozenset(_placeholders(template)) for key, template in self.messages.items()}

    def require_same_as(self, reference: Catalogue) -> None:
        """Raise unless the reference has the same keys, and every message the same placeholders."""
        for key in sorted(reference.messages.keys() | self.messages.keys()):
            require(key in self.messages, f"{self.language} has no message {key}, but {reference.language} does")
            require(
                key in reference.messages, f"{self.language} has a message {key}, but {reference.language} does not"
            )
            found, expected = sorted(self.placeholders[key]), sorted(reference.placeholders[key])
            require(
                found == expected, f"message {key} has placeholders {found} in {self.language}, expected {expected}"
            )

    def say(self, key: str, /, **values: str | int) -> str:
        """The message with its placeholders filled; the values must be exactly those it needs."""
        needed, given = sorted(self.placeholders[key]), sorted(values)
        require(needed == given, f"message {key} has placeholders {needed}, but the values are {given}")
        return self.messages[key].format_map(values)

    def say_of(self, key: str, count: int, /, **values: str | int) -> str:
        """The message in the singular if the count is 1, else in the plural."""
        return self.say(f"{key}.one" if count == 1 else f"{key}.other", **values)

    def listed(self, parts: Sequence[str], word: Literal["and", "or"] = "and") -> str:
        """“a”, “a and b”, “a, b and c”."""
        if len(parts) == 1:
            return parts[0]
        first = parts[0] if len(parts) == 2 else self.say("list.comma").join(parts[:-1])
        return self.say(f"list.{word}", first=first, last=parts[-1])

    def number(self, text: str) -> str:
        """A number as this language writes it; ``text`` has a decimal point."""
        return text.replace(".", self.say("numbers.decimal"))


@cache
def catalogue(language: str = REFERENCE) -> Catalogue:
    """The catalogue of a language, read once and checked against the English one."""
    if language not in languages():
        raise UsageError(f"no language {language!r}; one of {', '.join(languages())}")
    source = (files(__package__) / "messages" / f"{language}.toml").read_text(encoding="utf-8")
    found = Catalogue(language, dict(_flat(tomllib.loads(source))))
    if language != REFERENCE:
        found.require_same_as(catalogue(REFERENCE))
    return found


@cache
def languages() -> tuple[str, ...]:
    """The languages that have a catalogue, in alphabetical order."""
    names = [entry.name for entry in (files(__package__) / "messages").iterdir()]
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _placeholders(template: str) -> Iterator[str]:
    for _, name, _, _ in Formatter().parse(template):
        if name is not None:
            yield name


def _is_plain(template: str) -> bool:
    """Whether every placeholder is a bare name: no attributes, no formats, no stray brace."""
    try:
        parsed = list(Formatter().parse(template))
    except ValueError:
        return False
    return all(name is None or (name.isidentifier() and not form and not kind) for _, name, form, kind in parsed)
