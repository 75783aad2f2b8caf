"""Errors as problem documents (RFC 9457): a kind, what happened with the offending value, and what to do.

Documents never show paths or traces of the machine.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from counterec.errors import CounterecError, InvalidValueError, ModelError, UnknownIdError, UsageError

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request

MEDIA_TYPE = "application/problem+json"
SHOWN = 120
"""Characters of an offending value that are shown."""
MOST_ERRORS = 20
"""Faults of a request that are listed."""
CLIENT_GONE = 499
"""Status logged for a request whose client left before the answer."""
REQUEST_ID = "counterec.request_id"
"""Key of the request id in an ASGI scope."""
FAULT = "This is a fault of the service, not of your request; its log has more under the request id."

log = logging.getLogger("counterec.service")


@dataclass(eq=False)
class Problem(Exception):  # noqa: N818  # the name in the standard
    """An error that a client is told."""

    status: int
    kind: str
    """One word of our own, the end of its URN."""
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further members of the document."""

    def document(self) -> dict[str, Any]:
        """Return the members of the document."""
        return {
            "type": f"urn:counterec:problem:{self.kind}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            **self.more,
        }

    def body(self) -> bytes:
        """Encode the document in ASCII, so that it can name any text of a request."""
        return json.dumps(self.document()).encode("ascii")

    def response(self) -> Response:
        """Return the document as a response."""
        return Response(self.body(), self.status, {"cache-control": "no-store", **self.headers}, MEDIA_TYPE)


def show(value: object) -> str:
    """Quote an offending value; cut it if it is long."""
    text = repr(value) if not isinstance(value, str) else repr(value[: SHOWN + 1])
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def problem_of(error: Exception, request_id: str = "") -> Problem:
    """Translate an error of the library or the framework; log what is not the client's."""
    said = " ".join(str(error).split())
    match error:
        case Problem():
            return error
        case HTTPException():
            return _refusal(error)
        case UnknownIdError():
            return Problem(404, "unknown-id", said)
        case UsageError() | InvalidValueError():
            return Problem(422, "cannot-be-asked", said)
        case ModelError():
            log.error("the model failed: %s", said, extra={"request_id": request_id})
            return Problem(502, "model-failed", "the model behind this service could not be asked; its log says why")
        case CounterecError():
            log.error("a request failed: %s", said, extra={"request_id": request_id})
        case _:
            log.error("a request failed", exc_info=error, extra={"request_id": request_id})
    return Problem(500, "fault", FAULT, more={"request_id": request_id})


def answer_errors(app: FastAPI) -> None:
    """Answer every error of an application with a problem document."""
    from fastapi.exceptions import RequestValidationError

    async def answer(request: Request, error: Exception) -> Response:
        return problem_of(error, str(request.scope.get(REQUEST_ID, ""))).response()

    async def answer_invalid(_: Request, error: Exception) -> Response:
        found = error.errors() if isinstance(error, RequestValidationError) else []
        return _invalid_request(list(found)).response()

    async def answer_nobody(_request: Request, _: Exception) -> Response:
        return Response(status_code=CLIENT_GONE)

    for kind in (Problem, CounterecError, HTTPException):
        app.add_exception_handler(kind, answer)
    app.add_exception_handler(RequestValidationError, answer_invalid)
    app.add_exception_handler(ClientDisconnect, answer_nobody)


def _refusal(error: HTTPException) -> Problem:
    kinds = {404: "no-such-path", 405: "wrong-method", 400: "not-readable"}
    details = {
        404: "there is nothing at this path; /api/v1/docs lists what there is",
        405: "this path is not asked in this way; the header Allow says how",
        400: "the body cannot be read as JSON; is it complete, and not nested too deeply?",
    }
    detail = details.get(error.status_code, HTTPStatus(error.status_code).phrase)
    return Problem(error.status_code, kinds.get(error.status_code, "refused"), detail, dict(error.headers or {}))


def _invalid_request(found: list[dict[str, Any]]) -> Problem:
    """List the faults of a request, place by place."""
    if found and found[0].get("type") == "json_invalid":
        return Problem(400, "not-readable", "the body is not JSON; check commas, quotes and brackets")
    errors = [
        {
            "pointer": "/" + "/".join(_escape(part) for part in error["loc"]),
            "detail": error["msg"].removeprefix("Value error, "),
            "value": show(error.get("input")),
        }
        for error in found[:MOST_ERRORS]
    ]
    first = f"{errors[0]['pointer']}: {errors[0]['detail']} (is {errors[0]['value']})" if errors else "not valid"
    more = {"errors": errors} if errors else {}
    return Problem(422, "not-valid", f"{first}; see /api/v1/docs for what is expected", more=more)


def _escape(part: Any) -> str:
    return str(part)[:100].replace("~", "~0").replace("/", "~1")
