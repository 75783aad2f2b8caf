"""ASGI layers before page and API: the log, the origin, the token, the probes, the body, the number of requests.

Starlette's ``TrustedHostMiddleware`` is one more: on loopback, only names of loopback are answered. It keeps a site
from giving its own name the address 127.0.0.1.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request, cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from counterec.service.problems import CLIENT_GONE, FAULT, REQUEST_ID, Problem, show

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from counterec.service.metrics import Metrics
    from counterec.service.service import Service

API = "/api/v1"
"""Where the API is mounted."""
AT_ONCE = 256
"""Requests of the API that one process answers or lets wait at the same time (503)."""
BODY_BYTES = 8 * 1024 * 1024
"""Longest body of a request (413)."""
BODY_SECONDS = 20.0
"""Longest time in which a body must arrive (408)."""

log = logging.getLogger("counterec.service")


def add_layers(app: FastAPI, service: Service) -> None:
    """Put all layers before an application; the last one added is the first that a request meets."""
    settings = service.settings
    app.add_middleware(ConcurrencyLimit)
    app.add_middleware(BodyLimit)
    app.add_middleware(Probes, service=service)
    app.add_middleware(TokenGate, token=settings.token)
    app.add_middleware(SameOrigin)
    if settings.on_loopback:
        hosts = ["localhost", "*.localhost", "127.0.0.1", "[::1]", settings.host]
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)
    app.add_middleware(RequestLog, metrics=service.metrics)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_api(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["path"].startswith(f"{API}/")


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a problem, or close a socket before it is opened."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": problem.kind})
    else:
        await problem.response()(scope, receive, send)


# The log and the headers of every response

EVERYWHERE = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""Headers of every response. With ``no-referrer``, browsers would send the login form from the origin ``null``."""
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Content security policy of answers, which load nothing."""
DOCS_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
"""Content security policy of the description of the API, and of the login."""
PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; frame-ancestors 'none'; "
    "base-uri 'self'; form-action 'self'"
)
"""Content security policy of the page: NiceGUI puts its state into the page as a script, and compiles templates."""

_sane_id = re.compile(r"[A-Za-z0-9._-]{1,64}")


def _policy(path: str) -> str:
    if path == LOGIN or path.startswith(f"{API}/docs"):
        return DOCS_POLICY
    return DATA_POLICY if path.startswith(f"{API}/") else PAGE_POLICY


class RequestLog:
    """Give every request an id, log it in one line, count it, and answer even if the code behind it fails.

    A line holds the declared route instead of the address: ids of users and searched texts stay out of the log.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and log the outcome."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _sane_id.fullmatch(given) else uuid.uuid4().hex
        scope[REQUEST_ID] = request_id
        started, path, status = time.perf_counter(), scope["path"], 0

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                headers.update({**EVERYWHERE, "content-security-policy": _policy(path), "x-request-id": request_id})
                message = {**message, "headers": headers.raw}
            await send(message)

        try:
            await self.app(scope, receive, send_marked)
        except Exception:
            log.exception("a request failed", extra={"request_id": request_id})
            if not status:
                fault = Problem(500, "fault", FAULT, more={"request_id": request_id})
                await fault.response()(scope, receive, send_marked)
        finally:
            seconds, route, shown = time.perf_counter() - started, _route(scope), status or CLIENT_GONE
            self._metrics.count_request(scope["method"], route, shown, seconds)
            said = {"request_id": request_id, "method": scope["method"], "route": route, "status": shown}
            log.info("request", extra={**said, "ms": round(1000 * seconds, 2)})


def _route(scope: Scope) -> str:
    """Return the declared route; all paths that are not ours are one."""
    if scope.get("counterec.route"):
        return str(scope["counterec.route"])
    route = scope.get("route")
    path = getattr(route, "path_format", None) or getattr(route, "path", None)
    if not path:
        return "other"
    root = scope.get("root_path", "")
    return f"{root}{path}" if root and not path.startswith(root) else str(path)


# Who may ask


