"""Message catalogues: everything that is said, as data, a file for each language.

A message is a template with named places, ``{item} is already in the list.``. Tables within tables become keys with
dots. English is the measure: every other language has the same keys, and each message the same places.
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

MEASURE = "en"
"""The language that the others are checked against."""


@dataclass(frozen=True)
class Catalogue:
    """What is said in one language."""

    language: str
    messages: Mapping[str, str] = field(repr=False)

    def __post_init__(self) -> None:
        for key, template in self.messages.items():
            require(isinstance(template, str), f"message {key} of {self.language} is {template!r}; it must be text")
            require(_is_plain(template), f"message {key} of {self.language} may only have places like {{item}}")

    @cached_property
    def places(self) -> dict[str, frozenset[str]]:
        """The places of every message."""
        return {key: frozenset(_places(template)) for key, template in self.messages.items()}

    def require_same_as(self, measure: Catalogue) -> None:
        """Raise unless the other catalogue has the same keys, and every message the same places."""
        for key in sorted(measure.messages.keys() | self.messages.keys()):
            require(key in self.messages, f"{self.language} has no message {key}, but {measure.language} does")
            require(key in measure.messages, f"{self.language} has a message {key}, but {measure.language} does not")
            ours, theirs = sorted(self.places[key]), sorted(measure.places[key])
            require(ours == theirs, f"message {key} has places {ours} in {self.language}, expected {theirs}")

    def say(self, key: str, /, **values: str | int) -> str:
        """The message with its places filled: all of them, and with nothing to spare."""
        require(self.places[key] == values.keys(), f"message {key} has not the places {sorted(values)}")
        return self.messages[key].format_map(values)

    def say_of(self, key: str, count: int, /, **values: str | int) -> str:
        """The message in the singular where the count is 1, else in the plural."""
        return self.say(f"{key}.one" if count == 1 else f"{key}.other", **values)

    def listed(self, parts: Sequence[str], word: Literal["and", "or"] = "and") -> str:
        """“a”, “a and b”, “a, b and c”."""
        if len(parts) == 1:
            return parts[0]
        first = parts[0] if len(parts) == 2 else self.say("list.comma").join(parts[:-1])
        return self.say(f"list.{word}", first=first, last=parts[-1])

    def number(self, text: str) -> str:
        """A number, written with a point, as this language writes it."""
        return text.replace(".", self.say("numbers.decimal"))


@cache
def catalogue(language: str = MEASURE) -> Catalogue:
    """The catalogue of a language, read once and checked against the English one."""
    if language not in languages():
        raise UsageError(f"no language {language!r}; one of {', '.join(languages())}")
    source = (files(__package__) / "messages" / f"{language}.toml").read_text(encoding="utf-8")
    found = Catalogue(language, dict(_flat(tomllib.loads(source))))
    if language != MEASURE:
        found.require_same_as(catalogue(MEASURE))
    return found


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, in order."""
    names = [entry.name for entry in (files(__package__) / "messages").iterdir()]
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _places(template: str) -> Iterator[str]:
    for _, name, _, _ in Formatter().parse(template):
        if name is not None:
            yield name


def _is_plain(template: str) -> bool:
    """Whether every place is a bare name: no attributes, no formats, no stray brace."""
    try:
        parsed = list(Formatter().parse(template))
    except ValueError:
        return False
    return all(name is None or (name.isidentifier() and not form and not kind) for _, name, form, kind in parsed)
