"""The real server, as a process of its own on a free port."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
START_S = 120


@dataclass(frozen=True)
class Served:
    """A server that listens."""

    url: str
    """Its root, without a slash at the end."""
    process: subprocess.Popen[str]
    log: list[str]
    """The lines of its log so far."""
    reader: threading.Thread

    @property
    def api(self) -> str:
        """Where the API is."""
        return f"{self.url}/api/v1"

    def client(self, token: str | None = None) -> httpx.Client:
        """Something to ask it with."""
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.api, headers=headers, timeout=60)

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.ended()

    def ended(self) -> int:
        """Wait until it has ended, and close what was open to it."""
        found = self.process.wait(timeout=60)
        self.reader.join(10)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        return found


def start(folder: Path, *options: object, environment: dict[str, str] | None = None) -> Served:
    """Start a server and wait until it listens."""
    command = [sys.executable, "-m", "counterec.cli.main", "serve", str(folder), "--port", "0", "--json"]
    paths = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    process = subprocess.Popen(
        [*command, *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", **(environment or {})},
    )
    log: list[str] = []
    reader = threading.Thread(target=_read, args=(process, log), daemon=True)
    reader.start()
    told = _told(process)
    if told is None:
        process.wait()
        raise AssertionError("the server did not start:\n" + "".join(log[-20:]))
    served = Served(told["url"].rstrip("/"), process, log, reader)
    httpx.get(f"{served.url}/healthz", timeout=START_S)  # until then connections wait
    return served


def _read(process: subprocess.Popen[str], log: list[str]) -> None:
    assert process.stderr is not None
    log.extend(iter(process.stderr.readline, ""))


def _told(process: subprocess.Popen[str]) -> dict[str, str] | None:
    """What the server prints once it listens: one JSON object."""
    assert process.stdout is not None
    text = ""
    for line in iter(process.stdout.readline, ""):
        text += line
        if line.startswith("}"):
            found: dict[str, str] = json.loads(text)
            return found
    return None


def stop(served: Served) -> int:
    """End a server as Ctrl-C or an init system does."""
    served.process.terminate()
    return served.ended()


@contextmanager
def serving(folder: Path, *options: object, environment: dict[str, str] | None = None) -> Iterator[Served]:
    """A server for as long as the block lasts."""
    served = start(folder, *options, environment=environment)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            stop(served)
