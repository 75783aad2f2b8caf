"""Every tolerance of the explainers, with its reason."""

from __future__ import annotations

MARGIN = 1e-4
"""A flip clears the target by this share of max(1, |target|)."""

SAFETY = 1.2
"""Solvers aim past the margin by this factor, so that float noise between batches cannot undo a flip they found."""
