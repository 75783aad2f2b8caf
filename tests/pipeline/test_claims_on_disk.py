"""Every claim that a run folder makes, re-established from its files alone by slow, plain arithmetic."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st

from counterec import make_config, make_run
from counterec.errors import ConfigError
from tests import background_claims, claims, naive
from tests.pipeline.disk import Disk

pytestmark = pytest.mark.slow

CLOSE = 1e-4
"""What float32 and the order of summation may change in a score, relative to its size."""


@st.composite
def run_settings(draw: st.DrawFn) -> dict[str, Any]:
    """Small worlds, short trainings, both protocols; lists short and longer than the candidates."""
    lists = {"protocol": draw(st.sampled_from(["full", "sampled"])), "k": draw(st.integers(1, 9))}
    return {
        "data": {
            "world": {
                "users": draw(st.integers(4, 12)),
                "items": draw(st.integers(26, 50)),
                "aspects": draw(st.integers(2, 8)),
                "min_reviews": 12,
                "mean_reviews": 12.5,
            }
        },
        "model": {"kind": "net"},
        "aspects": {"min_mentions": draw(st.sampled_from([1, 5])), "quality": "eq1"},
        "split": {"validation": draw(st.integers(0, 2))},
        "training": {"hidden": [12, 6], "epochs": 2, "learning_rate": draw(st.sampled_from([0.01, 0.3]))},
        "lists": {**lists, "negatives": draw(st.integers(1, 30))},
        "explain": {
            "constraints": {
                "values": draw(st.sampled_from(["reachable", "continuous"])),
                "unreviewed_beyond": draw(st.sampled_from([1, 3, "never"])),
            }
        },
        "seed": draw(st.integers(0, 2**31)),
    }


@settings(
    max_examples=8,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(run_settings())
def test_a_run_keeps_its_promises_on_any_small_world(chosen: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            make_run(make_config(chosen, "test"), Path(folder) / "run")
        except ConfigError as refused:  # a world in which too few items compete for a list of this length
            if "compete for a list" not in str(refused):
                raise
            reject()
        constraints = chosen["explain"]["constraints"]
        check_everything(Disk(Path(folder) / "run"), chosen["lists"]["k"], rules_of(**constraints))


def test_the_tiny_run_keeps_its_promises(tiny_run: Path) -> None:
    disk = Disk(tiny_run)
    check_everything(disk, k=5)
    explained = sum((table["status"] == "explained").sum() for table in disk.methods.values())
    assert explained > 150, "too few explanations for these checks to mean anything"


def rules_of(values: str, unreviewed_beyond: int | str) -> naive.Rules:
    return naive.Rules(values=values, beyond=unreviewed_beyond if isinstance(unreviewed_beyond, int) else None)


def check_everything(disk: Disk, k: int, rules: naive.Rules = naive.FREE) -> None:
    check_the_lists(disk, k)
    assert disk.methods
    for method, table in disk.methods.items():
        check_every_recommended_pair_has_one_row(disk, table, k)
        own = replace(rules, masked=method.endswith("-masked"))
        for row in table.to_dicts():
            check_the_row(disk, row, k, own)
            check_what_it_takes_in_reviews(disk, row)
            assert background_claims.untrue(disk.plain, disk.said(row, k)) == []


def close(a: float, b: float) -> bool:
    return abs(a - b) <= CLOSE * max(1.0, abs(b))


def check_the_lists(disk: Disk, k: int) -> None:
    """The first K+1 are those of the whole ranking, in its order; swaps only where scores are within float noise."""
    assert set(disk.lists) == set(disk.users)
    for user, rows in disk.lists.items():
        own, scores = disk.candidates[user], disk.scores[user]
        score_of = dict(zip(own.tolist(), scores.tolist(), strict=True))
        ranked = naive.order(scores, own)[: k + 1]
        found = [disk.items.index(item) for item in rows["item_id"]]
        assert rows["position"].to_list() == list(range(1, len(ranked) + 1))
        assert len(set(found)) == len(found)
        for item, rightful, score in zip(found, ranked, rows["score"], strict=True):
            assert item in score_of, f"{disk.items[item]} is no candidate of {user}"
            assert close(score, score_of[item])
            assert item == rightful or close(score_of[item], score_of[rightful])
        check_equal_vectors_are_ordered_by_number(disk, own, found)


def check_equal_vectors_are_ordered_by_number(disk: Disk, own: np.ndarray, found: list[int]) -> None:
    place = {item: position for position, item in enumerate(found)}
    for item in found:
        for twin in own[(disk.Y[own] == disk.Y[item]).all(axis=1)].tolist():
            assert twin >= item or place.get(twin, len(found)) < place[item]


def check_every_recommended_pair_has_one_row(disk: Disk, table: pl.DataFrame, k: int) -> None:
    recommended = [
        (user, item, position)
        for user, rows in disk.lists.items()
        for item, position in zip(rows["item_id"], rows["position"], strict=True)
        if position <= k
    ]
    assert sorted(table.select("user_id", "item_id", "position").rows()) == sorted(recommended)
    assert set(table["question"]) == {"why"}


def check_what_it_takes_in_reviews(disk: Disk, row: dict[str, Any]) -> None:
    """The balances are those of the counted opinions, and lead to the values; 100% of what is shown is possible."""
    item = disk.items.index(row["item_id"])
    for aspect, before, after, n, n_after in zip(
        *(row[name] for name in ("aspects", "before", "after", "balance_before", "balance_after")), strict=True
    ):
        number = disk.aspects.index(aspect)
        praises, complaints = int(disk.praises[item, number]), int(disk.complaints[item, number])
        assert n == (praises - complaints if praises + complaints else None)
        assert before == (naive.reviewed(n) if n is not None else 0)
        if row["values"] == "continuous":
            continue
        assert after == (0 if n_after is None else naive.reviewed(n_after)), f"{aspect} cannot be {after}"
        assert (n_after is None) <= (row["values"] == "unreviewed")


def check_the_row(disk: Disk, row: dict[str, Any], k: int, rules: naive.Rules) -> None:
    """Everything the row claims is true, and it agrees with the other files."""
    claimed = disk.claimed(row, k, rules)
    assert claims.untrue(claimed) == []
    assert claims.untrue_verdicts(claimed, row["necessary"], row["sufficient"]) == []
    quality = dict(zip(disk.aspects, disk.quality(row["item_id"]), strict=True))
    assert row["before"] == [quality[aspect] for aspect in row["aspects"]]
    assert len(set(row["aspects"])) == len(row["aspects"]) == len(claimed.named)
    changes = np.subtract(row["before"], row["after"])
    assert (np.diff(changes) <= 1e-6).all(), "the strongest change comes first"
    assert (row["target"] is None) == (row["status"] == "no_target")
    if row["target"] is not None:
        assert row["target"] == disk.lists[row["user_id"]].filter(pl.col("position") == k + 1)["score"].item()
    assert (row["proof"] is None) == (row["status"] != "explained")
    if row["status"] == "explained":
        for verdict in ("necessary", "sufficient"):
            assert row[f"{verdict}_strict"] <= row[verdict] <= row[f"{verdict}_kind"]


def test_these_checks_can_fail(own_run: Path) -> None:
    """Claims that are false are found to be."""
    single = own_run / "explanations" / "single.parquet"
    table = pl.read_parquet(single)
    for other in set(single.parent.iterdir()) - {single}:
        other.unlink()

    def check_with(**columns: pl.Expr) -> None:
        table.with_columns(**columns).write_parquet(single)
        check_everything(Disk(own_run), k=5)

    check_with()
    aspect = Disk(own_run).aspects[0]
    halfway = (pl.col("before") + pl.col("after")) / 2
    lies = [
        {"after": halfway},
        {"score_after": pl.col("score_after") - 0.01},
        {"target": pl.col("target") + 0.01},
        *(
            {column: ~pl.col(column) for column in (verdict, f"{verdict}_strict", f"{verdict}_kind")}
            for verdict in ("necessary", "sufficient")
        ),
        {"necessary_strict": ~pl.col("necessary_strict")},
        {"status": pl.lit("fine")},
        {"proof": pl.when(pl.col("proof").is_not_null()).then(pl.lit("smaller"))},
        {"proof": pl.lit("found")},
        {"status": pl.lit("cannot_flip"), "proof": pl.lit(None), "necessary": pl.lit(None), "sufficient": pl.lit(None)},
        {"before": pl.col("before") + 0.01},
        {"aspects": pl.col("aspects").list.eval(pl.lit(aspect))},
        {"item_id": pl.col("item_id").reverse()},
        {"lead_aspects": pl.col("lead_aspects") + 0.01},
        {"lead_aspects": pl.lit(None)},
        {"lead_history": pl.lit(0.0)},
        {"carried_by": pl.col("aspects").list.head(0)},
        {"score_without_aspects": pl.col("score_without_aspects") + 0.01},
        {"nets": pl.lit(1), "nets_agree": pl.lit(1), "nets_hold": pl.lit(1)},
    ]
    for lie in lies:
        with pytest.raises(AssertionError):
            check_with(**lie)
