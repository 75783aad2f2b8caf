"""Numbers as people read them: with separators, few digits, and a dash where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NONE = "–"


def count(value: int | None) -> str:
    """“1,500”."""
    return NONE if value is None else f"{value:,}"


def share(value: float | None, digits: int = 0) -> str:
    """“13%”; what is neither none nor all is not rounded to it: “under 1%”, “over 99%”."""
    if value is None:
        return NONE
    if value in (0, 1):
        return f"{value:.0%}"
    shown, step = f"{value:.{digits}%}", 10.0**-digits
    if 0 < value < 1 and shown in (f"{0:.{digits}%}", f"{1:.{digits}%}"):
        return f"under {step:.{digits}f}%" if value < 0.5 else f"over {100 - step:.{digits}f}%"
    return shown


def decimal(value: float | None, digits: int = 2) -> str:
    """“1.16”."""
    return NONE if value is None else f"{value:z,.{digits}f}"


def measure(found: Mapping[str, Any] | None, digits: int = 3) -> str:
    """The value of a measure of an evaluation."""
    return NONE if found is None else decimal(found.get("value"), digits)


def interval(found: Mapping[str, Any] | None, digits: int = 3) -> str:
    """“0.189 to 0.230”; empty where there is none."""
    if found is None or found.get("value") is None or not found.get("interval"):
        return ""
    low, high = found["interval"]
    return f"{low:.{digits}f} to {high:.{digits}f}"


def seconds(value: float) -> str:
    """“0.3 s”, “2 min 19 s”."""
    if value < 60:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest} s"
