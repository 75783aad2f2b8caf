"""A run that lies in memory: frames, a model and candidates as they are given, and nothing on disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from counterec.adapters.pair_tables import PairTable, candidates_of, seen_of
from counterec.adapters.predict_check import check_model, require_same
from counterec.adapters.row_scorer import RowScorer, scorer_of
from counterec.adapters.tables import FrameTables
from counterec.core.candidates import Candidates
from counterec.core.rankers.protocol import Ranker
from counterec.core.scorers.base import PairBatch
from counterec.pipeline.config import make_frames_config
from counterec.pipeline.manifest import Manifest
from counterec.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterec.core.explainers.constraints import Constraints
    from counterec.core.explainers.question import Question
    from counterec.core.lists import Recommendations


class FrameRun(Run):
    """Frames as a run: the same questions, answered by the same code."""

    def __init__(
        self,
        model: Any,
        tables: FrameTables,
        *,
        k: int,
        candidates: PairTable | None = None,
        seen: PairTable | None = None,
        item_name: str | None = None,
        constraints: Constraints | None = None,
        ranker: Ranker | Callable[[FrameTables], Ranker] | None = None,
    ) -> None:
        self.tables = tables
        super().__init__(Path("frames"), Manifest({}))
        self._config = make_frames_config({"k": k}, {} if constraints is None else {"constraints": constraints})
        self._space_and_names = (tables.space, {} if item_name is None else tables.item_names(item_name))
        self.candidates = _competing(tables, candidates, seen)
        self.ranker = ranker if ranker is None or isinstance(ranker, Ranker) else ranker(tables)
        scorer = scorer_of(model, tables)
        if isinstance(scorer, RowScorer):
            check_model(scorer, self.candidates)
        self._rank_by(scorer)

    @property
    def reserve(self) -> None:
        """Nothing was drawn."""
        return

    def require_unchanged(self, asked: Question, table: pl.DataFrame) -> None:
        """Raise if the model scored an item otherwise while it was explained than when its list was made."""
        if not isinstance(self.scorer, RowScorer) or not len(table):
            return
        lists = self.recommendations
        rows = lists.rows_of(asked.users)
        at = lists.items[rows] == asked.items[:, None]
        listed = at.any(axis=1)
        before = lists.scores[rows[listed], at[listed].argmax(axis=1)]
        after = table["score_before"].to_numpy()[listed]
        pairs = PairBatch.of(self.space, asked.users[listed], asked.items[listed])
        require_same(self.scorer, pairs, before, after, "while it was explained")

    def shortened_to(self, users: list[int]) -> Recommendations:
        """The lists of some users."""
        return self.recommendations.rows(self.recommendations.rows_of(np.array(users, dtype=np.int64)))


def _competing(tables: FrameTables, candidates: PairTable | None, seen: PairTable | None) -> Candidates:
    """Who competes: what is given, or the whole catalogue without what was seen."""
    if candidates is not None:
        return candidates_of(tables, candidates, seen)
    return seen_of(tables, seen)
