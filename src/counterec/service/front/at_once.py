"""How many requests are answered or wait at the same time; more would wait longer than anybody does. Per process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterec.service.problems import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class AtOnce:
    """Answers 503 for the API when too much is going on."""

    def __init__(self, app: ASGIApp, most: int, api: str) -> None:
        self._app, self._most, self._api, self._now = app, most, api, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, unless too much is going on."""
        if scope["type"] != "http" or not scope["path"].startswith(f"{self._api}/"):
            await self._app(scope, receive, send)
            return
        if self._now >= self._most:
            detail = f"{self._most} requests are being answered already, the most of one process; ask again in a moment"
            await Problem(503, "too-busy", detail, {"retry-after": "1"}).send(send)
            return
        self._now += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._now -= 1
