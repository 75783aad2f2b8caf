"""Progress of a run: on a terminal a bar for the current stage, elsewhere plain lines; one line per finished stage."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

if TYPE_CHECKING:
    from counterec.pipeline.check import SourceReport

SECONDS_BETWEEN_LINES = 30.0
"""Where no bar can be drawn, a long stage says how far it is this often."""
SPEED_PERIOD = 300.0
"""The seconds over which the speed is measured that the time left follows from."""


class TerminalReporter:
    """Draws on standard error, so that standard output holds nothing but results."""

    def __init__(
        self,
        console: Console,
        quiet: bool,
        keeps_stages: bool = True,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._console, self._quiet, self._keeps_stages, self._clock = console, quiet, keeps_stages, clock
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[unit]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            speed_estimate_period=SPEED_PERIOD,
            disable=quiet or not console.is_terminal,
            expand=True,
        )
        self._plain = not quiet and not console.is_terminal
        self._task: TaskID | None = None
        self._stage = ""
        self._number = self._stages = 0
        self._started = self._counted_from = self._last_line = 0.0
        self._done = self._units = 0
        self._unit = ""
        self._finished: list[str] = []

    def __enter__(self) -> TerminalReporter:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._progress.stop()
        if isinstance(error, KeyboardInterrupt):
            error.add_note(self._what_is_kept())

    def checked(self, report: SourceReport) -> None:
        """Replace the bar of the check by a line."""
        from counterec.cli.check import summary

        self._remove_bar()
        self._stage = ""
        for caution in report.cautions:
            self.warn(caution)
        if not self._quiet:
            line = Text.assemble(("✓", "green"), " check ", ("·", "dim"), f" {summary(report)}")
            self._console.print(line, soft_wrap=True)

    def plan(self, stages: int) -> None:
        """Remember how many stages follow."""
        self._number, self._stages = 0, stages

    def begin(self, stage: str) -> None:
        """Start a bar."""
        self._number += 1
        self._stage, self._started = stage, self._clock()
        self._task = self._progress.add_task(self._numbered(stage), total=None, unit="")
        self.total(0, "")

    def total(self, units: int, of: str) -> None:
        """Set the length of the bar and its unit, and begin to count."""
        self._done, self._units, self._unit = 0, units, of
        self._counted_from = self._last_line = self._clock()
        if self._task is not None:
            self._progress.reset(self._task, total=units or None, unit=of)

    def advance(self, units: int) -> None:
        """Move the bar."""
        self._done += units
        if self._task is not None:
            self._progress.advance(self._task, units)
        now = self._clock()
        if self._plain and now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = now
            self._console.print(f"  {self._numbered(self._stage)}: {self._how_far(now)}", highlight=False)

    def end(self, stage: str, skipped: bool, seconds: float | None = None) -> None:
        """Replace the bar by a line."""
        self._remove_bar()
        self._finished.append(stage)
        if not self._quiet:
            took = self._clock() - self._started if seconds is None else seconds
            note = "[dim]unchanged[/dim]" if skipped else f"{took:.1f} s"
            self._console.print(f"[green]✓[/green] {self._numbered(stage)} [dim]·[/dim] {note}", highlight=False)

    def _remove_bar(self) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
            self._task = None

    def warn(self, message: str) -> None:
        """Print a warning, even when quiet: it may change what the numbers mean."""
        self._console.print(Text.assemble(("warning:", "yellow"), " ", message), soft_wrap=True)

    def _numbered(self, stage: str) -> str:
        return f"{self._number}/{self._stages} {stage}" if self._stages else stage

    def _how_far(self, now: float) -> str:
        """How much is done and, where it can be said, about how long the rest takes."""
        if not self._units:
            return f"{self._done:,} {self._unit}".rstrip()
        left = (now - self._counted_from) * (self._units - self._done) / max(1, self._done)
        return f"{self._done:,} of {self._units:,} {self._unit}, about {_roughly(left)} left"

    def _what_is_kept(self) -> str:
        """What an interrupted person wants to know."""
        numbered = bool(self._stage and self._stages)
        where = f"in {self._stage}, stage {self._number} of {self._stages}" if numbered else "before the first stage"
        if not self._keeps_stages:
            return f"interrupted {where}; nothing was written"
        kept = f"kept: {', '.join(self._finished)}" if self._finished else "no stage was finished"
        return f"interrupted {where}; {kept}; the same command goes on from there"


def _roughly(seconds: float) -> str:
    """A time in the unit that a person would use."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{seconds / 3600:.1f} h"
