"""Errors of the library and the framework as problem documents. Nothing of the machine is said: no path, no trace."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request

from counterec.errors import CounterecError, InvalidValueError, ModelError, UnknownIdError, UsageError
from counterec.service.api.waiting import ClientGone
from counterec.service.front.request_log import CLIENT_GONE, FAULT, REQUEST_ID
from counterec.service.problems import MEDIA_TYPE, Problem, shown

log = logging.getLogger("counterec.service")

MOST_ERRORS = 20
"""Faults of a request that are listed."""


def answer_errors(app: Starlette) -> None:
    """Let an application answer every error with a problem document."""

    async def of_problem(_: Request, error: Exception) -> Response:
        return _response(error if isinstance(error, Problem) else _fault())

    async def of_library(request: Request, error: Exception) -> Response:
        return _response(problem_of(error, str(request.scope.get(REQUEST_ID, ""))))

    async def of_validation(_: Request, error: Exception) -> Response:
        found = error.errors() if isinstance(error, RequestValidationError) else []
        return _response(_invalid(list(found)))

    async def of_framework(_: Request, error: Exception) -> Response:
        return _response(_of_status(error) if isinstance(error, HTTPException) else _fault())

    async def of_bug(request: Request, _: Exception) -> Response:
        return _response(_fault(str(request.scope.get(REQUEST_ID, ""))))

    async def of_nobody(_request: Request, _: Exception) -> Response:
        return Response(status_code=CLIENT_GONE)

    app.add_exception_handler(Problem, of_problem)
    app.add_exception_handler(CounterecError, of_library)
    app.add_exception_handler(RequestValidationError, of_validation)
    app.add_exception_handler(HTTPException, of_framework)
    app.add_exception_handler(ClientGone, of_nobody)
    app.add_exception_handler(Exception, of_bug)


def problem_of(error: Exception, request_id: str = "") -> Problem:
    """The problem that an error of the library is for a client."""
    said = " ".join(str(error).split())
    match error:
        case Problem():
            return error
        case UnknownIdError():
            return Problem(404, "unknown-id", said)
        case UsageError() | InvalidValueError():
            return Problem(422, "cannot-be-asked", said)
        case ModelError():
            log.error("the model failed: %s", said, extra={"request_id": request_id})
            return Problem(502, "model-failed", "the model behind this service could not be asked; its log says why")
        case _:
            log.error("a request failed: %s", said, extra={"request_id": request_id})
            return _fault(request_id)


def _fault(request_id: str = "") -> Problem:
    return Problem(500, "fault", FAULT, more={"request_id": request_id})


def _of_status(error: HTTPException) -> Problem:
    kinds = {404: "no-such-path", 405: "wrong-method", 400: "not-readable"}
    details = {
        404: "there is nothing at this path; /api/v1/docs lists what there is",
        405: "this path is not asked in this way; the header Allow says how",
        400: "the body cannot be read as JSON; is it complete, and not nested too deeply?",
    }
    phrase = HTTPStatus(error.status_code).phrase
    detail = details.get(error.status_code, phrase)
    return Problem(error.status_code, kinds.get(error.status_code, "refused"), detail, dict(error.headers or {}))


def _invalid(found: list[dict[str, Any]]) -> Problem:
    """What is wrong with a request, place by place."""
    if found and found[0].get("type") == "json_invalid":
        return Problem(400, "not-readable", "the body is not JSON; check commas, quotes and brackets")
    errors = [
        {
            "pointer": "/" + "/".join(_escaped(part) for part in error["loc"]),
            "detail": error["msg"].removeprefix("Value error, "),
            "value": shown(error.get("input")),
        }
        for error in found[:MOST_ERRORS]
    ]
    first = f"{errors[0]['pointer']}: {errors[0]['detail']} (is {errors[0]['value']})" if errors else "not valid"
    more = {"errors": errors} if errors else {}
    return Problem(422, "not-valid", f"{first}; see /api/v1/docs for what is expected", more=more)


def _escaped(part: Any) -> str:
    text = str(part)[:100]
    return text.replace("~", "~0").replace("/", "~1")


def _response(problem: Problem) -> Response:
    headers = {"cache-control": "no-store", **problem.headers}
    return Response(problem.body(), problem.status, headers, MEDIA_TYPE)
