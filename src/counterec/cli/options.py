"""What options of the command line mean: constraints, goals, questions, devices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

from counterec.core.explainers.constraints import Constraints, Floor
from counterec.core.explainers.goals import GOALS, Goal
from counterec.core.explainers.question import Kind
from counterec.errors import UsageError

FLOORS: dict[str, Floor] = {"absent": "absent", "0": "absent", "worst": "worst", "1": "worst"}
"""A floor by its names: 0 is as if never reviewed on it, 1 the worst that a reviewed aspect can be."""


def checked_goal(name: str, single: bool = False) -> Goal:
    """The goal of this name, unless another option asks for a single aspect."""
    if single and name in ("minimal", "single"):  # minimal is what is asked for where nothing is
        return "single"
    if single:
        raise UsageError(f"--single and --goal {name}: name one of the two")
    for goal in GOALS:
        if goal == name:
            return goal
    raise UsageError(f"unknown goal {name!r}; one of {', '.join(GOALS)}")


def checked_question(name: str, takes: bool) -> Kind:
    """The question of this name; hyphens will do."""
    asked = name.replace("-", "_")
    if takes and asked != "why_rather":
        raise UsageError("--takes goes with --question why_rather: the item takes the other's values")
    asked = f"{asked}_takes" if takes else asked
    for kind in get_args(Kind):
        if kind == asked:
            return kind
    raise UsageError(f"unknown question {name!r}; why, why_not or why_rather")


def checked_device(name: str) -> str:
    """The device of this name, if the machine has it."""
    import torch

    if name not in ("cpu", "cuda"):
        raise UsageError(f"unknown device {name!r}; cpu or cuda")
    if name == "cuda" and not torch.cuda.is_available():
        raise UsageError("--device cuda: this machine has no CUDA device; use --device cpu")
    return name


def constrained(
    given: Constraints,
    fixed: Iterable[str] = (),
    bounds: Iterable[str] = (),
    floor: str | None = None,
    most: int | None = None,
    costs: Iterable[str] = (),
    mask: bool = False,
) -> Constraints:
    """The constraints of a run with those of the command line on top."""
    ends = [_bound(text) for text in bounds]
    return replace(
        given,
        fixed=tuple(dict.fromkeys([*given.fixed, *fixed])),
        lowest={**given.lowest, **each_once("--bound", [(name, low) for name, low, _ in ends])},
        highest={**given.highest, **each_once("--bound", [(name, high) for name, _, high in ends])},
        floor=given.floor if floor is None else _floor(floor),
        most=given.most if most is None else most,
        costs={**given.costs, **each_once("--cost", [named_number("--cost", text) for text in costs])},
        masked=mask,
    )


def _floor(text: str) -> Floor:
    if text not in FLOORS:
        raise UsageError(f"--floor {text!r}: absent (or 0) or worst (or 1)")
    return FLOORS[text]


def _bound(text: str) -> tuple[str, float | None, float | None]:
    name, _, values = (part.strip() for part in text.rpartition("="))
    low, colon, high = (part.strip() for part in values.partition(":"))
    if not (name and colon and (low or high)):
        raise UsageError(f"--bound {text!r}: write aspect=low:high, such as battery=2:4, battery=2: or battery=:4")
    return name, _number("--bound", text, low), _number("--bound", text, high)


def each_once(option: str, given: Iterable[tuple[str, float | None]]) -> dict[str, float]:
    """Values by name; a name with two of them is an error that names both."""
    found: dict[str, float] = {}
    for name, value in given:
        if value is None:
            continue
        if name in found and found[name] != value:
            raise UsageError(f"{option}: {name} is given twice, as {found[name]:g} and as {value:g}")
        found[name] = value
    return found


def named_number(option: str, text: str) -> tuple[str, float]:
    """``name=number``."""
    name, _, value = (part.strip() for part in text.rpartition("="))
    number = _number(option, text, value) if name else None
    if number is None:
        raise UsageError(f"{option} {text!r}: write aspect=number, such as battery=2")
    return name, number


def _number(option: str, text: str, value: str) -> float | None:
    if not value:
        return None
    try:
        return float(value)
    except ValueError:
        raise UsageError(f"{option} {text!r}: {value!r} is not a number") from None
