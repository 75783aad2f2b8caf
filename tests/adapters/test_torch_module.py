"""Torch modules: two matrices, or inputs by name; with gradients."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
import torch
from torch import Tensor, nn

from counterec.adapters import FrameTables, TorchModel
from counterec.adapters.models import check_model, scorer_of
from counterec.core.candidates import Candidates
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.base import DifferentiableScorer, PairBatch
from counterec.core.scorers.ranking import rank
from counterec.errors import InvalidValueError, ModelError
from tests.adapters import hotels
from tests.contracts.row_model import RowModelContract


class TwoMatrices(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Parameter(torch.tensor(hotels.WEIGHTS[:2], dtype=torch.float32))
        self.item = nn.Parameter(torch.tensor(hotels.WEIGHTS[2:], dtype=torch.float32))

    def forward(self, users: Tensor, items: Tensor) -> Tensor:
        return users @ self.user + items @ self.item


class Embedded(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.guests, self.hotels = nn.Embedding(3, 4), nn.Embedding(12, 4)
        self.facts = nn.Linear(2, 4)

    def forward(self, guest: Tensor, hotel: Tensor, facts: Tensor) -> Tensor:
        return (self.guests(guest) * (self.hotels(hotel) + self.facts(facts))).sum(dim=1, keepdim=True)


class TestTwoMatrices(RowModelContract):
    @pytest.fixture
    def model(self):
        return TorchModel(TwoMatrices())

    def expected(self, rows):
        return rows.matrix(hotels.NUMBERS) @ hotels.WEIGHTS


class TestEmbeddings(RowModelContract):
    @pytest.fixture
    def tables(self):
        users = hotels.guests().with_columns(guest=pl.int_range(3))
        items = hotels.hotels().with_columns(hotel=pl.int_range(12)).drop("wifi", "stars")
        return FrameTables.of(users, items, schema={"price": {"worse": "high"}}, keep=["hotel"])

    @pytest.fixture
    def model(self):
        inputs = {"guest": "guest", "hotel": "hotel", "facts": ["price", "distance"]}
        return TorchModel(Embedded().eval(), inputs)

    def expected(self, rows):
        module = Embedded().eval()
        with torch.inference_mode():
            guest, hotel = (torch.tensor(rows.matrix([name])[:, 0]).long() for name in ("guest", "hotel"))
            facts = torch.tensor(rows.matrix(["price", "distance"]), dtype=torch.float32)
            return module(guest, hotel, facts)[:, 0].numpy()


class TestGoals:
    def test_it_has_gradients_so_that_relaxed_works(self):
        tables = hotels.tables(keep=["wifi"])
        scorer = scorer_of(TwoMatrices(), tables)
        assert isinstance(scorer, DifferentiableScorer)
        lists = rank(scorer, tables.space, Candidates.without(12, [[]] * 3), 2)
        assert CountER(scorer, goal="relaxed").explain(why(tables.space, lists)).explained.any()


class TestFaults:
    def test_a_module_in_training_says_that_its_scores_change(self):
        class Dropping(TwoMatrices):
            def forward(self, users, items):
                return nn.functional.dropout(super().forward(users, items), 0.5, self.training)

        tables = hotels.tables()
        torch.manual_seed(0)
        with pytest.raises(InvalidValueError, match=r"Dropping returned .*\(a torch module needs eval\(\)"):
            check_model(scorer_of(Dropping(), tables), Candidates.without(12, [[]] * 3))
        check_model(scorer_of(Dropping().eval(), tables), Candidates.without(12, [[]] * 3))

    def test_a_module_that_raises_is_one_line(self):
        tables = hotels.tables()
        with pytest.raises(ModelError, match=r"^Linear raised TypeError: .*, for user 'ann' and item 'H00'"):
            scorer_of(nn.Linear(3, 1), tables).score(PairBatch.of(tables.space, [0], [0]))

    def test_a_wrong_shape_is_named(self):
        class Square(TwoMatrices):
            def forward(self, users, items):
                return torch.zeros(len(users), 3)

        tables = hotels.tables()
        with pytest.raises(InvalidValueError, match=r"Square returned the shape \(2, 3\) for 2 pairs"):
            scorer_of(Square(), tables).score(PairBatch.of(tables.space, np.array([0, 0]), np.array([0, 1])))
