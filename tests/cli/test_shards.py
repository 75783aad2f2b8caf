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


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--shard", "4"], "--shard '4': write it as 3/16, the fourth of sixteen; the first is 0/16"),
        (["--shard", "2/2"], "--shard 2/2: shards are counted from 0, so that of 2 the last is 1/2"),
        (["--force", "--shard", "0/2"], "--shard and --force do not go together"),
        (["--engine", "ray", "--shard", "0/2"], "--engine ray makes all pieces by itself; leave out --shard"),
    ],
)
def test_what_is_refused(quickly, source: Path, options: list[str], says: str) -> None:
    outcome = quickly(source, *options)
    assert outcome.status == 2
    assert outcome.err.splitlines()[-1].startswith(f"error: {says}")


def test_a_merge_of_nothing(tmp_path: Path) -> None:
    outcome = counterec("merge", tmp_path / "nowhere")
    assert outcome.status == 1
    assert "not a run folder" in outcome.err
