"""A run of a hybrid: what stands behind its answers is on disk, true by plain arithmetic, and told by every command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from counterec import open_run
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import NetEnsemble, NetWeights
from counterec.pipeline.models import Arrays, ModelKind, TrainedModel, TrainingData, model_kind, register_model
from tests import background_claims
from tests.blends import PastItems
from tests.cli.files import counterec
from tests.pipeline.disk import Disk
from tests.pipeline.tiny import SETTINGS, again, changed

pytestmark = pytest.mark.slow

NETS = 3


def train_small(data: TrainingData) -> TrainedModel:
    """A trained net three times, shaken each time; items that the same users reviewed speak for each other."""
    random, arrays = np.random.default_rng(data.seed), {}
    trained = model_kind("net").train(data).arrays  # type: ignore[misc]
    for number in range(NETS):
        for name, array in trained.items():
            shaken = array * random.normal(1, 0.5, array.shape)
            arrays[f"net.{number}.{name}"] = shaken.astype(np.float32)
    touched = np.zeros((data.train.n_users, data.train.n_items), dtype=np.float32)
    touched[data.train.users, data.train.items] = 1
    together = touched.T @ touched
    np.fill_diagonal(together, 0)
    past, items = np.nonzero(together)
    return TrainedModel(
        arrays
        | {
            "item_to_item.indptr": np.concatenate([[0], np.cumsum(np.bincount(past, minlength=len(together)))]),
            "item_to_item.indices": items.astype(np.int32),
            "item_to_item.values": (together[past, items] * random.normal(0.3, 0.4, len(past))).astype(np.float32),
            "history.indptr": np.searchsorted(data.train.users, np.arange(data.train.n_users + 1)),
            "history.items": data.train.items.astype(np.int32),
            "user_weight": random.uniform(0.002, 0.01, data.train.n_users).astype(np.float32),
        }
    )


def load_small(arrays: Arrays, space: object, device: str) -> HybridScorer:
    nets = [
        NetWeights.from_named({name[6:]: array for name, array in arrays.items() if name.startswith(f"net.{number}.")})
        for number in range(NETS)
    ]
    starts, items = arrays["item_to_item.indptr"], len(arrays["item_to_item.indptr"]) - 1
    matrix = np.zeros((items, items), dtype=np.float32)
    matrix[np.repeat(np.arange(items), np.diff(starts)), arrays["item_to_item.indices"]] = arrays["item_to_item.values"]
    past = np.split(arrays["history.items"].astype(np.int64), arrays["history.indptr"][1:-1])
    return HybridScorer(NetEnsemble(nets, device), PastItems(arrays["user_weight"], matrix, tuple(past)))


@pytest.fixture(scope="module")
def hybrid_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    register_model(ModelKind("small hybrid", load=load_small, train=train_small))
    folder = tmp_path_factory.mktemp("hybrid") / "run"
    again(folder, changed(SETTINGS, model={"kind": "small hybrid"}, explain={"methods": ["minimal", "single"]}))
    return folder


def untrue(disk: Disk) -> list[str]:
    rows = [row for table in disk.methods.values() for row in table.to_dicts()]
    return [claim for row in rows for claim in background_claims.untrue(disk.plain, disk.said(row, k=5))]


def test_every_row_is_true(hybrid_run: Path) -> None:
    disk = Disk(hybrid_run)
    assert untrue(disk) == []
    rows = pl.concat(disk.methods.values())
    explained = rows.filter(status="explained")
    assert len(explained) > 150
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
    matters = (pl.col("lead_history") > 0.2 * pl.col("lead_aspects").abs()) & pl.col("nets_agree").is_between(1, 2)
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


def test_a_lie_in_each_column_is_found(hybrid_run: Path) -> None:
    disk = Disk(hybrid_run)
    table = disk.methods["minimal"].head(60)
    other = disk.items[0]
    lies = [
        {"lead_aspects": pl.col("lead_aspects") + 0.01},
        {"lead_history": pl.col("lead_history") - 0.01},
        {"lead_aspects": pl.col("lead_history"), "lead_history": pl.col("lead_aspects")},
        {"carried_by": pl.col("carried_by").list.reverse()},
        {"carried_by": pl.col("carried_by").list.head(0)},
        {"carried_by": pl.col("carried_by").list.eval(pl.lit(other))},
        {"carried_by": pl.lit(None)},
        {"score_without_aspects": pl.col("score_without_aspects") + 0.01},
        {"score_without_aspects": pl.lit(None)},
        {"nets": pl.col("nets") + 1},
        {"nets_agree": pl.col("nets")},
        {"nets_hold": pl.col("nets_agree")},
        {"nets_hold": pl.col("nets_hold") - 1},
        {"nets": pl.lit(None), "nets_agree": pl.lit(None), "nets_hold": pl.lit(None)},
        {"after": pl.col("before")},
    ]
    for lie in lies:
        disk.methods = {"minimal": table.with_columns(**lie)}  # type: ignore[misc]
        assert untrue(disk), f"nobody notices {lie}"
