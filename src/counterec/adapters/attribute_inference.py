"""Columns of an item frame → attributes, where their meaning is plain; what is not plain is told in a small schema.

==============================  =================================================================
a column of                     is taken for
==============================  =================================================================
true and false, or only 0, 1    yes or no
numbers                         a number between the least and the greatest; whole ones in steps of 1
texts, few of them              a category
texts, nearly all different     no attribute: names and descriptions reach the model as they are
anything else, or one value     no attribute
==============================  =================================================================

A missing value makes an attribute one that can be absent. Which end of a number is worse is never guessed: it may
move either way until the schema says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from counterec.adapters.frame_library import Frame, FrameLibrary
from counterec.core.attributes import Attribute, Schema
from counterec.errors import ConfigError, EmptyDataError

MOST_VALUES = 50
"""A column of texts with more different values than this is no category."""

Told = Attribute | Mapping[str, Any]
"""An attribute, or the part of it that is not plain: ``{"worse": "high", "unit": "€"}``."""
SchemaLike = Schema | Mapping[str, Any]
"""A schema, or what is told of some attributes by name."""


def inferred_schema(
    library: FrameLibrary, frame: Frame, ids: Collection[str], told: SchemaLike | None, keep: Collection[str] = ()
) -> Schema:
    """The attributes of the items: told ones as told, all others as their columns show them."""
    given = _by_name(told)
    columns = [name for name in library.columns(frame) if name not in ids]
    for name in (*given, *keep):
        if name not in columns:
            raise ConfigError(f"the schema names {name!r}, but items has no such column; it has {', '.join(columns)}")
    found = [_attribute(library, frame, name, given.get(name), name in keep) for name in columns]
    attributes = [attribute for attribute in found if attribute is not None]
    if not attributes:
        raise EmptyDataError(
            "no column of items is an attribute: numbers, yes/no or texts with few values; "
            f"there are {', '.join(columns) or 'none'}"
        )
    return Schema.of(attributes)


def _by_name(told: SchemaLike | None) -> dict[str, Told]:
    if isinstance(told, Schema):
        return {attribute.name: attribute for attribute in told.attributes}
    return dict(told or {})


def _attribute(library: FrameLibrary, frame: Frame, name: str, told: Told | None, kept: bool) -> Attribute | None:
    """The attribute that a column is; None where it is none."""
    values = library.values(frame, name)
    if not isinstance(told, Attribute):
        settings = dict(told or {})
        plain = _plain(library, frame, name, values, settled=told is not None or kept)
        if "kind" in settings:
            plain = {"can_be_absent": True} if _missing(values).any() else {}
        if plain is None and told is None:
            return None
        if plain is None:
            raise ConfigError(f"{name} of items is no attribute by itself; say its kind in the schema")
        if "format" in settings:
            plain.pop("step", None)  # the format says how fine the number is
        told = _told(name, {**plain, **settings})
    if kept:
        told = replace(told, kept=True)
    return told.with_range_of(values) if told.is_number else told


def _told(name: str, settings: dict[str, Any]) -> Attribute:
    if isinstance(settings.get("move_costs"), Mapping):
        return replace(_told(name, {**settings, "move_costs": []}), move_costs=settings["move_costs"])
    return Attribute.of_plain({"name": name, **settings})


def _plain(
    library: FrameLibrary, frame: Frame, name: str, values: np.ndarray, *, settled: bool
) -> dict[str, Any] | None:
    """The attribute that a column plainly is, as settings; ``settled`` if somebody has said that it is one."""
    kind = library.kind(frame, name)
    missing = _missing(values)
    known = values[~missing]
    absent = {"can_be_absent": True} if missing.any() else {}
    if kind == "text":
        order = library.category_order(frame, name)
        texts = sorted(set(known)) if order is None else order
        few = len(texts) <= MOST_VALUES and 2 * len(texts) <= max(len(known), 4)
        if settled or order is not None or few:
            return {"kind": "category", "values": tuple(texts), **absent} if len(texts) > (not settled) else None
        return None
    if kind == "other" or not len(known):
        return None
    if kind == "yes_no" or set(np.unique(known).tolist()) == {0.0, 1.0}:
        return {"kind": "yes_no", **absent}
    low, high = float(known.min()), float(known.max())
    if low == high and not settled:
        return None
    step = {"step": 1.0} if kind == "whole" else {}
    return {"kind": "number", "low": low, "high": high, **step, **absent}


def _missing(values: np.ndarray) -> np.ndarray:
    return np.array([value is None for value in values]) if values.dtype == object else np.isnan(values)
