"""Progress of a run in the terminal: a bar for the current stage, one line per finished stage."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text


class TerminalReporter:
    """Draws on standard error, so that standard output holds nothing but results."""

    def __init__(self, console: Console, quiet: bool) -> None:
        self._console, self._quiet = console, quiet
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[unit]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._task: TaskID | None = None
        self._started = 0.0

    def __enter__(self) -> TerminalReporter:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def begin(self, stage: str) -> None:
        """Start a bar."""
        self._started = time.perf_counter()
        self._task = self._progress.add_task(stage, total=None, unit="")

    def total(self, units: int, of: str) -> None:
        """Set the length of the bar and its unit."""
        if self._task is not None:
            self._progress.update(self._task, total=units or None, unit=of)

    def advance(self, units: int) -> None:
        """Move the bar."""
        if self._task is not None:
            self._progress.advance(self._task, units)

    def end(self, stage: str, skipped: bool) -> None:
        """Replace the bar by a line."""
        if self._task is not None:
            self._progress.remove_task(self._task)
            self._task = None
        if not self._quiet:
            seconds = time.perf_counter() - self._started
            note = "[dim]unchanged[/dim]" if skipped else f"{seconds:.1f} s"
            self._console.print(f"[green]✓[/green] {stage} [dim]·[/dim] {note}", highlight=False)

    def warn(self, message: str) -> None:
        """Print a warning, even when quiet: it may change what the numbers mean."""
        self._console.print(Text.assemble(("warning:", "yellow"), " ", message), soft_wrap=True)
