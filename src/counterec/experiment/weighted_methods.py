"""The weights that a method gives aspects → rows: the heaviest aspect, and as many as CountER names."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.attribution.top_aspects import named
from counterec.experiment.cell_inputs import GUIDE, CellInputs, told
from counterec.experiment.cells import Cell
from counterec.experiment.guarded_weights import guarded
from counterec.experiment.rows import MeasuredLists, MethodAnswers, measured

WeighPairs = Callable[[IntVector, IntVector], FloatMatrix]
"""From users and items to the weights of their aspects."""


def weighed(
    scene: CellInputs, cell: Cell, stand: MeasuredLists, name: str, weigh: WeighPairs, always: bool = False
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
    reporter = scene.context.reporter
    reporter.total(sum(int(one.named.any_named.sum()) for one in said), "pairs")
    return pl.concat([measured(cell, one, stand, scene.truth, progress=reporter.advance) for one in said]), notes


def _said(
    scene: CellInputs, name: str, users: IntVector, items: IntVector, weights: FloatMatrix, masked: bool, always: bool
) -> tuple[MethodAnswers, MethodAnswers]:
    """What the weights say with one aspect and with as many as CountER names."""
    eligible = scene.cared_about(users) if masked or always else None
    counts, joint = told(scene.answers(GUIDE, masked), users, items)
    one, everywhere = np.ones(len(users), dtype=np.int64), np.ones(len(users), dtype=bool)
    return (
        MethodAnswers(name, "single", masked, named(users, items, weights, one, eligible), everywhere),
        MethodAnswers(name, "multi", masked, named(users, items, weights, counts, eligible), joint),
    )
