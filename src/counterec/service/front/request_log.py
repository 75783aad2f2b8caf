"""Every request has an id, is logged in one line, counted, and ends in a response even if the code behind it fails.

A line holds the route as it is declared, not the address: ids of people and what they look for stay out of the logs.
"""

from __future__ import annotations

import json
import logging
import re
import time
import uuid
from typing import TYPE_CHECKING, Any

from counterec.service.front.headers import header
from counterec.service.front.security_headers import with_security
from counterec.service.problems import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from counterec.service.metrics import Metrics

REQUEST_ID = "counterec.request_id"
"""Where the id lies in the scope of a request."""
CLIENT_GONE = 499
"""What is logged of a request whose client did not wait for the answer."""
FAULT = "This is a fault of the service, not of your request; its log has more under the request id."

_sane_id = re.compile(r"[A-Za-z0-9._-]{1,64}")
log = logging.getLogger("counterec.service")


class RequestLog:
    """The outermost layer."""

    def __init__(self, app: ASGIApp, metrics: Metrics, api: str) -> None:
        self._app, self._metrics, self._api = app, metrics, api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, and say what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = header(scope, b"x-request-id")
        request_id = given if given is not None and _sane_id.fullmatch(given) else uuid.uuid4().hex
        scope[REQUEST_ID] = request_id
        started, path, status = time.perf_counter(), scope["path"], 0

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (b"x-request-id", request_id.encode())]
                message = {**message, "headers": with_security(headers, path, self._api)}
            await send(message)

        try:
            await self._app(scope, receive, send_marked)
        except Problem as problem:
            if not status:
                await problem.send(send_marked)
        except Exception:
            log.exception("a request failed", extra={"request_id": request_id})
            if not status:
                await Problem(500, "fault", FAULT, more={"request_id": request_id}).send(send_marked)
        finally:
            seconds, route = time.perf_counter() - started, _route(scope)
            shown = status or CLIENT_GONE
            self._metrics.request(scope["method"], route, shown, seconds)
            said = {"request_id": request_id, "method": scope["method"], "route": route, "status": shown}
            log.info("request", extra={**said, "ms": round(1000 * seconds, 2)})


def _route(scope: Scope) -> str:
    """The route as it is declared; all that is none of ours is one."""
    if scope.get("counterec.route"):
        return str(scope["counterec.route"])
    route = scope.get("route")
    path = getattr(route, "path_format", None) or getattr(route, "path", None)
    if not path:
        return "other"
    root = scope.get("root_path", "")
    return f"{root}{path}" if root and not path.startswith(root) else str(path)


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    FIELDS = ("request_id", "method", "route", "status", "ms", "job_id")

    def format(self, record: logging.LogRecord) -> str:
        """The record as an object; an error's traceback is a member of it."""
        said: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        said |= {name: getattr(record, name) for name in self.FIELDS if hasattr(record, name)}
        if record.exc_info:
            said["error"] = self.formatException(record.exc_info)
        return json.dumps(said)


class PlainLines(logging.Formatter):
    """One line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The message and what goes with it."""
        said = " ".join(f"{name}={getattr(record, name)}" for name in JsonLines.FIELDS if hasattr(record, name))
        text = f"{self.formatTime(record, '%H:%M:%S')} {record.getMessage()} {said}".rstrip()
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def log_to_standard_error(as_json: bool, quiet: bool = False) -> None:
    """Let the service's log go to standard error; quiet: only what went wrong."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    log.handlers, log.propagate = [handler], False
    log.setLevel(logging.WARNING if quiet else logging.INFO)
