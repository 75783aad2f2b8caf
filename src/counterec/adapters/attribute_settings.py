"""An attribute as plain settings, as a config file or a run folder has it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from counterec.core.attributes import Attribute
from counterec.errors import ConfigError

NAMES = tuple(field.name for field in fields(Attribute) if field.name != "name")


def settings_of(attribute: Attribute) -> dict[str, Any]:
    """Everything of an attribute but its name and what is left at its default."""
    defaults = {field.name: field.default for field in fields(Attribute)}
    found = {name: getattr(attribute, name) for name in NAMES if getattr(attribute, name) != defaults[name]}
    found.pop("move_costs", None)
    if attribute.move_costs:
        found["move_costs"] = [[before, after, cost] for (before, after), cost in attribute.move_costs.items()]
    if attribute.values:
        found["values"] = list(attribute.values)
    return {"kind": attribute.kind, **found}


def attribute_of(name: str, settings: Mapping[str, Any]) -> Attribute:
    """The inverse of ``settings_of``; an unknown setting is named."""
    found = dict(settings)
    for setting in found:
        if setting not in NAMES:
            raise ConfigError(f"{name} in the schema has the setting {setting!r}; known are {', '.join(NAMES)}")
    if isinstance(found.get("move_costs"), list | tuple):  # as a config file has them: [["drama", "comedy", 2.0]]
        found["move_costs"] = {(before, after): cost for before, after, cost in found["move_costs"]}
    return Attribute(name, **found)
