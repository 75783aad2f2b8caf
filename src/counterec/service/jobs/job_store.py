"""The database of jobs: SQLite in WAL mode on a local disk. One connection writes, that of the job runner; any reads.

Answers and the count of them are written in one transaction, so after a crash a job goes on at exactly the pair that
has no answer yet.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from counterec.errors import StoreError, UsageError
from counterec.service.jobs.job import ENDED, Job, JobSpec, State

KEPT = 200
"""Jobs that have ended and are kept; the oldest are deleted when new ones come."""
ROWS_AT_ONCE = 500

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
  number INTEGER PRIMARY KEY AUTOINCREMENT, job_id TEXT UNIQUE NOT NULL, run TEXT NOT NULL, state TEXT NOT NULL,
  question TEXT NOT NULL, goal TEXT NOT NULL, constraints TEXT, pairs INTEGER NOT NULL, answered INTEGER NOT NULL,
  created TEXT NOT NULL, detail TEXT);
CREATE TABLE IF NOT EXISTS pairs (
  number INTEGER NOT NULL, place INTEGER NOT NULL, user INTEGER NOT NULL, item INTEGER NOT NULL, versus INTEGER,
  PRIMARY KEY (number, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
  number INTEGER NOT NULL, place INTEGER NOT NULL, row TEXT NOT NULL, PRIMARY KEY (number, place)) WITHOUT ROWID;
"""
_JOB = "job_id, state, question, goal, pairs, answered, created, detail"

Pair = tuple[int, int, int | None]


