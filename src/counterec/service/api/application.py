"""The application for programs, to be asked below ``/api/v1``."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from counterec.service.api.documents import add_documents, describe_problems
from counterec.service.api.errors import answer_errors
from counterec.service.api.routes import audience, catalogue, explain, jobs, records, stateless, stored, what_if
from counterec.service.front.chain import API
from counterec.service.service import Service

ROUTERS = (catalogue, explain, what_if, records, audience, stored, stateless, jobs)

ABOUT = """Why is this item in this user's list? Answers are counterfactual: the smallest change of the item's aspects
that takes it off, verified by the model itself. Errors are problem documents (RFC 9457)."""


def api_application(service: Service) -> FastAPI:
    """The routes over a service."""
    app = FastAPI(
        title="CountERec",
        description=ABOUT,
        version="1",
        docs_url=None,
        redoc_url=None,
        servers=[{"url": API}],
        root_path_in_servers=False,
    )
    app.state.service = service
    for module in ROUTERS:
        app.include_router(module.router)
    add_documents(app)
    answer_errors(app)
    if service.settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(service.settings.origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type"],
        )
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = describe_problems(made())
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
    return app
