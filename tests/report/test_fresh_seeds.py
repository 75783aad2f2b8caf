"""Seeds that were looked at and seeds that were not: two seeds that say opposite things."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from counterec.report.experiment_report import write_report
from counterec.report.fresh_seeds import measure_fresh
from tests.report.few_rows import answer, experiment_of, row
from tests.report.rows import EXPERIMENT_SETTINGS, STATISTICS, World, frame

KEYS = {"protocol": "full", "method": "complete", "shape": "multi", "masked": False, "user_id": "u", "item_id": "i"}


def complete(seed: int, holds: bool) -> dict[str, Any]:
    return answer("u", holds, holds, seed=seed, method="complete")


def rival(seed: int, holds: bool) -> dict[str, Any]:
    return answer("u", holds, holds, seed=seed, method="random")


def test_only_what_selects_is_measured_again_and_only_over_the_others() -> None:
    rows = [complete(0, True), complete(1, False), rival(0, False), rival(1, True), row("u", seed=1)]
    elsewhere = [
        KEYS | {"seed": seed, "ground": "k=4", "necessary": holds, "sufficient": holds}
        for seed, holds in ((0, True), (1, False))
    ]
    found = measure_fresh(experiment_of(rows, transfer=frame("transfer", elsewhere)), (0, 7), 12)
    assert (found.looked_at, found.fresh) == ((0,), (1,))
    (one,) = found.measures
    assert one.method == "complete, fresh seeds"
    assert (one["f_ns"].value, one["f_ns"].cases) == (0.0, 1), "seed 0 would say 1"
    assert one.transfer["k=4"]["f_ns"].value == 0.0, "under other conditions, too"
    differences = {(each.ours, each.other, each.measure): each.difference for each in found.compared}
    assert set(differences) == {
        ("complete, fresh seeds", other, measure)
        for other in ("random", "relaxed")
        for measure in ("f1", "f1_all", "f_ns", "f_ns_all")
    }
    assert differences["complete, fresh seeds", "random", "f_ns"].value == -1.0, "pooled it would be 0"
    assert "data, split and held-out reviews are those that were looked at" in found.note


@pytest.mark.parametrize("looked_at", [(), (0, 1)], ids=["nothing", "everything"])
def test_with_one_kind_of_ground_alone_nothing_stands_twice(looked_at: tuple[int, ...]) -> None:
    found = measure_fresh(experiment_of([complete(0, True), complete(1, False)]), looked_at, 12)
    assert found.measures == found.compared == ()
    assert (found.looked_at == ()) == (found.fresh == (0, 1))


def test_claims_and_data_say_which_ground_is_which(tmp_path: Path) -> None:
    write_report(tmp_path, World(users=2).experiment(), STATISTICS, None, {**EXPERIMENT_SETTINGS, "looked_at": (0,)})
    head = (tmp_path / "claims.txt").read_text(encoding="utf-8").splitlines()[0]
    assert head.startswith("No claim rests on complete")
    assert "while looking at seed 0; no other is here" in head
    written = json.loads((tmp_path / "evaluation.json").read_text(encoding="utf-8"))["fresh_seeds"]
    assert (written["looked_at"], written["fresh"], written["cells"]) == ([0], [], [])
