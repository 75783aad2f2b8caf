"""A view of a configuration that shows a stage the parts it declared, and nothing else."""

from __future__ import annotations

from typing import Any, cast

from counterec.errors import UndeclaredInputError
from counterec.pipeline.config import RunConfig


def declared_config(config: RunConfig, parts: tuple[str, ...], stage: str) -> RunConfig:
    """The configuration as a stage may read it; reading an undeclared part is a bug, and raises at once.

    A part is a dotted name: ``lists.k``, ``training``, ``seed``.
    """
    return cast(RunConfig, _View(config, frozenset(parts), stage))


def declared_values(config: RunConfig, parts: tuple[str, ...]) -> dict[str, Any]:
    """The declared parts as plain values, by name: what a stage's key is made from."""
    whole = config.model_dump(mode="json")
    return {part: _at(whole, part) for part in sorted(parts)}


def _at(values: Any, part: str) -> Any:
    for name in part.split("."):
        values = values[name]
    return values


class _View:
    """Forwards declared names to the value behind it."""

    def __init__(self, value: Any, parts: frozenset[str], stage: str, place: str = "") -> None:
        self._value, self._parts, self._stage, self._place = value, parts, stage, place

    def __getattr__(self, name: str) -> Any:
        place = f"{self._place}.{name}" if self._place else name
        if place in self._parts:
            return getattr(self._value, name)
        if any(part.startswith(f"{place}.") for part in self._parts):
            return _View(getattr(self._value, name), self._parts, self._stage, place)
        raise UndeclaredInputError(f"stage {self._stage!r} reads {place}, which it does not declare")
