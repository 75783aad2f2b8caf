"""Every example runs, and prints what it is there to show."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parent.parent / "examples"
SAYS = {
    "audience.py": " would enter the lists of 10 of 40 users",
    "black_box.py": "If the room of Bellevue had been worse (4.4 → 3.0 of 5), it would not be recommended.",
    "embeddings.py": "relaxed\n  If its ",
    "films.py": "If its genre were western instead of horror, Film 27 would move from position 1 to position ",
    "cap_per_brand.py": "If the screen of Bolt had been worse (4.0 → 1.2 of 5), it would not be recommended.",
    "goals.py": "complete: explained, ",
    "hotels.py": "Cleo: If it had no wifi, Hotel 08 would not be recommended.",
    "onnx_file.py": "If its rent were 651 instead of 610, A would not be recommended.",
    "plain_function.py": "If it cost 1516 € instead of 1150 €, Crete would not be recommended.",
    "small_run.py": "Run(",
    "what_if.py": "With camera at 1.0 instead of ",
    "why_not.py": " would be recommended.",
    "why_rather.py": " would be ahead of it",
    "why.py": "If the battery of Phone A had been slightly worse (3.0 → 2.1 of 5), it would not be recommended.",
}
MOST_LINES = 30


def test_every_example_is_known() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_it_runs_and_says_what_it_shows(name: str, tmp_path: Path) -> None:
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(EXAMPLES / name)]
    ended = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    assert SAYS[name] in ended.stdout.decode()
    assert ended.stderr == b""
    assert not list(tmp_path.iterdir()), "an example leaves nothing behind"


@pytest.mark.parametrize("name", SAYS)
def test_it_is_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= MOST_LINES
