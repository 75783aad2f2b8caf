"""Constraints: what a change may not do, for any question and goal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.core.attributes import Schema
from counterec.core.scale import AspectScale
from counterec.core.space import AspectSpace
from counterec.errors import ConfigError

Values = Literal["reachable", "continuous"]
VALUES: tuple[Values, ...] = get_args(Values)

NEVER = "never"
"""Stands for *no aspect may become unreviewed* where a number of aspects is expected."""


def _demand(condition: bool | np.bool_, message: str) -> None:
    if not condition:
        raise ConfigError(message)


@dataclass(frozen=True)
class Constraints:
    """What a change must respect. Aspects are given by name, so that constraints can be written in a file.

    Constraints that contradict each other raise an error that names them, here or as soon as the scale is known.
    """

    keep: tuple[str, ...] = ()
    """Aspects that must not move."""
    lowest: Mapping[str, float] = field(default_factory=dict)
    """The least value that a change may lead to, by aspect."""
    highest: Mapping[str, float] = field(default_factory=dict)
    """The greatest value that a change may lead to, by aspect."""
    values: Values = "reachable"
    """What an aspect may become: ``reachable``, only what an item can have; ``continuous``, any value from absent to
    the end of its scale, as in the paper. For attributes of a schema it makes no difference."""
    unreviewed_beyond: int | Literal["never"] = 3
    """Among reachable values: where more aspects than this would have to get worse, aspects may also become absent, as
    if nobody had reviewed the item on them. ``"never"`` forbids it."""
    most: int | None = None
    """At most this many aspects move."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """The cost of moving an aspect by the whole span of its scale, by aspect; 1 where not given."""
    masked: bool = False
    """Only aspects that the user cares about may move (Eq. 16)."""

    def __post_init__(self) -> None:
        _demand(self.values in VALUES, f"unknown values {self.values!r}; {' or '.join(VALUES)}")
        beyond = self.unreviewed_beyond
        if beyond != NEVER:
            known = isinstance(beyond, int) and beyond >= 0
            _demand(known, f"unreviewed_beyond is {beyond!r}; a number of aspects, or {NEVER!r}")
        _demand(
            self.most is None or self.most >= 1,
            f"most: at most {self.most} aspects: at least 1 must be allowed to move",
        )
        for name, cost in self.costs.items():
            _demand(np.isfinite(cost) and cost > 0, f"the cost of {name} is {cost:g}; it must be above 0")
        for side, bounds in (("at least", self.lowest), ("at most", self.highest)):
            for name, bound in bounds.items():
                _demand(np.isfinite(bound), f"{name} {side} {bound}: a bound is a finite number")
                _demand(name not in self.keep, f"{name} must not move, and yet has a bound ({side} {bound:g})")
        for name in self.lowest.keys() & self.highest.keys():
            low, high = self.lowest[name], self.highest[name]
            _demand(low <= high, f"{name} at least {low:g} and at most {high:g}: no value is both")

    def of(self, space: AspectSpace) -> Constraints:
        """The same constraints for this space: attributes of a schema always move on their steps, never freely."""
        free = space.schema is not None and self.values == "continuous"
        return replace(self, values="reachable") if free else self

    def check(self, space: AspectSpace) -> None:
        """Raise if an aspect is unknown, or a bound contradicts the scale."""
        for name in (*self.keep, *self.lowest, *self.highest, *self.costs):
            space.aspects.number(name)
        if space.schema is not None:
            self._check_attributes(space.schema)
        _demand(len(set(self.keep)) < len(space.aspects), "every aspect must not move: nothing is left to change")
        for side, bounds in (("at least", self.lowest), ("at most", self.highest)):
            for name, bound in bounds.items():
                self._check_bound(space.scale, space.aspects.number(name), f"{name} {side} {bound:g}", bound)

    def _check_attributes(self, schema: Schema) -> None:
        """Attributes have ranges and values of their own; what cannot be said of them is refused."""
        for attribute in schema.attributes:
            bounded = attribute.name in self.lowest or attribute.name in self.highest
            said = f"{attribute.name} is of kind {attribute.kind}"
            _demand(attribute.is_number or not bounded, f"{said}: only numbers have bounds; keep it, or leave it free")
            said = f"{attribute.name} is {'kept' if attribute.kept else 'derived'} by the schema"
            stays = attribute.kept or attribute.derived
            _demand(not (stays and bounded), f"{said}, and yet has a bound")

    def _check_bound(self, scale: AspectScale, aspect: int, said: str, bound: float) -> None:
        low, high, absent = (float(end[aspect]) for end in (scale.low, scale.high, scale.absent))
        if scale.schema is not None:
            _demand(low <= bound <= high, f"{said}: its range is {low:g} to {high:g}")
            return
        _demand(
            bound == absent or low <= bound <= high,
            f"{said}: its scale is {low:g} to {high:g}, or {absent:g} for absent",
        )

    def within(
        self, space: AspectSpace, users: IntVector, item_quality: FloatMatrix, lowest: FloatMatrix, highest: FloatMatrix
    ) -> tuple[FloatMatrix, FloatMatrix]:
        """Narrow the bounds of a change, one row per pair, to what is allowed; no change always is.

        An aspect that lies outside its bounds stays where it is: moving only part of the way to them would break them.
        """
        least, most = self.value_bounds(space)
        allowed = self.movable(space, users) & (least <= item_quality) & (item_quality <= most)
        return (
            np.where(allowed, np.minimum(np.maximum(lowest, least - item_quality), 0), 0).astype(np.float32),
            np.where(allowed, np.maximum(np.minimum(highest, most - item_quality), 0), 0).astype(np.float32),
        )

    def movable(self, space: AspectSpace, users: IntVector) -> np.ndarray:
        """Which aspects may move at all, one row per pair."""
        allowed = np.ones((len(users), len(space.aspects)), dtype=bool)
        allowed[:, space.aspects.numbers(self.keep)] = False
        if space.schema is not None:
            allowed[:, space.schema.stays] = False
        return allowed & (space.user_attention[users] != 0) if self.masked else allowed

    def value_bounds(self, space: AspectSpace) -> tuple[FloatVector, FloatVector]:
        """The least and the greatest value that a change may lead to, per aspect; infinite where unbounded."""
        least, most = np.full(len(space.aspects), -np.inf), np.full(len(space.aspects), np.inf)
        least[space.aspects.numbers(self.lowest)] = list(self.lowest.values())
        most[space.aspects.numbers(self.highest)] = list(self.highest.values())
        return least.astype(np.float32), most.astype(np.float32)

    @property
    def most_reviewed(self) -> int | None:
        """The number of aspects beyond which aspects may become absent; None if they never may."""
        if self.values == "continuous" or not isinstance(self.unreviewed_beyond, int):
            return None
        return self.unreviewed_beyond if self.most is None else min(self.unreviewed_beyond, self.most)

    def cost_of(self, space: AspectSpace) -> FloatVector:
        """The cost of moving each aspect by its span."""
        costs = np.ones(len(space.aspects), dtype=np.float32)
        costs[space.aspects.numbers(self.costs)] = list(self.costs.values())
        return costs


NONE = Constraints()
"""No constraints beyond those of the question itself."""
