"""Waiting for an answer as long as somebody waits for it: a client that goes away frees its work."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Any, TypeVar

from starlette.requests import Request

T = TypeVar("T")


class ClientGone(Exception):  # noqa: N818  # nobody's error
    """Nobody waits for the answer any more."""


async def awaited(request: Request, future: Future[T]) -> T:
    """The result of a future; it is cancelled if the client goes away first."""
    waiting = asyncio.wrap_future(future)
    gone = asyncio.ensure_future(_gone(request))
    either: set[asyncio.Future[Any]] = {waiting, gone}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            raise ClientGone
        return waiting.result()
    finally:
        gone.cancel()
        if not waiting.done():
            waiting.cancel()  # and with it the future


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
