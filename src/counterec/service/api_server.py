"""The API without the page: one process, or several that share a socket, the job runner and their metrics."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.routing import Route

from counterec.service.api.application import api_application
from counterec.service.api.errors import answer_errors
from counterec.service.front.api_path import ApiPath
from counterec.service.front.chain import API, guarded
from counterec.service.front.request_log import log_to_standard_error
from counterec.service.hub import Hub, HubAddress, HubClient
from counterec.service.jobs.job_client import JobClient, JobRunner
from counterec.service.listening import listening_socket, serve
from counterec.service.service import Service
from counterec.service.settings import ServiceSettings

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

END_S = 15.0
"""How long a process may take to end by itself."""
AGAIN_S = 1.0
"""How long to wait before a process that has died is started again."""

log = logging.getLogger("counterec.service")


def with_api(app: ASGIApp, service: Service) -> ASGIApp:
    """An application and the API beside it, behind all layers."""
    both = ApiPath(app, api_application(service), API)
    return guarded(both, service.settings, service.metrics, lambda: service.is_ready, service.all_metrics)


def api_only(service: Service) -> ASGIApp:
    """The API by itself; the root leads to its description."""

    async def root(_: Request) -> RedirectResponse:
        return RedirectResponse(f"{API}/docs", 303)

    app = Starlette(routes=[Route("/", root)])
    answer_errors(app)
    return with_api(app, service)


def serve_api(settings: ServiceSettings, port: int, started: Callable[[int], None], workers: int = 1) -> None:
    """Serve the API until it is told to end."""
    if workers > 1:
        _Workers(settings, port, workers).run(started)
        return
    runner = JobRunner(settings)
    try:
        with Service(settings, jobs=JobClient(settings, runner.command)) as service:
            serve(api_only(service), settings.host, port, started)
    finally:
        runner.close()


@dataclass
class _Worker:
    process: BaseProcess
    line: Connection
    """Closed when either side ends."""


class _Workers:
    """Starts the processes, and starts one again that has died. None is ended for being busy."""

    def __init__(self, settings: ServiceSettings, port: int, count: int) -> None:
        self._settings, self._count, self._ending = settings, count, threading.Event()
        self._socket = listening_socket(settings.host, port)
        self._context = multiprocessing.get_context("spawn")
        self._runner = JobRunner(settings)
        self._hub = Hub(self._runner.command)

    def run(self, started: Callable[[int], None]) -> None:
        """Until told to end."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._ending.set())
        workers = [self._started(number) for number in range(self._count)]
        try:
            if all(_is_up(worker, self._ending) for worker in workers):
                started(self._socket.getsockname()[1])
            self._watch(workers)
        finally:
            self._end(workers)

    def _started(self, number: int) -> _Worker:
        ours, theirs = self._context.Pipe()
        arguments = (self._settings, self._socket, self._hub.address, theirs, str(number))
        process = self._context.Process(target=_work, args=arguments, name=f"worker-{number}", daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _watch(self, workers: list[_Worker]) -> None:
        while not self._ending.wait(0.2):
            for number, worker in enumerate(workers):
                if not worker.process.is_alive() and not self._ending.is_set():
                    log.error("process %s has ended with %s; it is started again", number, worker.process.exitcode)
                    worker.line.close()
                    time.sleep(AGAIN_S)
                    workers[number] = self._started(number)

    def _end(self, workers: list[_Worker]) -> None:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join(END_S)
            if worker.process.is_alive():
                worker.process.kill()
            worker.line.close()
        self._hub.close()
        self._runner.close()
        self._socket.close()


def _is_up(worker: _Worker, ending: threading.Event) -> bool:
    """Wait until a process listens; false if it has died first, or all shall end."""
    while not ending.is_set():
        if worker.line.poll(0.2):
            try:
                worker.line.recv_bytes()
            except (EOFError, OSError):
                return False
            return True
    return False


def _work(settings: ServiceSettings, sock: socket.socket, hub: HubAddress, line: Connection, number: str) -> None:
    """One of the processes: it ends with the one that started it, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that started this
    log_to_standard_error(settings.log_json, settings.quiet)
    client = HubClient(hub, f"{number}-{os.getpid()}")

    def started(_: int) -> None:
        line.send_bytes(b"up")
        threading.Thread(target=_end_with, args=(line,), name="line", daemon=True).start()

    jobs = JobClient(settings, client.command)
    with Service(settings, jobs=jobs, gather=client.gather) as service:
        threading.Thread(target=_hand_in, args=(service, client), name="metrics", daemon=True).start()
        serve(api_only(service), settings.host, 0, started, sock)


HAND_IN_S = 2.0
"""How often a process hands in its metrics."""


def _hand_in(service: Service, client: HubClient) -> None:
    while True:
        time.sleep(HAND_IN_S)
        client.gather(service.metrics.snapshot())


def _end_with(line: Connection) -> None:
    try:
        line.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)
