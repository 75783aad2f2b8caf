"""What several server processes share: the job runner and the sum of their metrics.

The process that starts them has it. They ask it over a socket on loopback: one line of JSON each way, opened by a
secret that only they know. No file is left behind, whoever is killed.
"""

from __future__ import annotations

import hmac
import json
import secrets
import socket
import socketserver
import threading
from dataclasses import dataclass, field
from typing import Any

from counterec.service.jobs.job_client import Command
from counterec.service.metrics import Snapshot
from counterec.service.settings import LOOPBACK

WAIT_S = 60.0
"""How long a process waits for a reply: the job runner starts with its first command."""


@dataclass(frozen=True)
class HubAddress:
    """Where the hub is, and what opens it."""

    port: int
    secret: str = field(repr=False)


class Hub:
    """The side of the process that starts the others."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._metrics: dict[str, Snapshot] = {}
        self._lock = threading.Lock()
        secret, hub = secrets.token_hex(32), self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                try:
                    asked = json.loads(self.rfile.readline())
                except ValueError:
                    return
                if hmac.compare_digest(str(asked.pop("secret", "")).encode(), secret.encode()):
                    self.wfile.write(json.dumps(hub.reply(asked)).encode() + b"\n")

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, allow_reuse_address = True, True

        self._server = Server((LOOPBACK, 0), Handler)
        self.address = HubAddress(self._server.server_address[1], secret)
        threading.Thread(target=self._server.serve_forever, name="hub", daemon=True).start()

    def reply(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Do what is asked."""
        if asked["do"] != "metrics":
            return self._command(asked)
        with self._lock:  # those of a process that has ended stay: counters never go back
            self._metrics[asked["process"]] = asked["own"]
            return {"all": list(self._metrics.values())}

    def close(self) -> None:
        """Hear nobody any more."""
        self._server.shutdown()
        self._server.server_close()


class HubClient:
    """The side of the others."""

    def __init__(self, address: HubAddress, process: str) -> None:
        self._address, self._process = address, process

    def command(self, command: dict[str, Any]) -> dict[str, Any]:
        """Have the job runner do something."""
        try:
            return self._ask(command)
        except (OSError, ValueError):
            return {"fault": True}

    def gather(self, own: Snapshot) -> list[Snapshot]:
        """Hand in the metrics of this process, and get those of all; these alone if nobody answers."""
        try:
            found: list[Snapshot] = self._ask({"do": "metrics", "process": self._process, "own": own})["all"]
        except (OSError, ValueError, KeyError):
            return [own]
        return found

    def _ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        with socket.create_connection((LOOPBACK, self._address.port), timeout=WAIT_S) as connection:
            connection.sendall(json.dumps({**asked, "secret": self._address.secret}).encode() + b"\n")
            with connection.makefile("rb") as reply:
                found: dict[str, Any] = json.loads(reply.readline())
        return found
