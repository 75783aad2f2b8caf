"""Methods that weigh aspects → rows: the heaviest aspect, and as many as CountER names.

Different methods often name the same aspects of a pair. Each such set is judged once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatMatrix, IntVector
from counterec.core.attribution.top_aspects import named
from counterec.core.evaluation.judge_necessity import judged_once, verdicts
from counterec.core.evaluation.necessity import Verdicts
from counterec.core.explainers.answer import NamedAspects
from counterec.experiment.cell_inputs import GUIDE, CellInputs, guide_counts, usual_count
from counterec.experiment.guarded_weights import guarded_weights
from counterec.experiment.rows import MeasuredLists, MethodAnswers, measured

WeighPairs = Callable[[IntVector, IntVector], FloatMatrix]
"""From users and items to the weights of their aspects."""


def weighed(
    cell: CellInputs,
    lists: MeasuredLists,
    name: str,
    weigh: WeighPairs,
    always_masked: bool = False,
) -> tuple[list[MethodAnswers], dict[str, Any]]:
    """The aspects that a method weighs heaviest, without the mask and with it, and a note on how it went.

    ``always_masked``: the method names only aspects that the user has mentioned, with the mask and without.
    """
    users, items = lists.pairs()
    space = cell.folder.space
    started = time.perf_counter()
    weights, failures = guarded_weights(
        lambda rows: weigh(users[rows], items[rows]), users, len(space.aspects), lambda user: space.users.texts[user]
    )
    notes = {"milliseconds": (time.perf_counter() - started) / max(1, len(users)) * 1e3, "failures": failures}
    answers = [
        one for masked in (False, True) for one in _answers(cell, name, users, items, weights, masked, always_masked)
    ]
    return answers, notes


def measured_together(cell: CellInputs, lists: MeasuredLists, answers: Sequence[MethodAnswers]) -> list[pl.DataFrame]:
    """Measure what was named for the same lists, one table for each; what several name is judged once."""
    reporter, heads = cell.context.reporter, lists.heads

    def judge(named: NamedAspects) -> Verdicts:
        reporter.total(int(named.any_named.sum()), "pairs")
        return verdicts(lists.scorer, lists.space, heads.candidates, lists.k, named, reporter.advance, heads)

    known: Sequence[Verdicts | None] = [None] * len(answers)
    if lists.judged and answers:
        known = judged_once([one.named for one in answers], judge)
    return [measured(cell.config, one, lists, cell.truth, found) for one, found in zip(answers, known, strict=True)]


def _answers(
    cell: CellInputs,
    name: str,
    users: IntVector,
    items: IntVector,
    weights: FloatMatrix,
    masked: bool,
    always_masked: bool,
) -> tuple[MethodAnswers, MethodAnswers]:
    """The heaviest aspect of each pair, and as many as CountER names.

    For a pair that CountER does not explain or that is not in its lists, they are as many as it usually names.
    """
    eligible = cell.mentioned(users) if masked or always_masked else None
    found = cell.answers(GUIDE, masked)
    counts, joint = guide_counts(found, users, items)
    counts = np.where(joint, counts, usual_count(found))
    one, everywhere = np.ones(len(users), dtype=np.int64), np.ones(len(users), dtype=bool)
    return (
        MethodAnswers(name, "single", masked, named(users, items, weights, one, eligible), everywhere),
        MethodAnswers(name, "multi", masked, named(users, items, weights, counts, eligible), joint),
    )