class JobStore:
    """The side that writes."""

    def __init__(self, path: Path, run: str) -> None:
        """``run`` says which run the numbers of pairs belong to; jobs of another are never worked on."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._run, self._lock = run, threading.Lock()
        try:
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.executescript(_SCHEMA)
        except sqlite3.Error as error:
            raise StoreError(f"{path}: the database of jobs cannot be used ({error}); name another by --jobs") from None
        with self._lock:
            left = "a job of another version of this run; submit it again"
            self._connection.execute(
                f"UPDATE jobs SET state = 'failed', detail = ? WHERE run != ? AND {_UNENDED}", (left, run)
            )

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._connection.close()

    def submit(self, spec: JobSpec, most: int) -> str:
        """Add a job; with ``most`` of them unended, it is refused."""
        with self._lock, _transaction(self._connection) as db:
            (unended,) = db.execute(f"SELECT COUNT(*) FROM jobs WHERE {_UNENDED}").fetchone()
            if unended >= most:
                raise UsageError(f"{unended} jobs run or wait already, the most of this server; wait for one to end")
            self._forget_old(db)
            job_id = uuid.uuid4().hex
            constraints = None if spec.constraints is None else json.dumps(dict(spec.constraints))
            now = datetime.now(UTC).isoformat(timespec="seconds")
            cursor = db.execute(
                "INSERT INTO jobs (job_id, run, state, question, goal, constraints, pairs, answered, created) "
                "VALUES (?, ?, 'waiting', ?, ?, ?, ?, 0, ?)",
                (job_id, self._run, spec.question, spec.goal, constraints, len(spec.pairs), now),
            )
            rows = ((cursor.lastrowid, place, *pair) for place, pair in enumerate(spec.pairs))
            db.executemany("INSERT INTO pairs VALUES (?, ?, ?, ?, ?)", rows)
        return job_id

    def _forget_old(self, db: sqlite3.Connection) -> None:
        ended = f"SELECT number FROM jobs WHERE NOT ({_UNENDED}) ORDER BY number DESC LIMIT -1 OFFSET {KEPT}"
        for (number,) in db.execute(ended).fetchall():
            _delete(db, number)

    def cancel(self, job_id: str) -> None:
        """Cancel a job; delete one that has ended."""
        with self._lock, _transaction(self._connection) as db:
            found = db.execute("SELECT number, state FROM jobs WHERE job_id = ?", (job_id,)).fetchone()
            if found is None:
                return
            if found[1] in ENDED:
                _delete(db, found[0])
            else:
                db.execute("UPDATE jobs SET state = 'cancelled' WHERE number = ?", found[:1])

    def next_part(self, most: int) -> tuple[int, JobSpec] | None:
        """The number of the oldest unended job, and its next pairs; None if there is nothing to do."""
        with self._lock, _transaction(self._connection) as db:
            found = db.execute(
                f"SELECT number, question, goal, constraints, answered FROM jobs WHERE {_UNENDED} ORDER BY number"
            ).fetchone()
            if found is None:
                return None
            number, question, goal, constraints, answered = found
            db.execute("UPDATE jobs SET state = 'running' WHERE number = ? AND state = 'waiting'", (number,))
            pairs = db.execute(
                "SELECT user, item, versus FROM pairs WHERE number = ? AND place >= ? ORDER BY place LIMIT ?",
                (number, answered, most),
            ).fetchall()
        return number, JobSpec(question, goal, None if constraints is None else json.loads(constraints), pairs)

    def answer(self, number: int, rows: Sequence[str]) -> None:
        """Write the next answers of a job, and that it is done if they are its last; nothing if it was cancelled."""
        with self._lock, _transaction(self._connection) as db:
            found = db.execute(
                f"SELECT answered, pairs FROM jobs WHERE number = ? AND {_UNENDED}", (number,)
            ).fetchone()
            if found is None:
                return
            answered, pairs = found
            places = range(answered, answered + len(rows))
            db.executemany(
                "INSERT INTO answers VALUES (?, ?, ?)", [(number, *row) for row in zip(places, rows, strict=True)]
            )
            state: State = "done" if answered + len(rows) >= pairs else "running"
            db.execute(
                "UPDATE jobs SET answered = ?, state = ? WHERE number = ?", (answered + len(rows), state, number)
            )

    def fail(self, number: int, detail: str) -> None:
        """End a job that cannot go on."""
        with self._lock, _transaction(self._connection) as db:
            db.execute(
                f"UPDATE jobs SET state = 'failed', detail = ? WHERE number = ? AND {_UNENDED}", (detail, number)
            )


_UNENDED = "state IN ('waiting', 'running')"


class _transaction:  # noqa: N801  # reads as a statement
    """A transaction that is written whole or not at all."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> sqlite3.Connection:
        self._connection.execute("BEGIN IMMEDIATE")
        return self._connection

    def __exit__(self, kind: Any, *_: Any) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def _delete(db: sqlite3.Connection, number: int) -> None:
    for table in ("answers", "pairs", "jobs"):
        db.execute(f"DELETE FROM {table} WHERE number = ?", (number,))


class JobReader:
    """The side that reads, from any process."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def jobs(self) -> list[Job]:
        """All jobs, the newest first."""
        return [Job(*row) for row in self._all(f"SELECT {_JOB} FROM jobs ORDER BY number DESC", ())]

    def job(self, job_id: str) -> Job | None:
        """One job."""
        found = self._all(f"SELECT {_JOB} FROM jobs WHERE job_id = ?", (job_id,))
        return Job(*found[0]) if found else None

    def unended(self) -> bool:
        """Whether there is work to go on with."""
        return bool(self._all(f"SELECT 1 FROM jobs WHERE {_UNENDED} LIMIT 1", ()))

    def rows(self, job_id: str) -> Iterator[str]:
        """The answers of a job in the order of its pairs, each as JSON."""
        start = 0
        query = (
            "SELECT row FROM answers WHERE number = (SELECT number FROM jobs WHERE job_id = ?) AND place >= ? "
            "ORDER BY place LIMIT ?"
        )
        while found := self._all(query, (job_id, start, ROWS_AT_ONCE)):
            yield from (row for (row,) in found)
            start += len(found)

    def _all(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        if not self._path.is_file():
            return []
        uri = f"{self._path.resolve().as_uri()}?mode=ro"
        try:
            with closing(sqlite3.connect(uri, uri=True, timeout=10)) as db:
                return db.execute(query, values).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):  # the writer has only just begun
                return []
            raise
