"""What drives a model, counted by hand: aspects, items, outcomes, and the cases behind each number."""

from __future__ import annotations

import pytest

from counterec.report.overview import CaseFilter, decisive_aspects, items_by_aspect, outcomes
from tests.report.overview.few_cases import FEW


class TestDecisiveAspects:
    def test_how_often_and_how_strongly(self) -> None:
        battery, price = decisive_aspects(FEW).to_dicts()
        assert battery["aspect"] == "battery"
        assert (battery["recommendations"], battery["decided"]) == (5, 3)
        assert battery["share"] == pytest.approx(0.6)
        assert battery["alone"] == pytest.approx(2 / 3)
        assert battery["change"] == pytest.approx((0.5 + 0.6 + 0.1) / 3)
        assert battery["strength"] == pytest.approx((2.0 + 4.0 * 0.6 / 0.8) / 2), "where it is known"
        assert battery["necessary"] == 0.5, "of those that were judged"
        assert (price["aspect"], price["decided"], price["alone"]) == ("price", 2, 0.5)
        assert price["share"] == pytest.approx(0.4)
        assert price["strength"] == pytest.approx((4.0 * 0.2 / 0.8 + 1.0) / 2)

    def test_by_cohort_in_the_order_of_the_groups(self) -> None:
        found = decisive_aspects(FEW, "activity")
        assert found["activity"].to_list() == ["2–9", "2–9", "10–30", "10–30"]
        assert found.select("aspect", "decided", "recommendations").rows() == [
            ("battery", 2, 3),
            ("price", 1, 3),
            ("battery", 1, 2),
            ("price", 1, 2),
        ]

    def test_nothing_explained_is_an_empty_table(self) -> None:
        assert decisive_aspects(FEW.filter(FEW["status"] == "not_found")).is_empty()
        assert decisive_aspects(FEW.clear(), "position").is_empty()


class TestItems:
    def test_an_item_wins_by_what_would_take_it_off(self) -> None:
        assert items_by_aspect(FEW, "wins").rows() == [
            ("B", "battery", 1, 1, 1.0),
            ("B", "price", 1, 1, 1.0),
            ("D", "battery", 1, 1, 1.0),
            ("A", "battery", 1, 2, 0.5),
            ("A", "price", 1, 2, 0.5),
        ]

    def test_an_item_loses_by_what_keeps_others_ahead_and_a_list_counts_once(self) -> None:
        assert items_by_aspect(FEW, "loses").rows() == [
            ("C", "battery", 1, 1, 1.0),
            ("C", "price", 1, 1, 1.0),
            ("D", "battery", 1, 1, 1.0),
            ("D", "price", 1, 1, 1.0),
        ]


class TestOutcomes:
    def test_in_a_few_numbers(self) -> None:
        found = outcomes(FEW)
        assert (found.recommendations, found.users, found.items, found.explained) == (5, 2, 4, 4)
        assert (found.explained_share, found.aspects_named, found.one_aspect) == (0.8, 1.25, 0.75)
        assert found.necessary == pytest.approx(2 / 3)
        assert found.led_by_history == 0.5


class TestFilter:
    @pytest.mark.parametrize(
        ("chosen", "items"),
        [
            ({}, "ABCAD"),
            ({"aspect": "battery"}, "ABD"),
            ({"aspect": "battery", "position": 2}, "BD"),
            ({"activity": "10–30"}, "AD"),
            ({"taste": "battery", "status": "explained"}, "AB"),
            ({"user_id": "ben", "item_id": "A"}, "A"),
            ({"below_id": "C"}, "AD"),
            ({"activity": "no such group"}, ""),
            ({"aspect": "bat"}, ""),
        ],
    )
    def test_the_cases_behind_a_bar(self, chosen: dict[str, object], items: str) -> None:
        assert "".join(CaseFilter(**chosen).applied(FEW)["item_id"]) == items  # type: ignore[arg-type]

    def test_a_bar_is_as_long_as_its_cases_are_many(self) -> None:
        for row in decisive_aspects(FEW, "position").to_dicts():
            behind = CaseFilter(aspect=row["aspect"], position=row["position"], status="explained").applied(FEW)
            assert len(behind) == row["decided"]
