"""Work for Ray's actors to do, and to die of; in a module, as the pieces of stages are."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from counterec.pipeline.executors import ONE_THREAD
from counterec.pipeline.piece_store import Made, Piece


@dataclass(frozen=True)
class Deadly:
    """The work of a stage, but for one piece, whose process is killed: so often, and then no more."""

    work: Callable[[Piece], Made]
    number: int
    deaths: Path
    most: int

    def __call__(self, piece: Piece) -> Made:
        if piece.number == self.number and len(list(self.deaths.iterdir())) < self.most:
            (self.deaths / f"{os.getpid()}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.work(piece)


@dataclass
class Work:
    """Squares numbers, and fails at some of them, always or the first time; each attempt leaves a file."""

    attempts: Path
    dies_once: tuple[int, ...] = ()
    dies: tuple[int, ...] = ()
    raises_once: tuple[int, ...] = ()
    raises: tuple[int, ...] = ()
    loaded: list[int] = field(default_factory=list)

    def __call__(self, piece: int) -> dict[str, Any]:
        before = len(list(self.attempts.glob(f"{piece}-*")))
        (self.attempts / f"{piece}-{before}").touch()
        self.loaded.append(piece)
        if piece in self.dies or (piece in self.dies_once and not before):
            os.kill(os.getpid(), signal.SIGKILL)
        if piece in self.raises or (piece in self.raises_once and not before):
            raise ValueError(f"cannot square {piece}")
        threads = {name: os.environ.get(name) for name in ONE_THREAD}
        return {"square": piece**2, "process": os.getpid(), "kept": list(self.loaded), "threads": threads}

    def tried(self, piece: int) -> int:
        """How often a piece was tried."""
        return len(list(self.attempts.glob(f"{piece}-*")))
