"""Which modules a command imports: PyTorch and Polars cost a second, and only what computes may pay for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typer

from counterec.cli.main import app

pytestmark = pytest.mark.slow

HEAVY = {"torch", "polars", "pydantic", "numpy", "safetensors"}
COMMANDS = list(typer.main.get_command(app).commands)
CODE = """
import sys
from counterec.cli.main import main

try:
    main()
finally:
    print(*sorted({name.split(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def imported(*args: object) -> set[str]:
    """Call the command line in a fresh interpreter; return the packages that it imports."""
    command = [sys.executable, "-c", CODE, *map(str, args)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout
    return set(ended.stderr.split())


def test_this_sees_what_is_imported(tiny_run: Path) -> None:
    assert {"polars", "numpy", "typer", "rich"} <= imported("show", tiny_run, "--aspects")


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["--version"], *([name, "--help"] for name in COMMANDS)])
def test_help_and_version_import_nothing_heavy(args: list[str]) -> None:
    assert not HEAVY & imported(*args)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_show_reads_stored_answers_without_pytorch(tiny_run: Path, options: list[str]) -> None:
    assert "torch" not in imported("show", tiny_run, *options)
