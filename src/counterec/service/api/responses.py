"""JSON responses made once, by the fast writer of pydantic; the models describe them, and the tests hold them to it."""

from __future__ import annotations

from typing import Any

from fastapi.responses import Response
from pydantic_core import to_json


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A value as JSON; numbers that are none are null."""
    body = to_json(value, inf_nan_mode="null", timedelta_mode="float")
    return Response(body, status, {"cache-control": "no-store", **(headers or {})}, "application/json")
