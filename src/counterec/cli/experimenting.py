"""``counterec experiment``: measure every method on a run, and say what came of the paper's claims."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from counterec.cli.progress import TerminalReporter
from counterec.errors import UsageError
from counterec.pipeline.experiment_settings import PROTOCOLS, ExperimentSettings
from counterec.run import Run
from counterec.run.experiment import make_experiment


def settings_of(run: Run, seeds: int | None, protocol: str | None, ground_truth: str | None) -> ExperimentSettings:
    """The run's settings, and what the options ask for instead."""
    if protocol is not None and protocol not in PROTOCOLS:
        raise UsageError(f"--protocol {protocol!r}: {' or '.join(PROTOCOLS)}; both by default")
    if ground_truth not in (None, "positive", "all"):
        raise UsageError(f"--ground-truth {ground_truth!r}: positive or all")
    given: dict[str, Any] = {"seeds": seeds, "protocols": protocol and (protocol,), "ground_truth": ground_truth}
    return replace(run.config.experiment, **{name: value for name, value in given.items() if value is not None})


def experiment(
    run: Run, settings: ExperimentSettings, device: str, as_json: bool, quiet: bool, out: Console, err: Console
) -> None:
    """Make the experiment and print its tables and claims, or where they are."""
    with TerminalReporter(err, quiet or as_json) as reporter:
        written = make_experiment(run, settings, reporter, device)
    if as_json:
        found = {protocol: json.loads((folder / "evaluation.json").read_text()) for protocol, folder in written.items()}
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    elif quiet:
        sys.stdout.write("".join(f"{folder}\n" for folder in written.values()))
    else:
        for protocol, folder in written.items():
            _show(protocol, folder, out)


def _show(protocol: str, folder: Path, out: Console) -> None:
    out.print(Text(f"\nProtocol {protocol}", style="bold"))
    for file in [*sorted((folder / "tables").glob("*.txt")), folder / "claims.txt"]:
        out.print(Text(file.read_text(encoding="utf-8")), soft_wrap=True)
    out.print(Text.assemble("Tables, figures and claims are in ", (str(folder), "bold")), soft_wrap=True)
