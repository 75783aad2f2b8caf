"""Listening: uvicorn with what we need of it, for one process or as one of several."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HEADERS_S = 20.0
"""How long a client may take to send the head of a request; then its connection is closed."""
SWITCH_S = 0.001
"""How long one thread of Python may keep the others waiting: the compute thread must not hold up the event loop."""
WAITING = 2048
"""Connections that wait to be accepted."""


class Patience(HttpToolsProtocol):
    """Closes a connection on which no request arrives in time: slow clients must not take all of them."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._waiting = asyncio.get_running_loop().call_later(HEADERS_S, self._give_up)

    def on_message_begin(self) -> None:
        """Wait for the head of a further request, too."""
        if self._waiting.cancelled():
            self._waiting = asyncio.get_running_loop().call_later(HEADERS_S, self._give_up)
        super().on_message_begin()

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()

    def on_headers_complete(self) -> None:
        """The request is there."""
        self._waiting.cancel()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody waits any more."""
        self._waiting.cancel()
        super().connection_lost(exc)


class Server(uvicorn.Server):
    """A server that says when it listens, and where."""

    def __init__(self, config: uvicorn.Config, started: Callable[[int], None]) -> None:
        super().__init__(config)
        self._announce = started

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen, then say on which port."""
        await super().startup(sockets)
        listening = sockets[0] if sockets else self.servers[0].sockets[0] if self.servers else None
        if listening is not None:
            self._announce(listening.getsockname()[1])


def config_of(app: ASGIApp, host: str, port: int) -> uvicorn.Config:
    """How we listen: patiently, but not for ever, and without saying what we are."""
    return uvicorn.Config(
        app,
        host,
        port,
        http=Patience,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=10,
    )


def serve(
    app: ASGIApp, host: str, port: int, started: Callable[[int], None], listening: socket.socket | None = None
) -> None:
    """Serve an application until it is told to end; port 0 takes a free one. ``started`` is told the port."""
    sys.setswitchinterval(SWITCH_S)
    config = config_of(app, host, port)
    Server(config, started).run(None if listening is None else [listening])


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that several processes accept from."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((host, port))
    made.listen(WAITING)
    made.set_inheritable(True)
    return made
