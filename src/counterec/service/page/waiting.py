"""Waiting for something slow: it says for how long, and can be cancelled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from nicegui import ui

from counterec.core.explainers.budget import Budget
from counterec.core.scorers.offsets import aspect_part_of
from counterec.service.page.text_elements import box, button, text

if TYPE_CHECKING:
    from counterec.run import Run

T = TypeVar("T")

SOON_S = 0.3
"""What is done by then needs no word."""
SLOW_S = 1.5
"""What takes longer can be cancelled."""


@dataclass(frozen=True)
class Patience(Budget):
    """A budget that is spent as soon as nobody waits any more."""

    given_up: threading.Event = field(default_factory=threading.Event)

    @property
    def is_late(self) -> bool:
        """Whether nobody waits."""
        return self.given_up.is_set() or super().is_late


def budget_of(run: Run, patience: Patience) -> Budget | None:
    """The budget of a search that somebody waits for: one of a model that shows nothing but scores, which may be slow,
    can be ended; for all others there is none, since counting its calls would take longer than the search."""
    return None if hasattr(aspect_part_of(run.scorer), "unrolled") else patience


async def waited(place: ui.element, said: str, work: Awaitable[T], give_up: Callable[[], None]) -> T | None:
    """The result of the work, or None if it was cancelled; meanwhile ``place`` says what is being done."""
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=SOON_S)
    if not done:
        await _shown(place, said, task, give_up)
    return None if task.cancelled() else await task


async def _shown(place: ui.element, said: str, task: asyncio.Future[T], give_up: Callable[[], None]) -> None:
    """Say what is being done until it is done, or nobody wants it any more."""

    def cancel() -> None:
        give_up()
        task.cancel()

    with place, box("div", "waiting stack-tight", role="status") as shown:
        line = text(f"{said} …", "p")
        box("progress", aria_label=said)
        with box("div", "row") as ways:
            pass
    seconds, slow = 0.0, False
    while not task.done():
        done, _ = await asyncio.wait({task}, timeout=SLOW_S - SOON_S if not slow else 1.0)
        seconds += 1
        if not done and not slow:
            slow = True
            with ways:
                button("Cancel", cancel)
        if not done:
            line.set_text(f"{said} … {seconds:.0f} s")
    if not shown.is_deleted:  # something else may have taken its place
        shown.delete()
