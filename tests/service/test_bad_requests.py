"""Bad input of all kinds against the real server: a problem document, the right status, and nothing leaks."""

from __future__ import annotations

import json
import socket
import time
from urllib.parse import urlsplit

import httpx
import pytest

from counterec.service.middleware import BODY_BYTES
from tests.service.serving import Served

PAIR = {"user_id": "U0004", "item_id": "P0001"}


def require_problem(response: httpx.Response, status: int) -> None:
    """It is a problem document that says what to do and nothing about the machine."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    found = response.json()
    assert found["status"] == status
    assert found["type"].startswith("urn:counterec:problem:")
    assert found["detail"]
    for leak in ("Traceback", "/src/", "site-packages", "/tmp/", ".py", "uvicorn", "python/"):
        assert leak not in response.text.lower()
    assert "server" not in response.headers


BODIES = {
    "not JSON": (b"{", 400),
    "nothing": (b"", 422),
    "an array": (b"[]", 422),
    "a number": (b"7", 422),
    "deep": (b'{"pairs":' + b"[" * 100_000 + b"]" * 100_000 + b"}", 400),
    "not UTF-8": (b'{"user_id": "\xff\xfe"}', 400),
    "a lone surrogate": (b'{"user_id": "\\ud800"}', 422),
    "NUL": (b'{"user_id": "U\\u0000004"}', 404),
    "a name too much": (b'{"user_id": "U0004", "nmae": 1}', 422),
    "a huge number": (b'{"user_id": "U0004", "deadline_ms": 1' + b"0" * 5000 + b"}", 400),
    "a large number": (b'{"user_id": "U0004", "deadline_ms": 99999999999999999999}', 422),
    "NaN": (b'{"user_id": "U0004", "constraints": {"lowest": {"battery": NaN}}}', 422),
    "infinity": (b'{"user_id": "U0004", "constraints": {"costs": {"battery": 1e999}}}', 422),
    "no pair": (b'{"pairs": []}', 422),
    "both": (json.dumps({"user_id": "U0004", "pairs": [PAIR]}).encode(), 422),
    "an unknown user": (b'{"user_id": "nobody"}', 404),
    "a long user": (json.dumps({"user_id": "U" * 600}).encode(), 422),
    "an unknown item": (json.dumps({"pairs": [{**PAIR, "item_id": "../../etc/passwd"}]}).encode(), 404),
    "an unknown aspect": (b'{"user_id": "U0004", "constraints": {"keep": ["x\' OR 1=1 --"]}}', 404),
    "an unknown goal": (b'{"user_id": "U0004", "goal": "best"}', 422),
    "by something unknown": (b'{"user_id": "U0004", "by": "magic"}', 422),
    "why not by history": (
        json.dumps({"question": "why_not", "by": "history", "pairs": [PAIR]}).encode(),
        422,
    ),
    "a goal by history": (b'{"user_id": "U0004", "by": "history", "goal": "single"}', 422),
    "an unknown question": (b'{"user_id": "U0004", "question": "how"}', 422),
    "a comparison with nothing": (json.dumps({"question": "why_rather", "pairs": [PAIR]}).encode(), 422),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_bad_body_is_a_problem(name: str, api: httpx.Client) -> None:
    body, status = BODIES[name]
    response = api.post("/explain", content=body, headers={"content-type": "application/json"})
    require_problem(response, status)


PATHS = {
    "/users/nobody": 404,
    "/users/%00": 404,
    "/users/a%0Ab": 404,
    "/users/..%2f..%2fetc%2fpasswd": 404,
    "/users/%2e%2e/%2e%2e/etc/passwd": 404,
    "/items/%ff%fe": 404,
    f"/items/{'x' * 600}": 422,
    "/docs-files/..%2fcore.py": 404,
    "/docs/app.py": 404,
    "/nothing": 404,
    "/users?limit=0": 422,
    "/users?limit=1e3": 422,
    "/users?offset=-1": 422,
    "/users?offset=99999999999999999999999": 422,
    "/recommendations": 422,
    "/evidence?aspect=battery&user_id=nobody": 404,
    "/explanations?method=../../../etc/passwd": 404,
}


@pytest.mark.parametrize("path", PATHS)
def test_a_bad_path_is_a_problem(path: str, served: Served) -> None:
    with httpx.Client(timeout=30) as client:
        require_problem(client.get(f"{served.api}{path}"), PATHS[path])


def test_wrong_methods_and_content_types_have_their_status(api: httpx.Client) -> None:
    require_problem(api.put("/explain", json={}), 405)
    require_problem(api.delete("/run"), 405)
    require_problem(api.post("/explain", content=b"a=b", headers={"content-type": "text/plain"}), 415)
    require_problem(api.post("/explain", data={"user_id": "U0004"}), 415)
    require_problem(api.post("/explain", content=b'{"user_id": "U0004"}'), 415)


def test_a_value_that_cannot_be_is_named(api: httpx.Client) -> None:
    listed = api.get("/recommendations", params={"user_id": "U0004"}).json()["items"]
    aspects = api.get("/run").json()["aspects"]
    changes = {listed[0]["item_id"]: {aspects[0]: 77}}
    response = api.post("/what-if", json={"user_id": "U0004", "changes": changes})
    require_problem(response, 422)
    assert "77" in response.json()["detail"]
    text = {listed[0]["item_id"]: {aspects[0]: "<script>alert(1)</script>"}}
    require_problem(api.post("/what-if", json={"user_id": "U0004", "changes": text}), 422)
    below = {"pairs": [{"user_id": "U0004", "item_id": listed[-1]["item_id"]}]}
    response = api.post("/explain", json=below)
    require_problem(response, 404)
    assert response.json()["pair"] == 0
    assert "why_not" in response.json()["detail"]


def test_too_many_pairs_and_too_long_a_deadline_are_refused(api: httpx.Client, pairs: list[tuple[str, str]]) -> None:
    many = [{"user_id": pairs[0][0], "item_id": pairs[0][1]}] * 1001
    response = api.post("/explain", json={"pairs": many})
    require_problem(response, 422)
    assert "1,000" in response.json()["detail"]
    require_problem(api.post("/explain", json={"user_id": "U0004", "deadline_ms": 70_000}), 422)
    require_problem(api.post("/explain", json={"user_id": "x" * BODY_BYTES}), 413)


def test_other_sites_and_other_names_are_refused(served: Served) -> None:
    asked = {"user_id": "U0004"}
    with httpx.Client(timeout=30) as client:
        url = f"{served.api}/explain"
        require_problem(client.post(url, json=asked, headers={"origin": "https://evil.example"}), 403)
        for host in ("evil.example", "127.0.0.1.evil.example"):
            assert client.get(f"{served.api}/run", headers={"host": host}).status_code == 400
        for host in ("a.localhost", "127.0.0.1:9", "[::1]:80"):
            assert client.get(f"{served.api}/run", headers={"host": host}).status_code == 200
        own = client.post(url, json=asked, headers={"origin": served.url})
        assert own.status_code == 200
        assert "access-control-allow-origin" not in own.headers


def test_answers_carry_security_headers_and_the_request_id(api: httpx.Client, served: Served) -> None:
    response = api.get("/run", headers={"x-request-id": "my-id-1"})
    assert response.headers["x-request-id"] == "my-id-1"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    strange = api.get("/run", headers={"x-request-id": 'x" onload=alert(1) \\'})
    assert strange.headers["x-request-id"] != 'x" onload=alert(1) \\'
    _until(lambda: any("my-id-1" in line for line in served.log))
    (line,) = [json.loads(line) for line in served.log if "my-id-1" in line]
    assert (line["route"], line["status"]) == ("/api/v1/run", 200)


def test_the_log_names_no_people(api: httpx.Client, served: Served) -> None:
    api.get("/users/U0004", headers={"x-request-id": "who-is-it"})
    _until(lambda: any("who-is-it" in line for line in served.log))
    assert not any("U0004" in line for line in served.log)


def _until(condition: object, seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and not condition():  # type: ignore[operator]
        time.sleep(0.02)


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_a_gone_client_frees_its_work(
    accept: str, served: Served, api: httpx.Client, pairs: list[tuple[str, str]]
) -> None:
    many = [{"user_id": user, "item_id": item} for user, item in pairs] * 6
    body = json.dumps({"pairs": many[:900], "goal": "complete"}).encode()
    address = urlsplit(served.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        head = "POST /api/v1/explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        head += f"Accept: {accept}\r\n"
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        time.sleep(0.3)
    waiting = ""
    for _ in range(200):
        lines = api.get(f"{served.url}/metrics").text.splitlines()
        (waiting,) = [line for line in lines if line.startswith("counterec_waiting")]
        if waiting.endswith(" 0.0"):
            break
        api.post("/explain", json={"pairs": many[:1]})
    assert waiting.endswith(" 0.0")


def test_garbage_instead_of_http_breaks_nothing(served: Served, api: httpx.Client) -> None:
    address = urlsplit(served.url)
    for garbage in (b"\x00\x01\x02\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /api/v1/explain HTTP/1.1\r\n\r\n"):
        with socket.create_connection((address.hostname, address.port), timeout=5) as connection:
            connection.sendall(garbage)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(4096)
    assert api.get("/run").status_code == 200
