"""Settings that had another name in earlier versions: a config file is corrected by its owner, a manifest by us."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from counterec.core.opinions import CEILING
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


CHANGED = {
    "explain.margin": "explain.margin is gone: a margin is now a share of the standard deviation of a user's candidate "
    "scores; write explain.margin_share, 0.0001 by default",
    "explain.constraints.floor": 'explain.constraints.floor is gone; write values = "continuous" for "absent", or '
    'values = "reachable" with unreviewed_beyond = "never" for "worst"',
    "training.validation_negatives": "training.validation_negatives is gone: the validation item is ranked in the "
    "whole catalogue; leave it out, and see training.validation_cutoff",
    "experiment.model": 'experiment.model is now a list: write experiment.models, such as ["net", "hybrid"]',
    "explain.relaxed.step": "explain.relaxed.step is gone: write explain.relaxed.stride, a quarter of it, since it is "
    "in spans of an aspect",
}
"""Settings whose meaning changed, with what to write instead."""


EVERY_ASPECT: dict[str, Any] = {"most": 0, "merge": False, "leave_out": False, "most_per_review": 0}
EVERY_ASPECT |= {"quality": "eq1", "attention": "eq1", "everybody": False}
"""How runs made X and Y before there was a choice."""


def refuse_old_names(settings: dict[str, Any]) -> None:
    """Raise, naming the new name, where settings use an old one."""
    for place, _, name in _old_names(settings):
        raise ConfigError(f"{place} is now called {name}; rename it")
    for place, old, new in _old_values(settings):
        raise ConfigError(f"{place} = {old!r} is now called {new!r}; rename it")
    for place, advice in CHANGED.items():
        *path, last = place.split(".")
        if last in _part(settings, path):
            raise ConfigError(advice)


def with_new_names(settings: dict[str, Any]) -> dict[str, Any]:
    """The same settings by their names of today."""
    renamed = _copied(settings)
    for place, part, name in list(_old_names(renamed)):
        part[name] = part.pop(place.split(".")[-1])
    for place, old, new in list(_old_values(renamed)):
        *path, last = place.split(".")
        part = _part(renamed, path)
        part[last] = [new if value == old else value for value in part[last]] if isinstance(part[last], list) else new
    _translate_changed(renamed)
    _add_the_model_that_was_meant(renamed)
    return renamed


def _add_the_model_that_was_meant(settings: dict[str, Any]) -> None:
    """Name the kind of model where it was not asked for: the net was the only one, and experiments used the run's."""
    kind = settings.setdefault("model", {}).setdefault("kind", "net")
    experiment = settings.setdefault("experiment", {})
    experiment.setdefault("models", [experiment.pop("model", kind)])


def _translate_changed(settings: dict[str, Any]) -> None:
    """The settings of a finished run by their meaning of today; what has none is left, and refused with advice."""
    explain, constraints = _part(settings, ["explain"]), _part(settings, ["explain", "constraints"])
    relaxed = _part(settings, ["explain", "relaxed"])
    aspects = _part(settings, ["aspects"])
    if aspects and "most" not in aspects:
        aspects |= EVERY_ASPECT
    explain.pop("margin", None)  # it is part of the answers: each has its margin
    _part(settings, ["training"]).pop("validation_negatives", None)  # the model is trained
    if constraints.get("floor") == "absent":
        del constraints["floor"]
        constraints["values"] = "continuous"
    if isinstance(relaxed.get("step"), int | float):
        ceiling = _part(settings, ["aspects"]).get("ceiling", CEILING)
        relaxed["stride"] = relaxed.pop("step") / (ceiling - 1)


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
