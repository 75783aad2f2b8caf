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
PAUSE_S, MOST_PAUSES = 0.0005, 4
"""How long a process waits before it accepts the next connection, for each that it has, up to so many."""
NO_ROOM_S = 1.0
"""How long it waits where it cannot accept, since it has as many files open as it may."""


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
        for server in self.servers[:1]:
            self._announce(server.sockets[0].getsockname()[1])


class SharingServer(Server):
    """One of several that accept from the same socket.

    Clients open their connections together and keep them, and whoever accepts first would take them all. So each takes
    one at a time, and waits the longer for the next the more it has: the others come first.
    """

    def __init__(self, config: uvicorn.Config, started: Callable[[int], None], shared: socket.socket) -> None:
        super().__init__(config, started)
        self._shared = shared
        self._ending = False

    async def startup(self, sockets: Any = None) -> None:
        """Begin to accept, then say on which port."""
        await super().startup(sockets)
        self._shared.setblocking(False)
        self._listen()
        self._announce(self._shared.getsockname()[1])

    async def shutdown(self, sockets: Any = None) -> None:
        """Accept nobody any more, then end."""
        self._ending = True
        asyncio.get_running_loop().remove_reader(self._shared)
        self._shared.close()  # this process's own; the others still accept
        await super().shutdown(sockets)

    def _listen(self) -> None:
        if not self._ending:
            asyncio.get_running_loop().add_reader(self._shared, self._accept)

    def _accept(self) -> None:
        try:
            connection, _ = self._shared.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):  # another was faster, or the client is gone
            return
        except OSError:
            self._pause(NO_ROOM_S)  # the socket stays readable: to try again at once would take the whole processor
            return
        connection.setblocking(False)
        task = asyncio.get_running_loop().create_task(self._begin(connection))
        self.server_state.tasks.add(task)
        task.add_done_callback(self.server_state.tasks.discard)
        self._pause(PAUSE_S * min(1 + len(self.server_state.connections), MOST_PAUSES))

    def _pause(self, seconds: float) -> None:
        """Leave further connections to the others for a while."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._shared)
        loop.call_later(seconds, self._listen)

    async def _begin(self, connection: socket.socket) -> None:
        def protocol() -> asyncio.Protocol:
            return Patience(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

        try:
            await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)
        except OSError:  # the client is gone already
            connection.close()


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
    if listening is None:
        Server(config, started).run()
    else:
        SharingServer(config, started, listening).run([])


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that several processes accept from."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((host, port))
    made.listen(WAITING)
    made.set_inheritable(True)
    return made
