"""Order, another training and hindsight: rows few enough to count by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from counterec.report.order_measures import measure_orders, order_curves
from counterec.report.retraining_measures import MARK_DIFFERENCE, measure_retraining
from counterec.report.tables.examining_tables import hindsight_table, order_table, retraining_table
from tests.report.few_rows import answer, experiment_of
from tests.report.rows import World, frame

KEYS = {"protocol": "full", "seed": 0, "method": "relaxed", "shape": "multi", "masked": False, "item_id": "i"}


def curve(user: str, leaves: int, **more: Any) -> dict[str, Any]:
    """An item that is in the list until so many tenths of its aspects are gone; its score falls evenly."""
    falling = [1 - step / 10 for step in range(11)]
    in_list = [step < leaves for step in range(11)]
    return KEYS | {"user_id": user, "in_list": in_list, "deleted": falling, "inserted": falling[::-1]} | more


def test_areas_are_means_over_the_shares() -> None:
    found = experiment_of([answer("u", True, True)], curves=frame("curves", [curve("u", 11), curve("v", 0)]))
    (one,) = measure_orders(found.curves)
    assert {name: area.value for name, area in one.measures.items()} == pytest.approx(
        {"in_list": 0.5, "deleted": 0.5, "inserted": 0.5}
    )
    assert (one.measures["in_list"].cases, one.measures["in_list"].items) == (2, 1)
    points = order_curves(found.curves).filter(pl.col("panel") == "POS@K %")
    assert points["value"].to_list() == [50.0] * 11
    assert points["x"].to_list() == pytest.approx([10 * step for step in range(11)])


def retrained(user: str, listed: bool, holds: bool | None, mark: int | None) -> dict[str, Any]:
    nets = None if mark is None else 3
    return KEYS | {"user_id": user, "listed": listed, "holds": holds, "nets": nets, "nets_hold": mark}


def test_another_training_by_hand() -> None:
    rows = [answer("u", True, True), answer("v", True, False), answer("w", False, True)]
    tried = [retrained("u", True, True, 3), retrained("v", True, False, 2), retrained("w", False, None, 3)]
    verdicts = [("u", False, True), ("v", True, False)]
    again = [
        KEYS | {"ground": "trained again", "user_id": user, "necessary": n, "sufficient": s} for user, n, s in verdicts
    ]
    conditions = (("trained again", 0.5), ("k=4", 1.0))
    alike = [KEYS | {"other": other, "user_id": "u", "jaccard": value} for other, value in conditions]
    experiment = experiment_of(
        rows,
        retraining=frame("retraining", tried),
        transfer=frame("transfer", again),
        stability=frame("stability", alike),
    )
    (one,) = measure_retraining(experiment)
    found = {name: (measure.value, measure.cases) for name, measure in one.measures.items()}
    assert found["listed"] == (pytest.approx(2 / 3), 3)
    assert found["holds"] == (0.5, 2), "only of items that are listed again"
    assert found["alike"] == (0.5, 1)
    assert found["necessary_kept"] == (0.5, 2)
    assert found["sufficient_kept"] == (1.0, 1), "v was not sufficient before"
    assert (found["holds_marked_in_all"], found["holds_marked_in_fewer"]) == ((1.0, 1), (0.0, 1))
    assert found[MARK_DIFFERENCE] == (1.0, 2), "of the answers that are listed again, as the two shares"


def test_another_training_of_all_pairs_by_hand() -> None:
    rows = [answer("u", True, True), answer("v", True, False), answer("w", None, None, explained=False)]
    tried = [retrained("u", True, True, 3), retrained("v", False, None, 2)]
    again = [
        KEYS | {"ground": "trained again", "user_id": user, "necessary": n, "sufficient": s}
        for user, n, s in (("u", True, False), ("w", None, None))
    ]
    experiment = experiment_of(
        rows,
        retraining=frame("retraining", tried),
        transfer=frame("transfer", again),
        stability=frame("stability", [KEYS | {"other": "trained again", "user_id": "u", "jaccard": 0.5}]),
    )
    (one,) = measure_retraining(experiment)
    found = {name: (measure.value, measure.cases) for name, measure in one.measures.items()}
    assert (found["listed"], found["listed_all"]) == ((0.5, 2), (pytest.approx(1 / 3), 3))
    assert (found["holds"], found["holds_all"]) == ((1.0, 1), (pytest.approx(1 / 3), 3))
    assert (found["alike"], found["alike_all"]) == ((0.5, 1), (0.25, 2)), "of the users that are examined further"
    assert (found["necessary_kept"], found["necessary_kept_all"]) == ((1.0, 1), (0.5, 2))
    assert (found["sufficient_kept"], found["sufficient_kept_all"]) == ((0.0, 1), (0.0, 2))
    assert found["holds_marked_in_all_all"] == (pytest.approx(1 / 3), 3)


def test_a_model_of_one_net_has_no_mark() -> None:
    tried = [retrained("u", True, True, None)]
    experiment = experiment_of([answer("u", True, True)], retraining=frame("retraining", tried))
    (one,) = measure_retraining(experiment)
    assert one.measures["holds"].value == 1.0
    assert one.measures["holds_marked_in_all"].value is None
    assert one.measures["holds_marked_in_fewer"].value is None
    assert one.measures[MARK_DIFFERENCE].value is None


def test_what_the_mark_tells_is_a_difference_with_an_interval() -> None:
    """Of answers marked in all nets three in four hold, of the others one in four."""
    users = {f"u{number:02}": (number % 2 == 1, number // 2 % 4 > 0) for number in range(80)}
    tried = [retrained(user, True, most == marked, 3 if marked else 2) for user, (marked, most) in users.items()]
    rows = [answer(user, True, True) for user in users]
    (one,) = measure_retraining(experiment_of(rows, retraining=frame("retraining", tried)))
    told = one.measures[MARK_DIFFERENCE]
    assert (told.value, told.cases) == (pytest.approx(0.5), 80)
    assert told.interval is not None
    assert 0.2 < told.interval[0] < 0.5 < told.interval[1] < 0.8
    table = retraining_table([one], ())
    column = [each.heading for each in table.columns].index("holds by the mark: difference")
    assert table.rows[0][1][column].value == pytest.approx(50.0)
    assert table.rows[0][1][column].interval == pytest.approx(tuple(100 * end for end in told.interval))


def test_the_tables() -> None:
    experiment = World(users=4).experiment()
    order = order_table(measure_orders(experiment.curves), ())
    shares = {words[1]: cells[0].value for words, cells in order.rows}
    assert shares == {"relaxed": pytest.approx(100 * 3 / 11), "random": pytest.approx(100 * 7 / 11)}
    hindsight = hindsight_table(experiment.hindsight, ())
    for _, cells in hindsight.rows:
        assert [cell.value for cell in cells[:3]] == pytest.approx([50.0, 60.0, 80.0])
    assert len(retraining_table(measure_retraining(experiment), ()).rows) == 1
