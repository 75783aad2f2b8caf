"""The command line as a process: exit status, streams, pipes and encodings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from counterec import open_run

pytestmark = pytest.mark.slow

COUNTEREC = Path(sys.executable).with_name("counterec")


def process(*args: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [str(COUNTEREC), *map(str, args)]
    env = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
    return subprocess.run(command, env=env, capture_output=True, timeout=120, check=False)


def test_a_run_from_end_to_end(source: Path, tmp_path: Path) -> None:
    ended = process("run", source, "--model", "net", "--epochs", 1, "--out", tmp_path / "run")
    assert ended.returncode == 0
    assert b"The run is in" in ended.stdout
    assert all(line.startswith(("✓ ", "warning: ")) for line in ended.stderr.decode().splitlines())
    assert "\x1b" not in ended.stdout.decode(), "no colours into a file"


@pytest.mark.parametrize(
    ("args", "status", "says"),
    [
        (["run", "/nowhere/reviews.json"], 1, "error: /nowhere/reviews.json does not exist; check the path"),
        (["run", "x.json", "--columns", "user"], 2, "error: --columns 'user': write ours=theirs pairs, such as "),
    ],
)
def test_errors_are_one_line_and_a_status(args: list[str], status: int, says: str) -> None:
    ended = process(*args)
    assert ended.returncode == status
    assert ended.stdout == b""
    assert ended.stderr.decode().startswith(says)
    assert ended.stderr.count(b"\n") == 1


def test_a_terminal_that_knows_no_arrows(finished: Path) -> None:
    item = open_run(finished).explanations_table("minimal").filter(user_id="u03")["item_id"][0]
    asked = ("--user", "u03", "--item", item, "--set", "battery=0", "--set", "price=0", "--set", "screen=0")
    ended = process("whatif", finished, *asked, PYTHONIOENCODING="ascii")
    assert ended.returncode == 0, ended.stderr.decode()
    assert b"\\u2192" in ended.stdout
    assert ended.stderr == b""


def test_a_reader_that_has_seen_enough(finished: Path) -> None:
    """``counterec show … | head -1`` ends silently."""
    pipe, end = os.pipe()
    with subprocess.Popen([str(COUNTEREC), "show", str(finished)], stdout=end, stderr=subprocess.PIPE) as running:
        os.close(end)
        os.close(pipe)
        _, err = running.communicate(timeout=120)
    assert err == b""
    assert running.returncode == 1


@pytest.mark.skipif(os.name != "posix", reason="signals to a group of processes are POSIX's")
@pytest.mark.parametrize("whom", ["group", "parent"])
def test_ctrl_c_while_several_processes_extract(source: Path, tmp_path: Path, whom: str) -> None:
    """A terminal sends it to every process, ``kill`` to one: either way one line says what is kept."""
    command = [str(COUNTEREC), "run", str(source), "--model", "net", "--epochs", "1", "--processes", "2"]
    command += ["--out", str(tmp_path / "run")]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, start_new_session=True) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if b"split" in line:
                break
        (os.killpg if whom == "group" else os.kill)(running.pid, signal.SIGINT)
        rest = running.stderr.read().decode()
    assert running.returncode == 130
    assert "Traceback" not in rest
    assert rest.splitlines()[-1].startswith("interrupted in ")
    assert "kept: read, split" in rest
    assert process(*command[1:]).returncode == 0
