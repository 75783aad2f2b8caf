"""Whether figures can be drawn: what draws them is optional."""

from __future__ import annotations

import importlib.util

DRAWING = ("altair", "vl_convert")
"""The packages that draw the figures; they are optional."""


def can_draw() -> bool:
    """Whether what draws the figures is installed."""
    return all(importlib.util.find_spec(package) is not None for package in DRAWING)
