"""The application of the page; ``page_server`` puts the API beside it."""

from __future__ import annotations

from fastapi import FastAPI
from nicegui import app as page
from nicegui import ui

from counterec.service.listening import serve
from counterec.service.page.frame import page_of
from counterec.service.page.site import Site

__all__ = ["application", "serve"]

RECONNECT_S = 60.0
"""How long a page that has lost its connection is kept; later it is made anew from its address."""


def application(site: Site) -> FastAPI:
    """The page of a run."""
    app = FastAPI(title="CountERec", docs_url=None, redoc_url=None, openapi_url=None)
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
