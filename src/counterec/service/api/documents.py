"""The interactive description of the API, from files of our own: it works without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response

from counterec.service.api.answers import ProblemDocument
from counterec.service.problems import MEDIA_TYPE, Problem

FILES = Path(__file__).with_name("swagger")
KINDS = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
START = """window.ui = SwaggerUIBundle({url: "openapi.json", dom_id: "#swagger-ui", deepLinking: true,
  validatorUrl: null, presets: [SwaggerUIBundle.presets.apis]});
"""
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>CountERec API</title><link rel="stylesheet" href="docs/swagger-ui.css"><link rel="icon" href="data:,"></head>
<body><div id="swagger-ui"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script>
</body></html>
"""


def add_documents(app: FastAPI) -> None:
    """Add ``/docs`` and its files."""

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(PAGE)

    @app.get("/docs/start.js", include_in_schema=False)
    async def start() -> Response:
        return Response(START, media_type="text/javascript")

    @app.get("/docs/{name}", include_in_schema=False)
    async def asset(name: str) -> Response:
        if name not in KINDS:  # a name from outside is looked up, never opened
            raise Problem(404, "no-such-path", "there is no such file")
        return Response((FILES / name).read_bytes(), media_type=KINDS[name])


def describe_problems(document: dict[str, Any]) -> dict[str, Any]:
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
