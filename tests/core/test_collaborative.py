"""The collaborative part against the dense formula, and what it says of users, items and their past."""

from __future__ import annotations

import numpy as np
import pytest

from counterec.core.interactions import Interactions
from counterec.core.scorers.collaborative import Collaborative, ItemToItem
from counterec.core.scorers.ease import ItemRegression
from counterec.errors import InvalidValueError

SHAPES = {"more users than items": (40, 12), "more items than users": (9, 30)}


def random_past(users: int, items: int, seed: int = 0) -> tuple[np.ndarray, Interactions]:
    """A random table; one item and one user have no interaction."""
    random = np.random.default_rng(seed)
    table = random.random((users, items)) < 0.3 * random.uniform(0.3, 2, items)
    table[:, 3] = table[2] = False
    return table.astype(float), Interactions(*np.nonzero(table), users, items)


def closed_form(table: np.ndarray, regularisation: float) -> np.ndarray:
    """B of the formula, from the whole matrix."""
    inverse = np.linalg.inv(table.T @ table + regularisation * np.eye(table.shape[1]))
    return np.eye(len(inverse)) - inverse / np.diag(inverse)


def dense(matrix: ItemToItem) -> np.ndarray:
    return matrix.rows(np.arange(matrix.items))


@pytest.mark.parametrize(("users", "items"), SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("regularisation", [0.5, 10.0, 3000.0])
class TestRegression:
    def test_it_is_the_closed_form(self, users: int, items: int, regularisation: float) -> None:
        table, past = random_past(users, items)
        found = dense(ItemRegression(past).at(regularisation).fitted())
        np.testing.assert_allclose(found, closed_form(table, regularisation), atol=1e-6)
        assert not np.diag(found).any()
        assert not found[3].any()
        assert not found[:, 3].any()

    def test_of_each_target_the_largest_entries_are_kept(self, users: int, items: int, regularisation: float) -> None:
        _, past = random_past(users, items)
        whole, some = (dense(ItemRegression(past).at(regularisation).fitted(kept)) for kept in (None, 4))
        assert (np.count_nonzero(some, axis=0) <= 4).all()
        np.testing.assert_array_equal(some[some != 0], whole[some != 0])
        for target in np.flatnonzero(whole.any(axis=0)):
            left_out = np.abs(whole[:, target][some[:, target] == 0])
            assert left_out.max() <= np.abs(some[:, target][some[:, target] != 0]).min()

    def test_beyond_the_limit_it_is_over_the_most_frequent_items(
        self, users: int, items: int, regularisation: float
    ) -> None:
        table, past = random_past(users, items)
        frequent = np.sort(np.lexsort((np.arange(items), -table.sum(axis=0)))[:5])
        found = dense(ItemRegression(past, most=5).at(regularisation).fitted())
        expected = np.zeros((items, items))
        expected[np.ix_(frequent, frequent)] = closed_form(table[:, frequent], regularisation)
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_bad_input() -> None:
    _, past = random_past(9, 30)
    with pytest.raises(InvalidValueError, match="the regularisation is 0; it must be above 0"):
        ItemRegression(past).at(0)
    with pytest.raises(InvalidValueError, match="no interaction to learn from"):
        ItemRegression(Interactions(np.array([], int), np.array([], int), 2, 3))


class TestOffsets:
    table, past = random_past(40, 12)
    weights = np.random.default_rng(3).uniform(-2, 2, 40).astype(np.float32)
    matrix = ItemRegression(past).at(5.0).fitted()
    part = Collaborative.of(matrix, past, weights)
    related = table @ closed_form(table, 5.0)

    def test_of_every_pair(self) -> None:
        users, items = (axis.ravel() for axis in np.indices((40, 12)))
        shuffled = np.random.default_rng(0).permutation(len(users))
        users, items = users[shuffled], items[shuffled]
        expected = self.weights[users] * self.related[users, items]
        np.testing.assert_allclose(self.part.offset(users, items), expected, atol=1e-5)

    def test_they_do_not_depend_on_the_batch(self) -> None:
        users, items = np.array([5, 1, 5, 7]), np.array([0, 1, 2, 3])
        together = self.part.offset(users, items)
        alone = [self.part.offset(users[row : row + 1], items[row : row + 1])[0] for row in range(4)]
        np.testing.assert_array_equal(together, alone)

    def test_they_are_sums_over_the_past(self) -> None:
        for user in range(40):
            items = np.array([4, 0, 11])
            past, parts = self.part.history(user, items)
            np.testing.assert_array_equal(past, np.flatnonzero(self.table[user]))
            assert parts.shape == (len(past), 3)
            np.testing.assert_allclose(parts.sum(axis=0), self.part.offset(np.full(3, user), items), atol=1e-5)

    def test_new_users_new_items_and_users_without_a_past_get_nothing(self) -> None:
        users, items = np.array([40, 0, 2, 99]), np.array([0, 12, 0, 50])
        assert not self.part.offset(users, items).any()
        past, parts = self.part.history(40, np.array([0, 1]))
        assert (len(past), parts.shape) == (0, (0, 2))
        assert not self.part.history(0, np.array([12]))[1].any()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("item_to_item.indptr", [0, 2, 1], "item_to_item.indptr must not decrease"),
        ("item_to_item.indptr", [1, 1, 1], "item_to_item.indptr must begin with 0"),
        ("item_to_item.indptr", [0, 1, 3], "ends at 3, but there are 2 entries"),
        ("item_to_item.indices", [1, 2], "item_to_item names items outside 0 to 1"),
        ("item_to_item.values", [1.0, np.nan], r"item_to_item.values holds nan at \(1,\)"),
        ("item_to_item.values", [1.0], "item_to_item.values has shape"),
        ("history.items", [2], "history names items outside 0 to 1"),
        ("user_weight", [1.0, 1.0], "user_weight has shape"),
        ("user_weight", [np.inf], "user_weight holds inf"),
    ],
)
def test_damaged_arrays_are_refused(name: str, value: list[float], message: str) -> None:
    arrays = {
        "item_to_item.indptr": np.array([0, 1, 2]),
        "item_to_item.indices": np.array([1, 0]),
        "item_to_item.values": np.array([0.5, 0.25]),
        "history.indptr": np.array([0, 1]),
        "history.items": np.array([1]),
        "user_weight": np.array([2.0]),
    }
    assert Collaborative.from_named(arrays).offset(np.array([0]), np.array([0])).tolist() == [0.5]
    with pytest.raises(InvalidValueError, match=message):
        Collaborative.from_named({**arrays, name: np.array(value)})
    with pytest.raises(InvalidValueError, match="a collaborative part has the arrays"):
        Collaborative.from_named({key: array for key, array in arrays.items() if key != name})
