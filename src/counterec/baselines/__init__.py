"""The paper's baselines: recommenders that explain their own lists. Each is imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from counterec.baselines.base import Baseline


def _efm() -> Baseline:
    from counterec.baselines.efm import EFM

    return EFM()


def _mter() -> Baseline:
    from counterec.baselines.mter import MTER

    return MTER()


def _a2cf() -> Baseline:
    from counterec.baselines.a2cf import A2CF

    return A2CF()


BASELINES: Mapping[str, Callable[[], Baseline]] = {"efm": _efm, "mter": _mter, "a2cf": _a2cf}
"""The constructors by name, in the order of the paper's tables."""
