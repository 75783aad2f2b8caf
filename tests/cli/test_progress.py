"""Progress: stage n of m, done, of how many, time left; plain lines where there is no terminal; and Ctrl-C."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from counterec import make_config, make_run
from counterec.cli.progress import SECONDS_BETWEEN_LINES, TerminalReporter
from tests.cli.files import counterec
from tests.pipeline.tiny import SETTINGS, Recorder, changed


class Clock:
    """A clock that goes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def console(terminal: bool) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, width=100, color_system=None)


def printed(on: Console) -> str:
    assert isinstance(on.file, io.StringIO)
    return on.file.getvalue()


def test_plain_lines_where_there_is_no_terminal() -> None:
    screen, clock = console(terminal=False), Clock()
    with TerminalReporter(screen, quiet=False, clock=clock) as reporter:
        reporter.plan(2)
        reporter.begin("fit")
        reporter.total(40, "epochs")
        for _ in range(4):
            clock.now += SECONDS_BETWEEN_LINES / 2
            reporter.advance(5)
        reporter.end("fit", False)
        reporter.begin("rank")
        reporter.end("rank", True)
    assert printed(screen).splitlines() == [
        "  1/2 fit: 10 of 40 epochs, about 90 s left",
        "  1/2 fit: 20 of 40 epochs, about 60 s left",
        "✓ 1/2 fit · 60.0 s",
        "✓ 2/2 rank · unchanged",
    ]


def test_nothing_where_it_is_to_be_quiet() -> None:
    for terminal in (True, False):
        screen, clock = console(terminal), Clock()
        with TerminalReporter(screen, quiet=True, clock=clock) as reporter:
            reporter.plan(1)
            reporter.begin("fit")
            clock.now += 1000
            reporter.advance(1)
            reporter.end("fit", False)
        assert printed(screen) == ""


class Counter(Recorder):
    """Remembers what each stage counted, of how many."""

    def __init__(self) -> None:
        super().__init__()
        self.planned = 0
        self.stages: dict[str, list[int]] = {}

    def plan(self, stages: int) -> None:
        self.planned = stages

    def begin(self, stage: str) -> None:
        self._now = self.stages.setdefault(stage, [0, 0])

    def total(self, units: int, of: str) -> None:
        self._now[:] = [0, units]

    def advance(self, units: int) -> None:
        assert units >= 0
        self._now[0] += units


@pytest.mark.parametrize("kind", ["net", "hybrid"])
def test_every_stage_counts_what_it_does(tmp_path: Path, kind: str) -> None:
    settings = {**changed(SETTINGS, model={"kind": kind}), "training": {"hidden": [8, 4], "epochs": 2}}
    counter = Counter()
    run = make_run(make_config(settings, "test"), tmp_path / "run", counter)
    users = len(run.recommendations.users)
    assert counter.planned == len(counter.stages)
    for stage, (done, total) in counter.stages.items():
        if stage.startswith(("explain", "rank", "evaluate")):
            assert (done, total) == (users, users), stage
    assert counter.stages["extract"] == [len(run.reviews)] * 2
    nets = 1 if kind == "net" else run.config.model.hybrid.nets
    assert counter.stages["fit"] == [2 * nets] * 2


class TestInterruption:
    """Ctrl-C."""

    def test_of_a_run(self, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def stopped(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        command = ("run", source, "--model", "net", "--epochs", 1, "--out", tmp_path / "run")
        with monkeypatch.context() as patched:
            patched.setattr("counterec.pipeline.stages.model._rank_users", stopped)
            outcome = counterec(*command)
        assert outcome.status == 130
        last = outcome.err.splitlines()[-1]
        assert last == (
            f"interrupted in rank, stage 6 of {last.split(' of ')[1].split(';')[0]}; "
            "kept: read, split, extract, build, fit; the same command goes on from there"
        )
        assert "Traceback" not in outcome.err
        again = counterec(*command)
        assert again.status == 0
        assert "fit · unchanged" in again.err

    def test_of_a_question(self, tiny_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def stopped(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("counterec.run.open_run", stopped)
        outcome = counterec("show", tiny_run)
        assert (outcome.status, outcome.out) == (130, "")
        assert outcome.err.strip() == "interrupted; nothing was written"
