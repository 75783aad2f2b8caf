"""Several trainings at once, one thread each: PyTorch computes outside the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import TypeVar

import torch

from counterec.core.compute_limits import threads
from counterec.core.interactions import Interactions
from counterec.core.scorers.training import EpochProgress, EpochReport, Training, train
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.space import AspectSpace
from counterec.randomness import entropy

Made = TypeVar("Made")


def net_seeds(seed: int, nets: int) -> list[int]:
    """The seeds of the nets of one model, derived from the run's seed; those of another run are different ones."""
    return [entropy(seed, "net", number) % 2**63 for number in range(nets)]


def train_several(
    space: AspectSpace,
    positives: Interactions,
    validation: Interactions,
    settings: TrainingSettings,
    seeds: Sequence[int],
    device: str = "cpu",
    progress: EpochProgress = lambda _: None,
    at_once: int | None = None,
) -> list[Training]:
    """Train one net per seed, each as ``train`` would; ``at_once`` of them together, by default one per core."""

    def training(seed: int) -> Callable[[EpochProgress], Training]:
        return lambda report: train(space, positives, validation, settings, seed, device, report)

    return side_by_side([training(seed) for seed in seeds], progress, at_once if device == "cpu" else 1)


def side_by_side(
    work: Sequence[Callable[[EpochProgress], Made]], progress: EpochProgress, at_once: int | None = None
) -> list[Made]:
    """Do the pieces of work, so many at once; if one fails, the others end with their epoch."""
    stopped, one_at_a_time = Event(), Lock()

    def report(epoch: EpochReport) -> None:
        if stopped.is_set():
            raise _StoppedError
        with one_at_a_time:
            progress(epoch)

    workers = max(1, min(at_once or available_cores(), len(work)))
    # The number of threads per computation belongs partly to the process: nobody may change it while the pool lives.
    with threads(1), ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        futures = [pool.submit(piece, report) for piece in work]
        try:
            return [future.result() for future in futures]
        except BaseException:
            stopped.set()
            pool.shutdown(cancel_futures=True)
            raise


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _StoppedError(Exception):
    """Another training failed, or a person interrupted."""
