"""Cohorts of users, and the cases of a whole run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counterec import open_run
from counterec.pipeline.explanation_tables import EXPLANATIONS
from counterec.report.overview import CaseFilter, activity_of, cases_of, decisive_aspects, taste_of
from tests.worlds import figure_one, vocabulary


class TestActivity:
    def test_three_groups_of_about_equal_size(self) -> None:
        groups, names = activity_of(np.array([1, 2, 3, 4, 5, 6]))
        assert names == ["1–2", "3–4", "5–6"]
        assert groups == ["1–2", "1–2", "3–4", "3–4", "5–6", "5–6"]

    def test_every_user_is_in_the_range_of_their_group(self) -> None:
        counts = np.random.default_rng(0).integers(0, 40, 200)
        for group, count in zip(activity_of(counts)[0], counts, strict=True):
            low, _, high = str(group).partition("–")
            assert int(low) <= count <= int(high or low)


def space_of(attention: list[list[float]]):
    """A space of three aspects in which users have this attention."""
    users = vocabulary("user", len(attention))
    return replace(figure_one(), users=users, user_attention=np.array(attention, dtype=np.float32))


class TestTaste:
    def test_what_a_user_cares_about_more_than_others_do(self) -> None:
        # All speak most of the battery; the second also of the price, of which the others do not.
        found = taste_of(space_of([[5, 0, 2], [5, 3, 0], [4, 0, 0]]))
        assert found == ["screen", "price", "battery"]


@pytest.fixture(scope="module")
def cases(tiny_run: Path) -> pl.DataFrame:
    return cases_of(open_run(tiny_run), "single")


class TestCases:
    def test_one_row_per_recommendation_with_all_its_columns(self, cases: pl.DataFrame, tiny_run: Path) -> None:
        stored = open_run(tiny_run).explanations_table("single")
        assert cases.select(*EXPLANATIONS).equals(stored.select(*EXPLANATIONS))
        assert cases.columns[len(stored.columns) :] == ["sizes", "below_id", "strength", "activity", "taste"]

    def test_sizes_and_strength_are_what_they_say(self, cases: pl.DataFrame, tiny_run: Path) -> None:
        run = open_run(tiny_run)
        spread = dict(zip(run.recommendations.users.tolist(), run.recommendations.spread.tolist(), strict=True))
        explained = cases.filter(status="explained")
        assert len(explained) > 10
        for row in explained.to_dicts():
            change = abs(row["before"][0] - row["after"][0]) / 4
            assert row["sizes"][0] == pytest.approx(1.0 if row["after"][0] == 0 else change, rel=1e-5)
            drop = (row["score_before"] - row["score_after"]) / spread[run.space.users.number(row["user_id"])]
            assert row["strength"] == pytest.approx(drop, rel=1e-4)

    def test_groups_are_parts_of_the_whole(self, cases: pl.DataFrame) -> None:
        whole = {row["aspect"]: row["decided"] for row in decisive_aspects(cases).to_dicts()}
        for by in ("position", "activity"):
            parts = decisive_aspects(cases, by).group_by("aspect").agg(pl.col("decided").sum())  # type: ignore[arg-type]
            assert dict(parts.iter_rows()) == whole
        group = cases["activity"][0]
        assert len(CaseFilter(activity=group).applied(cases)) == (cases["activity"] == group).sum()
