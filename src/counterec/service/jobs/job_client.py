"""What a server does about jobs: it reads the database, and has the runner write it."""

from __future__ import annotations

import json
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from counterec.service.jobs.job import Job, JobSpec
from counterec.service.jobs.job_process import run_jobs
from counterec.service.jobs.job_store import JobReader
from counterec.service.problems import Problem
from counterec.service.settings import ServiceSettings

Command = Callable[[dict[str, Any]], dict[str, Any]]
"""Has the runner do something, and returns its reply."""


class JobRunner:
    """The process that runs jobs, started when it is first needed, and again if it was killed."""

    def __init__(self, settings: ServiceSettings) -> None:
        self._settings, self._lock = settings, threading.Lock()
        self._process: BaseProcess | None = None
        self._commands: Connection | None = None
        if JobReader(settings.jobs_database).unended():
            with self._lock:
                self._start()

    def command(self, command: dict[str, Any]) -> dict[str, Any]:
        """Have it do something; if it has died meanwhile, by the next one."""
        with self._lock:
            for _ in range(2):
                connection = self._started()
                try:
                    connection.send_bytes(json.dumps(command).encode())
                    reply: dict[str, Any] = json.loads(connection.recv_bytes())
                    return reply
                except (EOFError, OSError):
                    self._stop()
        return {"fault": True}

    def close(self) -> None:
        """End the process; what it has not written is computed again by the next."""
        with self._lock:
            self._stop()

    def _started(self) -> Connection:
        if self._commands is None or self._process is None or not self._process.is_alive():
            self._stop()
            return self._start()
        return self._commands

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._commands, theirs = context.Pipe()
        self._process = context.Process(target=run_jobs, args=(self._settings, theirs), name="jobs", daemon=True)
        self._process.start()
        theirs.close()
        return self._commands

    def _stop(self) -> None:
        if self._commands is not None:
            self._commands.close()
        if self._process is not None:
            self._process.terminate()
            self._process.join(timeout=5)
        self._commands = self._process = None


class JobClient:
    """The jobs, as the routes see them."""

    def __init__(self, settings: ServiceSettings, command: Command) -> None:
        self._reader, self._command = JobReader(settings.jobs_database), command

    def submit(self, spec: JobSpec) -> Job:
        """Add a job."""
        job_id = self._done({"do": "submit", "spec": asdict(spec)})["job_id"]
        found = self.job(job_id)
        if found is None:
            raise Problem(503, "no-jobs", "the job cannot be found any more; submit it again")
        return found

    def cancel(self, job_id: str) -> Job:
        """Cancel a job, or delete one that has ended; return it as it was last."""
        before = self.job(job_id)
        self._done({"do": "cancel", "job_id": job_id})
        found = self.job(job_id) or before
        if found is None:
            raise Problem(404, "unknown-job", f"there is no job {job_id}; /jobs lists them")
        return found

    def job(self, job_id: str) -> Job | None:
        """One job."""
        return self._reader.job(job_id)

    def jobs(self) -> list[Job]:
        """All jobs, the newest first."""
        return self._reader.jobs()

    def rows(self, job_id: str) -> Iterator[str]:
        """The answers of a job, each as JSON."""
        return self._reader.rows(job_id)

    def _done(self, command: dict[str, Any]) -> dict[str, Any]:
        reply = self._command(command)
        if "refused" in reply:
            raise Problem(429, "too-many-jobs", reply["refused"], {"retry-after": "5"})
        if "unable" in reply:
            raise Problem(503, "no-jobs", reply["unable"], {"retry-after": "5"})
        if reply.get("fault"):
            raise Problem(503, "no-jobs", "the job runner does not answer; ask again later", {"retry-after": "5"})
        return reply
