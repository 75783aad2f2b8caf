"""A client that sends the head of a request slowly loses its connection; processes share connections fairly."""

from __future__ import annotations

import errno
import socket
import threading
from typing import Any

import pytest

from counterec.service import listening


async def answers(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


def answer(connection: socket.socket) -> bytes:
    """A whole answer: its head and its body may come one after the other."""
    found = connection.recv(1000)
    while found.endswith(b"\r\n\r\n"):
        found += connection.recv(1000)
    return found


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
        assert answer(connection).endswith(b"ok")
        connection.sendall(b"GET / HTTP/1.1\r\nHost")
        assert connection.recv(100) == b""


def test_connections_that_are_opened_together_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is first would take them all, and the other processes would stand idle."""
    monkeypatch.setattr(listening, "PAUSE_S", 0.25)
    shared, up = listening.listening_socket("127.0.0.1", 0), threading.Barrier(3)

    def named(name: bytes) -> Any:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1")]})
                await send({"type": "http.response.body", "body": name})

        return app

    configs = [listening.config_of(named(name), "127.0.0.1", 0) for name in (b"a", b"b")]
    servers = [listening.SharingServer(config, lambda _: up.wait(10) and None, shared.dup()) for config in configs]
    threads = [threading.Thread(target=server.run, args=([],), daemon=True) for server in servers]
    for thread in threads:
        thread.start()
    up.wait(10)
    clients = [socket.create_connection(shared.getsockname(), timeout=10) for _ in range(4)]
    for client in clients:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert sorted(answer(client)[-1:] for client in clients) == [b"a", b"a", b"b", b"b"]
    for server, thread in zip(servers, threads, strict=True):
        server.should_exit = True
        thread.join(10)
    for one in (shared, *clients):
        one.close()


class FullHouse:
    """A socket that always has somebody waiting, and no room for anybody."""

    def __init__(self, real: socket.socket, refused: threading.Event) -> None:
        self.real, self.refused, self.asked = real, refused, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def accept(self) -> Any:
        self.asked += 1
        self.refused.set()
        raise OSError(errno.EMFILE, "too many open files")


def test_without_room_for_a_connection_it_does_not_try_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection still waits: a server that tried at once would do nothing else."""
    monkeypatch.setattr(listening, "NO_ROOM_S", 600)
    real, up, refused = listening.listening_socket("127.0.0.1", 0), threading.Event(), threading.Event()
    full = FullHouse(real, refused)
    server = listening.SharingServer(listening.config_of(answers, "127.0.0.1", 0), lambda _: up.set(), full)  # type: ignore[arg-type]
    thread = threading.Thread(target=server.run, args=([],), daemon=True)
    thread.start()
    assert up.wait(10)
    with socket.create_connection(real.getsockname(), timeout=10):
        assert refused.wait(10)
        server.should_exit = True
        thread.join(10)
    assert full.asked == 1
