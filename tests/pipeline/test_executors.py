"""Executors: whoever does the work, everything is done once, errors are raised, and nobody is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from counterec.errors import StoreError
from counterec.pipeline.executors import Executor, InProcess, Processes

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=[1, 2])
def executor(request: pytest.FixtureRequest):
    found: Executor = InProcess() if request.param == 1 else Processes(request.param, worth_starting=0)
    yield found
    found.close()


def test_everything_is_done_once(executor: Executor) -> None:
    assert sorted(executor.map(abs, range(-9, 0))) == [(number, -number) for number in range(-9, 0)]
    assert list(executor.map(str, [])) == []


def test_an_error_of_the_work_is_raised_and_the_next_work_is_not_mixed_up_with_it(executor: Executor) -> None:
    with pytest.raises(ZeroDivisionError):
        list(executor.map((1).__truediv__, [1, 0, 2, 4]))
    assert sorted(executor.map(str, range(5))) == [(number, str(number)) for number in range(5)]


def test_a_process_that_is_killed_is_an_error_in_one_line(executor: Executor) -> None:
    if isinstance(executor, InProcess):
        pytest.skip("nobody else to kill")
    with pytest.raises(StoreError, match=r"a process ended with status -9 while it worked on 9; was memory short\?"):
        list(executor.map(partial(_killed_at, 9), [9, 9]))
    assert sorted(executor.map(abs, [-1, -2])) == [(-2, 2), (-1, 1)]


def _killed_at(number: int, given: int) -> int:
    if given == number:
        os.kill(os.getpid(), signal.SIGKILL)
    return given


SCRIPT = """
import os, signal, sys, time
from pathlib import Path
from counterec.pipeline.executors import Processes

def work(number):
    Path(sys.argv[1], f"{os.getpid()}").touch()
    time.sleep(60 if number else 0)
    return number

if __name__ == "__main__":
    processes = Processes(2, worth_starting=0)
    try:
        for number, _ in processes.map(work, range(100)):
            while len(os.listdir(sys.argv[1])) < 2:
                time.sleep(0.01)
            os.killpg(0, signal.SIGINT) if sys.argv[2] == "group" else os.kill(os.getpid(), int(sys.argv[2]))
    except KeyboardInterrupt:
        processes.close()
        print("interrupted")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes are POSIX's")
@pytest.mark.parametrize(
    ("sent", "outcome"),
    [("group", (0, "interrupted\n")), (signal.SIGINT, (0, "interrupted\n")), (signal.SIGKILL, (-9, ""))],
)
def test_however_it_ends_nobody_is_left_behind_or_says_a_word(tmp_path: Path, sent: object, outcome) -> None:
    """Work that takes a minute is not waited for."""
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "workers").mkdir()
    told = sent if isinstance(sent, str) else str(int(sent))  # type: ignore[call-overload]
    command = [sys.executable, str(tmp_path / "script.py"), str(tmp_path / "workers"), told]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False, start_new_session=True)
    assert (ended.returncode, ended.stdout) == outcome
    assert ended.stderr == ""  # end of file: every process that could write to it is gone
    assert len(list((tmp_path / "workers").iterdir())) == 2
