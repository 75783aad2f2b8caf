"""Only our own pages may ask from a browser, and a server on loopback answers to names of loopback alone.

The first keeps other sites from using somebody's cookie or their machine; the second keeps a site from giving its own
name the address 127.0.0.1.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from counterec.service.front.headers import header
from counterec.service.problems import Problem, shown

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class SameOrigin:
    """Refuses other origins with 403, unless the operator names them, and unknown names with 421."""

    def __init__(self, app: ASGIApp, on_loopback: bool, origins: tuple[str, ...] = ()) -> None:
        self._app, self._on_loopback, self._origins = app, on_loopback, frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on what may be asked from where it comes."""
        if scope["type"] in ("http", "websocket"):
            problem = self._problem(scope)
            if problem is not None:
                await refuse(problem, scope, send)
                return
        await self._app(scope, receive, send)

    def _problem(self, scope: Scope) -> Problem | None:
        host = header(scope, b"host") or ""
        if self._on_loopback and not _is_loopback(_name(host)):
            detail = f"this server answers to names of this machine alone, such as localhost, not to {shown(host)}"
            return Problem(421, "unknown-host", detail)
        origin = header(scope, b"origin")
        if origin is None or origin in self._origins or _netloc(origin) == host:
            return None
        return Problem(403, "other-origin", f"pages of {shown(origin)} may not ask this server")


async def refuse(problem: Problem, scope: Scope, send: Send) -> None:
    """Answer with a problem, or close a socket before it is opened."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": problem.kind})
    else:
        await problem.send(send)


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if ":" in host else host


def _is_loopback(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
