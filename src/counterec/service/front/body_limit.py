"""How long a body may be, how long it may take, and that it is JSON. It is read whole, and handed on as one piece."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from counterec.service.front.headers import header
from counterec.service.problems import Problem, shown

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from counterec.service.settings import Limits

HAVE_NONE = ("GET", "HEAD", "OPTIONS", "DELETE")


class BodyLimit:
    """Answers 408, 413 and 415 for the API."""

    def __init__(self, app: ASGIApp, limits: Limits, api: str) -> None:
        self._app, self._limits, self._api = app, limits, api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on the whole body, or refuse it."""
        ours = scope["type"] == "http" and scope["path"].startswith(f"{self._api}/")
        if not ours or scope["method"] in HAVE_NONE:
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(scope, receive)
        except Problem as problem:
            await problem.send(send)
            return
        if body is not None:
            await self._app(scope, _replayed(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body; None if the client went away."""
        self._require_length(header(scope, b"content-length"))
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                body = await self._pieces(receive)
        except TimeoutError:
            detail = f"the body did not arrive within {self._limits.body_seconds} seconds; send it faster, or less"
            raise Problem(408, "too-slow", detail, {"connection": "close"}) from None
        kind = (header(scope, b"content-type") or "").partition(";")[0].strip().lower()
        if body and kind != "application/json":
            raise Problem(415, "not-json", f"the content type is {shown(kind)}; send application/json")
        return body

    async def _pieces(self, receive: Receive) -> bytes | None:
        found = bytearray()
        while True:
            message: Message = await receive()
            if message["type"] != "http.request":
                return None
            found += message.get("body", b"")
            if len(found) > self._limits.body_bytes:
                raise self._too_long()
            if not message.get("more_body"):
                return bytes(found)

    def _require_length(self, stated: str | None) -> None:
        if stated is not None and (not stated.isdecimal() or len(stated) > 15 or int(stated) > self._limits.body_bytes):
            raise self._too_long()

    def _too_long(self) -> Problem:
        limit = self._limits.body_bytes
        detail = f"the body is longer than {limit:,} bytes; ask about fewer pairs, or submit several jobs"
        return Problem(413, "too-long", detail, {"connection": "close"})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body as one message, then whatever else the client does."""
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
