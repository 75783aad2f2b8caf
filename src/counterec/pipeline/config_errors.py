"""What is wrong with a setting, in words of the file it stands in: the key, what may stand there, and the value."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterator, Sequence
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from counterec.data.problems import shown

TABLE = "a table of settings"
EXPECTED = {
    "bool": "true or false",
    "bytes": "text in quotes",
    "dataclass": TABLE,
    "date": "a date",
    "dict": "a table of names and values",
    "finite_number": "a finite number",
    "float": "a number",
    "int": "a whole number",
    "list": "a list in square brackets",
    "mapping": "a table of names and values",
    "model": TABLE,
    "none": "nothing",
    "path": "a path in quotes",
    "string": "text in quotes",
    "tuple": "a list in square brackets",
}
"""The beginning of a kind of error in Pydantic → what may stand there."""
LIMITS = {"ge": "{} or more", "gt": "above {}", "le": "{} or less", "lt": "below {}", "multiple_of": "a multiple of {}"}
UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
OTHER = "a value of another kind"
"""What is said where Pydantic has an error that we have no words for."""


def setting_message(error: ValidationError, settings: Any, schema: type) -> str:
    """The first thing that is wrong with the settings, in one line."""
    errors = error.errors()
    key = _key(errors[0]["loc"], settings)
    first = errors[0]
    if first["type"] == "value_error":
        return _said(key, first["msg"].removeprefix("Value error, "))
    if first["type"] in UNKNOWN:
        return _said(key, f"there is no such setting; {_advice(key, schema)}")
    if first["type"] == "missing":
        return _said(key, "it is missing" if isinstance(key[-1], str) else "an entry is missing")
    same = [other for other in errors if _key(other["loc"], settings) == key]
    expected = dict.fromkeys(_expected(other) for other in same)
    return _said(key, f"it must be {' or '.join(expected)}, not {shown(first['input'])}")


def _said(key: Sequence[str | int], text: str) -> str:
    return f"{_as_written(key)}: {text}" if key else text


def _as_written(key: Sequence[str | int]) -> str:
    """A key as the file has it; entries of a list are counted from 1."""
    names = ".".join(part for part in key if isinstance(part, str))
    places = "".join(f", entry {part + 1}" for part in key if isinstance(part, int))
    return names + places


def _key(location: Sequence[str | int], settings: Any) -> tuple[str | int, ...]:
    """The part of a location that is in the file: Pydantic adds the names of types that were tried."""
    key: list[str | int] = []
    here = settings
    for part in location:
        if isinstance(part, str) and isinstance(here, dict):
            if part == "[key]":
                break
            key.append(part)
            here = here.get(part)
        elif isinstance(part, int) and isinstance(here, list | tuple):
            key.append(part)
            here = here[part] if part < len(here) else None
        else:
            break
    return tuple(key)


def _expected(error: ErrorDetails) -> str:
    """What may stand where a value is refused."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "literal_error":
        return str(context["expected"])
    for name, form in LIMITS.items():
        if name in context:
            return form.format(f"{context[name]:g}")
    if kind in ("too_long", "too_short"):
        number = context.get("max_length", context.get("min_length"))
        return f"a list of {number} {'entry' if number == 1 else 'entries'}"
    return next((words for name, words in EXPECTED.items() if kind.startswith(name)), OTHER)


def _advice(key: Sequence[str | int], schema: type) -> str:
    """The name that is most like an unknown one, or all that may stand beside it."""
    known = list(settings_at(schema, [part for part in key[:-1] if isinstance(part, str)]))
    near = difflib.get_close_matches(str(key[-1]), known, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"check its spelling, there are {', '.join(known)}"


def settings_at(schema: Any, path: Sequence[str]) -> dict[str, Any]:
    """The settings of a table in a file, each with its type."""
    for name in path:
        schema = _fields(schema).get(name)
    return _fields(schema)


def every_setting(schema: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The key of every setting and table."""
    for name, kind in _fields(schema).items():
        yield (*path, name)
        yield from every_setting(kind, (*path, name))


def _fields(schema: Any) -> dict[str, Any]:
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return {name: field.annotation for name, field in schema.model_fields.items()}
    if dataclasses.is_dataclass(schema) and isinstance(schema, type):
        hints = get_type_hints(schema)
        return {field.name: hints[field.name] for field in dataclasses.fields(schema)}
    return next((found for part in get_args(schema) if (found := _fields(part))), {})