class SameOrigin:
    """Refuse pages of other sites (403), so that none uses somebody's cookie or machine."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request without an origin, or of our own."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            origin = headers.get("origin")
            if origin is not None and _netloc(origin) != headers.get("host", ""):
                problem = Problem(403, "other-origin", f"pages of {show(origin)} may not ask this server")
                await _refuse(problem, scope, receive, send)
                return
        await self.app(scope, receive, send)


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


COOKIE = "counterec_session"
SESSION_S = 12 * 3600
"""How long a login lasts."""
LOGIN = "/login"
OPEN = ("/healthz", "/readyz")
"""Paths that need no token: they tell whether the server lives, and nothing else."""
LONGEST_FORM = 4096
NEXT = "next"
"""Parameter of the login: where to go afterwards."""

_LOGIN_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Log in</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:24rem;margin:15vh auto;padding:0 1rem}
input,button{font:inherit;display:block;width:100%;box-sizing:border-box;padding:.5rem;margin:.5rem 0 1rem}</style>
</head><body><main><h1>CountERec</h1>NOTE<form method="post">
<label for="token">Token of this server</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Log in</button></form></main></body></html>
"""
_WRONG = "<p role='alert'>This is not the token of this server.</p>"
_NO_STORE = {"cache-control": "no-store"}


class TokenGate:
    """Require the token in a header, or a cookie made with it, for page, API and socket alike.

    The cookie holds a moment and its HMAC under the token, so that it ends and any process can check it. Everything is
    compared in constant time.
    """

    def __init__(self, app: ASGIApp, token: str | None, clock: Callable[[], float] = time.time) -> None:
        self.app, self._clock = app, clock
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on an allowed request, or ask for the token."""
        if self._token is None or scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == LOGIN:
            scope["counterec.route"] = LOGIN
            response = await self._log_in(Request(scope, receive), self._token)
            await response(scope, receive, send)
        elif scope["path"] in OPEN or self._is_known(scope, self._token):
            await self.app(scope, receive, send)
        elif _wants_page(scope):
            response = RedirectResponse(f"{LOGIN}?{urlencode({NEXT: _address(scope)})}", 303, _NO_STORE)
            await response(scope, receive, send)
        else:
            detail = "send the token of this server as Authorization: Bearer TOKEN, or log in with a browser at /login"
            problem = Problem(401, "no-token", detail, {"www-authenticate": "Bearer"})
            await _refuse(problem, scope, receive, send)

    def _is_known(self, scope: Scope, token: bytes) -> bool:
        headers = Headers(scope=scope)
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _is_equal(given.strip(), token):
            return True
        until, _, mark = cookie_parser(headers.get("cookie", "")).get(COOKIE, "").partition(".")
        if not (until.isascii() and until.isdecimal()) or len(until) > 12:
            return False
        return _is_equal(mark, _mark(token, until).encode()) and self._clock() < int(until)

    async def _log_in(self, request: Request, token: bytes) -> Response:
        if request.method == "GET":
            return HTMLResponse(_LOGIN_PAGE.replace("NOTE", ""), headers=_NO_STORE)
        if request.method != "POST":
            return Problem(405, "wrong-method", "the login is a form: GET or POST", {"allow": "GET, POST"}).response()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                form = await _read_body(request.receive, LONGEST_FORM)
        except TimeoutError:
            return Problem(408, "too-slow", "the form did not arrive in time; send it again").response()
        given = parse_qs((form or b"")[:LONGEST_FORM].decode("latin-1")).get("token", [""])[0]
        if not _is_equal(given.strip(), token):
            return HTMLResponse(_LOGIN_PAGE.replace("NOTE", _WRONG), 401, _NO_STORE)
        until = str(int(self._clock()) + SESSION_S)
        response = RedirectResponse(_next(request.scope), 303, _NO_STORE)
        secure = request.scope.get("scheme") == "https"
        value = f"{until}.{_mark(token, until)}"
        response.set_cookie(COOKIE, value, SESSION_S, secure=secure, httponly=True, samesite="strict")
        return response


def _is_equal(given: str, genuine: bytes) -> bool:
    return hmac.compare_digest(given.encode("latin-1", "replace"), genuine)


def _mark(token: bytes, until: str) -> str:
    return hmac.digest(token, b"session until " + until.encode(), hashlib.sha256).hex()


def _wants_page(scope: Scope) -> bool:
    """Return whether a browser asks for something to look at."""
    accept = Headers(scope=scope).get("accept", "")
    looks = scope["type"] == "http" and scope["method"] == "GET" and "text/html" in accept
    return looks and (not _is_api(scope) or scope["path"] == f"{API}/docs")


def _address(scope: Scope) -> str:
    """Return path and query of a request."""
    query = scope.get("query_string", b"").decode("latin-1")
    return f"{quote(scope['path'])}?{query}" if query else quote(scope["path"])


def _next(scope: Scope) -> str:
    """Return where to go after the login: always a path of ours."""
    wanted = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(NEXT, ["/"])[0]
    ours = wanted.startswith("/") and wanted[1:2] not in ("/", "\\") and wanted.isascii() and wanted.isprintable()
    return wanted if ours and len(wanted) <= LONGEST_FORM else "/"


# What may be asked, and how much


class Probes:
    """Answer ``/healthz`` (the process lives), ``/readyz`` (it can answer) and ``/metrics`` (for Prometheus)."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a probe, or pass the request on."""
        path = scope.get("path")
        if scope["type"] != "http" or path not in (*OPEN, "/metrics"):
            await self.app(scope, receive, send)
            return
        scope["counterec.route"] = path
        response: Response
        if scope["method"] not in ("GET", "HEAD"):
            response = Problem(405, "wrong-method", f"{path} is read by GET", {"allow": "GET, HEAD"}).response()
        elif path == "/metrics":
            kind = "text/plain; version=0.0.4; charset=utf-8"
            response = Response(self._service.metrics.expose(), 200, _NO_STORE, kind)
        elif path == "/readyz" and not self._service.is_ready:
            detail = "the run is still being opened; ask again in a moment"
            response = Problem(503, "not-ready", detail, {"retry-after": "1"}).response()
        else:
            response = PlainTextResponse("ok\n", headers=_NO_STORE)
        await response(scope, receive, send)


