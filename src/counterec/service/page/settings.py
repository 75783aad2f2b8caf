"""How an explanation is searched for, as the address says it: the goal, and what a change may not do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from counterec.core.explainers.constraints import NEVER, VALUES, Constraints
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.errors import ConfigError, UsageError
from counterec.service.page.address import Address

Bounds = tuple[float | None, float | None]
"""The least and the greatest value; None: no limit."""

USUAL_GOAL: Goal = "minimal"
ANY, NOTHING = "any", ""
"""What the address says where the run limits something, and somebody wants no limit."""
NAMES = ("goal", "values", "only_mentioned", "unreviewed", "most", "keep", "bound")
"""The parameters of the address that are settings."""


@dataclass(frozen=True)
class SearchSettings:
    """A goal, and constraints."""

    goal: Goal
    constraints: Constraints

    @classmethod
    def of(cls, address: Address, usual: Constraints) -> SearchSettings:
        """What an address says; where it says nothing, it is as in the run."""
        goal = address.get("goal") or USUAL_GOAL
        found = next((known for known in GOALS if known == goal), None)
        if found is None:
            raise UsageError(f"unknown goal {goal!r}; one of {', '.join(GOALS)}")
        return cls(found, _constraints(address, usual))

    def written(self, usual: Constraints) -> dict[str, str | list[str] | None]:
        """The parameters of an address that say this; what is as usual is left out."""
        own = self.constraints
        return {
            "goal": None if self.goal == USUAL_GOAL else self.goal,
            "values": None if own.values == usual.values else own.values,
            "only_mentioned": None if own.masked == usual.masked else "yes" if own.masked else "no",
            "unreviewed": None if own.unreviewed_beyond == usual.unreviewed_beyond else str(own.unreviewed_beyond),
            "most": None if own.most == usual.most else ANY if own.most is None else str(own.most),
            "keep": None if own.keep == usual.keep else list(own.keep) or [NOTHING],
            "bound": None if bounds_of(own) == bounds_of(usual) else _written(bounds_of(own)) or [NOTHING],
        }


def _constraints(address: Address, usual: Constraints) -> Constraints:
    found = usual
    if (values := address.get("values")) is not None:
        known = next((name for name in VALUES if name == values), None)
        if known is None:
            raise ConfigError(f"unknown values {values!r}; {' or '.join(VALUES)}")
        found = replace(found, values=known)
    if (masked := address.get("only_mentioned")) is not None:
        found = replace(found, masked=masked == "yes")
    if (beyond := address.get("unreviewed")) is not None:
        found = replace(found, unreviewed_beyond="never" if beyond == NEVER else _whole("unreviewed", beyond))
    if (most := address.get("most")) is not None:
        found = replace(found, most=None if most == ANY else _whole("most", most))
    if kept := address.all("keep"):
        found = replace(found, keep=tuple(name for name in kept if name != NOTHING))
    if bounds := address.all("bound"):
        found = with_bounds(found, dict(_read(text) for text in bounds if text != NOTHING))
    return found


def bounds_of(constraints: Constraints) -> dict[str, Bounds]:
    """The values that single aspects are limited to: aspect → least and greatest, None where there is no such limit."""
    named = dict.fromkeys([*constraints.lowest, *constraints.highest])
    return {name: (constraints.lowest.get(name), constraints.highest.get(name)) for name in named}


def with_bounds(constraints: Constraints, bounds: Mapping[str, Bounds]) -> Constraints:
    """The same constraints with these limits, and no others."""
    lowest = {name: low for name, (low, _) in bounds.items() if low is not None}
    highest = {name: high for name, (_, high) in bounds.items() if high is not None}
    return replace(constraints, lowest=lowest, highest=highest)


def _written(bounds: Mapping[str, Bounds]) -> list[str]:
    """Limits as the address has them: ``battery:2:4``; an end that is open is left empty."""
    ends = {name: ["" if end is None else f"{end:g}" for end in both] for name, both in bounds.items()}
    return [f"{name}:{low}:{high}" for name, (low, high) in ends.items()]


def _read(text: str) -> tuple[str, Bounds]:
    name, *ends = text.rsplit(":", 2)
    try:
        low, high = (float(end) if end else None for end in ends)
    except ValueError:
        raise ConfigError(f"bound is {text!r}; write bound=aspect:least:greatest, such as battery:2:4") from None
    return name, (low, high)


def _whole(name: str, text: str) -> int:
    if not text.isdecimal():
        raise ConfigError(f"{name} is {text!r}; it must be a whole number")
    return int(text)
