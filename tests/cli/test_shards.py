"""``counterec run --shard`` and ``counterec merge``: what they print, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.files import counterec

pytestmark = pytest.mark.slow


def test_shards_and_merges_in_turn(quickly, source: Path, tmp_path: Path) -> None:
    made, merged = quickly(source, "--shard", "0/1"), counterec("merge", tmp_path / "run")
    assert (made.status, merged.status) == (0, 0), made.err + merged.err
    assert made.out == "extract (counts): 1 pieces made, 0 still missing\n"
    assert merged.out == "next: extract, 1 pieces of reviews; run its shards\n"
    assert quickly(source, "--shard", "1/2").out.startswith("extract (mentions-0): 0 pieces made, 1 still missing")
    share = quickly(source, "--shard", "1/2", "--json").json
    assert share["stages"] == [{"stage": "extract", "step": "mentions-0", "made": 0, "missing": 1}]
    assert counterec("merge", tmp_path / "run").out.startswith("next: extract")
    assert quickly(source, "--quiet").status == 0, "without shards, whatever is left is made"
    assert quickly(source, "--shard", "1/2").out == "nothing is left to make in shards\n"
    assert "The run is in" in counterec("merge", tmp_path / "run").out
