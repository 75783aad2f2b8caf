"""Several processes: one socket, and metrics in one sum."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.service.serving import Served, serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def several(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("several")
    with serving(tiny_run, "--api-only", "--workers", 2, environment={"TMPDIR": str(folder)}) as served:
        yield served
    assert list(folder.iterdir()) == []  # metrics and all else leave no files behind


def children(process: int) -> list[int]:
    """The processes that a process has started, but for Python's own helper."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(stat[1]) == process and stat[0] != "Z" and b"resource_tracker" not in command:
                found.append(int(entry.name))
    return found


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.1)


def counted(served: Served) -> float:
    """How often the run was asked for, by the metrics."""
    lines = httpx.get(f"{served.url}/metrics").text.splitlines()
    return sum(
        float(line.split()[-1]) for line in lines if line.startswith("counterec_requests_total") and "/run" in line
    )


def test_metrics_are_the_sum_over_processes(several: Served) -> None:
    before = counted(several)
    for _ in range(30):  # each by a connection of its own, so that both processes get some
        assert httpx.get(f"{several.api}/run").status_code == 200
    until(lambda: counted(several) == before + 30, 20)


def test_answers_come_from_any_process(several: Served, pairs: list[tuple[str, str]]) -> None:
    body = {"pairs": [{"user_id": pairs[0][0], "item_id": pairs[0][1]}]}
    found = {httpx.post(f"{several.api}/explain", json=body, timeout=60).text for _ in range(6)}
    assert len(found) == 1


def test_a_process_that_dies_is_started_again(several: Served) -> None:
    before = children(several.process.pid)
    workers = [process for process in before if b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()]
    os.kill(workers[0], signal.SIGKILL)
    until(lambda: len(children(several.process.pid)) == len(before) and workers[0] not in children(several.process.pid))
    until(lambda: httpx.get(f"{several.api}/run", timeout=30).status_code == 200)
