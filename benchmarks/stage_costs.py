"""What each stage of a run costs: seconds, and the peak memory of the process and those it starts.

Each stage runs in a process of its own over what the stages before it have left in the run folder, so that its memory
is its own. What was measured is kept beside the run folder: a sitting that is cut short loses nothing, and a stage that
went on from its finished pieces has the seconds of all sittings.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

from counterec import make_config
from counterec.core.compute_limits import threads
from counterec.pipeline.engine import run_stages
from counterec.pipeline.files import write_json
from counterec.pipeline.manifest import Manifest
from counterec.pipeline.stage import RunOptions, SilentReporter, Stage, StageContext
from counterec.pipeline.stages import run_stages_of

BETWEEN = 0.25
"""Seconds between two looks at the memory."""
KEPT, SETTINGS = "costs.json", "settings.json"


@dataclass(frozen=True)
class StageCost:
    """The cost of one stage."""

    stage: str
    seconds: float = 0.0
    mebibytes: float = 0.0
    """The most memory at one time, shared pages counted once."""
    load: float = 0.0
    """The load average when the stage began."""
    finished: bool = False


@dataclass(frozen=True)
class MeasuredRun:
    """A run whose stages are measured: its folder, its settings, and how many processes share a stage."""

    place: Path
    """Where the run folder and what was measured lie."""
    settings: dict[str, Any]
    processes: int

    @property
    def folder(self) -> Path:
        """The run folder."""
        return self.place / "run"

    def costs(self) -> dict[str, StageCost]:
        """What was measured so far, by stage."""
        kept = self.place / KEPT
        rows = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else []
        return {row["stage"]: StageCost(**row) for row in rows}

    def measure(self) -> dict[str, StageCost]:
        """Make the first stage that is not finished and all after it, and return the costs of all."""
        stages = [stage.name for stage in run_stages_of(make_config(self.settings, "scale"))]
        write_json(self.place / SETTINGS, self.settings)
        first = next((at for at, name in enumerate(stages) if not self._cost(name).finished), len(stages))
        for number in range(first, len(stages)):
            if number > first:
                self._keep(StageCost(stages[number]))  # what it cost before was measured over other files
            self._measure_one(number, stages[number])
        return {name: self._cost(name) for name in stages}

    def counts(self) -> dict[str, Any]:
        """What each finished stage counted."""
        return {name: record.counts for name, record in Manifest.load(self.folder).stages.items()}

    def _measure_one(self, number: int, name: str) -> None:
        before = replace(self._cost(name), load=os.getloadavg()[0])
        command = [sys.executable, "-m", "benchmarks.stage_costs", str(self.place), str(number), str(self.processes)]
        started, peak = time.perf_counter(), before.mebibytes
        with subprocess.Popen(command) as child:
            while child.poll() is None:
                peak = max(peak, tree_mebibytes(child.pid))
                elapsed = before.seconds + time.perf_counter() - started
                self._keep(replace(before, seconds=elapsed, mebibytes=peak))
                time.sleep(BETWEEN)
        if child.returncode:
            raise SystemExit(f"the stage {name} of {self.folder} ended with status {child.returncode}")
        # The stage's own seconds, without the start of a process; and those of sittings that were cut short.
        seconds = before.seconds + Manifest.load(self.folder).stages[name].seconds
        self._keep(replace(before, seconds=seconds, mebibytes=peak, finished=True))

    def _cost(self, name: str) -> StageCost:
        return self.costs().get(name, StageCost(name))

    def _keep(self, cost: StageCost) -> None:
        rows = self.costs() | {cost.stage: cost}
        write_json(self.place / KEPT, [asdict(row) for row in rows.values()])


def tree_mebibytes(process: int) -> float:
    """Return the memory of a process and of those it started, now; pages that they share are counted once."""
    return sum(map(_proportional, (process, *_descendants(process)))) / 1024


def _proportional(process: int) -> int:
    """Return the kibibytes of a process, each shared page divided by those who share it; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def _descendants(process: int) -> list[int]:
    found = []
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            for child in map(int, children.read_text(encoding="ascii").split()):
                found += [child, *_descendants(child)]
        except OSError:  # the thread has ended
            continue
    return found


def make_stage(place: Path, number: int, processes: int) -> None:
    """Make one stage in this process; those before it must be up to date, or what it costs would be theirs, too."""
    settings = json.loads((place / SETTINGS).read_text(encoding="utf-8"))
    config = make_config(settings, "scale")
    *before, last = run_stages_of(config)[: number + 1]
    stages = [*(_not_again(stage, place) for stage in before), last]
    with threads(1):
        options = RunOptions(processes=processes)
        run_stages(place / "run", config.model_dump(mode="json"), stages, SilentReporter(), options)


def _not_again(stage: Stage, place: Path) -> Stage:
    """Return a stage that is refused where it would be made: what comes after it was to be measured, not this one."""

    @wraps(stage.work)  # the key of a stage is made from the module of its work
    def refuse(context: StageContext) -> None:
        raise SystemExit(
            f"{context.stage.name} would be made again: code, settings or data have changed since it was measured; "
            f"remove {place}"
        )

    return replace(stage, work=refuse)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make one stage of a run that is measured.")
    parser.add_argument("place", type=Path)
    parser.add_argument("number", type=int)
    parser.add_argument("processes", type=int)
    asked = parser.parse_args()
    make_stage(asked.place, asked.number, asked.processes)
