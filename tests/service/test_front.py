"""The layers before page and API, each by itself."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest

from counterec.service.metrics import Metrics
from counterec.service.middleware import (
    COOKIE,
    SESSION_S,
    BodyLimit,
    ConcurrencyLimit,
    RequestLog,
    SameOrigin,
    TokenGate,
)
from counterec.service.problems import Problem, show
from counterec.service.serve import JsonLines

TOKEN = "a-token-of-sixteen"


def asked(
    app: Any, path: str = "/api/v1/run", method: str = "GET", body: bytes = b"", query: str = "", **headers: str
) -> Any:
    """Status, headers and body of a response."""
    scope = {
        "type": "http",
        "path": path,
        "method": method,
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"type": "http.request", "body": body}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:])


async def answers(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


async def fails(scope: Any, receive: Any, send: Any) -> None:
    raise RuntimeError("a secret")


def test_a_session_ends_and_cannot_be_made_up() -> None:
    now = [1000.0]
    gate = TokenGate(answers, TOKEN, lambda: now[0])
    status, headers, _ = asked(gate, "/login", "POST", f"token={TOKEN}".encode())
    assert status == 303
    session = headers["set-cookie"].split(";")[0].split("=", 1)[1]
    assert asked(gate, cookie=f"{COOKIE}={session}")[0] == 200
    for made_up in ("", "9999999999.", f"9999999999.{session.split('.')[1]}", "x.y", "9" * 5000 + ".a", "²." + "a"):
        assert asked(gate, cookie=f"{COOKIE}={made_up}")[0] == 401
    now[0] += SESSION_S
    assert asked(gate, cookie=f"{COOKIE}={session}")[0] == 401


@pytest.mark.parametrize("given", ["Bearer", "Bearer ", f"bearer{TOKEN}", f"Bearer {TOKEN}x", "Bearer \xe9"])
def test_only_the_token_itself_opens(given: str) -> None:
    assert asked(TokenGate(answers, TOKEN), authorization=given)[0] == 401
    assert asked(TokenGate(answers, TOKEN), authorization=f"Bearer {TOKEN}")[0] == 200


@pytest.mark.parametrize(
    ("wanted", "led"),
    [
        ("next=%2Fmodel%3Faspect%3Dbattery", "/model?aspect=battery"),
        ("", "/"),
        ("next=https%3A%2F%2Fevil.example", "/"),
        ("next=%2F%2Fevil.example", "/"),
        ("next=%2F%5Cevil.example", "/"),
        ("next=%2Fa%0D%0ASet-Cookie%3Ax", "/"),
    ],
)
def test_a_login_leads_on_to_a_page_of_ours(wanted: str, led: str) -> None:
    gate = TokenGate(answers, TOKEN)
    status, headers, _ = asked(gate, "/login", "POST", f"token={TOKEN}".encode(), wanted)
    assert (status, headers["location"]) == (303, led)


def test_a_form_is_cut() -> None:
    gate = TokenGate(answers, TOKEN)
    assert asked(gate, "/login", "POST", b"x" * 100_000 + f"&token={TOKEN}".encode())[0] == 401


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost:8080", None, 200),
        ("127.0.0.1:1", "http://127.0.0.1:1", 200),
        ("shop.example", "https://shop.example", 200),
        ("localhost:8080", "http://localhost:9090", 403),
        ("localhost:8080", "null", 403),
        ("localhost:8080", "http://[", 403),
    ],
)
def test_who_may_ask_from_where(host: str, origin: str | None, status: int) -> None:
    headers = {"host": host} if origin is None else {"host": host, "origin": origin}
    assert asked(SameOrigin(answers), **headers)[0] == status


def test_bodies_have_a_length_and_a_time() -> None:
    async def reads(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["body"] == b"{}"
        await answers(scope, receive, send)

    json_type = {"content_type": "application/json"}
    assert asked(BodyLimit(reads, most=2), method="POST", body=b"{}", **json_type)[0] == 200
    assert asked(BodyLimit(reads, most=1), method="POST", body=b"{}", **json_type)[0] == 413
    assert asked(BodyLimit(reads, most=1), method="POST", content_length="2", **json_type)[0] == 413
    assert asked(BodyLimit(reads, seconds=0), method="POST", body=b"{}", **json_type)[0] == 408
    assert asked(BodyLimit(reads), method="POST", body=b"{}", content_type="text/plain")[0] == 415


def test_only_so_many_requests_are_answered_at_once() -> None:
    assert asked(ConcurrencyLimit(answers, most=1))[0] == 200
    assert asked(ConcurrencyLimit(answers, most=0))[0] == 503
    assert asked(ConcurrencyLimit(answers, most=0), path="/page")[0] == 200


def test_a_fault_says_nothing_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "counterec.service"):
        status, headers, body = asked(RequestLog(fails, Metrics()))
    assert status == 500
    assert b"secret" not in body
    assert json.loads(body)["request_id"] == headers["x-request-id"]
    record = next(record for record in caplog.records if record.exc_info)
    line = json.loads(JsonLines().format(record))
    assert "a secret" in line["error"]
    assert line["request_id"] == headers["x-request-id"]


def test_problems_name_any_value_in_ascii() -> None:
    problem = Problem(422, "kind", f"what is {show(chr(0xD800) + 'x' * 500)}?")
    assert len(problem.body()) < 600
    assert json.loads(problem.body())["title"] == "Unprocessable Content" or problem.document()["title"]
