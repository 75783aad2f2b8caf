"""``/healthz``: the process lives. ``/readyz``: it can answer. ``/metrics``: what it did, for Prometheus."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from counterec.service.problems import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

METRICS_TYPE = b"text/plain; version=0.0.4; charset=utf-8"
NOT_READY = "the run is still being opened; ask again in a moment"


class Probes:
    """Answers the three, and hands everything else on."""

    def __init__(self, app: ASGIApp, is_ready: Callable[[], bool], metrics: Callable[[], Awaitable[bytes]]) -> None:
        self._app, self._is_ready, self._metrics = app, is_ready, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one of the three, or hand on."""
        path = scope.get("path")
        if scope["type"] != "http" or path not in ("/healthz", "/readyz", "/metrics"):
            await self._app(scope, receive, send)
            return
        scope["counterec.route"] = path
        if scope["method"] not in ("GET", "HEAD"):
            await Problem(405, "wrong-method", f"{path} is read by GET", {"allow": "GET, HEAD"}).send(send)
        elif path == "/metrics":
            await _text(send, await self._metrics(), METRICS_TYPE)
        elif path == "/readyz" and not self._is_ready():
            await Problem(503, "not-ready", NOT_READY, {"retry-after": "1"}).send(send)
        else:
            await _text(send, b"ok\n", b"text/plain; charset=utf-8")


async def _text(send: Send, body: bytes, kind: bytes) -> None:
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
