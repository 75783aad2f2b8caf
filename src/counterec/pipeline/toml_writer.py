"""Settings as a TOML text, since Python reads TOML and does not write it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_DELETE = "\x7f"
"""The one control character that JSON leaves as it is and TOML does not."""


def as_toml(settings: Mapping[str, Any]) -> str:
    """Write nested settings (tables, lists, texts, numbers, truths) so that ``tomllib`` reads them back."""
    return "\n".join(_lines(settings, ())).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], place: tuple[str, ...]) -> Iterator[str]:
    """A table's own values come first: what follows a heading belongs to that heading."""
    if place:
        yield f"\n[{'.'.join(map(_key, place))}]"
    for name, value in table.items():
        if not isinstance(value, Mapping):
            yield f"{_key(name)} = {_value(value)}"
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _lines(value, (*place, name))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case str():
            return _text(value)
    return f"[{', '.join(map(_value, value))}]"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace(_DELETE, "\\u007f")
