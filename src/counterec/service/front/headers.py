"""Headers of a request, as ASGI has them."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a header; the first one if it is given several times."""
    for found, value in scope["headers"]:
        if found == name:
            text: str = value.decode("latin-1")
            return text
    return None


def cookie(scope: Scope, name: str) -> str | None:
    """The value of a cookie."""
    given = header(scope, b"cookie")
    if given is None:
        return None
    try:
        found = SimpleCookie(given).get(name)
    except CookieError:
        return None
    return None if found is None else found.value


def client_address(scope: Scope) -> str:
    """Who is asking, as the server sees it."""
    client = scope.get("client")
    return "unknown" if client is None else str(client[0])
