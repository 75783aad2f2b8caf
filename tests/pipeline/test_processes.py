"""Work shared among processes: the order of the results, and how it is interrupted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from counterec.pipeline.executors import workers

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_work(processes: int) -> None:
    with workers(processes) as share:
        assert list(share(abs, range(-9, 0))) == list(range(9, 0, -1))
        assert list(share(str, [])) == []
        with pytest.raises(ZeroDivisionError):
            list(share((1).__truediv__, [1, 0, 2]))


INTERRUPTED = """
import os, signal, sys, time
import os
import subprocess
import sys
from pathlib import Path
from counterec.pipeline.executors import workers

def work(piece):
    Path(sys.argv[1], str(piece)).touch()
    time.sleep(0.05)

if __name__ == "__main__":
    try:
        with workers(2) as share:
            for _ in share(work, range(10_000)):
                os.killpg(0, signal.SIGINT)
    except KeyboardInterrupt:
        print("interrupted", len(os.listdir(sys.argv[1])) < 50)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes are POSIX's")
def test_an_interruption_ends_the_others_without_a_word_of_theirs(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(INTERRUPTED)
    (tmp_path / "begun").mkdir()
    command = [sys.executable, str(tmp_path / "script.py"), str(tmp_path / "begun")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, start_new_session=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "interrupted True\n", "")
