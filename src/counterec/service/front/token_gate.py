"""The token: a program shows it in a header; a browser logs in once and keeps a cookie. Page, API and socket alike.

The cookie is not the token but a moment and its HMAC under the token, so it ends, and any process of the server can
check it. Everything is compared in constant time.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode

from counterec.service.front.headers import cookie, header
from counterec.service.front.same_origin import refuse
from counterec.service.problems import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "counterec_session"
SESSION_S = 12 * 3600
"""How long somebody stays logged in."""
LOGIN = "/login"
OPEN = ("/healthz", "/readyz")
"""What is answered to anybody: whether the server lives, and nothing else."""
LONGEST_FORM = 4096
FORM_S = 20
"""How long a browser may take to send the form."""
NEXT = "next"
"""The parameter of the login that says where to go afterwards."""

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Log in</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:24rem;margin:15vh auto;padding:0 1rem}
input,button{font:inherit;display:block;width:100%;box-sizing:border-box;padding:.5rem;margin:.5rem 0 1rem}</style>
</head><body><main><h1>CountERec</h1>NOTE<form method="post">
<label for="token">Token of this server</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Log in</button></form></main></body></html>
"""


class TokenGate:
    """Lets through who has the token, or a cookie made with it; without a token, everybody."""

    def __init__(self, app: ASGIApp, token: str | None, api: str, clock: Callable[[], float] = time.time) -> None:
        self._app, self._api, self._clock = app, api, clock
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on what is allowed, or ask for the token."""
        if self._token is None or scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == LOGIN:
            scope["counterec.route"] = LOGIN
            await self._log_in(scope, receive, send, self._token)
        elif scope["path"] in OPEN or self._is_known(scope, self._token):
            await self._app(scope, receive, send)
        elif self._wants_page(scope):
            await _redirect(send, f"{LOGIN}?{urlencode({NEXT: _address(scope)})}")
        else:
            detail = "send the token of this server as Authorization: Bearer TOKEN, or log in with a browser at /login"
            await refuse(Problem(401, "no-token", detail, {"www-authenticate": "Bearer"}), scope, send)

    def _is_known(self, scope: Scope, token: bytes) -> bool:
        scheme, _, given = (header(scope, b"authorization") or "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode("latin-1", "replace"), token):
            return True
        return self._is_session(cookie(scope, COOKIE), token)

    def _is_session(self, value: str | None, token: bytes) -> bool:
        until, _, mark = (value or "").partition(".")
        if not until.isdecimal() or len(until) > 12:
            return False
        genuine = hmac.compare_digest(mark.encode("latin-1", "replace"), _mark(token, until).encode())
        return genuine and self._clock() < int(until)

    def _wants_page(self, scope: Scope) -> bool:
        """Whether a browser is asking for something to look at."""
        looks = scope["type"] == "http" and scope["method"] == "GET" and "text/html" in (header(scope, b"accept") or "")
        return looks and (not scope["path"].startswith(f"{self._api}/") or scope["path"] == f"{self._api}/docs")

    async def _log_in(self, scope: Scope, receive: Receive, send: Send, token: bytes) -> None:
        if scope["method"] == "GET":
            await _html(send, 200, _PAGE.replace("NOTE", ""))
        elif scope["method"] != "POST":
            await Problem(405, "wrong-method", "the login is a form: GET or POST", {"allow": "GET, POST"}).send(send)
        else:
            try:
                async with asyncio.timeout(FORM_S):
                    form = await _body(receive)
            except TimeoutError:
                raise Problem(408, "too-slow", "the form did not arrive in time; send it again") from None
            given = parse_qs(form.decode("latin-1")).get("token", [""])[0]
            if not hmac.compare_digest(given.strip().encode("latin-1", "replace"), token):
                note = f"<p role='alert'>{escape('This is not the token of this server.')}</p>"
                await _html(send, 401, _PAGE.replace("NOTE", note))
                return
            until = str(int(self._clock()) + SESSION_S)
            secure = "; Secure" if scope.get("scheme") == "https" else ""
            value = f"{COOKIE}={until}.{_mark(token, until)}; Max-Age={SESSION_S}; Path=/; HttpOnly; SameSite=Strict"
            await _redirect(send, _next(scope), (b"set-cookie", f"{value}{secure}".encode()))


def _address(scope: Scope) -> str:
    """What a browser asked for: path and query."""
    query = scope.get("query_string", b"").decode("latin-1")
    return f"{quote(scope['path'])}?{query}" if query else quote(scope["path"])


def _next(scope: Scope) -> str:
    """Where to go after the login: a path of ours, whatever was asked for."""
    wanted = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(NEXT, ["/"])[0]
    ours = wanted.startswith("/") and wanted[1:2] not in ("/", "\\") and wanted.isascii() and wanted.isprintable()
    return wanted if ours and len(wanted) <= LONGEST_FORM else "/"


def _mark(token: bytes, until: str) -> str:
    return hmac.digest(token, b"session until " + until.encode(), hashlib.sha256).hex()


async def _body(receive: Receive) -> bytes:
    """The form; what is longer than any form of ours is cut, and so is none."""
    found = b""
    while len(found) <= LONGEST_FORM:
        message: Message = await receive()
        if message["type"] != "http.request":
            break
        found += message.get("body", b"")
        if not message.get("more_body"):
            break
    return found[:LONGEST_FORM]


async def _html(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


async def _redirect(send: Send, target: str, *headers: tuple[bytes, bytes]) -> None:
    found = [(b"location", target.encode()), (b"cache-control", b"no-store"), *headers]
    await send({"type": "http.response.start", "status": 303, "headers": found})
    await send({"type": "http.response.body", "body": b""})
