"""One writer per folder: two processes bringing the same run up to date would overwrite each other's files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from counterec.errors import StoreError

LOCK = ".lock"


@contextmanager
def alone(folder: Path, wait: bool = False) -> Iterator[None]:
    """Hold the folder while it is written to; the system releases it when the process ends, however it ends.

    Where another process holds it, that is an error, or waited for.
    """
    lock = FileLock(folder / LOCK, timeout=-1 if wait else 0)
    try:
        lock.acquire()
    except Timeout:
        advice = "wait for it, or choose a folder with --out"
        raise StoreError(f"{folder}: another process is writing here; {advice}") from None
    try:
        yield
    finally:
        with suppress(OSError):  # some systems do not remove a file that is open
            (folder / LOCK).unlink()
        lock.release()
