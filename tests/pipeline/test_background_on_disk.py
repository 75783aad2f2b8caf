"""A run of a hybrid: what stands behind its answers is on disk, true by plain arithmetic, and told by every command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from counterec import open_run
from tests import background_claims
from tests.cli.files import counterec
from tests.pipeline.disk import Disk

pytestmark = pytest.mark.slow


def untrue(disk: Disk) -> list[str]:
    rows = [row for table in disk.methods.values() for row in table.to_dicts()]
    return [claim for row in rows for claim in background_claims.untrue(disk.plain, disk.said(row, k=5))]


def test_every_row_is_true(hybrid_run: Path) -> None:
    disk = Disk(hybrid_run)
    assert untrue(disk) == []
    rows = pl.concat(disk.methods.values())
    explained = rows.filter(status="explained")
    assert len(explained) > 100
    assert explained.select("nets", "nets_agree", "nets_hold").null_count().row(0) == (0, 0, 0)
    assert rows.filter(pl.col("status") != "explained")["nets"].is_null().all()
    assert set(explained["nets_agree"] - explained["nets_hold"]) >= {0, 1}
    assert rows["carried_by"].list.len().max() == 3
    lead = rows["lead_aspects"] + rows["lead_history"]
    np.testing.assert_allclose(lead, rows["score_before"] - rows["target"], atol=1e-5)


def test_questions_asked_carry_the_same(hybrid_run: Path) -> None:
    run, disk = open_run(hybrid_run), Disk(hybrid_run)
    stored = run.explanations_table("minimal")
    columns = ["item_id", "lead_aspects", "lead_history", "carried_by", "nets", "nets_agree", "nets_hold"]
    user = run.space.users.texts[2]
    asked = run.explain(user)
    own = stored.filter(user_id=user).sort("position")
    assert_frame_equal(asked.select(columns), own.select(columns), abs_tol=1e-5)  # batches differ in the last digits
    (item, other, last), below = asked["item_id"].to_list()[:3], run.heads.items[2, 6]
    tables = [
        run.explain(user, item, question="why_rather", versus=other),
        run.explain(user, last, question="why_rather_takes", versus=run.space.items.texts[below]),
        run.explain(user, run.space.items.texts[below], question="why_not"),
    ]
    for table in tables:
        (row,) = table.to_dicts()
        assert row["lead_history"] is not None
        assert background_claims.untrue(disk.plain, disk.said(row, k=5)) == []


def test_show_and_explain_tell_it(hybrid_run: Path) -> None:
    run = open_run(hybrid_run)
    matters = (pl.col("lead_history") > 0.2 * pl.col("lead_aspects").abs()) & (pl.col("nets_agree") == 2)
    told = run.explanations_table("minimal").filter(matters, pl.col("carried_by").list.len() > 0, status="explained")
    row = told.row(0, named=True)
    name = run.item_name(row["carried_by"][0])
    answered = counterec("show", hybrid_run, "--user", row["user_id"], "--item", row["item_id"], "--json")
    (item,) = json.loads(answered.out)["items"]
    for column in ("lead_aspects", "lead_history", "carried_by", "nets", "nets_agree", "nets_hold"):
        assert item[column] == row[column]
    assert name in item["background"]
    assert f"in {row['nets_hold']} of the {row['nets_agree']} net" in item["background"]
    assert (
        item["background"] in counterec("explain", hybrid_run, "--user", row["user_id"], "--item", row["item_id"]).text
    )