class BodyLimit:
    """Refuse bodies of the API that are too slow (408), too long (413) or not JSON (415). Read the others whole."""

    def __init__(self, app: ASGIApp, most: int = BODY_BYTES, seconds: float = BODY_SECONDS) -> None:
        self.app, self._most, self._seconds = app, most, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on the whole body, or refuse it."""
        if not _is_api(scope) or scope["method"] in ("GET", "HEAD", "OPTIONS", "DELETE"):
            await self.app(scope, receive, send)
            return
        try:
            body = await self._read(Headers(scope=scope), receive)
        except Problem as problem:
            await problem.response()(scope, receive, send)
            return
        if body is not None:
            await self.app(scope, _replay(body, receive), send)

    async def _read(self, headers: Headers, receive: Receive) -> bytes | None:
        """Return the whole body; None if the client left."""
        stated = headers.get("content-length", "0")
        if not stated.isdecimal() or len(stated) > 15 or int(stated) > self._most:
            raise self._too_long()
        try:
            async with asyncio.timeout(self._seconds):
                body = await _read_body(receive, self._most)
        except TimeoutError:
            detail = f"the body did not arrive within {self._seconds:.0f} seconds; send it faster, or less"
            raise Problem(408, "too-slow", detail, {"connection": "close"}) from None
        if body is not None and len(body) > self._most:
            raise self._too_long()
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if body and kind != "application/json":
            raise Problem(415, "not-json", f"the content type is {show(kind)}; send application/json")
        return body

    def _too_long(self) -> Problem:
        detail = f"the body is longer than {self._most:,} bytes; ask about fewer pairs in one request"
        return Problem(413, "too-long", detail, {"connection": "close"})


async def _read_body(receive: Receive, most: int) -> bytes | None:
    """Read a body until it ends or is longer than ``most``; None if the client left."""
    found = bytearray()
    while len(found) <= most:
        message = await receive()
        if message["type"] != "http.request":
            return None
        found += message.get("body", b"")
        if not message.get("more_body"):
            break
    return bytes(found)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return the body as one message, then whatever else the client does."""
    is_given = False

    async def give() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return give


class ConcurrencyLimit:
    """Refuse requests of the API beyond a number that are answered or wait at the same time (503). Per process."""

    def __init__(self, app: ASGIApp, most: int = AT_ONCE) -> None:
        self.app, self._most, self._now = app, most, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless the process is too busy."""
        if not _is_api(scope):
            await self.app(scope, receive, send)
            return
        if self._now >= self._most:
            detail = f"{self._most} requests are being answered already, the most of one process; ask again in a moment"
            await Problem(503, "too-busy", detail, {"retry-after": "1"}).response()(scope, receive, send)
            return
        self._now += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._now -= 1
