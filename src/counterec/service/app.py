"""The application: the API, beside it the page, and the layers before both."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline
from starlette.responses import RedirectResponse

from counterec.service.middleware import API, add_layers
from counterec.service.problems import MEDIA_TYPE, answer_errors
from counterec.service.routes import router
from counterec.service.schemas import ProblemDocument
from counterec.service.serve import ServiceSettings, log_to_standard_error
from counterec.service.service import Service

ABOUT = """Why is this item in this user's list? Answers are counterfactual: the smallest change of the item's aspects
that takes it off, verified by the model itself. Errors are problem documents (RFC 9457)."""
SWITCH_S = 0.001
"""How long one thread of Python may keep the others waiting: the compute thread must not hold up the event loop."""


def create_app() -> FastAPI:
    """Open the run and return its application. Every server process calls this once."""
    sys.setswitchinterval(SWITCH_S)
    settings = ServiceSettings.take()
    log_to_standard_error(only_errors=not settings.api_only)
    return application(Service(settings))


def application(service: Service) -> FastAPI:
    """Return the application over a service."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    app = FastAPI(title="CountERec", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.mount(API, api_of(service))
    if service.settings.api_only:
        app.add_route("/", lambda _: RedirectResponse(f"{API}/docs", 303))
    else:
        from counterec.service.page.frame import add_page
        from counterec.service.page.site import Site

        add_page(app, Site(service.run, service.people.privacy))
    answer_errors(app)
    add_layers(app, service)
    return app


def api_of(service: Service | None) -> FastAPI:
    """Return the API over a service; None: nothing but its description."""
    app = FastAPIOffline(
        title="CountERec",
        description=ABOUT,
        version="1",
        redoc_url=None,
        static_url="/docs-files",
        servers=[{"url": API}],
        root_path_in_servers=False,
    )
    app.state.service = service
    app.include_router(router)
    answer_errors(app)
    describe = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _describe_problems(describe())
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
    return app


def _describe_problems(document: dict[str, Any]) -> dict[str, Any]:
    """Say in an OpenAPI document that every other response is a problem document."""
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas["ProblemDocument"] = ProblemDocument.model_json_schema()
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    problem = {
        "description": "What went wrong, as RFC 9457 has it.",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
    }
    for path in document["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = problem
    security = {"token": {"type": "http", "scheme": "bearer", "description": "Needed where the server has a token."}}
    document["components"]["securitySchemes"] = security
    return document
