"""The example that the page begins with: an answer that is short, striking and well established."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from counterec.core.explainers.answer_row import EXPLAINED
from counterec.wording.record import NAMED_PART

if TYPE_CHECKING:
    from counterec.run import Run
    from counterec.service.page.stored_answers import StoredAnswers

VISIBLE = 0.15
"""A change of at least this share of the largest one in the run is seen at once."""
TOLD = 0.02
"""A part of the lead that is worth a word."""
NEAR = 6
"""So many opinions more or less are easily imagined."""


def good_example(run: Run, stored: StoredAnswers) -> tuple[str, str] | None:
    """The user and the item to begin with; None if nobody has a list.

    Among the stored answers of the first method, the best is one that changes one aspect or two by a few opinions and
    visibly, that is necessary and holds in every net, and whose item is in the list for its aspects rather than for
    the user's history. Where nothing is stored, it is the first item of the first list.
    """
    if stored.methods:
        found = stored.table(stored.methods[0]).filter(status=EXPLAINED).pipe(_ranked)
        if len(found):
            return found["user_id"][0], found["item_id"][0]
    for row, user in enumerate(run.recommendations.users.tolist()):
        item = int(run.recommendations.items[row, 0])
        if item >= 0:
            return run.space.users.texts[user], run.space.items.texts[item]
    return None


def _ranked(answers: pl.DataFrame) -> pl.DataFrame:
    """The answers, the best example first; of equally good ones, the first in the table."""
    size = (pl.col("before").list.get(0, null_on_oob=True) - pl.col("after").list.get(0, null_on_oob=True)).abs()
    aspects, lead = pl.col("aspects").list.len(), pl.col("lead_aspects") + pl.col("lead_history")
    opinions = (pl.col("balance_before").list.sum() - pl.col("balance_after").list.sum()).abs()
    history = pl.col("lead_history") / lead
    keys = {
        "plain": pl.col("values") != "unreviewed",
        "few": aspects <= 2,
        "sure": pl.col("necessary").fill_null(False) & (pl.col("nets_hold") == pl.col("nets")).fill_null(True),
        "visible": size >= VISIBLE * size.max(),
        "by_aspects": history.is_between(0, NAMED_PART, closed="left").fill_null(True),
        "both": (history >= TOLD).fill_null(True),
        "only": (pl.col("equal_sets") == 0).fill_null(False),
        "near": (opinions <= NEAR).fill_null(False),
        "two": aspects == 2,
        "top": -pl.col("position").clip(lower_bound=2),
    }
    return answers.with_columns(**{f"_{name}": key for name, key in keys.items()}).sort(
        [f"_{name}" for name in keys], descending=True, nulls_last=True, maintain_order=True
    )
