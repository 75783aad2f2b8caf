"""The token and pseudonyms, on a server off loopback; page, API and socket alike."""

from __future__ import annotations

import socket
import time
from urllib.parse import urlsplit

import httpx
import pytest

from counterec.errors import ConfigError
from counterec.service.serve import ServiceSettings, read_token
from tests.cli.files import counterec
from tests.service.conftest import TOKEN
from tests.service.serving import Served
from tests.service.test_bad_requests import require_problem


@pytest.fixture
def known(guarded: Served):
    with guarded.client(TOKEN) as client:
        yield client


def test_nothing_is_told_without_the_token(guarded: Served) -> None:
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}, {"cookie": "a=b"}):
        for path in ("/api/v1/run", "/api/v1/openapi.json", "/metrics", "/_nicegui/x.js"):
            require_problem(httpx.get(f"{guarded.url}{path}", headers=headers), 401)
    page = httpx.get(f"{guarded.url}/", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["location"]) == (303, "/login?next=%2F")
    assert httpx.get(f"{guarded.url}/healthz").text == "ok\n"
    ready = httpx.get(f"{guarded.url}/readyz")
    for _ in range(100):
        if ready.status_code == 200:
            break
        require_problem(ready, 503)
        time.sleep(0.1)
        ready = httpx.get(f"{guarded.url}/readyz")
    assert ready.text == "ok\n"


def test_a_browser_logs_in_once(guarded: Served) -> None:
    with httpx.Client(base_url=guarded.url, timeout=30) as browser:
        assert "password" in browser.get("/login").text
        assert browser.post("/login", data={"token": "wrong"}).status_code == 401
        response = browser.post("/login", data={"token": TOKEN}, headers={"origin": guarded.url})
        assert response.headers["referrer-policy"] == "same-origin"  # else a browser sends the form from "null"
        cookie = response.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert TOKEN not in cookie
        assert browser.get("/api/v1/run").status_code == 200
        page = browser.get("/", headers={"accept": "text/html"})
        assert page.status_code == 200
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
        until, mark = browser.cookies["counterec_session"].split(".")
        browser.cookies.set("counterec_session", f"{int(until) + 1}.{mark}", domain="127.0.0.1")
    forged = {"cookie": f"counterec_session={int(until) + 1}.{mark}"}
    require_problem(httpx.get(f"{guarded.url}/api/v1/run", headers=forged), 401)


def test_the_socket_of_the_page_needs_the_token(guarded: Served) -> None:
    upgrade = (
        "GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    )
    answers = []
    for header in ("", f"Authorization: Bearer {TOKEN}\r\n"):
        address = urlsplit(guarded.url)
        with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
            connection.sendall(f"{upgrade}{header}\r\n".encode())
            answers.append(connection.recv(200).split(b"\r\n")[0])
    assert b"403" in answers[0]
    assert b"101" in answers[1]


def test_users_are_shown_by_pseudonyms_and_no_text_is(known: httpx.Client, run) -> None:
    users = known.get("/users").json()["users"]
    assert all(user.startswith("user-") for user in users)
    require_problem(known.get("/users/U0004"), 404)
    listed = known.get("/recommendations", params={"user_id": users[0]}).json()["items"]
    answer = known.post("/explain", json={"pairs": [{"user_id": users[0], "item_id": listed[0]["item_id"]}]}).json()
    assert answer["answers"][0]["user_id"] == users[0]
    stored = known.get("/explanations").json()["rows"]
    assert {row["user_id"] for row in stored} <= set(users)
    aspect = next(iter(known.get(f"/users/{users[0]}").json()["attention"]))
    mentions = known.get("/evidence", params={"aspect": aspect, "user_id": users[0]}).json()["mentions"]
    assert mentions
    assert all(mention["words"] is None and mention["user_id"] == users[0] for mention in mentions)
    wrong = known.post("/explain", json={"pairs": [{"user_id": users[0], "item_id": listed[-1]["item_id"]}]})
    assert wrong.status_code == 404
    odd = known.post("/what-if", json={"user_id": users[0], "changes": {listed[0]["item_id"]: {aspect: 77}}})
    assert odd.status_code == 422
    assert not any(user in wrong.text + odd.text for user in run.space.users.texts)


def test_off_loopback_a_token_is_required(tiny_run, tmp_path) -> None:
    with pytest.raises(ConfigError, match="token"):
        ServiceSettings(tiny_run, host="0.0.0.0")
    found = counterec("serve", tiny_run, "--host", "0.0.0.0", "--api-only")
    assert found.status == 2
    assert "--token-file" in found.err
    short = tmp_path / "token"
    short.write_text("short")
    with pytest.raises(ConfigError, match="at least 16"):
        read_token(short)
