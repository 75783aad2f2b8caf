"""The job runner: a process of its own, the only one that writes the database of jobs, with one compute thread.

It hears commands from the process that started it and ends when that one ends, however it ends. Its work is nice: live
requests come first.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import signal
import threading
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from counterec.errors import CounterecError, UsageError
from counterec.service.jobs.job import JobSpec
from counterec.service.jobs.job_store import JobStore

if TYPE_CHECKING:
    from counterec.run import Run
    from counterec.service.settings import ServiceSettings

AT_ONCE = 32
"""Pairs that are answered together and written in one transaction."""
LOCK_S = 30
"""How long to wait for another runner of the same database to end."""
NICENESS = 5

log = logging.getLogger("counterec.service")


def run_jobs(settings: ServiceSettings, commands: Connection) -> None:
    """The whole life of the process."""
    from filelock import FileLock, Timeout

    from counterec.run import open_run
    from counterec.service.front.request_log import log_to_standard_error

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that started this
    log_to_standard_error(settings.log_json, quiet=True)
    os.nice(NICENESS)
    run, path = open_run(settings.folder, settings.device), settings.jobs_database
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(str(path.with_suffix(".lock")))
    try:
        lock.acquire(timeout=LOCK_S)
        store = JobStore(path, run_identity(run))
    except (Timeout, CounterecError, OSError) as error:
        log.error("no jobs can be run: %s", error)
        _refuse_all(commands)
        return
    work = threading.Event()
    work.set()
    threading.Thread(target=_work, args=(run, store, work), name="jobs", daemon=True).start()
    _hear(commands, store, settings.limits.jobs, work)
    os._exit(0)  # whoever started this is gone: what is being computed is computed again by the next


def run_identity(run: Run) -> str:
    """What the numbers of users and items, and the answers, depend on."""
    from counterec.pipeline import layout

    names = (layout.ASPECTS, layout.VOCABULARY, layout.RECOMMENDATIONS, layout.MODEL)
    return hashlib.sha256(json.dumps([run.checksum(name) for name in names]).encode()).hexdigest()


def _hear(commands: Connection, store: JobStore, most: int, work: threading.Event) -> None:
    """Answer commands until nobody gives any."""
    while True:
        try:
            command = json.loads(commands.recv_bytes())
            reply = _obey(command, store, most, work)
            commands.send_bytes(json.dumps(reply).encode())
        except (EOFError, OSError):
            return


def _obey(command: dict[str, Any], store: JobStore, most: int, work: threading.Event) -> dict[str, Any]:
    try:
        if command["do"] == "submit":
            spec = JobSpec(**{**command["spec"], "pairs": [tuple(pair) for pair in command["spec"]["pairs"]]})
            job_id = store.submit(spec, most)
            work.set()
            return {"job_id": job_id}
        if command["do"] == "cancel":
            store.cancel(command["job_id"])
        return {}
    except UsageError as error:
        return {"refused": str(error)}
    except Exception:
        log.exception("a command of the job runner failed")
        return {"fault": True}


def _refuse_all(commands: Connection) -> None:
    unable = {"unable": "no jobs can be run here now: another server works on them, or their disk cannot be used"}
    while True:
        try:
            commands.recv_bytes()
            commands.send_bytes(json.dumps(unable).encode())
        except (EOFError, OSError):
            return


def _work(run: Run, store: JobStore, work: threading.Event) -> None:
    """Answer pairs, part by part, as long as there are any; then wait."""
    import torch

    torch.set_num_threads(1)
    while True:
        found = store.next_part(AT_ONCE)
        if found is None:
            work.wait()
            work.clear()
            continue
        number, spec = found
        try:
            store.answer(number, _answers(run, spec))
        except Exception as error:
            known = isinstance(error, UsageError)
            log.exception("a job failed")
            store.fail(number, str(error) if known else "its question could not be answered; the server's log says why")


def _answers(run: Run, spec: JobSpec) -> list[str]:
    from counterec.pipeline.asked_pairs import AskedPair
    from counterec.service.jobs.job_result import row_text

    pairs = [AskedPair(*pair) for pair in spec.pairs]
    rows = run.explain_pairs(pairs, question=spec.question, goal=spec.goal, constraints=spec.allowed())
    return [row_text(row) for row in rows]
