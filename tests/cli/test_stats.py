"""``counterec stats``: the statistics of the data, as a table and as JSON."""

from __future__ import annotations

from pathlib import Path

from counterec import open_run
from tests.cli.files import counterec


def test_table(finished: Path) -> None:
    outcome = counterec("stats", finished)
    assert outcome.status == 0
    assert outcome.err == ""
    for word in ("users", "items", "reviews", "aspects", "density", "66", "68.750%"):
        assert word in outcome.out


def test_json(finished: Path) -> None:
    found = counterec("stats", finished, "--json").json
    assert found == open_run(finished).statistics
    assert found == {"users": 6, "items": 16, "reviews": 66, "aspects": 4, "density": 66 / 96}
