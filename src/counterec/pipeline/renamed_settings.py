"""Settings that had another name in earlier versions: a config file is corrected by its owner, a manifest by us."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from counterec.errors import ConfigError

RENAMED = {
    "explain.relaxed.exact_paper": "as_published",
    "explain.relaxed.paper_steps": "published_steps",
    "explain.relaxed.paper_rate": "published_rate",
    "explain.complete.usual": "expected",
    "explain.constraints.fixed": "keep",
}
"""The old name of a setting, with its place → its new name in the same place."""

RENAMED_VALUES = {("lists.protocol", "paper"): "full", ("experiment.protocols", "paper"): "full"}
"""The old value of a setting → its new value; of a list, the value of one entry."""


def refuse_old_names(settings: dict[str, Any]) -> None:
    """Raise, naming the new name, where settings use an old one."""
    for place, _, name in _old_names(settings):
        raise ConfigError(f"{place} is now called {name}; rename it")
    for place, old, new in _old_values(settings):
        raise ConfigError(f"{place} = {old!r} is now called {new!r}; rename it")


def with_new_names(settings: dict[str, Any]) -> dict[str, Any]:
    """The same settings by their names of today."""
    renamed = _copied(settings)
    for place, part, name in list(_old_names(renamed)):
        part[name] = part.pop(place.split(".")[-1])
    for place, old, new in list(_old_values(renamed)):
        *path, last = place.split(".")
        part = _part(renamed, path)
        part[last] = [new if value == old else value for value in part[last]] if isinstance(part[last], list) else new
    return renamed


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(inner) for name, inner in value.items()}
    return list(value) if isinstance(value, list | tuple) else value


def _part(settings: Any, path: list[str]) -> dict[str, Any]:
    """The table at a path; empty where there is none."""
    for name in path:
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings if isinstance(settings, dict) else {}


def _old_names(settings: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Each old name in use: its place, the table it stands in, and its new name."""
    for place, name in RENAMED.items():
        *path, last = place.split(".")
        part = _part(settings, path)
        if last in part:
            yield place, part, name


def _old_values(settings: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each old value in use: its place, the value, and its new one."""
    for (place, old), new in RENAMED_VALUES.items():
        *path, last = place.split(".")
        value = _part(settings, path).get(last)
        if value == old or (isinstance(value, list | tuple) and old in value):
            yield place, old, new
