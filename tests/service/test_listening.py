"""A client that sends the head of a request slowly loses its connection."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest

from counterec.service import listening


async def answers(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch):
    """A server that is impatient."""
    monkeypatch.setattr(listening, "HEADERS_S", 0.3)
    up, port = threading.Event(), []

    def started(chosen: int) -> None:
        port.append(chosen)
        up.set()

    config = listening.config_of(answers, "127.0.0.1", 0)
    server = listening.Server(config, started)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert up.wait(10)
    yield "127.0.0.1", port[0]
    server.should_exit = True
    thread.join(10)


@pytest.mark.parametrize("begun", [b"", b"GET / HTT", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_slow_head_ends_the_connection(address: tuple[str, int], begun: bytes) -> None:
    with socket.create_connection(address, timeout=5) as connection:
        connection.sendall(begun)
        assert connection.recv(100) == b""


def test_so_does_that_of_a_further_request(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert connection.recv(1000).endswith(b"ok")
        connection.sendall(b"GET / HTTP/1.1\r\nHost")
        assert connection.recv(100) == b""
