"""The goals: what counts as a small change."""

from __future__ import annotations

from typing import Literal

Goal = Literal["relaxed", "single", "minimal", "complete"]
GOALS: tuple[Goal, ...] = ("relaxed", "single", "minimal", "complete")
