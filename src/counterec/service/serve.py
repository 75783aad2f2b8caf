"""Settings of the service, and its start: uvicorn with one process or several."""

from __future__ import annotations

import json
import logging
import os
import socket
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from pydantic import TypeAdapter
from uvicorn.supervisors import Multiprocess

from counterec.errors import ConfigError
from counterec.report.privacy import EVERYTHING, Privacy
from counterec.service.metrics import MULTIPLE
from counterec.service.middleware import is_loopback

LOOPBACK = "127.0.0.1"
SHORTEST_TOKEN = 16
"""Least number of characters of a token: a shorter one can be guessed."""
VARIABLE = "COUNTEREC_SERVICE"
"""Environment variable by which a server process gets its settings."""
WAITING = 2048
"""Connections that wait to be accepted."""
END_S = 10
"""How long requests that are being answered may take when the server ends."""
HUNG_S = 15
"""How long a busy process may fail to answer its supervisor before it is replaced."""


@dataclass(frozen=True)
class ServiceSettings:
    """One server: the run, who may ask about it, and what is shown."""

    folder: Path
    host: str = LOOPBACK
    device: str = "cpu"
    api_only: bool = False
    """Whether there is no page."""
    pseudonym_key: str | None = field(default=None, repr=False)
    """Hexadecimal key of the pseudonyms that all processes share; None: user ids and review texts are shown."""
    token: str | None = field(default=None, repr=False)
    """What a client must show; None: nothing, allowed on loopback only."""

    def __post_init__(self) -> None:
        if self.token is None and not self.on_loopback:
            raise ConfigError(
                f"{self.host} can be reached by others, so a token is needed: write one into a file, such as by "
                "python -c 'import secrets; print(secrets.token_urlsafe(32))' > token, and pass --token-file token"
            )

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host)

    @property
    def privacy(self) -> Privacy:
        """What is shown of people."""
        return EVERYTHING if self.pseudonym_key is None else Privacy(bytes.fromhex(self.pseudonym_key))

    def export(self) -> None:
        """Hand the settings to the server processes, by their environment."""
        os.environ[VARIABLE] = _SETTINGS.dump_json(self).decode()

    @classmethod
    def take(cls) -> ServiceSettings:
        """Return the settings that this process was handed."""
        return _SETTINGS.validate_json(os.environ[VARIABLE])


_SETTINGS = TypeAdapter(ServiceSettings)


def read_token(file: Path) -> str:
    """Read a token from a file: its text, without surrounding white space."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--token-file {file}: cannot be read ({error})") from None
    if len(token) < SHORTEST_TOKEN or not token.isascii() or any(sign.isspace() for sign in token):
        raise ConfigError(
            f"--token-file {file}: a token is at least {SHORTEST_TOKEN} letters, digits or signs without spaces"
        )
    return token


def serve(settings: ServiceSettings, port: int, workers: int, started: Callable[[int], None]) -> None:
    """Serve a run until told to end; port 0 takes a free one. ``started`` is called with the port."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server((settings.host, port), family=family, backlog=WAITING))
        settings.export()
        if workers > 1:
            os.environ[MULTIPLE] = stack.enter_context(tempfile.TemporaryDirectory(prefix="counterec-metrics-"))
        config = uvicorn.Config(
            "counterec.service.app:create_app",
            factory=True,
            workers=workers,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=END_S,
            timeout_worker_healthcheck=HUNG_S,
        )
        started(listening.getsockname()[1])
        if workers > 1:
            Multiprocess(config, [listening]).run()
        else:
            uvicorn.Server(config).run([listening])


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    FIELDS = ("request_id", "method", "route", "status", "ms")

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as an object; an error's traceback is a member of it."""
        said: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        said |= {name: getattr(record, name) for name in self.FIELDS if hasattr(record, name)}
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said)


def log_to_standard_error(only_errors: bool) -> None:
    """Send the service's log to standard error: every request, or only what went wrong."""
    log = logging.getLogger("counterec.service")
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    log.handlers, log.propagate = [handler], False
    log.setLevel(logging.WARNING if only_errors else logging.INFO)
