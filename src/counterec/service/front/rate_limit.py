"""How often a client address may ask: a bucket of as many requests as a second allows, filled evenly. Per process."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING

from counterec.service.front.headers import client_address
from counterec.service.front.token_gate import OPEN
from counterec.service.problems import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

ADDRESSES = 10_000
"""Addresses that are remembered; the one that has not asked for longest is forgotten first."""


class Buckets:
    """What every address has left; ``rate`` is what it may ask per second, and at once."""

    def __init__(self, rate: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take one request; 0 if there was one, else the seconds until there is."""
        now = self._clock()
        left, before = self._left.pop(address, (float(self._rate), now))
        left = min(float(self._rate), left + (now - before) * self._rate)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        while len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._rate


class RateLimit:
    """Answers 429 to an address that asks too often."""

    def __init__(self, app: ASGIApp, rate: int) -> None:
        self._app, self._rate, self._buckets = app, rate, Buckets(rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, unless the address has asked too often."""
        if self._rate and scope["type"] == "http" and scope["path"] not in OPEN:
            wait = self._buckets.wait(client_address(scope))
            if wait:
                detail = f"at most {self._rate} requests a second of one address, per process of the server; wait a bit"
                await Problem(429, "too-often", detail, {"retry-after": str(ceil(wait))}).send(send)
                return
        await self._app(scope, receive, send)
