"""The server: the page, and beside it an application of its own for programs, in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI
from nicegui import app as page
from nicegui import ui

from counterec.service.front.chain import API
from counterec.service.listening import serve
from counterec.service.page.frame import page_of
from counterec.service.page.site import Site

if TYPE_CHECKING:
    from starlette.types import ASGIApp

__all__ = ["application", "serve"]

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
    page.on_startup(site.warm_up)
    return app
