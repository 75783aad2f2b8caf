"""The real server: ``counterec serve`` as a process of its own, on loopback and a free port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

HOST = "127.0.0.1"
STARTS_WITHIN = 90.0
"""Seconds; a busy machine takes long to import PyTorch."""
ENDS_WITHIN = 15.0


class Server:
    """A server that runs: where it is, what it has written, and how much memory it holds."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.process, self.port, self.log = process, port, log
        self.url = f"http://{HOST}:{port}"
        self._read = 0

    def new_log(self) -> str:
        """What was written since the last call."""
        written = self.log.read_text(encoding="utf-8", errors="replace")
        new, self._read = written[self._read :], len(written)
        return new

    def resident_mib(self) -> float:
        """The memory that the process holds, in MiB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def answers(self, path: str = "/") -> bool:
        """Whether the server answers a request."""
        try:
            with urllib.request.urlopen(f"{self.url}{path}", timeout=10) as response:
                return bool(response.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@contextmanager
def started(
    folder: Path, log: Path, options: Sequence[str] = (), port: int | None = None, first: str = "pass"
) -> Iterator[Server]:
    """A server of this run folder; it is ended by its own process id, whatever happens.

    ``first`` is Python to run in its process before the command, for whoever has to change a constant.
    """
    port = port or free_port()
    code = f"import sys; {first}; from counterec.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "serve", str(folder), "--port", str(port), *options]
    with log.open("ab") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
    try:
        server = Server(process, port, log)
        _wait_for(server)
        yield server
    finally:
        _end(process)


def _wait_for(server: Server) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while not server.answers("/healthz"):
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise AssertionError(f"the server did not start:\n{server.new_log()}")
        time.sleep(0.2)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(ENDS_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
