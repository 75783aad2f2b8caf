"""The server: the page, and beside it an application of its own for programs, in one process."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn
from fastapi import FastAPI
from nicegui import ui

from counterec.service.page.frame import page_of
from counterec.service.page.site import Site

if TYPE_CHECKING:
    from starlette.types import ASGIApp

API = "/api/v1"
"""Where the application for programs is mounted."""

RECONNECT_S = 60.0
"""How long a page that has lost its connection is kept; later it is made anew from its address."""


def application(site: Site, api: ASGIApp | None = None) -> FastAPI:
    """The page of a run, and an API beside it, whose errors and documents stay its own."""
    app = FastAPI(title="CountERec", docs_url=None, redoc_url=None, openapi_url=None)
    if api is not None:
        app.mount(API, api)  # before the page, which takes every other path
    ui.run_with(
        app,
        root=page_of(site),
        title="CountERec",
        dark=None,
        language="en-US",
        tailwind=False,
        reconnect_timeout=RECONNECT_S,
        binding_refresh_interval=None,
        show_welcome_message=False,
    )
    return app


class Server(uvicorn.Server):
    """A server that says when it listens, and where."""

    def __init__(self, config: uvicorn.Config, started: Callable[[int], None]) -> None:
        super().__init__(config)
        self._announce = started

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen, then say on which port."""
        await super().startup(sockets)
        if self.servers:
            self._announce(self.servers[0].sockets[0].getsockname()[1])


def serve(app: ASGIApp, host: str, port: int, started: Callable[[int], None]) -> None:
    """Serve an application until Ctrl-C; port 0 takes a free one. ``started`` is told the port."""
    Server(uvicorn.Config(app, host, port, log_level="warning"), started).run()
