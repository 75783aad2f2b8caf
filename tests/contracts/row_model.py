"""What every adapter must do. A test class inherits this and gives a ``model`` and what it must ``expect``."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.adapters import FrameTables, RowScorer
from counterec.adapters.models import PairRows, RowModel, check_model, scorer_of
from counterec.core.candidates import Candidates
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.ranking import rank
from tests.adapters.hotels import tables as hotel_tables
from tests.contracts.scorer import ScorerContract


class RowModelContract(ScorerContract):
    tolerance = 1e-4

    @pytest.fixture
    def model(self, tables: FrameTables) -> RowModel:
        raise NotImplementedError

    @pytest.fixture
    def tables(self) -> FrameTables:
        return hotel_tables()

    def expected(self, rows: PairRows) -> np.ndarray:
        """The scores of these rows, by other means than the adapter's."""
        raise NotImplementedError

    @pytest.fixture
    def scorer(self, model, tables):
        return scorer_of(model, tables)

    @pytest.fixture
    def space(self, tables):
        return tables.space

    def test_has_a_name_for_messages(self, model):
        assert isinstance(model.said, str)
        assert model.said

    def test_gives_the_scores_of_the_model(self, scorer, tables, pairs):
        np.testing.assert_allclose(
            scorer.score(pairs), self.expected(PairRows(tables, pairs)), atol=self.tolerance, rtol=self.tolerance
        )

    def test_sees_what_is_changed_and_nothing_else(self, scorer, tables, pairs):
        scale = tables.space.scale
        for aspect in range(len(tables.schema)):
            codes = pairs.item_quality.copy()
            codes[:, aspect] = scale.low[aspect]
            changed = pairs.with_quality(codes)
            rows = PairRows(tables, changed)
            np.testing.assert_allclose(
                scorer.score(changed), self.expected(rows), atol=self.tolerance, rtol=self.tolerance
            )

    def test_passes_the_check(self, scorer, tables):
        assert isinstance(scorer, RowScorer)
        check_model(scorer, Candidates.without(len(tables.items.ids), [[]] * len(tables.users.ids)))

    def test_is_explained(self, scorer, tables):
        space = tables.space
        lists = rank(scorer, space, Candidates.without(len(space.items), [[]] * len(space.users)), 3)
        question = why(space, lists)
        answers = CountER(scorer).explain(question)
        assert answers.explained.any()
        after = scorer.score(question.changed(answers.delta))
        np.testing.assert_allclose(after, answers.score_after, atol=1e-5, rtol=1e-5)

    def test_one_pair_costs_one_call(self, scorer, tables):
        assert scorer.score(PairBatch.of(tables.space, [0], [0])).shape == (1,)
