"""Run folders made before values, margins and opinions were kept: read as they were meant, never in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from safetensors.numpy import load_file, save_file

from counterec import make_config, open_run
from counterec.errors import ConfigError, StoreError
from counterec.pipeline.explanation_tables import EXPLANATIONS, with_columns_of_today
from counterec.pipeline.files import sha256
from counterec.pipeline.manifest import digest
from tests.pipeline.tiny import SETTINGS, STAGES, again, changed

BACKGROUND = ("lead_aspects", "lead_history", "carried_by", "score_without_aspects", "nets", "nets_agree", "nets_hold")
NEW_COLUMNS = ("margin", "values", "balance_before", "balance_after", "alternatives", "equal_sets", "all_tried")


def as_before(folder: Path, floor: str = "absent") -> Path:
    """Make a folder look as an earlier version left it."""
    for table in (folder / "explanations").glob("*.parquet"):
        pl.read_parquet(table).drop(NEW_COLUMNS + BACKGROUND).write_parquet(table)
    lists = folder / "recommendations.parquet"
    pl.read_parquet(lists).drop("spread", "largest").write_parquet(lists)
    for name, gone in (("heads", ("spread", "largest")), ("aspects", ("ladder.", "opinions."))):
        path = folder / f"{name}.safetensors"
        save_file({key: array for key, array in load_file(path).items() if not key.startswith(gone)}, path)
    return _with_manifest(folder, floor)


def _with_manifest(folder: Path, floor: str) -> Path:
    path = folder / "manifest.json"
    content = json.loads(path.read_text())
    content.pop("sha256")
    content["format"], explain = 2, content["config"]["explain"]
    for name in ("margin_share", "telling"):
        del explain[name]
    for name in ("values", "unreviewed_beyond"):
        del explain["constraints"][name]
    explain["margin"], explain["constraints"]["floor"] = 1e-3, floor
    explain["relaxed"]["step"] = 4 * explain["relaxed"].pop("stride")
    for record in content["stages"].values():
        record["fingerprint"] = "made by other code"
        record["outputs"] = {file: sha256(folder / file) for file in record["outputs"]}
    path.write_text(json.dumps({**content, "sha256": digest(content)}))
    return folder


def test_its_answers_are_read_as_they_were_meant(own_run: Path) -> None:
    before = open_run(own_run).explanations_table("single")
    run = open_run(as_before(own_run))
    table = run.explanations_table("single")
    assert dict(table.schema) == dict(EXPLANATIONS)
    assert set(table["values"]) == {"continuous"}
    expected = 1e-3 * np.maximum(1, np.abs(before["target"].to_numpy()))
    np.testing.assert_allclose(table["margin"].to_numpy(), expected, rtol=1e-6)
    assert table["aspects"].to_list() == before["aspects"].to_list()
    assert all(set(balances) <= {None} for balances in table["balance_after"].to_list())
    constraints = run.config.explain.constraints
    assert (constraints.values, run.config.explain.relaxed.stride) == ("continuous", 0.0875)
    assert all(run.record(row).row.values == "continuous" for row in table.to_dicts() if row["status"] == "not_found")


def test_answers_of_yesterday_have_nothing_behind_them_but_are_told(own_run: Path) -> None:
    before = open_run(own_run).explanations_table("single")
    yesterday = before.drop(BACKGROUND)
    table = with_columns_of_today(yesterday, 1e-4)
    assert dict(table.schema) == dict(EXPLANATIONS)
    assert table.drop(BACKGROUND).equals(yesterday)
    assert all(table[name].is_null().all() for name in BACKGROUND)
    assert with_columns_of_today(before, 1e-4).equals(before)
    run = open_run(own_run)
    for row in table.to_dicts():
        record = run.record(row)
        assert (record.past, record.kept_by_history, record.for_history) == ((), False, False)


@pytest.mark.parametrize("question", ["why", "why_not"])
def test_it_answers_no_new_question(own_run: Path, question: Any) -> None:
    run = open_run(as_before(own_run))
    item = None if question == "why" else run.space.items.texts[0]
    with pytest.raises(StoreError, match="made by an earlier version, which kept no opinions and no spread of scores"):
        run.explain(run.space.users.texts[0], item, question=question)


def test_running_again_brings_it_up_to_date(own_run: Path) -> None:
    assert again(as_before(own_run)).made == STAGES
    assert set(open_run(own_run).explanations_table("single")["values"]) <= {"reachable", "unreviewed"}


def test_a_floor_that_is_gone_is_named(own_run: Path) -> None:
    with pytest.raises(StoreError, match='values = "reachable" with unreviewed_beyond = "never" for "worst"'):
        _ = open_run(as_before(own_run, floor="worst")).config


@pytest.mark.parametrize(
    ("explain", "says"),
    [
        ({"margin": 1e-4}, "write explain.margin_share, 0.0001 by default"),
        ({"constraints": {"floor": "absent"}}, 'write values = "continuous" for "absent"'),
        ({"relaxed": {"step": 0.35}}, "write explain.relaxed.stride, a quarter of it"),
    ],
)
def test_a_config_file_is_corrected_by_its_owner(explain: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make_config(changed(SETTINGS, explain=explain), "here")
    assert says in str(caught.value)
    assert str(caught.value).isprintable()
