"""Settings that depend on the machine: cores, threads, and how many rows go into one product."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Use this many threads inside the block.

    The matrices here are small: threads that wait for each other at every product cost more than they gain, on a busy
    machine ten times as much.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def one_core() -> Iterator[None]:
    """Compute in this thread alone, for results that do not depend on the number of cores.

    Numbers too small for full precision become 0: squared gradients of idle units are such, and slow every step.
    """
    with threads(1):
        torch.set_flush_denormal(True)
        try:
            yield
        finally:
            torch.set_flush_denormal(False)


def rows_at_once(on_processor: int, device: torch.device) -> int:
    """How many rows to compute together: on a processor what its cache holds, on a GPU enough to keep it busy."""
    return on_processor if device.type == "cpu" else 64 * on_processor
