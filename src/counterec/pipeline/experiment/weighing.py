"""The weights that a method gives aspects → rows: the heaviest aspect, and as many as CountER names."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.explainers.attribution.naming import named
from counterec.pipeline.experiment.cells import Cell
from counterec.pipeline.experiment.guarding import guarded
from counterec.pipeline.experiment.rows import Said, Stand, measured
from counterec.pipeline.experiment.scene import GUIDE, Scene, told

WeighPairs = Callable[[IntVector, IntVector], FloatMatrix]
"""From users and items to the weights of their aspects."""


def weighed(
    scene: Scene, cell: Cell, stand: Stand, name: str, weigh: WeighPairs, always: bool = False
) -> tuple[pl.DataFrame, dict[str, Any]]:
    """Measure what a method's weights say of the lists, without the mask and with it; and note how it fared.

    ``always``: only aspects that the user has mentioned are named, in the masked cell and in the other.
    """
    users, items = stand.pairs()
    started = time.perf_counter()
    weights, failures = guarded(
        lambda rows: weigh(users[rows], items[rows]),
        users,
        len(scene.space.aspects),
        lambda user: scene.space.users.texts[user],
    )
    notes = {"milliseconds": (time.perf_counter() - started) / max(1, len(users)) * 1e3, "failures": failures}
    said = [one for masked in (False, True) for one in _said(scene, name, users, items, weights, masked, always)]
    reporter = scene.desk.reporter
    reporter.total(sum(int(one.named.any_named.sum()) for one in said), "pairs")
    return pl.concat([measured(cell, one, stand, scene.truth, progress=reporter.advance) for one in said]), notes


def _said(
    scene: Scene, name: str, users: IntVector, items: IntVector, weights: FloatMatrix, masked: bool, always: bool
) -> tuple[Said, Said]:
    """What the weights say with one aspect and with as many as CountER names."""
    eligible = scene.cared_about(users) if masked or always else None
    counts, joint = told(scene.answers(GUIDE, masked), users, items)
    one, everywhere = np.ones(len(users), dtype=np.int64), np.ones(len(users), dtype=bool)
    return (
        Said(name, "single", masked, named(users, items, weights, one, eligible), everywhere),
        Said(name, "multi", masked, named(users, items, weights, counts, eligible), joint),
    )
