"""Attributes as people have them: numbers, yes or no, categories; and the schema, one attribute per aspect.

A space holds every attribute as a number, its *code*:

==============  ====================================  ===============================================
kind            code                                  a change may lead to
==============  ====================================  ===============================================
``number``      the number itself                     any whole number of steps within its range
``yes_no``      0 for no, 1 for yes                   the other one
``category``    the place of its value, from 0        any other of its values
``quality``     what reviews say, 1 to 5              as a number
==============  ====================================  ===============================================

*Absent* is a code of its own, off the range, that only this file and the scale know: people give and read None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import ceil, floor, isfinite, isnan, log10
from string import Formatter
from typing import Any, Literal, get_args

import numpy as np

from counterec.core.arrays import BoolVector, FloatVector, IntVector, require

Kind = Literal["number", "yes_no", "category", "quality"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Worse = Literal["low", "high"]

STEPS_OF_A_RANGE = 100
"""A number without a step of its own has at least this many within its range, in round numbers."""

NO, YES = 0.0, 1.0
"""The codes of an attribute that is yes or no."""

Value = float | bool | str | None
"""An attribute as people have it; None where an item does not have it."""


@dataclass(frozen=True)
class Attribute:
    """One attribute of items: what it may be, what it may become, and how it is said."""

    name: str
    kind: Kind = "number"
    low: float | None = None
    """The least value of a number; None until values are known (``with_range_of``)."""
    high: float | None = None
    """The greatest value of a number."""
    worse: Worse | None = None
    """Which end is the worse one: *low* for stars, *high* for a price. None: it may move either way."""
    step: float | None = None
    """A number changes to whole multiples of this; None: what its format can say, or at most a hundredth of its
    range."""
    unit: str = ""
    """What is said after a number: “km”."""
    format: str = ""
    """How a number is said, with its unit: “{:.0f} €”."""
    values: tuple[str, ...] = ()
    """The values of a category; in order, if one end is worse."""
    move_costs: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """What it costs to move between two values of a category, both ways unless both are given; 1 where not given."""
    can_be_absent: bool = False
    """Whether an item may lack it."""
    kept: bool = False
    """Whether it must not move."""
    derived: bool = False
    """Whether it follows from the others: it never moves by itself, and is computed anew for every changed row."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        object.__setattr__(self, "move_costs", dict(self.move_costs))
        require(bool(self.name), "an attribute has no name")
        require(self.kind in KINDS, f"{self.name} is of kind {self.kind!r}; one of {', '.join(KINDS)}")
        ends = (None, *get_args(Worse))
        require(self.worse in ends, f"worse of {self.name} is {self.worse!r}; 'low', 'high' or None")
        self._require_range()
        self._require_values()
        self._require_format()
        if self.kind == "quality":
            self._make_quality()

    def _make_quality(self) -> None:
        """What reviews say is from 1 to 5, and low is worse, if nothing else is given."""
        ends = (1.0, 5.0) if self.low is None else (self.low, self.high)
        for name, value in (("low", ends[0]), ("high", ends[1]), ("worse", self.worse or "low")):
            object.__setattr__(self, name, value)

    def _require_range(self) -> None:
        given = {"low": self.low, "high": self.high, "step": self.step}
        for name, value in given.items():
            require(value is None or isfinite(value), f"{name} of {self.name} is {value}; it must be a finite number")
            plain = self.is_number or value is None
            require(plain, f"{name} of {self.name} is {value}, but it is of kind {self.kind}: only numbers have one")
        require((self.low is None) == (self.high is None), f"{self.name} has one end of its range; give low and high")
        if self.low is not None and self.high is not None:
            require(self.low <= self.high, f"{self.name} is from {self.low:g} to {self.high:g}; low is the smaller one")
        require(self.step is None or self.step > 0, f"step of {self.name} is {self.step}; it must be above 0")

    def _require_values(self) -> None:
        if self.kind != "category":
            require(not self.values, f"{self.name} has values, but is of kind {self.kind}; only a category has them")
            require(not self.move_costs, f"{self.name} has move_costs, but is of kind {self.kind}, not a category")
            return
        require(bool(self.values), f"{self.name} is a category without values; list them in values")
        for value in self.values:
            require(isinstance(value, str) and bool(value), f"{self.name} has the value {value!r}; values are texts")
            require(self.values.count(value) == 1, f"{self.name} has the value {value!r} twice")
        for (before, after), cost in self.move_costs.items():
            said = f"{self.name} from {before!r} to {after!r} costs {cost:g}"
            require({before, after} <= set(self.values), f"{said}, but its values are {', '.join(self.values)}")
            require(isfinite(cost) and cost > 0, f"{said}; a cost is above 0")

    def _require_format(self) -> None:
        if not self.format:
            return
        require(self.is_number, f"{self.name} has a format, but is of kind {self.kind}; only numbers have one")
        require(not self.unit, f"{self.name} has the format {self.format!r} and a unit; put the unit into the format")
        try:
            shown = self.format.format(1.5)
        except (ValueError, IndexError, KeyError, TypeError) as error:
            require(False, f"format of {self.name} is {self.format!r} ({error}); write it like '{{:.0f}} €'")
        require(shown != self.format, f"format of {self.name} is {self.format!r}, without a number; add '{{:.0f}}'")

    @property
    def is_number(self) -> bool:
        """Whether it moves along a line; otherwise it has a few values, and moves from one to another."""
        return self.kind in ("number", "quality")

    @property
    def either_way(self) -> bool:
        """Whether neither end is worse."""
        return self.worse is None

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest code; never the same, so that they make a scale."""
        if not self.is_number:
            return 0.0, float(max(1, len(self.values) - 1))
        if self.low is None or self.high is None:
            require(False, f"{self.name} has no range; give low and high, or with_range_of(values)")
            raise AssertionError
        return self.low, self.high if self.high > self.low else self.low + 1

    @property
    def absent(self) -> float:
        """The code of an item that lacks it: off the range, beyond the worse end."""
        low, high = self.ends
        if self.kind == "quality":
            return 0.0 if low > 0 else low - (high - low)
        beyond = high - low if self.is_number else 1.0
        return high + beyond if self.worse == "high" else low - beyond

    @property
    def count(self) -> int:
        """How many values it has, if it is no number."""
        return 2 if self.kind == "yes_no" else len(self.values)

    @property
    def steps(self) -> float:
        """What a number moves by: its step, what its format can say, or a round share of its range."""
        if self.step is not None:
            return self.step
        digits = _digits(self.format)
        if digits is not None:
            return 10.0**-digits
        low, high = self.ends
        return 10.0 ** floor(log10((high - low) / STEPS_OF_A_RANGE) + 1e-9)

    @property
    def digits(self) -> int:
        """How many digits after the point tell its steps apart."""
        for digits in range(10):
            if abs(round(self.steps, digits) - self.steps) <= 1e-9 * self.steps:
                return digits
        return max(0, ceil(-log10(self.steps)))

    def with_range_of(self, values: Iterable[float]) -> Attribute:
        """The same number with the range of these values, where it has none; those that are NaN do not count."""
        if not self.is_number or self.low is not None:
            return self
        known = [float(value) for value in values if not isnan(value)]
        require(bool(known), f"{self.name} has no range, and no item has a value; give low and high")
        return replace(self, low=min(known), high=max(known))

    def code(self, value: Value) -> float:
        """The code of a value as people have it; None or NaN is absent."""
        if value is None or (isinstance(value, float | np.floating) and isnan(value)):
            require(self.can_be_absent, f"{self.name} is missing; give a value, or say can_be_absent in the schema")
            return self.absent
        if self.kind == "yes_no":
            known = isinstance(value, bool | np.bool_ | int | float | np.number) and value in (0, 1)
            require(known, f"{self.name} is {value!r}; it must be True or False")
            return YES if value else NO
        if self.kind == "category":
            said = f"no {self.name} {value!r}; its values are {', '.join(self.values)}"
            require(isinstance(value, str) and value in self._places, said)
            return float(self._places[str(value)])
        known = isinstance(value, int | float | np.number) and not isinstance(value, bool) and isfinite(value)
        require(known, f"{self.name} is {value!r}; it must be a finite number")
        return float(value)

    def value(self, code: float) -> Value:
        """What a code stands for; None for absent."""
        if np.float32(code) == np.float32(self.absent):
            return None
        if self.kind == "yes_no":
            return bool(code == YES)
        return self.values[int(code)] if self.kind == "category" else float(code)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {value: place for place, value in enumerate(self.values)}

    def move_cost(self, before: float, after: float) -> float:
        """What it costs to move between two codes of a category or of yes and no; 1 to or from absent."""
        if not self.move_costs or self.absent in (before, after):
            return 1.0
        way = self.values[int(before)], self.values[int(after)]
        return float(self.move_costs.get(way, self.move_costs.get(way[::-1], 1.0)))

    def plain(self) -> dict[str, Any]:
        """The attribute in texts, numbers and lists, as a file holds it; what is as usual is left out."""
        usual = Attribute("usual")
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        said = {name: value for name, value in said.items() if value != getattr(usual, name)}
        lists: dict[str, Any] = {"values": list(self.values)} if self.values else {}
        if self.move_costs:
            lists["move_costs"] = [[before, after, cost] for (before, after), cost in self.move_costs.items()]
        return said | lists

    @classmethod
    def of_plain(cls, said: Mapping[str, Any]) -> Attribute:
        """The inverse of ``plain``."""
        known = [each.name for each in fields(cls)]
        for name in said:
            require(name in known, f"unknown {name!r} of attribute {said.get('name')!r}; one of {', '.join(known)}")
        costs = said.get("move_costs", ())
        triples = all(isinstance(entry, list | tuple) and len(entry) == 3 for entry in costs)
        require(triples, f"move_costs of {said.get('name')!r} is {costs!r}; write [[from, to, cost], …]")
        return cls(**{**said, "move_costs": {(before, after): cost for before, after, cost in costs}})


def _digits(form: str) -> int | None:
    """How many digits after the point a format shows; None if it does not say."""
    for _, name, spec, _ in Formatter().parse(form):
        if name is None or spec is None:
            continue
        if spec.endswith("d"):
            return 0
        _, point, digits = spec.rstrip("fF").partition(".")
        if spec[-1:] in ("f", "F") and point and digits.isdigit():
            return int(digits)
    return None


@dataclass(frozen=True)
class Schema:
    """The attributes of a space, one per aspect, in the sorted order of their names."""

    attributes: tuple[Attribute, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", tuple(self.attributes))
        require(bool(self.attributes), "a schema needs at least one attribute")
        for before, after in zip(self.attributes, self.attributes[1:], strict=False):
            require(before.name < after.name, f"attribute {after.name!r} is repeated or out of order; use Schema.of")
        free = [attribute.name for attribute in self.attributes if not (attribute.kept or attribute.derived)]
        require(bool(free), "every attribute is kept or derived: nothing is left to change")

    @classmethod
    def of(cls, attributes: Iterable[Attribute]) -> Schema:
        """The attributes in the order of their names."""
        return cls(tuple(sorted(attributes, key=lambda attribute: attribute.name)))

    def __len__(self) -> int:
        return len(self.attributes)

    def __getitem__(self, aspect: int) -> Attribute:
        return self.attributes[aspect]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the attributes."""
        return tuple(attribute.name for attribute in self.attributes)

    def flags(self, name: str) -> BoolVector:
        """Per attribute, whether this is so of it: ``kept``, ``derived``, ``can_be_absent``, ``is_number`` …"""
        return np.array([bool(getattr(attribute, name)) for attribute in self.attributes])

    @cached_property
    def stays(self) -> BoolVector:
        """Which attributes no change may move: kept and derived ones."""
        return self.flags("kept") | self.flags("derived")

    def numbers(self, name: str) -> FloatVector:
        """Per attribute this number of it: ``absent``, ``steps`` …"""
        return np.array([float(getattr(attribute, name)) for attribute in self.attributes])

    def move_costs(self, aspects: IntVector, before: FloatVector, after: FloatVector) -> FloatVector:
        """What moves of single attributes cost, as shares of the cost of a span; they belong together by entry."""
        costs = np.ones(len(aspects))
        for aspect, attribute in enumerate(self.attributes):
            if attribute.move_costs:
                own = np.flatnonzero(aspects == aspect)
                moves = zip(before[own].tolist(), after[own].tolist(), strict=True)
                costs[own] = [attribute.move_cost(*move) for move in moves]
        return costs

    def code_rows(self, rows: Iterable[Mapping[str, Any]]) -> np.ndarray:
        """Rows of values as people have them as codes [rows, attributes]; a missing name is absent."""
        coded = [[attribute.code(row.get(attribute.name)) for attribute in self.attributes] for row in rows]
        return np.array(coded, dtype=np.float32).reshape(-1, len(self))
